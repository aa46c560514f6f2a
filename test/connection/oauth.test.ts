// Consent against a real authorization server: through the real redirect, and everything that may go wrong on the way.
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listConnections, removeConnection, setConnection } from '../../src/app/connections.js';
import { type AccountOptions, addAccount, renewConsent } from '../../src/app/consent.js';
import type { ConnectionStore, ConsentedConnection } from '../../src/connection/connection.js';
import { memoryConnections } from '../../src/connection/memory.js';
import { sealer } from '../../src/connection/seal.js';
import { openTokens } from '../../src/connection/tokens.js';
import { memoryStore } from '../../src/store/memory.js';
import { isFailure } from '../store/conformance.js';
import { serve, sink } from '../wire/loopback.js';
import {
  type AuthorizationServer,
  authorizationServer,
  browse,
  CLIENT_ENV,
  NETWORK,
  SCOPES,
} from './authorization-server.js';
import { KEY_A, KEY_B, sample, sampleId } from './sample.js';

let server: AuthorizationServer;
beforeAll(async () => {
  server = await authorizationServer();
});
afterAll(() => server.close());

const SEALER = sealer(KEY_A);

function options(connections: ConnectionStore, changes: Partial<AccountOptions> = {}): AccountOptions {
  return {
    connections,
    sealer: SEALER,
    providers: server.providers,
    env: CLIENT_ENV,
    network: NETWORK,
    show: (url) => void browse(url),
    ...changes,
  };
}

const REQUEST = { provider: 'google', scopes: SCOPES } as const;

async function only(store: ConnectionStore): Promise<ConsentedConnection> {
  const [first] = (await store.list()).connections;
  return first as ConsentedConnection;
}

/** A failure of that code that holds no secret. */
async function expectFailure(work: Promise<unknown>, code: string, message: RegExp): Promise<void> {
  const failure = await work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  expect(failure).toSatisfy(isFailure(code));
  const text = `${(failure as Error).message}\n${JSON.stringify(failure)}`;
  expect(text).toMatch(message);
  for (const secret of server.secrets) expect(text).not.toContain(secret);
}

describe('a consent', () => {
  it('stores sealed tokens, and answers as adding a key does', async () => {
    const store = memoryConnections();
    let page = Promise.resolve('');
    let address = '';
    const show = (url: string) => {
      address = url;
      page = browse(url);
    };
    const added = await addAccount({ ...REQUEST, group: 'team' }, options(store, { show }));
    expect(added).toEqual({
      id: expect.stringMatching(/^conn_[0-9a-f]{24}$/),
      status: 'healthy',
      provider: 'google',
      scopes: SCOPES,
      group: 'team',
      secret: 'sealed',
    });
    expect(await page).toMatch(/The answer has arrived/);
    const query = new URL(address).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: SCOPES.join(' '),
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    });
    // The listener is gone.
    await expect(fetch(query.get('redirect_uri') ?? '')).rejects.toThrow();
    const tokens = await openTokens(SEALER, await only(store));
    expect(server.secrets).toEqual(expect.arrayContaining([tokens.access_token, tokens.refresh_token]));
    expect(tokens.expires_at).toBeGreaterThan(Date.now() / 1000 + 3000);
    const shown = JSON.stringify([added, await store.list(), await listConnections(store)]);
    for (const secret of server.secrets) expect(shown).not.toContain(secret);
  });

  it('says which scopes were not granted, and again asks for more', async () => {
    const store = memoryConnections();
    const asked = { ...REQUEST, scopes: [...SCOPES, 'records.burn'] };
    const { id, ...added } = await addAccount(asked, options(store));
    expect(added).toMatchObject({ scopes: SCOPES, warnings: ['the scope records.burn was not granted'] });
    const before = await only(store);
    const broken = { ...before, status: 'broken', reason: '401', broken_by: 'x', renewing: 5 } as const;
    await store.commit({ put: [broken], remove: [] }, (await store.list()).revision);
    const widened = await renewConsent(id, { scopes: ['records.write'], group: 'g' }, options(store));
    const { secret, ...after } = await only(store);
    expect(widened).toEqual({
      id,
      status: 'healthy',
      provider: 'google',
      scopes: [...SCOPES, 'records.write'],
      group: 'g',
      secret: 'sealed',
    });
    const scopes = [...SCOPES, 'records.write'];
    expect(after).toEqual({ id, order: 1, provider: 'google', scopes, status: 'healthy', group: 'g' });
    expect(secret).not.toEqual(before.secret);
  });

  it('is refused where the person refuses', async () => {
    let page = Promise.resolve('');
    const show = (url: string) => {
      page = browse(url, 'refuse');
    };
    const store = memoryConnections();
    await expectFailure(addAccount(REQUEST, options(store, { show })), 'consent-failed', /access_denied/);
    expect(await page).toMatch(/was not given/);
    expect((await store.list()).connections).toEqual([]);
  });

  const strange = (changes: Record<string, string | undefined>) => (url: string) => {
    const query = new URL(url).searchParams;
    const answer = { code: 'a-code-of-nobody', state: query.get('state') ?? '', iss: server.origin, ...changes };
    const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
    void fetch(`${query.get('redirect_uri')}?${new URLSearchParams(given)}`);
  };

  it.each<[string, Record<string, string | undefined>, RegExp]>([
    ['another state', { state: 'another' }, /unexpected \\"state\\"|unexpected "state"/],
    ['no state', { state: undefined }, /"state"/],
    ['another issuer', { iss: 'https://elsewhere.example' }, /"iss"/],
    ['no code', { code: '', error: undefined }, /code/],
    ['a code that was never given', {}, /invalid_grant/],
    ['an error of another state', { code: undefined, error: 'access_denied', state: 'another' }, /"state"/],
  ])('with %s is refused, and nothing is stored', async (_, changes, message) => {
    const store = memoryConnections();
    await expectFailure(addAccount(REQUEST, options(store, { show: strange(changes) })), 'consent-failed', message);
    expect((await store.list()).connections).toEqual([]);
  });

  it('is not ended by requests that are no redirect of this machine', async () => {
    const statuses: (number | undefined)[] = [];
    const show = async (url: string) => {
      const port = Number(new URL(new URL(url).searchParams.get('redirect_uri') ?? '').port);
      for (const [path, host, method] of [
        ['/favicon.ico', '127.0.0.1', 'GET'],
        ['/', '127.0.0.1', 'GET'],
        ['/?state=x', '127.0.0.1', 'GET'],
        ['/?code=x', '127.0.0.1', 'POST'],
        ['/?code=x&state=x', 'rebound.example', 'GET'],
      ] as const) {
        const sent = { host: '127.0.0.1', port, path, method, headers: { host: `${host}:${port}` } };
        statuses.push(await new Promise((resolve) => httpRequest(sent, (answer) => resolve(answer.statusCode)).end()));
      }
      void browse(url);
    };
    expect(await addAccount(REQUEST, options(memoryConnections(), { show }))).toMatchObject({ status: 'healthy' });
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
  });

  it('ends with its time, and with its signal', async () => {
    const nobody = { show: () => {} };
    const store = memoryConnections();
    const late = addAccount(REQUEST, options(store, { ...nobody, seconds: 0.05 }));
    await expectFailure(late, 'consent-failed', /nobody consented within/);
    const end = new AbortController();
    const cancelled = addAccount(REQUEST, options(store, { show: () => end.abort(), signal: end.signal }));
    await expectFailure(cancelled, 'consent-failed', /cancelled/);
    const before = addAccount(REQUEST, options(store, { ...nobody, signal: end.signal }));
    await expectFailure(before, 'consent-failed', /cancelled/);
    const unshown = { show: () => Promise.reject(new Error('no screen')) };
    await expect(addAccount(REQUEST, options(store, unshown))).rejects.toThrow('no screen');
  });

  it.each<[string, string, RegExp, Partial<AccountOptions>, object]>([
    ['no client', 'no-oauth-client', /TOOLWRIGHT_GOOGLE_CLIENT_ID is not set/, { env: {} }, {}],
    [
      'half a client',
      'no-oauth-client',
      /TOOLWRIGHT_GOOGLE_CLIENT_SECRET is not set/,
      { env: { ...CLIENT_ENV, TOOLWRIGHT_GOOGLE_CLIENT_SECRET: '' } },
      {},
    ],
    ['no key to seal with', 'no-seal-key', /no key/, { sealer: sealer('') }, {}],
    ['no scope', 'bad-request', /no scope/, {}, { scopes: [] }],
    ['two scopes in one', 'bad-request', /not a scope/, {}, { scopes: ['a b'] }],
    ['another provider', 'bad-request', /google has/, {}, { provider: 'constructor' }],
    ['a blank group', 'invalid-value', /blank/, {}, { group: ' ' }],
  ])('with %s is refused before a person is asked', async (_, code, message, changes, request) => {
    const show = () => expect.fail('a person was asked');
    const store = memoryConnections();
    await expectFailure(addAccount({ ...REQUEST, ...request }, options(store, { show, ...changes })), code, message);
  });

  it('is refused where no refresh token is given, and where the client is not the one that is registered', async () => {
    const short = addAccount({ ...REQUEST, scopes: ['records.read'] }, options(memoryConnections()));
    await expectFailure(short, 'consent-failed', /no refresh token/);
    const env = { ...CLIENT_ENV, TOOLWRIGHT_GOOGLE_CLIENT_SECRET: 'another-secret-of-the-tests' };
    const other = addAccount(REQUEST, options(memoryConnections(), { env }));
    await expectFailure(other, 'consent-failed', /invalid_client/);
    await expectFailure(other, 'consent-failed', /^(?!.*another-secret)/s);
  });

  it('knows its tokens of an openid scope', async () => {
    const asked = { ...REQUEST, scopes: ['openid', ...SCOPES] };
    expect(await addAccount(asked, options(memoryConnections()))).toMatchObject({ scopes: asked.scopes });
  });

  it('reaches no private address that is not named, whoever the provider is', async () => {
    const quiet = await sink();
    const google = { ...server.providers.google, tokenEndpoint: `${quiet.origin}/token` };
    const guarded = options(memoryConnections(), { network: {}, providers: { google } });
    await expectFailure(addAccount(REQUEST, guarded), 'address-refused', /127\.0\.0\.1/);
    expect(quiet.sockets()).toBe(0);
    await quiet.close();
  });

  it.each<[string, number, Record<string, string>, string, string, RegExp]>([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, '', 'consent-failed', /status 302/],
    ['a fault', 500, {}, 'oops', 'consent-failed', /status 500/],
    ['no JSON', 200, { 'content-type': 'text/html' }, '<p>', 'consent-failed', /content-type|JSON/],
    ['too much', 200, { 'content-type': 'application/json' }, ' '.repeat(300_000), 'fetch-failed', /more than/],
    ['a token with a line break', 200, JSON_TYPE(), token({ access_token: 'a\nb' }), 'consent-failed', /no header/],
    ['a token of another type', 200, JSON_TYPE(), token({ token_type: 'mac' }), 'consent-failed', /token_type/],
  ])('is refused where the token endpoint answers %s', async (_, status, headers, body, code, message) => {
    server.before = (_request, response) => void response.writeHead(status, headers).end(body);
    try {
      await expectFailure(addAccount(REQUEST, options(memoryConnections())), code, message);
    } finally {
      server.before = () => {};
    }
  });
});

function JSON_TYPE(): Record<string, string> {
  return { 'content-type': 'application/json' };
}

function token(changes: object): string {
  return JSON.stringify({ access_token: 'a', refresh_token: 'r', token_type: 'bearer', expires_in: 60, ...changes });
}

describe('a consented account', () => {
  it('takes no secret, and a key takes no consent', async () => {
    const store = memoryConnections();
    const { id } = await addAccount(REQUEST, options(store));
    await store.commit({ put: [sample('key', 2)], remove: [] }, (await store.list()).revision);
    const given = setConnection(id, { secret: { env: 'KEY' } }, { connections: store, sealer: SEALER });
    await expectFailure(given, 'bad-request', /takes no secret/);
    const consented = renewConsent(sampleId('key'), {}, options(store));
    await expectFailure(consented, 'bad-request', /nobody consents/);
    await expectFailure(renewConsent(sampleId('z'), {}, options(store)), 'unknown-connection', /no connection/);
    const grouped = await setConnection(id, { group: 'g' }, { connections: store, sealer: SEALER });
    expect(grouped).toMatchObject({ group: 'g', status: 'healthy' });
  });

  it('is sealed anew without being healed', async () => {
    const store = memoryConnections();
    const { id } = await addAccount(REQUEST, options(store));
    const before = await only(store);
    const tokens = await openTokens(SEALER, before);
    const put = [{ ...before, status: 'broken', reason: '401' } as const];
    await store.commit({ put, remove: [] }, (await store.list()).revision);
    const rotated = sealer(`${KEY_B},${KEY_A}`);
    const set = await setConnection(id, { reseal: true }, { connections: store, sealer: rotated });
    expect(set).toMatchObject({ status: 'broken', reason: '401', secret: 'sealed' });
    const after = await only(store);
    expect(await openTokens(sealer(KEY_B), after)).toEqual(tokens);
    await expectFailure(openTokens(SEALER, after), 'unopened-secret', /key/);
  });

  it('is signed out at its provider when it is removed', async () => {
    const store = memoryConnections();
    const { id } = await addAccount(REQUEST, options(store));
    const { refresh_token } = await openTokens(SEALER, await only(store));
    expect(await server.provider.RefreshToken.find(refresh_token)).toBeDefined();
    const removed = await removeConnection(id, { ...options(store), tools: memoryStore() });
    expect(removed).not.toHaveProperty('warnings');
    expect(await server.provider.RefreshToken.find(refresh_token)).toBeUndefined();
  });

  it.each([
    ['invalid_token', undefined],
    ['temporarily_unavailable', [expect.stringContaining('"temporarily_unavailable"')]],
  ])('is removed where its provider says %s', async (error, warnings) => {
    const store = memoryConnections();
    const { id } = await addAccount(REQUEST, options(store));
    const other = await serve((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const google = { ...server.providers.google, revocationEndpoint: other.origin };
    const removed = await removeConnection(id, { ...options(store), providers: { google }, tools: memoryStore() });
    expect(removed.warnings).toEqual(warnings);
    await other.close();
  });

  it.each<[string, Partial<AccountOptions>, RegExp]>([
    ['without a client', { env: {} }, /no OAuth client/],
    ['without the key', { sealer: sealer('') }, /no key/],
    ['past the guard', { network: {} }, /not on the public internet|private/],
  ])('is removed all the same %s, with a warning', async (_, changes, warning) => {
    const store = memoryConnections();
    const { id } = await addAccount(REQUEST, options(store));
    const removed = await removeConnection(id, { ...options(store, changes), tools: memoryStore() });
    expect(removed.warnings).toEqual([expect.stringMatching(warning)]);
    expect((await store.list()).connections).toEqual([]);
  });
});

describe('a key', () => {
  it('is sealed anew, and one in a variable is not', async () => {
    const connections = memoryConnections();
    const jwe = await SEALER.seal(sampleId('a'), 'hunter2-hunter2');
    const put = [sample('a', 1, { secret: { kind: 'sealed', jwe }, status: 'broken', reason: '401' }), sample('b', 2)];
    await connections.commit({ put, remove: [] }, (await connections.list()).revision);
    const both = { connections, sealer: sealer(`${KEY_B},${KEY_A}`) };
    expect(await setConnection(sampleId('a'), { reseal: true }, both)).toMatchObject({ status: 'broken' });
    const [after] = (await connections.list()).connections;
    const sealed = after?.secret.kind === 'sealed' ? after.secret.jwe : '';
    expect(await sealer(KEY_B).open(sampleId('a'), sealed)).toBe('hunter2-hunter2');
    await expectFailure(setConnection(sampleId('b'), { reseal: true }, both), 'bad-request', /variable KEY/);
    const twice = setConnection(sampleId('a'), { reseal: true, secret: { env: 'KEY' } }, both);
    await expectFailure(twice, 'bad-request', /sealed anyway/);
  });
});
