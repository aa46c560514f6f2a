// A call with all that belongs to it: its connection, what a refusal makes of that, and the record it leaves.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addConnection, listConnections, setConnection } from '../../src/app/connections.js';
import type { Placement } from '../../src/connection/connection.js';
import { sealer } from '../../src/connection/seal.js';
import {
  type CallRecord,
  type CallRecords,
  callTool,
  Failure,
  type HttpTool,
  maskedRequestOf,
  memoryConnections,
  memoryRecords,
} from '../../src/index.js';
import { sampleTool } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';

const NETWORK = { allow: ['127.0.0.1'] };
const KEY = 'key-of-the-clinic-7331';

let upstream: Loopback;
let status = 200;
let headers: Record<string, string> = {};
beforeAll(async () => {
  upstream = await serve((request, response) => {
    response.writeHead(status, headers).end(`you sent ${request.headers['x-key']}`);
  });
});
afterAll(() => upstream.close());
beforeEach(() => {
  status = 200;
  headers = {};
  process.env.CALL_TEST_KEY = KEY;
});

async function connected(): Promise<{
  tool: HttpTool;
  connections: ReturnType<typeof memoryConnections>;
  heal(): Promise<unknown>;
}> {
  const connections = memoryConnections();
  const options = { connections, sealer: sealer('') };
  const secret = { env: 'CALL_TEST_KEY' };
  const { id } = await addConnection(
    { provider: 'http_key', placement: { placement: 'header', header: 'X-Key' }, secret },
    options,
  );
  const config = { endpoint: `${upstream.origin}/visits`, method: 'GET', locations: { limit: 'query' } } as const;
  const tool = sampleTool('listVisits', { config, connection_id: id });
  return { tool, connections, heal: () => setConnection(id, { secret }, options) };
}

const summary = ({ outcome, status: code, attempts, code: failure }: CallRecord) => [
  outcome,
  code ?? failure,
  attempts,
];

it('breaks its connection with a 401, is refused until that is healed, and leaves a record of each call', async () => {
  const { tool, connections, heal } = await connected();
  const records = memoryRecords();
  const call = () => callTool({ tool, arguments: {} }, { connections, records, network: NETWORK });
  expect(await call()).toMatchObject({ kind: 'answer', status: 200, body: { text: 'you sent [redacted]' } });
  status = 401;
  expect(await call()).toMatchObject({ kind: 'unauthorized', status: 401 });
  const [broken] = await listConnections(connections);
  expect(broken).toMatchObject({ status: 'broken', broken_by: 'listVisits' });
  expect(JSON.stringify(broken)).not.toContain(KEY);
  const sockets = upstream.sockets();
  await expect(call()).rejects.toMatchObject({ code: 'connection-broken' });
  expect(upstream.sockets()).toBe(sockets);
  status = 200;
  await heal();
  expect(await call()).toMatchObject({ kind: 'answer', status: 200 });
  const kept = await records.last();
  expect(kept.map(summary)).toEqual([
    ['answer', 200, 1],
    ['unauthorized', 401, 1],
    ['failed', 'connection-broken', 0],
    ['answer', 200, 1],
  ]);
  for (const record of kept) {
    expect(record).toMatchObject({ tool: 'listVisits', tool_id: tool.id });
    expect(Date.parse(record.at)).toBeGreaterThan(0);
    expect(record.duration_ms).toBeGreaterThanOrEqual(0);
  }
  expect(JSON.stringify(kept)).not.toContain(KEY);
});

it('takes a 403 that is about the rate for no refusal', async () => {
  const { tool, connections } = await connected();
  status = 403;
  headers = { 'X-RateLimit-Remaining': '0', 'Retry-After': '9999' };
  const result = await callTool({ tool, arguments: {} }, { connections, network: NETWORK });
  expect(result).toMatchObject({ kind: 'answer', status: 403 });
  expect(await listConnections(connections)).toMatchObject([{ status: 'healthy' }]);
});

it('leaves a record of a call that was refused before it was sent', async () => {
  const records = memoryRecords();
  const tool = sampleTool('listVisits');
  const result = await callTool({ tool, arguments: { limit: 'many' } }, { records });
  expect(result.kind).toBe('refused');
  expect((await records.last()).map(summary)).toEqual([['refused', undefined, 0]]);
});

it('hands on the result where its record cannot be written', async () => {
  const { tool, connections } = await connected();
  const failing: CallRecords = {
    add: () => Promise.reject(new Failure('record-unwritable', 'the disk is full')),
    last: async () => [],
    close: async () => {},
  };
  const warnings: string[] = [];
  const warn = ({ code }: Failure) => warnings.push(code);
  const result = await callTool({ tool, arguments: {} }, { connections, records: failing, warn, network: NETWORK });
  expect(result.kind).toBe('answer');
  expect(warnings).toEqual(['record-unwritable']);
});

it.each<[Placement, string, Record<string, string>]>([
  [{ placement: 'header', header: 'X-Key', prefix: 'K ' }, '/visits?limit=1', { 'X-Key': 'K REDACTED' }],
  [{ placement: 'query', parameter: 'api key' }, '/visits?limit=1&api%20key=REDACTED', {}],
  [{ placement: 'basic' }, '/visits?limit=1', { Authorization: 'Basic REDACTED' }],
])('shows the request with its credential masked, without reading it: %j', async (placement, target, sent) => {
  const connections = memoryConnections();
  const options = { connections, sealer: sealer('') };
  const secret = { env: 'NOT_SET_ANYWHERE' };
  const { id } = await addConnection({ provider: 'http_key', placement, secret }, options);
  const config = { endpoint: 'https://api.example/visits', method: 'GET', locations: { limit: 'query' } } as const;
  const tool = sampleTool('listVisits', { config, connection_id: id });
  const request = await maskedRequestOf({ tool, arguments: { limit: 1 } }, connections);
  expect(request).toMatchObject({ method: 'GET', origin: 'https://api.example', target, headers: sent });
});
