// Clients that mean no good, or err: nothing crashes, nothing is answered that was not asked, the server goes on.
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { MCP_LIMITS } from '../../src/base/limits.js';
import { type Api, atApi } from './api.js';
import { atHttp, atStdio, initialize, type Json, post, type Served, session } from './support.js';

// Each starts a process.
vi.setConfig({ testTimeout: 120_000 });

const LONG = 10 * 1024 * 1024;
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

function atProcess(work: (served: Served, api: Api) => Promise<void>): Promise<void> {
  return atApi((api) => atStdio([...api.args, '--log-level', 'debug'], (served) => work(served, api)));
}

function call(id: unknown, name: unknown, args: unknown): Json {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** Frames that are no request of a tool: none of them makes the API hear anything. */
const FRAMES: readonly string[] = [
  '{',
  'hello',
  '\u0000\u0001',
  '""',
  'null',
  '7',
  '[]',
  '{}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
  '{"jsonrpc":"2.0","id":[1],"method":"ping"}',
  '{"jsonrpc":"2.0","id":true,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":7}',
  '{"jsonrpc":"2.0","id":"a","result":{}}',
  '{"jsonrpc":"2.0","id":99,"error":{"code":"x"}}',
  '{"jsonrpc":"2.0","id":98,"result":{"said":"a word in confidence"}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a word in confidence","progress":1}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}',
  '{"jsonrpc":"2.0","method":"notifications/no/such","params":[1]}',
  '{"jsonrpc":"2.0","id":"x1","method":"tools/call"}',
  '{"jsonrpc":"2.0","id":"x2","method":"tools/call","params":[]}',
  '{"jsonrpc":"2.0","id":"x3","method":"tools/call","params":{"name":"getVisit","arguments":"v1"}}',
  '{"jsonrpc":"2.0","id":"x4","method":"tools/list","params":{"cursor":7}}',
  '{"jsonrpc":"2.0","id":"x5","method":"__proto__","params":{"__proto__":{"a":1}}}',
  '{"jsonrpc":"2.0","id":"x6","method":"tools/call","params":{"name":"__proto__"}}',
  '{"jsonrpc":"2.0","id":"x7","method":"tools/call","params":{"name":"constructor","arguments":{}}}',
  '{"jsonrpc":"2.0","id":"x8","method":"initialize","params":{}}',
  '{"jsonrpc":"2.0","id":"x9","method":"completion/complete","params":{}}',
  '{"jsonrpc":"2.0","id":"x10","method":"logging/setLevel","params":{"level":"debug"}}',
  `{"jsonrpc":"2.0","id":"x11","method":"tools/call","params":{"name":"getVisit","arguments":{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
  `{"jsonrpc":"2.0","id":"x12","method":"tools/call","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
  `{"jsonrpc":"2.0","id":"${'i'.repeat(100_000)}","method":"ping"`,
];

/** A POST of which the server has the head, and waits for the body. */
async function begunPost(url: string, length: number) {
  const asked = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': length,
      expect: '100-continue',
    },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    asked.on('response', (response) => resolve(response.resume().statusCode));
    asked.on('error', reject);
  });
  status.catch(() => {});
  asked.flushHeaders();
  await Promise.race([once(asked, 'continue'), status]);
  return {
    end: (body: string) => {
      asked.end(body);
      return status;
    },
    leave: () => asked.destroy(),
  };
}

/** Arguments that do not fit, or that nobody should fall over. */
const ARGUMENTS: readonly Json[] = [
  {},
  { id: 7 },
  { id: null },
  { id: {} },
  { id: '' },
  { id: '..' },
  { id: 'a', more: 1 },
  JSON.parse('{"__proto__":{"id":"a"}}'),
  { constructor: 1, toString: 'x', valueOf: 'y', id: {} },
];

describe('over the standard input', () => {
  it('takes frames of every kind, and goes on', async () => {
    await atProcess(async (served, api) => {
      // Before the protocol has begun, and within it.
      for (const frame of FRAMES) served.send(frame);
      expect((await served.ask(initialize('2025-11-25'))).result.protocolVersion).toBe('2025-11-25');
      served.send(INITIALIZED);
      for (const frame of FRAMES) served.send(frame);
      for (const [i, args] of ARGUMENTS.entries()) {
        const answer = await served.ask(call(`a${i}`, 'getVisit', args));
        expect([args, answer.result?.isError ?? answer.error?.code]).toEqual([args, true]);
      }
      expect(api.asked).toEqual([]);
      const { result } = await served.ask(call('good', 'getVisit', { id: 'v1' }));
      expect(result.content[0].text).toBe('{"id":"v1","room":3}');
      for (const { jsonrpc, id, error } of served.messages()) {
        expect(jsonrpc).toBe('2.0');
        // A fault of the client is never told as one of ours, but for parameters that the SDK itself reads.
        const codes = id === 'x4' || id === 'x8' ? [-32603] : [-32700, -32600, -32601, -32602];
        if (error !== undefined) expect([id, codes]).toEqual([id, expect.arrayContaining([error.code])]);
      }
      expect(served.stderr).not.toMatch(/\bat .*\.js:\d+/);
      expect(served.stderr).toContain('unknown message ID: …');
      expect(served.stderr).not.toContain('in confidence');
    });
  });

  it('refuses a line of 10 MB without keeping it, and reads the next', async () => {
    await atProcess(async (served) => {
      await served.ask(initialize('2025-11-25'));
      served.send(INITIALIZED);
      for (let i = 0; i < 3; i += 1) {
        served.send(JSON.stringify(call(i, 'getVisit', { id: 'x'.repeat(LONG) })));
        served.send('y'.repeat(LONG));
      }
      expect((await served.ask({ jsonrpc: '2.0', id: 'after', method: 'ping' })).result).toEqual({});
      const refused = served.messages().filter(({ error }) => error?.code === -32600);
      expect(refused.map(({ id }) => id)).toEqual([null, null, null, null, null, null]);
    });
  });

  it('makes as many calls at once as it may, and refuses the others in words', async () => {
    await atProcess(async (served, api) => {
      await served.ask(initialize('2025-11-25'));
      served.send(INITIALIZED);
      const over = 5;
      for (let i = 0; i < MCP_LIMITS.calls + over; i += 1) served.send(call(i, 'slow', {}));
      await served.until(() => served.messages().length === 1 + over);
      const refused = served.messages().slice(1);
      for (const { result } of refused) expect(result.content[0].text).toContain('Too many calls');
      for (let i = 0; i < MCP_LIMITS.calls; i += 1) {
        served.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: i } });
      }
      await served.until(() => api.asked.every(({ dropped }) => dropped));
      let room = false;
      // What was cancelled is over in a moment.
      for (let i = 0; !room; i += 1) {
        const { result } = await served.ask(call(`good${i}`, 'getVisit', { id: 'v1' }));
        room = result.isError !== true;
        if (!room) expect(result.content[0].text).toContain('Too many calls');
      }
    });
  });
});

describe('over HTTP', () => {
  it('takes bodies of every kind, and goes on', async () => {
    await atApi((api) =>
      atHttp([...api.args, '--log-level', 'debug'], async (url, served) => {
        const own = await session(url, '2025-11-25');
        for (const headers of [{}, own, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }]) {
          for (const frame of FRAMES) {
            const { status } = await post(url, frame, headers as { readonly [name: string]: string });
            expect([frame.slice(0, 80), status < 500]).toEqual([frame.slice(0, 80), true]);
          }
        }
        expect(api.asked).toEqual([]);
        const answer = await post(url, call(1, 'getVisit', { id: 'v1' }), own);
        expect(answer.messages[0]?.result.content[0].text).toBe('{"id":"v1","room":3}');
        expect(served.stderr).not.toMatch(/crashed/);
      }),
    );
  });

  it('reads as many requests at once as it may, and puts the others off', async () => {
    await atApi((api) =>
      atHttp(api.args, async (url) => {
        const ping = { ...initialize('2025-11-25'), id: 'late' };
        const body = JSON.stringify(ping);
        const unfinished = await Promise.all(
          Array.from({ length: MCP_LIMITS.requests }, () => begunPost(url, Buffer.byteLength(body))),
        );
        const late = await post(url, ping);
        expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
        // What was begun is answered, and there is room again when it was.
        const [first, ...others] = unfinished;
        expect(await first?.end(body)).toBe(200);
        expect((await post(url, ping)).status).toBe(200);
        for (const other of others) other.leave();
      }),
    );
  });

  it('holds a bounded number of sessions, of which the longest unused are ended', async () => {
    await atApi((api) =>
      atHttp(api.args, async (url) => {
        const first = await session(url, '2025-11-25');
        const begin = async (): Promise<string> => {
          const begun = await post(url, initialize('2025-11-25'));
          expect(begun.status).toBe(200);
          return begun.headers.get('mcp-session-id') ?? '';
        };
        const ids: string[] = [];
        const used = async (id: string | undefined) =>
          (
            await post(
              url,
              { jsonrpc: '2.0', id: 1, method: 'ping' },
              { 'mcp-session-id': id ?? '', 'mcp-protocol-version': '2025-11-25' },
            )
          ).status;
        for (let i = 0; i < 1_000; i += 50) {
          ids.push(...(await Promise.all(Array.from({ length: 50 }, begin))));
          // One that is used stays.
          expect(await used(first['mcp-session-id'])).toBe(200);
        }
        expect(new Set(ids).size).toBe(1_000);
        expect(await used(ids.at(-1))).toBe(200);
        expect(await used(ids[0])).toBe(404);
        expect(await used(ids[1_000 - MCP_LIMITS.sessions - 2])).toBe(404);
        // What begins no session ends none.
        const strays = Array.from({ length: 100 }, () => post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }));
        expect(new Set((await Promise.all(strays)).map(({ status }) => status))).toEqual(new Set([400]));
        expect(await used(ids[820])).toBe(200);
      }),
    );
  });
});
