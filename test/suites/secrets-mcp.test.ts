// Attack suite: an API quotes a key back in every encoding; nothing that an MCP client or a log is given holds a part of it.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Connection, fileStore, type HttpTool, openConnections } from '../../src/index.js';
import { sampleId } from '../connection/sample.js';
import { atHttp, atStdio, initialize, type Json, post, session } from '../mcp/support.js';
import { inFolder } from '../store/folder.js';
import type { Loopback } from '../wire/loopback.js';
import { echo, echoTool, SHAPES } from './echo.js';
import { ENCODINGS, Judge } from './encodings.js';

// Each starts a process.
vi.setConfig({ testTimeout: 60_000 });

/** With each sign that some encoding treats; a header takes Latin-1 alone. */
const KEY = 'Zk9/wQ"7\\hé v<4>&T\'%41Ü=xR;2pLq';
const TOKEN = 'Tk8.wQ7~hv4T-41xR2pLq+9Zm/3=';
const PLACEMENTS = [
  { name: 'header', placement: 'header', header: 'X-Key' },
  { name: 'bearer', placement: 'header', header: 'Authorization', prefix: 'Bearer ' },
  { name: 'query', placement: 'query', parameter: 'key' },
  { name: 'basic', placement: 'basic' },
] as const;
const ALL = ENCODINGS.map((_, i) => i).join(',');
const ENV = { KEY, BASIC: `someone:${KEY}`, TOKEN };

const judge = new Judge(KEY);
const counted = { checks: 0, sinks: new Set<string>(), hits: [] as string[] };
let api: Loopback;
beforeAll(async () => {
  api = await echo();
});
afterAll(async () => {
  await api.close();
  const { checks, sinks, hits } = counted;
  const sizes = `${ENCODINGS.length} encodings x ${sinks.size} sinks x ${PLACEMENTS.length} placements`;
  console.info(`secrets over MCP: ${sizes}, ${checks} checks, ${hits.length} hits`);
});

function check(sink: string, shown: string, encodings = ENCODINGS): void {
  counted.sinks.add(sink);
  counted.checks += encodings.length;
  const hits = judge.found(shown, encodings).map((hit) => `${sink}, ${hit}`);
  counted.hits.push(...hits);
  expect(hits.slice(0, 3)).toEqual([]);
}

/** A tool for each placement, with a form of its answers, and its connection. */
async function stored(folder: string): Promise<string> {
  const path = join(folder, 'tools.json');
  const store = fileStore(path);
  const tools = PLACEMENTS.map(({ name }): HttpTool => {
    return { ...echoTool(api.origin, name, sampleId(name)), output_schema: { type: 'object', properties: {} } };
  });
  await store.commit({ put: tools, remove: [] }, (await store.read()).revision);
  const connections = openConnections(`file:${path}`);
  const put = PLACEMENTS.map(
    ({ name, ...placement }, i): Connection => ({
      ...placement,
      id: sampleId(name),
      provider: 'http_key',
      secret: { kind: 'env', name: name === 'basic' ? 'BASIC' : 'KEY' },
      status: 'healthy',
      order: i + 1,
    }),
  );
  await connections.commit({ put, remove: [] }, (await connections.list()).revision);
  return path;
}

/** Every way in which the API quotes a key; the last of them break the connection. */
function callsOf(name: string): Json[] {
  const calls: Json[] = [];
  const add = (args: Json) => calls.push({ name, arguments: args, _meta: { progressToken: calls.length } });
  for (const index of ENCODINGS.keys()) {
    for (const shape of SHAPES) add({ encodings: String(index), shape, status: '200' });
    add({ encodings: String(index), shape: 'json', status: '500' });
  }
  for (const shape of SHAPES) add({ encodings: ALL, shape, status: '404' });
  add({ encodings: ALL, shape: 'json', status: '401' });
  add({ encodings: ALL, shape: 'json', status: '401' });
  return calls;
}

it('in nothing that a client over stdio is given, and in no log', async () => {
  await inFolder(async (folder) => {
    const path = await stored(folder);
    const args = ['--store', `file:${path}`, '--allow-private', '127.0.0.1', '--log-level', 'debug'];
    await atStdio(
      args,
      async (served) => {
        await served.ask(initialize('2025-11-25'));
        await served.ask({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
        for (const { name } of PLACEMENTS) {
          const calls = callsOf(name);
          for (const [i, params] of calls.entries())
            served.send({ jsonrpc: '2.0', id: `${name}${i}`, method: 'tools/call', params });
          const answers = await Promise.all(calls.map((_, i) => served.answer(`${name}${i}`)));
          check('content', JSON.stringify(answers.map(({ result }) => result.content)));
          check('structured content', JSON.stringify(answers.map(({ result }) => result.structuredContent ?? '')));
          const params = { name, arguments: { encodings: ALL, shape: 'json', status: '200' } };
          const broken = await served.ask({ jsonrpc: '2.0', id: `${name}-broken`, method: 'tools/call', params });
          expect(broken.result.content[0].text).toMatch(/could not be made[\s\S]*tell the person/);
          check('content of a broken connection', JSON.stringify(broken));
          const seen = JSON.stringify(answers);
          for (const part of ['before the key', 'after the key', '[redacted]', 'refused the key'])
            expect(seen).toContain(part);
        }
        check('frames', served.stdout);
        check('log', served.stderr);
        expect(served.stderr).toMatch(/warning: .*broken/);
      },
      { env: ENV },
    );
  });
});

it('in nothing that a client over HTTP is given, nor the token of the server', async () => {
  await inFolder(async (folder) => {
    const path = await stored(folder);
    const args = [
      '--store',
      `file:${path}`,
      '--allow-private',
      '127.0.0.1',
      '--log-level',
      'debug',
      '--token',
      'env:TOKEN',
    ];
    const bearer = { authorization: `Bearer ${TOKEN}` };
    await atHttp(
      args,
      async (url, served) => {
        const begun = await post(url, initialize('2025-11-25'), bearer);
        const own = {
          ...bearer,
          'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
          'mcp-protocol-version': '2025-11-25',
        };
        for (const { name } of PLACEMENTS) {
          const calls = callsOf(name).filter((_, nth) => nth % 5 === 0);
          const answers = await Promise.all(
            calls.map((params, i) =>
              post(url, { jsonrpc: '2.0', id: `${name}${i}`, method: 'tools/call', params }, own),
            ),
          );
          check('streams', answers.map(({ text }) => text).join('\n'));
          check('headers', JSON.stringify(answers.map(({ headers }) => [...headers])));
        }
        check('log', served.stderr);
        const refused = await post(url, initialize('2025-11-25'), { authorization: `Bearer ${TOKEN}x` });
        expect(refused.status).toBe(401);
        for (const shown of [served.stderr, served.stdout, refused.text]) {
          expect(shown).not.toContain(TOKEN);
          expect(shown).not.toContain(Buffer.from(TOKEN).toString('base64').slice(0, 20));
        }
        expect(await session(url, '2025-11-25')).toEqual({
          'mcp-session-id': '',
          'mcp-protocol-version': '2025-11-25',
        });
      },
      { env: ENV },
    );
  });
});
