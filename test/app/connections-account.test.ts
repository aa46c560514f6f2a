// Calls behind a consented account, against a real authorization server and an API that asks it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallOptions, callTool } from '../../src/app/call.js';
import { type AccountOptions, addAccount, renewConsent } from '../../src/app/consent.js';
import { renderResult } from '../../src/call/result.js';
import type { ConnectionStore, ConsentedConnection } from '../../src/connection/connection.js';
import { fileConnections } from '../../src/connection/file.js';
import { memoryConnections } from '../../src/connection/memory.js';
import { openConnections } from '../../src/connection/open.js';
import { sealer } from '../../src/connection/seal.js';
import { openTokens, sealTokens, type Tokens } from '../../src/connection/tokens.js';
import type { HttpTool } from '../../src/tool/tool.js';
import {
  type AuthorizationServer,
  authorizationServer,
  browse,
  CLIENT_ENV,
  NETWORK,
  protectedApi,
  SCOPES,
} from '../connection/authorization-server.js';
import { KEY_A } from '../connection/sample.js';
import { isFailure } from '../store/conformance.js';
import { inFolder } from '../store/folder.js';
import { sampleTool } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';

const SEALER = sealer(KEY_A);
let server: AuthorizationServer;
let api: Loopback;
beforeAll(async () => {
  server = await authorizationServer();
  api = await protectedApi(server);
});
afterAll(async () => {
  await api.close();
  await server.close();
});
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...CLIENT_ENV, TOOLWRIGHT_SEAL_KEYS: KEY_A })) vi.stubEnv(name, value);
  Object.assign(server, { ttl: 3600, rotate: true, before: () => {} });
  server.renewals.length = 0;
});
afterEach(() => vi.unstubAllEnvs());

function accountOptions(connections: ConnectionStore): AccountOptions {
  const show = (url: string) => void browse(url);
  return { connections, sealer: SEALER, providers: server.providers, network: NETWORK, show };
}

/** A store with one account, whose access token lives for so many seconds; every one after it for an hour. */
async function lent(store: ConnectionStore, seconds: number): Promise<string> {
  server.ttl = seconds;
  const request = { provider: 'google', scopes: SCOPES, group: 'team' } as const;
  const { id } = await addAccount(request, accountOptions(store));
  server.ttl = 3600;
  return id;
}

function tool(id: string, path = '/records', changes: Partial<HttpTool> = {}): HttpTool {
  const config = { endpoint: `${api.origin}${path}`, method: 'GET', locations: {} };
  return sampleTool('list_records', { config, connection_id: id, fixed_parameters: {}, ...changes });
}

function optionsOf(connections: ConnectionStore, changes: CallOptions = {}): CallOptions {
  return { connections, providers: server.providers, network: NETWORK, ...changes };
}

async function call(store: ConnectionStore, one: HttpTool, changes: CallOptions = {}) {
  const result = await callTool({ tool: one, arguments: {} }, optionsOf(store, changes));
  noSecret(JSON.stringify(result), renderResult(result));
  return result;
}

/** What a call that is refused throws. */
async function refusal(store: ConnectionStore, one: HttpTool, code: string): Promise<string> {
  const failure = await call(store, one).then(
    (result) => result,
    (error: unknown) => error,
  );
  expect(failure).toSatisfy(isFailure(code));
  noSecret(`${(failure as Error).message}${JSON.stringify(failure)}`);
  return (failure as Error).message;
}

function noSecret(...texts: readonly string[]): void {
  for (const text of texts) for (const secret of server.secrets) expect(text).not.toContain(secret);
}

async function only(store: ConnectionStore): Promise<ConsentedConnection> {
  const { connections } = await store.list();
  noSecret(JSON.stringify(connections));
  return connections[0] as ConsentedConnection;
}

async function tokensIn(store: ConnectionStore): Promise<Tokens> {
  return openTokens(SEALER, await only(store));
}

async function change(store: ConnectionStore, changes: Partial<ConsentedConnection>): Promise<void> {
  const { connections, revision } = await store.list();
  await store.commit(
    { put: connections.map((one) => ({ ...one, ...changes }) as ConsentedConnection), remove: [] },
    revision,
  );
}

describe('a call behind a consented account', () => {
  it('sends its bearer, and shows neither token, whatever the API quotes', async () => {
    const store = memoryConnections();
    const id = await lent(store, 3600);
    const { refresh_token } = await tokensIn(store);
    const result = await call(store, tool(id, `/records?told=${refresh_token}`));
    expect(result).toMatchObject({ kind: 'answer', status: 200 });
    expect(renderResult(result)).toContain('"authorization":"Bearer [redacted]"');
    const { connection_id: _, ...grouped } = tool(id);
    expect(await call(store, { ...grouped, connection_group: 'team' })).toMatchObject({ status: 200 });
    expect(server.renewals).toEqual([]);
  });

  it.each([true, false])(
    'renews a token that ends within the minute, once for 50 calls (rotation: %s)',
    async (rotate) => {
      const store = memoryConnections();
      server.rotate = rotate;
      const id = await lent(store, 59);
      const before = await tokensIn(store);
      const results = await Promise.all(Array.from({ length: 50 }, () => call(store, tool(id))));
      expect(results.every((result) => result.kind === 'answer' && result.status === 200)).toBe(true);
      expect(server.renewals).toEqual([true]);
      const after = await tokensIn(store);
      expect(after.access_token).not.toBe(before.access_token);
      expect(after.refresh_token === before.refresh_token).toBe(!rotate);
      expect(await only(store)).not.toHaveProperty('renewing');
      await call(store, tool(id));
      expect(server.renewals).toEqual([true]);
    },
  );

  it('renews again with the refresh token that it was given last', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    server.ttl = 20;
    for (const _ of [1, 2, 3]) expect(await call(store, tool(id))).toMatchObject({ status: 200 });
    expect(server.renewals).toEqual([true, true, true]);
  });

  it('is broken by a renewal that is refused, and healed by a consent', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    const token = await server.provider.RefreshToken.find((await tokensIn(store)).refresh_token);
    await token?.destroy();
    const refusals = await Promise.all([tool(id), tool(id)].map((one) => refusal(store, one, 'connection-broken')));
    for (const text of refusals)
      expect(text).toMatch(/invalid_grant.*\(met by list_records\).*set conn_\w+ --consent` heals/);
    expect(server.renewals).toEqual([false]);
    expect(await only(store)).toMatchObject({ status: 'broken', broken_by: 'list_records' });
    await refusal(store, tool(id), 'connection-broken');
    expect(server.renewals).toEqual([false]);
    await renewConsent(id, {}, accountOptions(store));
    expect(await only(store)).toMatchObject({ status: 'healthy' });
    expect(await call(store, tool(id))).toMatchObject({ status: 200 });
  });

  it.each<[string, RegExp, AuthorizationServer['before'], string?]>([
    ['has a fault', /status 500/, (_, response) => void response.writeHead(500).end()],
    ['hangs up', /closed the connection/, (request) => void request.socket.destroy()],
    ['does not know the client', /invalid_client/, () => {}, 'another-secret'],
  ])(
    'fails and breaks nothing where the token endpoint %s',
    async (_, message, before, secret = CLIENT_ENV.TOOLWRIGHT_GOOGLE_CLIENT_SECRET) => {
      const store = memoryConnections();
      const id = await lent(store, 10);
      const healthy = await store.list();
      server.before = before;
      vi.stubEnv('TOOLWRIGHT_GOOGLE_CLIENT_SECRET', secret);
      expect(await refusal(store, tool(id), 'renewal-failed')).toMatch(message);
      expect(await store.list()).toEqual(healthy);
      vi.stubEnv('TOOLWRIGHT_GOOGLE_CLIENT_SECRET', CLIENT_ENV.TOOLWRIGHT_GOOGLE_CLIENT_SECRET);
      server.before = () => {};
      expect(await call(store, tool(id))).toMatchObject({ status: 200 });
    },
  );

  it('is guarded on its way to the token endpoint', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    const call = callTool({ tool: tool(id), arguments: {} }, { connections: store, providers: server.providers });
    await expect(call).rejects.toThrow(/not on the public internet/);
  });

  it('is refused without a client, also while its token would do', async () => {
    const store = memoryConnections();
    const id = await lent(store, 3600);
    vi.stubEnv('TOOLWRIGHT_GOOGLE_CLIENT_ID', '');
    expect(await refusal(store, tool(id), 'no-oauth-client')).toContain('TOOLWRIGHT_GOOGLE_CLIENT_ID');
  });

  it('breaks with 401, and sends nothing again', async () => {
    const store = memoryConnections();
    const id = await lent(store, 3600);
    await (await server.provider.AccessToken.find((await tokensIn(store)).access_token))?.destroy();
    expect(await call(store, tool(id))).toMatchObject({ kind: 'unauthorized', status: 401, attempts: 1 });
    const { status, reason, broken_by } = await only(store);
    expect({ status, broken_by }).toEqual({ status: 'broken', broken_by: 'list_records' });
    expect(reason).toContain('401');
    await refusal(store, tool(id), 'connection-broken');
    expect(server.renewals).toEqual([]);
  });

  it('is not broken by a 401 to a token that was replaced meanwhile', async () => {
    const store = memoryConnections();
    const id = await lent(store, 3600);
    const tokens = await tokensIn(store);
    const slow = await serve(async (_, response) => {
      await change(store, { secret: await sealTokens(SEALER, id, tokens) });
      response.writeHead(401).end();
    });
    const config = { endpoint: slow.origin, method: 'GET', locations: {} };
    expect(await call(store, tool(id, '', { config }))).toMatchObject({ kind: 'unauthorized', status: 401 });
    expect(await only(store)).toMatchObject({ status: 'healthy' });
    await slow.close();
  });

  it('refuses one call with 403, and breaks nothing', async () => {
    const store = memoryConnections();
    const id = await lent(store, 3600);
    const before = await store.list();
    expect(await call(store, tool(id, '/closed'))).toMatchObject({ kind: 'unauthorized', status: 403, attempts: 1 });
    expect(await store.list()).toEqual(before);
    expect(await call(store, tool(id))).toMatchObject({ status: 200 });
  });

  it('waits for its token no longer than its deadline or its signal, and the renewal goes on', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.before = () => held;
    const cancel = new AbortController();
    const cancelled = call(store, tool(id), { signal: cancel.signal });
    const late = call(store, tool(id, '/records', { deadline_seconds: 1 }));
    cancel.abort();
    expect(await cancelled).toEqual({ kind: 'timeout', reason: 'the call was cancelled', attempts: 0 });
    expect(await late).toMatchObject({ kind: 'timeout', reason: expect.stringContaining('within 1 second') });
    const patient = call(store, tool(id));
    release();
    expect(await patient).toMatchObject({ status: 200 });
    expect(server.renewals).toEqual([true]);
  });

  it('takes what a person consents to while it renews', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    const other = memoryConnections();
    await lent(other, 3600);
    const better = await tokensIn(other);
    server.before = async () => {
      server.before = () => {};
      await change(store, { secret: await sealTokens(SEALER, id, better) });
    };
    expect(await call(store, tool(id))).toMatchObject({ status: 200 });
    expect(await tokensIn(store)).toEqual(better);
  });

  it('ends where the connection is removed while it renews', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    server.before = async () => store.commit({ put: [], remove: [id] }, (await store.list()).revision).then(() => {});
    await refusal(store, tool(id), 'unknown-connection');
  });

  it('leaves a claim alone while it is in force, and takes over one that is past or cannot be', async () => {
    const store = memoryConnections();
    const id = await lent(store, 10);
    const now = Math.floor(Date.now() / 1000);
    await change(store, { renewing: now + 3 });
    expect(await call(store, tool(id, '/records', { deadline_seconds: 1 }))).toMatchObject({ kind: 'timeout' });
    expect(server.renewals).toEqual([]);
    expect(await call(store, tool(id))).toMatchObject({ status: 200 });
    const odd = memoryConnections();
    const other = await lent(odd, 10);
    await change(odd, { renewing: now + 100_000 });
    expect(await call(odd, tool(other, '/records', { deadline_seconds: 20 }))).toMatchObject({ status: 200 });
  });
});

describe('an account in a file', () => {
  it('is renewed once by all who share it, in this process and in others', async () => {
    await inFolder(async (folder) => {
      const address = `file:${join(folder, 'tools.json')}`;
      const store = openConnections(address);
      const id = await lent(store, 10);
      const one = tool(id);
      const script = fileURLToPath(new URL('../connection/child-call.mjs', import.meta.url));
      const args = [script, address, JSON.stringify(server.providers), JSON.stringify(one)];
      const children = [1, 2, 3].map(() => spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
      await Promise.all(children.map((child) => once(child.stdout, 'data')));
      // So that all of them find the token as it was.
      server.before = () => new Promise((resolve) => setTimeout(resolve, 300));
      const told = children.map(said);
      for (const child of children) child.stdin.end('go\n');
      const path = join(folder, 'tools.connections.json');
      const here = [1, 2].map(() => call(fileConnections(path), one));
      for (const result of await Promise.all(here)) expect(result).toMatchObject({ status: 200 });
      for (const text of await Promise.all(told)) {
        noSecret(text);
        expect(JSON.parse(text)).toMatchObject({ kind: 'answer', status: 200 });
      }
      expect(server.renewals).toEqual([true]);
      for (const name of await readdir(folder)) noSecret(await readFile(join(folder, name), 'utf8'));
    });
  });
});

/** What a child says until it ends. */
async function said(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}
