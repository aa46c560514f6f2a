// The connection that is suggested: every row of the table, and the order of choice.
import { describe, expect, it } from 'vitest';
import { type Preview, preview } from '../../src/app/preview.js';

type Json = { readonly [key: string]: unknown };

const KEY = { type: 'apiKey', in: 'header', name: 'X-Key' };
const OAUTH = { type: 'oauth2', flows: {} };
const HTTP_KEY = { provider: 'http_key' };

function previewOf(securitySchemes: Json, more: Json = {}, operations: readonly Json[] = [{}]): Promise<Preview> {
  const paths = Object.fromEntries(
    operations.map((operation, i) => [`/p${i}`, { get: { responses: {}, ...operation } }]),
  );
  const servers = [{ url: 'https://api.example.com' }];
  return preview({
    document: JSON.stringify({ openapi: '3.1.0', servers, paths, components: { securitySchemes }, ...more }),
  });
}

async function suggested(
  schemes: Json,
  more: Json = {},
  operations?: readonly Json[],
): Promise<Preview['servers'][number]> {
  const [server] = (await previewOf(schemes, more, operations)).servers;
  return server ?? expect.unreachable('no server');
}

function needs(...names: readonly string[]): { readonly security: readonly Json[] } {
  return { security: names.map((name) => ({ [name]: [] })) };
}

describe('a declared scheme', () => {
  it.each<readonly [string, Json, Json | null]>([
    ['a key in a header', KEY, { ...HTTP_KEY, placement: 'header', header: 'X-Key' }],
    [
      'a key in the query',
      { type: 'apiKey', in: 'query', name: 'key' },
      { ...HTTP_KEY, placement: 'query', parameter: 'key' },
    ],
    ['http basic', { type: 'http', scheme: 'BASIC' }, { ...HTTP_KEY, placement: 'basic' }],
    [
      'http bearer',
      { type: 'http', scheme: 'Bearer' },
      { ...HTTP_KEY, placement: 'header', header: 'Authorization', prefix: 'Bearer ' },
    ],
    ['a key in a cookie', { type: 'apiKey', in: 'cookie', name: 'session' }, null],
    ['http digest', { type: 'http', scheme: 'digest' }, null],
    ['mutual TLS', { type: 'mutualTLS' }, null],
    ['oauth2 elsewhere', OAUTH, null],
    ['openIdConnect elsewhere', { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com' }, null],
    ['a key without a place', { type: 'apiKey', name: 'X-Key' }, null],
    ['nothing that is known', { type: 'odd' }, null],
    ['nothing at all', {}, null],
  ])('%s', async (_, scheme, suggestion) => {
    const server = await suggested({ one: scheme }, needs('one'));
    expect(server.suggestion).toEqual(suggestion);
    if (suggestion === null) expect(server.note).toMatch(/\S/);
    else expect(server.note).toBeUndefined();
  });

  it.each([
    ['https://www.googleapis.com/x', true],
    ['https://storage.googleapis.com', true],
    ['https://googleapis.com', true],
    ['https://GOOGLEAPIS.com', true],
    ['https://googleapis.com.example', false],
    ['https://evilgoogleapis.com', false],
    ['https://api.example.com/googleapis.com', false],
  ])('of an account on %s is that of Google: %j', async (url, google) => {
    const operations = [{ security: [{ one: ['b'] }] }, { security: [{ one: ['a', 'b'] }] }, {}];
    const server = await suggested({ one: OAUTH }, { servers: [{ url }] }, operations);
    expect(server.suggestion).toEqual(google ? { provider: 'google', scopes: ['a', 'b'] } : null);
  });

  it('of a Discovery document is the account, with all scopes', async () => {
    const methods = {
      a: { id: 'a', path: 'a', httpMethod: 'GET', scopes: ['z'] },
      b: { id: 'b', path: 'b', httpMethod: 'GET', scopes: ['y'] },
    };
    const document = {
      kind: 'discovery#restDescription',
      rootUrl: 'https://x.googleapis.com/',
      auth: { oauth2: { scopes: {} } },
      methods,
    };
    const { servers } = await preview({ document: JSON.stringify(document) });
    expect(servers).toEqual([
      { url: 'https://x.googleapis.com/', suggestion: { provider: 'google', scopes: ['y', 'z'] } },
    ]);
  });
});

describe('the choice', () => {
  const two = { one: KEY, two: { type: 'http', scheme: 'basic' } };

  it('is the first alternative that can be connected, and the note names the others', async () => {
    const server = await suggested({ ...two, off: { type: 'mutualTLS' } }, needs('off', 'two', 'one'));
    expect(server.suggestion).toEqual({ ...HTTP_KEY, placement: 'basic' });
    expect(server.note).toContain('"off"');
    expect(server.note).toContain('"one"');
  });

  it("is the description's own before what most operations use", async () => {
    const server = await suggested(two, needs('one'), [needs('two'), needs('two')]);
    expect(server.suggestion).toEqual({ ...HTTP_KEY, placement: 'header', header: 'X-Key' });
  });

  it('is what most operations use, where the description has none', async () => {
    const server = await suggested(two, {}, [needs('one'), needs('two'), needs('two'), {}]);
    expect(server.suggestion).toEqual({ ...HTTP_KEY, placement: 'basic' });
  });

  it('is the only one declared, where nothing is used', async () => {
    expect((await suggested({ one: KEY })).suggestion).toEqual({ ...HTTP_KEY, placement: 'header', header: 'X-Key' });
    const several = await suggested(two);
    expect([several.suggestion, several.note]).toEqual([null, expect.stringContaining('"one", "two"')]);
  });

  it('is none for two that are needed together, for one undefined, and for none declared', async () => {
    const together = await suggested(two, { security: [{ one: [], two: [] }] });
    expect([together.suggestion, together.note]).toEqual([null, expect.stringContaining('together')]);
    const missing = await suggested(two, needs('three'));
    expect([missing.suggestion, missing.note]).toEqual([null, expect.stringContaining('"three"')]);
    expect(await suggested({})).toMatchObject({ suggestion: null, note: expect.stringMatching(/\S/) });
  });

  it.each([[[]], [[{}]]])('of security %j is none, and the note says so', async (security) => {
    expect(await suggested(two, { security })).toMatchObject({ suggestion: null, note: 'no key is needed' });
  });

  it('is a key that is optional where an alternative is empty', async () => {
    const server = await suggested(two, { security: [{}, { one: [] }] });
    expect(server.suggestion).toEqual({ ...HTTP_KEY, placement: 'header', header: 'X-Key' });
    expect(server.note).toContain('optional');
  });

  it('survives a scheme called __proto__', async () => {
    const schemes = JSON.parse('{"__proto__":{"type":"apiKey","in":"header","name":"X-Proto"}}') as Json;
    const security = [JSON.parse('{"__proto__":[]}')];
    expect((await suggested(schemes, { security })).suggestion).toEqual({
      ...HTTP_KEY,
      placement: 'header',
      header: 'X-Proto',
    });
  });
});

describe('an operation', () => {
  const schemes = { one: KEY, two: { type: 'http', scheme: 'basic' } };

  it.each<readonly [string, Json, readonly string[]]>([
    ['that says nothing', {}, []],
    ['that says the same', needs('one'), []],
    ['that asks for another', needs('two'), ['security-differs']],
    ['that accepts it too', needs('two', 'one'), []],
    ['that needs none', { security: [] }, ['security-none']],
    ['for which it is optional', { security: [{}, { one: [] }] }, ['security-optional']],
    ['that names none defined', needs('three'), ['security-undefined']],
    ['that needs two together', { security: [{ one: [], two: [] }] }, ['security-differs']],
  ])('%s', async (_, operation, codes) => {
    const { operations } = await previewOf(schemes, needs('one'), [operation]);
    expect(operations[0]?.notices.map(({ code }) => code)).toEqual(codes);
  });

  it.each<readonly [string, Json, Json]>([
    ['nothing', { one: KEY }, { security: [] }],
    ['a certificate', { one: KEY, tls: { type: 'mutualTLS' } }, needs('tls')],
  ])('that asks for a key where the description asks for %s is told of', async (_, declared, general) => {
    const { servers, operations } = await previewOf(declared, general, [needs('one'), {}]);
    expect(servers[0]?.suggestion).toBeNull();
    expect(operations.map(({ notices }) => notices.map(({ code }) => code))).toEqual([['security-differs'], []]);
    expect(operations[0]?.notices[0]?.message).toContain('"one"');
  });
});

describe('security that cannot be read', () => {
  it.each([[['x']], [[3]], [[null, ['x']]]])('of %j suggests nothing, and the note says why', async (security) => {
    const server = await suggested({ one: KEY }, { security });
    expect(server).toMatchObject({ suggestion: null, note: expect.stringContaining('cannot be read') });
  });
});
