// Cases of the MCP server: what was reported of such servers, asked of this one as a process.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fileStore, importOperations } from '../../src/index.js';
import { type Api, atApi } from '../mcp/api.js';
import {
  atHttp,
  atStdio,
  client,
  connected,
  initialize,
  type Json,
  post,
  type Served,
  session,
} from '../mcp/support.js';
import { inFolder } from '../store/folder.js';
import { answerText, recorder } from '../wire/loopback.js';
import { object, openapi, operation } from './build.js';

// Each starts a process.
vi.setConfig({ testTimeout: 60_000 });

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const LIST = { jsonrpc: '2.0', id: 'l', method: 'tools/list' };

function call(id: unknown, name: string, params: Json = {}): Json {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...params } };
}

async function asked(work: (served: Served, api: Api) => Promise<void>): Promise<void> {
  await atApi((api) =>
    atStdio(api.args, async (served) => {
      await served.ask(initialize('2025-11-25'));
      await work(served, api);
    }),
  );
}

/** Serves a description of its own, before an upstream that answers as it is told. */
async function before(
  description: Json,
  answers: readonly string[],
  work: (
    args: readonly string[],
    requests: readonly {
      readonly target: string;
      readonly method: string;
      readonly body: Buffer;
      readonly headers: readonly (readonly string[])[];
    }[],
  ) => Promise<void>,
): Promise<void> {
  const api = await recorder((_socket, nth) => answers[Math.min(nth, answers.length) - 1] ?? answerText(200));
  try {
    await inFolder(async (folder) => {
      const file = join(folder, 'api.json');
      await writeFile(file, JSON.stringify(description));
      await work([file, '--server', api.origin, '--allow-private', '127.0.0.1'], api.requests);
    });
  } finally {
    await api.close();
  }
}

it('mcp-server-unknown-tool', async () => {
  await asked(async (served) => {
    const answer = await served.ask({ ...call(3, 'nope'), params: { name: 'nope', arguments: {} } });
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32602, message: expect.stringContaining('nope') },
    });
  });
});

it('mcp-server-invalid-arguments', async () => {
  await asked(async (served, api) => {
    for (const [id, params] of [
      [1, { arguments: { room: 'x' } }],
      [2, {}],
    ] as const) {
      const { result } = await served.ask(call(id, 'createVisit', params));
      expect(result.isError).toBe(true);
      expect(result.content[0].text).toContain('room');
    }
    expect(api.asked).toEqual([]);
  });
});

it('mcp-server-origin-check', async () => {
  await atApi((api) =>
    atHttp(api.args, async (url) => {
      for (const [headers, status] of [
        [{ origin: 'https://evil.example' }, 403],
        [{ origin: 'null' }, 403],
        [{}, 200],
      ] as const) {
        const answer = await post(url, initialize('2025-11-25'), headers);
        expect(answer.status).toBe(status);
        expect(answer.headers.has('mcp-session-id')).toBe(status === 200);
      }
    }),
  );
});

it('mcp-server-content-type-with-charset', async () => {
  await atApi((api) =>
    atHttp(api.args, async (url) => {
      const own = await session(url, '2025-11-25');
      const answer = await post(url, PING, { ...own, 'content-type': 'application/json; charset=utf-8' });
      expect([answer.status, answer.messages]).toEqual([200, [{ jsonrpc: '2.0', id: 1, result: {} }]]);
    }),
  );
});

it('mcp-server-accept-variants', async () => {
  await atApi((api) =>
    atHttp(api.args, async (url) => {
      for (const accept of ['application/json, text/event-stream', '*/*', 'application/json']) {
        const answer = await post(url, initialize('2025-11-25'), { accept });
        expect(answer.status).toBe(200);
        expect(answer.messages[0]?.result.protocolVersion).toBe('2025-11-25');
        if (accept === 'application/json') expect(answer.headers.get('content-type')).toBe('application/json');
      }
    }),
  );
});

it('mcp-server-stdout-is-protocol-only', async () => {
  await inFolder(async (folder) => {
    // A tool that cannot be reached, and a library that writes to the standard output and crashes within a call.
    const store = fileStore(join(folder, 'tools.json'));
    const description = openapi({ '/a': { get: operation('a'), post: operation('crash') } });
    await importOperations(
      { document: JSON.stringify(description), server: 'http://127.0.0.1:9', select: { all: true } },
      { store },
    );
    const crash = join(folder, 'crash.mjs');
    await writeFile(
      crash,
      `import crypto from 'node:crypto';
       import { syncBuiltinESMExports } from 'node:module';
       const randomUUID = crypto.randomUUID;
       crypto.randomUUID = () => {
         console.log('a remark of a library');
         process.stdout.write('another\\n');
         process.emitWarning('a warning');
         throw new Error('a crash');
       };
       syncBuiltinESMExports();`,
    );
    const args = [
      '--store',
      `file:${join(folder, 'tools.json')}`,
      '--allow-private',
      '127.0.0.1',
      '--log-level',
      'debug',
    ];
    await atStdio(
      args,
      async (served) => {
        served.send(initialize('2025-11-25'));
        served.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
        served.send(LIST);
        served.send(call(1, 'a'));
        served.send(call(2, 'crash'));
        await Promise.all([served.answer(1), served.answer(2)]);
        served.child.stdin?.end();
        expect(await served.exit()).toBe(0);
        const messages = served.messages();
        expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 'init', 'l']);
        for (const { jsonrpc } of messages) expect(jsonrpc).toBe('2.0');
        expect(served.stdout.endsWith('\n')).toBe(true);
        expect(messages.find(({ id }) => id === 1)?.result).toMatchObject({ isError: true });
        expect(messages.find(({ id }) => id === 2)?.result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('a fault of toolwright') }],
        });
        for (const said of [
          'a remark of a library',
          'another',
          'a warning',
          'error: crash crashed: Error at ',
          'debug: ',
        ]) {
          expect(served.stderr).toContain(said);
        }
        expect(served.stderr).not.toContain('a crash');
      },
      { node: ['--import', crash] },
    );
  });
});

it('mcp-server-envelope-never-reaches-upstream', async () => {
  const description = openapi({ '/touch': { post: operation('touch') } });
  await before(description, [answerText(204)], async (args, requests) => {
    await atHttp(args, async (url) => {
      const own = await session(url, '2025-11-25');
      const message = call(9, 'touch', { arguments: {}, _meta: { progressToken: 11 } });
      const answer = await post(url, message, { ...own, authorization: 'Bearer of-the-client-alone' });
      expect(answer.messages.at(-1)?.result.isError).toBeUndefined();
    });
    const [sent, ...more] = requests;
    expect([sent?.method, sent?.target, sent?.body.length, more]).toEqual(['POST', '/touch', 0, []]);
    const text = JSON.stringify(sent?.headers);
    for (const part of ['jsonrpc', 'tools/call', '_meta', 'progressToken', 'of-the-client-alone', 'mcp-']) {
      expect(text.toLowerCase()).not.toContain(part.toLowerCase());
    }
  });
});

it('mcp-server-error-results-and-output-schema', async () => {
  const price = { type: 'number', nullable: true };
  const schema = object({ price }, 'price');
  const description = {
    ...openapi({
      '/i': {
        get: operation('i', { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } }),
      },
    }),
    openapi: '3.0.4',
  };
  const json = { 'content-type': 'application/json' };
  await before(description, [answerText(500, {}, 'boom'), answerText(200, json, '{"price":null}')], async (args) => {
    await connected({ args }, client('2025-11-25'), async (one) => {
      await one.listTools();
      const failed = await one.callTool({ name: 'i', arguments: {} });
      const text = JSON.stringify(failed.content);
      expect([failed.isError, failed.structuredContent, text.includes('500'), text.includes('boom')]).toEqual([
        true,
        undefined,
        true,
        true,
      ]);
      const good = await one.callTool({ name: 'i', arguments: {} });
      expect(good.isError).toBeUndefined();
      expect(JSON.stringify(good.content)).toContain('{\\"price\\":null}');
      // The client checks it against the form that it was shown, where it was shown one.
      if (good.structuredContent !== undefined) expect(good.structuredContent).toEqual({ price: null });
    });
  });
});

it('mcp-server-output-schema-root-is-object', async () => {
  const answers = (schema: Json) => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  });
  const node = object({ next: { $ref: '#/components/schemas/Node' } });
  const description = openapi(
    {
      '/l': { get: operation('l', answers({ type: 'array', items: object({ id: { type: 'integer' } }) })) },
      '/n': { get: operation('n', answers({ $ref: '#/components/schemas/Node' })) },
    },
    { components: { schemas: { Node: node } } },
  );
  await before(description, [answerText(200, { 'content-type': 'application/json' }, '[{"id":1}]')], async (args) => {
    for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'] as const) {
      await connected({ args }, client(revision), async (one) => {
        const { tools } = await one.listTools();
        expect(tools.map(({ name }) => name)).toEqual(['l', 'n']);
        for (const { inputSchema, outputSchema } of tools) {
          expect(inputSchema.type).toBe('object');
          expect(outputSchema === undefined || outputSchema.type === 'object').toBe(true);
          expect(JSON.stringify(outputSchema ?? {})).not.toContain('$ref');
        }
        const { content, isError } = await one.callTool({ name: 'l', arguments: {} });
        expect([content, isError]).toEqual([[{ type: 'text', text: '[{"id":1}]' }], undefined]);
      });
    }
  });
});

it('mcp-server-sessions', async () => {
  await atApi((api) =>
    atHttp(api.args, async (url) => {
      const own = await session(url, '2025-11-25');
      const status = async (headers: { readonly [name: string]: string }) => (await post(url, LIST, headers)).status;
      expect(await status({ ...own, 'mcp-session-id': 'never-issued' })).toBe(404);
      expect(await status({})).toBe(400);
      expect(await status({ ...own, 'mcp-protocol-version': '1999-01-01' })).toBe(400);
      expect(await status(own)).toBe(200);
      expect((await fetch(url, { method: 'DELETE', headers: own })).status).toBe(200);
      expect(await status(own)).toBe(404);
    }),
  );
});

it('mcp-server-list-ends', async () => {
  const paths = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`/p${i}`, { get: operation(`t${i}`) }]));
  await before(openapi(paths), [], async (args) => {
    await atStdio(args, async (served) => {
      await served.ask(initialize('2025-11-25'));
      const { result } = await served.ask(LIST);
      expect(new Set(result.tools.map(({ name }: Json) => name)).size).toBe(14);
      expect(Object.keys(result)).toEqual(['tools']);
      const garbage = await served.ask({ ...LIST, id: 'g', params: { cursor: 'garbage' } });
      expect(garbage.error?.code).toBe(-32602);
    });
  });
});

it('mcp-server-notification-and-batch', async () => {
  await atApi((api) =>
    atHttp(api.args, async (url) => {
      const own = await session(url, '2025-11-25');
      const noted = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
      expect([noted.status, noted.text]).toEqual([202, '']);
      const batch = await post(url, [call(1, 'touch'), { ...PING, id: 2 }], own);
      expect([batch.status, batch.messages[0]?.error?.code]).toEqual([400, -32600]);
      expect(api.asked).toEqual([]);
      const zero = await post(url, { ...PING, id: 0 }, own);
      expect(zero.messages).toEqual([{ jsonrpc: '2.0', id: 0, result: {} }]);
    }),
  );
});
