// Over streamable HTTP, by hand: methods, headers, statuses and codes as the text of each revision has them.
import { describe, expect, it, vi } from 'vitest';
import { type Api, atApi } from './api.js';
import {
  atHttp,
  envelope,
  heldForAll,
  initialize,
  type Json,
  type Message,
  post,
  type Served,
  session,
} from './support.js';

// Each starts a process.
vi.setConfig({ testTimeout: 60_000 });
/** A first call loads what calls need, which takes its time on a busy machine. */
const SOON = { timeout: 30_000 };

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = (id: unknown, name: string, args: Json = {}, meta: Json = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: meta },
});

interface Serving {
  readonly url: string;
  readonly api: Api;
  readonly served: Served;
}

const plain = heldForAll<Serving>((work) =>
  atApi((api) => atHttp(api.args, (url, served) => work({ url, api, served }))),
);

/** With flags or an environment a server of its own, else that of all tests. */
async function serving(
  work: (url: string, api: Api, served: Served) => Promise<void>,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  if (flags.length === 0) {
    const { url, api, served } = plain();
    api.asked.length = 0;
    return work(url, api, served);
  }
  return atApi((api) => atHttp([...api.args, ...flags], (url, served) => work(url, api, served), { env }));
}

/** A request of 2026-07-28, with the headers that it has to bring. */
function modern(
  url: string,
  message: Json,
  headers: { readonly [name: string]: string } = {},
  capabilities: Json = {},
) {
  const params = (message.params ?? {}) as Json;
  const body = { ...message, params: { ...params, _meta: envelope(capabilities, (params._meta ?? {}) as Json) } };
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const own = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': String(message.method), ...name };
  return post(url, body, { ...own, ...headers });
}

/** The messages of a stream as they come. */
async function* streamed(response: Response): AsyncGenerator<Message> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return;
    text += value;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)) as Message;
  }
}

it('serves the revisions with sessions', async () => {
  await serving(async (url, api) => {
    for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const begun = await post(url, initialize(revision));
      expect(begun.status).toBe(200);
      expect(begun.messages[0]?.result.protocolVersion).toBe(revision);
      const id = begun.headers.get('mcp-session-id') ?? '';
      expect(id).toMatch(/^[\x21-\x7e]{16,}$/);
      const own = { 'mcp-session-id': id, 'mcp-protocol-version': revision };

      const noted = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
      expect([noted.status, noted.text]).toEqual([202, '']);
      const zero = await post(url, { jsonrpc: '2.0', id: 0, method: 'ping' }, own);
      expect([zero.status, zero.messages]).toEqual([200, [{ jsonrpc: '2.0', id: 0, result: {} }]]);
      const listed = await post(url, LIST, own);
      expect(listed.messages[0]?.result.tools).toHaveLength(7);
      const called = await post(url, call(2, 'getVisit', { id: 'v1' }), own);
      expect(called.messages[0]?.result.content[0].text).toBe('{"id":"v1","room":3}');
      expect((await post(url, call(3, 'nope'), own)).messages[0]?.error?.code).toBe(-32602);

      expect((await post(url, LIST)).status).toBe(400);
      expect((await post(url, LIST, { ...own, 'mcp-session-id': 'never-issued' })).status).toBe(404);
      expect((await post(url, LIST, { ...own, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
      expect((await fetch(url, { method: 'DELETE', headers: own })).status).toBe(200);
      expect((await post(url, LIST, own)).status).toBe(404);
      expect(api.asked.splice(0)).toHaveLength(1);
    }
  });
});

it('serves 2026-07-28 without any', async () => {
  await serving(async (url, api) => {
    const discovered = await modern(url, { jsonrpc: '2.0', id: 1, method: 'server/discover' });
    expect(discovered.status).toBe(200);
    expect(discovered.headers.get('mcp-session-id')).toBeNull();
    // Longer than a pause in a conversation: a client whose socket is closed as it calls has lost the call.
    expect(discovered.headers.get('keep-alive')).toBe('timeout=120');
    expect(discovered.messages[0]?.result.supportedVersions).toEqual(['2026-07-28']);
    const listed = await modern(url, LIST);
    expect(listed.messages[0]?.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' });
    const called = await modern(url, call(2, 'getVisit', { id: 'v1' }));
    expect(called.headers.get('content-type')).toMatch(/^application\/json/);
    expect(called.messages[0]?.result.content[0].text).toBe('{"id":"v1","room":3}');
    expect((await modern(url, call(3, 'nope'))).messages[0]?.error?.code).toBe(-32602);
    // What a header says and what the body says is one thing.
    const other = await modern(url, call(4, 'getVisit', { id: 'v1' }), { 'mcp-name': 'cancelVisit' });
    expect([other.status, other.messages[0]?.error?.code]).toEqual([400, -32020]);
    const unspoken = await modern(url, LIST, { 'mcp-protocol-version': '2031-01-01' });
    expect(unspoken.status).toBe(400);
    expect(api.asked).toHaveLength(1);
  });
});

it('refuses what is no message, with the statuses of HTTP', async () => {
  await serving(async (url, api, served) => {
    const own = await session(url, '2025-11-25');
    const malformed = await post(url, '{"jsonrpc":', own);
    expect([malformed.status, malformed.messages[0]?.error?.code]).toEqual([400, -32700]);
    const batch = [LIST, call(2, 'getVisit', { id: 'v1' })];
    expect((await post(url, batch, own)).status).toBe(400);
    expect((await post(url, LIST, { ...own, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(url, LIST, { ...own, 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect((await fetch(url, { method: 'PUT', headers: own })).status).toBe(405);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    const large = call(3, 'getVisit', { id: 'v'.repeat(9 * 1024 * 1024) });
    expect((await post(url, large, own)).status).toBe(413);
    expect(api.asked).toEqual([]);
    expect((await post(url, LIST, own)).status).toBe(200);
    expect(served.child.exitCode).toBeNull();
  });
});

it('answers in a form that the client takes', async () => {
  await serving(async (url) => {
    for (const accept of ['*/*', 'application/json', 'application/*', 'application/json, text/event-stream']) {
      const begun = await post(url, initialize('2025-11-25'), { accept });
      expect([accept, begun.status]).toEqual([accept, 200]);
      if (!/\*\/|stream/.test(accept)) expect(begun.headers.get('content-type')).toMatch(/^application\/json/);
      const asked = await modern(url, call(1, 'getVisit', { id: 'v1' }, { progressToken: 1 }), { accept });
      expect([accept, asked.status, asked.messages.at(-1)?.result.content[0].text]).toEqual([
        accept,
        200,
        '{"id":"v1","room":3}',
      ]);
    }
    expect((await post(url, initialize('2025-11-25'), { accept: 'text/html' })).status).toBe(406);
  });
});

it('answers all messages of a batch, in a list for a client that takes no stream', async () => {
  await serving(async (url) => {
    const own = await session(url, '2025-03-26');
    const batch = [{ jsonrpc: '2.0', id: 5, method: 'ping' }, { ...LIST, id: 6 }, call(7, 'getVisit', { id: 'v1' })];
    const { text } = await post(url, batch, { ...own, accept: 'application/json' });
    const answers = JSON.parse(text) as readonly Message[];
    expect(answers.map(({ id }) => id).sort()).toEqual([5, 6, 7]);
    const alone = await post(url, [{ jsonrpc: '2.0', id: 8, method: 'ping' }], { ...own, accept: 'application/json' });
    expect(JSON.parse(alone.text)).toEqual([{ jsonrpc: '2.0', id: 8, result: {} }]);
  });
});

describe('who may speak to it', () => {
  it('is no page of a browser and no name that was made to point here', async () => {
    await serving(async (url, api) => {
      const { port } = new URL(url);
      const begin = (headers: { readonly [name: string]: string }) =>
        raw(Number(port), JSON.stringify(initialize('2025-11-25')), headers);
      for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://']) {
        expect([origin, await begin({ host: `127.0.0.1:${port}`, origin })]).toEqual([origin, 403]);
      }
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        '127.0.0.1.nip.io',
        '10.0.0.1',
        'localhost.evil.example',
        'localhost@evil.example',
        '',
      ]) {
        expect([host, await begin({ host })]).toEqual([host, 403]);
      }
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
        expect([host, await begin({ host, origin: `http://${host}` })]).toEqual([host, 200]);
        expect([host, await begin({ host })]).toEqual([host, 200]);
      }
      expect(api.asked).toEqual([]);
    });
  });

  it('brings the token, where one is asked for', async () => {
    const token = 'a-token-of-the-tests-0123456789';
    await serving(
      async (url, _api, served) => {
        const status = async (authorization?: string) =>
          (await post(url, initialize('2025-11-25'), authorization === undefined ? {} : { authorization })).status;
        const refused = await post(url, initialize('2025-11-25'));
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
        for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer ', token, `Basic ${token}`]) {
          expect(await status(wrong)).toBe(401);
        }
        expect(await status(`Bearer ${token}`)).toBe(200);
        expect(await status(`bearer ${token}`)).toBe(200);
        // By an address of this machine, never by a name that is not its own.
        const { port } = new URL(url);
        expect(await raw(Number(port), '{}', { host: 'evil.example', authorization: `Bearer ${token}` })).toBe(403);
        expect(served.stderr).not.toContain(token);
      },
      ['--host', '0.0.0.0', '--token', 'env:MCP_TOKEN', '--log-level', 'debug'],
      { MCP_TOKEN: token },
    );
  });
});

it('cancels upstream with the client: by its message, or by its leaving', async () => {
  await serving(async (url, api) => {
    const own = await session(url, '2025-11-25');
    const waiting = post(url, call(7, 'slow'), own).catch(() => {});
    await vi.waitFor(() => expect(api.asked).toHaveLength(1), SOON);
    await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, own);
    await vi.waitFor(() => expect(api.asked[0]?.dropped).toBe(true), SOON);
    await fetch(url, { method: 'DELETE', headers: own });
    await waiting;

    const leaving = new AbortController();
    const gone = fetch(url, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'slow',
      },
      body: JSON.stringify(call(8, 'slow', {}, envelope())),
    }).catch(() => {});
    await vi.waitFor(() => expect(api.asked).toHaveLength(2), SOON);
    leaving.abort();
    await gone;
    await vi.waitFor(() => expect(api.asked[1]?.dropped).toBe(true), SOON);
  });
});

it('asks a person over a session, within the stream of the call', async () => {
  await serving(
    async (url, api) => {
      const own = await session(url, '2025-11-25', { elicitation: {} });
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...own },
        body: JSON.stringify(call(1, 'cancelVisit', { id: 'v1' })),
      });
      const messages: Message[] = [];
      for await (const message of streamed(response)) {
        messages.push(message);
        if (message.method !== 'elicitation/create') continue;
        expect(api.asked).toEqual([]);
        const result = { action: 'accept', content: { confirm: true } };
        expect((await post(url, { jsonrpc: '2.0', id: message.id, result }, own)).status).toBe(202);
      }
      expect(messages.at(-1)?.result.content[0].text).toBe('{"cancelled":"v1"}');
      expect(api.asked).toHaveLength(1);
    },
    ['--confirm', 'destructive'],
  );
});

it('asks nobody through a client that would not see the question', async () => {
  await serving(
    async (url, api) => {
      const cancel = call(1, 'cancelVisit', { id: 'v1' });
      for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26']) {
        const own = await session(url, revision, { elicitation: {} });
        for (const accept of ['application/json', 'application/json, text/event-stream;q=0']) {
          const answer = await post(url, cancel, { ...own, accept });
          expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
          expect(answer.messages[0]?.result).toMatchObject({
            isError: true,
            content: [{ text: expect.stringContaining('cannot ask') }],
          });
        }
      }
      // There the question is the answer.
      const asked = await modern(url, cancel, { accept: 'application/json' }, { elicitation: {} });
      expect(asked.messages[0]?.result).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } });
      expect(api.asked).toEqual([]);
    },
    ['--confirm', 'destructive'],
  );
});

it('tells nobody of changes who takes no stream of them', async () => {
  await serving(async (url) => {
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' };
    const params = { notifications: { toolsListChanged: true } };
    const refused = await modern(url, { ...listen, params }, { accept: 'application/json' });
    expect([refused.status, refused.messages[0]?.error?.message]).toEqual([406, expect.stringContaining('Accept')]);
  });
});

/** The status of a POST with headers that fetch would not send. */
async function raw(port: number, body: string, headers: { readonly [name: string]: string }): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        port,
        host: '127.0.0.1',
        path: '/mcp',
        method: 'POST',
        setHost: false,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}
