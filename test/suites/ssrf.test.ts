// Server-side request forgery: every row of the table through every entry point; nothing inside is ever connected to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { renew } from '../../src/connection/oauth.js';
import { callTool, createTool, type HttpTool, importOperations, memoryStore, preview } from '../../src/index.js';
import { PROVIDERS } from '../../src/tool/provider.js';
import { exchange, type Lookup } from '../../src/wire/exchange.js';
import { openapi, operation } from '../cases/build.js';
import { type Loopback, sink } from '../wire/loopback.js';
import { type SsrfRow, ssrfRows } from '../wire/ssrf-table.js';
import { type Front, front } from './front.js';
import { type Watch, watchConnections } from './watch.js';

interface Network {
  readonly allow: readonly string[];
  readonly lookup: Lookup;
}

/** What came of a row: `refused` by us, `passed` where the guard let it go on to a connection, or `shown` as an answer. */
type Outcome = 'refused' | 'passed' | 'shown' | 'other';

interface EntryPoint {
  readonly name: string;
  /** Follows no URL of the row at all, so that an allowed one is not connected to either. */
  readonly shows?: true;
  readonly enter: (row: Pick<SsrfRow, 'url'>, network: Network, server: Front) => Promise<Outcome>;
}

const FETCH_REFUSALS = new Set(['address-refused', 'invalid-url', 'fetch-failed']);
const CREATE_REFUSALS = new Set(['invalid-tool', 'invalid-server']);

/** An entry point is one line here. */
const ENTRY_POINTS: readonly EntryPoint[] = [
  { name: 'description by URL', enter: ({ url }, network) => fetching(preview({ url }, { network })) },
  {
    name: 'redirect of a description',
    enter: ({ url }, network, server) => fetching(preview({ url: server.redirect(302, url) }, { network })),
  },
  { name: 'endpoint of a written tool', enter: async ({ url }, network) => calling(() => written(url), network) },
  { name: 'server of an imported tool', enter: async ({ url }, network) => calling(() => imported(url), network) },
  { name: 'exchange', enter: ({ url }, network) => fetching(exchanged(url, network)) },
  {
    name: 'redirect answered to a call',
    shows: true,
    enter: ({ url }, network, server) => calling(() => written(server.redirect(302, url)), network),
  },
  { name: 'token endpoint of a consented account', enter: ({ url }, network) => renewing(url, network) },
  {
    name: 'reference to another file',
    shows: true,
    enter: ({ url }, network, server) => referring(url, network, server),
  },
];

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

let server: Front;
let sinks: readonly Loopback[];
let proxy: Loopback;
let port: number;
let watch: Watch;
let checks = 0;
let others = 0;
const environment = { ...process.env };

beforeAll(async () => {
  server = await front();
  const first = await sink('127.0.0.1');
  port = first.port;
  sinks = [first, await sink('127.0.0.2', port), await sink('::1', port)];
  proxy = await sink();
  for (const name of PROXIES) process.env[name] = proxy.origin;
  watch = watchConnections(server.port);
});

afterAll(async () => {
  watch.end();
  process.env = environment;
  const touched = [...sinks, proxy].reduce((sum, one) => sum + one.sockets(), 0);
  console.log(
    `ssrf: ${ssrfRows(port).length} rows x ${ENTRY_POINTS.length} entry points = ${checks} checks, ${touched} sockets; ` +
      `and ${others} of redirects and arguments`,
  );
  for (const one of [server, ...sinks, proxy]) await one.close();
});

function networkOf(row: SsrfRow): Network {
  return { allow: [`127.0.0.1:${server.port}`], lookup: async () => row.addresses };
}

async function fetching(work: Promise<unknown>): Promise<Outcome> {
  try {
    await work;
    return 'other';
  } catch (error) {
    if (!(error instanceof Failure) || !FETCH_REFUSALS.has(error.code)) throw error;
    return error.data.reason === 'ECONNREFUSED' ? 'passed' : 'refused';
  }
}

async function exchanged(url: string, network: Network): Promise<unknown> {
  if (!URL.canParse(url)) throw new Failure('invalid-url', 'refused by URL itself');
  return exchange(
    { url: new URL(url), method: 'GET' },
    { ...network, signal: AbortSignal.timeout(5_000), maxBytes: 0 },
  );
}

async function calling(make: () => Promise<HttpTool | undefined>, network: Network): Promise<Outcome> {
  let tool: HttpTool | undefined;
  try {
    tool = await make();
  } catch (error) {
    if (!(error instanceof Failure) || !CREATE_REFUSALS.has(error.code)) throw error;
    return 'refused';
  }
  if (tool === undefined) return 'refused';
  const result = await callTool({ tool, arguments: {} }, { network });
  if (result.kind === 'answer') return 'shown';
  return result.kind === 'unreachable' ? 'passed' : result.kind === 'refused' ? 'refused' : 'other';
}

async function written(endpoint: string): Promise<HttpTool> {
  const input_schema = { type: 'object', properties: {} };
  return createTool(memoryStore(), { name: 'a', input_schema, config: { endpoint, method: 'GET', attempts: 1 } });
}

/** A failure that names a host of its own was one of the guard; one that names none was of the URL. */
async function renewing(tokenEndpoint: string, network: Network): Promise<Outcome> {
  const provider = { ...PROVIDERS.google, tokenEndpoint };
  const party = {
    name: 'google',
    provider,
    client: { id: 'client', secret: 'secret-of-the-client' },
    network,
  } as const;
  const tokens = { access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_at: 0 };
  try {
    await renew(party, tokens);
    return 'other';
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'renewal-failed') throw error;
    return error.data.reason === 'ECONNREFUSED' ? 'passed' : 'refused';
  }
}

/** A description that was fetched reads its own origin alone, so that no row is followed, wherever it leads. */
async function referring(url: string, network: Network, server: Front): Promise<Outcome> {
  const parameters = [{ $ref: `${url}#/x` }];
  const home = server.serve(JSON.stringify(openapi({ '/a': { get: operation('a', { parameters }) } })));
  const { unimportable } = await preview({ url: home }, { network });
  return unimportable[0]?.code === 'unresolved-reference' ? 'shown' : 'other';
}

/** Undefined where the operation is not on that server. */
async function imported(url: string): Promise<HttpTool | undefined> {
  const document = JSON.stringify(openapi({ '/a': { get: operation('a') } }, { servers: [{ url }] }));
  const report = await importOperations({ document, server: url, select: { all: true } }, { store: memoryStore() });
  return report.tools[0];
}

function touchedNothing(): void {
  expect(watch.begun).toEqual([]);
  for (const one of [...sinks, proxy]) expect(one.sockets()).toBe(0);
}

describe.each(ENTRY_POINTS)('$name', ({ enter, shows }) => {
  it('refuses every row that leads inside', async () => {
    watch.reset('connect');
    const rows = ssrfRows(port).filter(({ allowed }) => !allowed);
    const outcomes = await Promise.all(rows.map((row) => enter(row, networkOf(row), server)));
    checks += rows.length;
    const expected = shows ? 'shown' : 'refused';
    expect(rows.filter((_row, i) => outcomes[i] !== expected).map(({ url }) => url)).toEqual([]);
    touchedNothing();
  });

  it('lets every row pass that leads outside', async () => {
    watch.reset('block');
    const rows = ssrfRows(port).filter(({ allowed }) => allowed);
    const outcomes = await Promise.all(rows.map((row) => enter(row, networkOf(row), server)));
    checks += rows.length;
    const expected = shows ? 'shown' : 'passed';
    expect(rows.filter((_row, i) => outcomes[i] !== expected).map(({ url }) => url)).toEqual([]);
    const hosts = rows.map(({ url }) => new URL(url).host.replace(/[[\]]/g, '').replace(/\.(?=:)/, ''));
    expect(new Set(watch.begun)).toEqual(new Set(shows ? [] : hosts));
  });
});

/** A status with a Location that leads inside by another way than a plain URL. */
function redirects(port: number): readonly (readonly [status: number, location: string])[] {
  const inside = `127.0.0.1:${port}`;
  const forms = [`http://${inside}/`, `//${inside}/`, `\\\\${inside}\\`, `http://localhost:${port}/`, `/\\${inside}/`];
  const odd = [`http://${inside}/%0d%0aX-A:%20b`, `HTTP://${inside}/`, `http:\\\\${inside}`, `ht\ttp://${inside}/`];
  return [
    ...[301, 302, 303, 307, 308].flatMap((status) => forms.map((form) => [status, form] as const)),
    ...odd.map((form) => [302, form] as const),
  ];
}

describe('redirects', () => {
  const network = () => networkOf({ group: '', url: '', addresses: ['127.0.0.1'], allowed: false });

  it('that lead inside are not followed, in any form', async () => {
    watch.reset('connect');
    for (const [status, location] of redirects(port)) {
      const url = server.redirect(status, location);
      const failure = await preview({ url }, { network: network() }).catch((error) => error);
      expect([location, failure.code]).toEqual([location, 'address-refused']);
      expect(await calling(() => written(url), network())).toBe('shown');
      others += 2;
    }
    touchedNothing();
  });

  it.each([1, 2, 3, 4, 5, 10, 20])('that lead inside after %i hops', async (hops) => {
    watch.reset('connect');
    const url = server.hops(hops, `http://127.0.0.1:${port}/`);
    const code = hops <= 3 ? 'address-refused' : 'fetch-failed';
    await expect(preview({ url }, { network: network() })).rejects.toMatchObject({ code });
    others += 1;
    touchedNothing();
  });

  it('by a Refresh header are none', async () => {
    watch.reset('connect');
    const url = server.answer(200, { refresh: `0; url=http://127.0.0.1:${port}/` });
    await preview({ url }, { network: network() }).catch(() => {});
    expect(await calling(() => written(url), network())).toBe('shown');
    others += 2;
    touchedNothing();
  });
});

/** Values that would leave their place in the request if they were not encoded. */
const ARGUMENTS = [
  ...['../', '..', '.', '%2e%2e', '..%2f..', '//evil.example', '/', '\\', '?x#', '#', ';', '@evil.example', ':80'],
  ...['http://127.0.0.1/', 'a\r\nHost: evil.example', 'a\nX-B: b', '\0', 'é', '％２ｅ'],
];

describe('arguments', () => {
  it.each(ARGUMENTS)('cannot lead a request elsewhere: %j', async (value) => {
    watch.reset('connect');
    const before = server.requests.length;
    const tool = await createTool(memoryStore(), {
      name: 'a',
      input_schema: {
        type: 'object',
        properties: { id: { type: 'string' }, q: { type: 'string' }, mark: { type: 'string' } },
      },
      config: {
        endpoint: `${server.origin}/v1/things/{id}/parts`,
        method: 'GET',
        locations: { q: 'query', mark: { in: 'header', name: 'X-Mark' } },
      },
    });
    const network = networkOf({ group: '', url: '', addresses: ['127.0.0.1'], allowed: false });
    for (const args of [{ id: value }, { id: 'a', q: value }, { id: 'a', mark: value }]) {
      const result = await callTool({ tool, arguments: args }, { network });
      expect(['answer', 'refused']).toContain(result.kind);
      others += 1;
    }
    for (const { url, headers } of server.requests.slice(before)) {
      expect(url).toMatch(/^\/v1\/things\/[^/?#]+\/parts(?:\?q=[^?#&]*)?$/);
      expect(url).not.toMatch(/\/\.{1,2}\//);
      expect(headers.host).toBe(`127.0.0.1:${server.port}`);
      expect(headers).not.toHaveProperty('x-b');
    }
    touchedNothing();
  });

  it.each(['Host', 'Connection', 'Transfer-Encoding', 'Content-Length', 'X-A\r\nHost'])(
    'cannot name the header %j',
    async (name) => {
      const make = createTool(memoryStore(), {
        name: 'a',
        input_schema: { type: 'object', properties: {} },
        config: { endpoint: `${server.origin}/`, method: 'GET', headers: { [name]: 'evil.example' } },
      });
      await expect(make).rejects.toMatchObject({ code: 'invalid-tool' });
      others += 1;
    },
  );
});
