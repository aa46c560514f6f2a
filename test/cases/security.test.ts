// Cases of security schemes: the connection they suggest, and what an operation says of its own.
import { expect, it } from 'vitest';
import { type Json, names, noticeCodes, openapi, operation, parameter, SERVER, see, TEXT } from './build.js';

const BEARER = { type: 'http', scheme: 'bearer' };
const BEARER_KEY = { provider: 'http_key', placement: 'header', header: 'Authorization', prefix: 'Bearer ' };

/** GET `/<name>` for each operation, with these security schemes. */
function secured(operations: Json, securitySchemes: Json, rest: Json = {}): Json {
  const paths = Object.entries(operations).map(([name, own]) => [`/${name}`, { get: operation(name, own as Json) }]);
  return openapi(Object.fromEntries(paths), { components: { securitySchemes }, ...rest });
}

it('security-or-alternatives', async () => {
  const { answer, tool } = await see(
    secured(
      { a: {} },
      { h: { type: 'apiKey', in: 'header', name: 'X-API-Key' }, q: { type: 'apiKey', in: 'query', name: 'api_key' } },
      { security: [{ h: [] }, { q: [] }] },
    ),
  );
  expect(answer.servers).toEqual([
    {
      url: SERVER,
      suggestion: { provider: 'http_key', placement: 'header', header: 'X-API-Key' },
      note: expect.stringContaining('"q"'),
    },
  ]);
  expect(names(tool('a'))).toEqual([]);
  expect(noticeCodes(tool('a'))).toEqual([]);
});

it('security-and-combination', async () => {
  const { keys, answer } = await see(
    secured(
      { a: {} },
      { app: { type: 'apiKey', in: 'header', name: 'X-App-Id' }, tok: BEARER },
      { security: [{ app: [], tok: [] }] },
    ),
  );
  expect(keys).toEqual(['a']);
  expect(answer.servers).toEqual([
    { url: SERVER, suggestion: null, note: expect.stringMatching(/"app".*"tok".*together/) },
  ]);
});

it('security-empty-list-removes-global', async () => {
  const { keys, answer, tool } = await see(
    secured({ pub: { security: [] }, prv: {} }, { tok: BEARER }, { security: [{ tok: [] }] }),
  );
  expect(keys).toEqual(['pub', 'prv']);
  expect(answer.servers).toEqual([{ url: SERVER, suggestion: BEARER_KEY }]);
  expect(noticeCodes(tool('pub'))).toEqual(['security-none']);
  expect(tool('pub').notices[0]?.at).toBe('/paths/~1pub/get/security');
  expect(noticeCodes(tool('prv'))).toEqual([]);
  for (const security of [[], [{}]]) {
    const { servers } = (await see(secured({ a: {} }, { tok: BEARER }, { security }))).answer;
    expect(servers).toEqual([{ url: SERVER, suggestion: null, note: expect.stringContaining('no key is needed') }]);
  }
});

it('security-optional-empty-object', async () => {
  const { answer, tool } = await see(secured({ a: { security: [{}, { tok: [] }] } }, { tok: BEARER }));
  expect(answer.servers[0]?.suggestion).toEqual(BEARER_KEY);
  expect(noticeCodes(tool('a'))).toEqual(['security-optional']);
});

it('security-scheme-name-case', async () => {
  const { answer, tool } = await see(
    secured(
      { a: {}, b: { security: [{ bas: [] }] } },
      { tok: { type: 'http', scheme: 'Bearer' }, bas: { type: 'http', scheme: 'BASIC' } },
      { security: [{ tok: [] }] },
    ),
  );
  expect(answer.servers).toEqual([{ url: SERVER, suggestion: BEARER_KEY }]);
  expect(noticeCodes(tool('a'))).toEqual([]);
  expect(tool('b').notices).toEqual([
    { code: 'security-differs', at: '/paths/~1b/get/security', message: expect.stringContaining('"bas"') },
  ]);
  const basic = await see(secured({ a: {} }, { bas: { type: 'http', scheme: 'BASIC' } }));
  expect(basic.answer.servers[0]?.suggestion).toEqual({ provider: 'http_key', placement: 'basic' });
});

it('security-apikey-named-authorization', async () => {
  const { answer } = await see(
    secured({ a: {} }, { k: { type: 'apiKey', in: 'header', name: 'Authorization' } }, { security: [{ k: [] }] }),
  );
  // No prefix: the key is sent as it is.
  expect(answer.servers[0]?.suggestion).toEqual({ provider: 'http_key', placement: 'header', header: 'Authorization' });
});

it('security-query-key-not-a-parameter', async () => {
  const { answer, tool } = await see(
    secured(
      { a: { parameters: [parameter('query', 'api_key', TEXT, { required: true }), parameter('query', 'q')] } },
      { k: { type: 'apiKey', in: 'query', name: 'api_key' } },
      { security: [{ k: [] }] },
    ),
  );
  expect(tool('a').input_schema).toMatchObject({ properties: { q: TEXT }, required: [] });
  expect(tool('a').locations).toEqual({ q: 'query' });
  expect(tool('a').notices).toEqual([]);
  expect(answer.servers[0]?.suggestion).toEqual({ provider: 'http_key', placement: 'query', parameter: 'api_key' });
});

it('security-undefined-scheme', async () => {
  const { keys, answer, tool } = await see(secured({ a: { security: [{ ghost: [] }] }, b: {} }, {}));
  expect(keys).toEqual(['a', 'b']);
  expect(tool('a').notices).toEqual([
    { code: 'security-undefined', at: '/paths/~1a/get/security', message: expect.stringContaining('"ghost"') },
  ]);
  expect(tool('b').notices).toEqual([]);
  expect(answer.servers).toEqual([{ url: SERVER, suggestion: null, note: expect.stringContaining('"ghost"') }]);
});

it('security-oauth2-suggestion', async () => {
  const scopes = { read: 'r', write: 'w' };
  const flow = { authorizationUrl: '/oauth/dialog', tokenUrl: '/oauth/token', scopes };
  const at = (url: string) =>
    see(
      secured(
        { a: { security: [{ o: ['write', 'read'] }] }, b: { security: [{ o: ['read'] }] } },
        { o: { type: 'oauth2', flows: { authorizationCode: flow } } },
        { servers: [{ url }] },
      ),
    );
  const { keys, answer } = await at(SERVER);
  expect(keys).toEqual(['a', 'b']);
  expect(answer.servers).toEqual([
    { url: SERVER, suggestion: null, note: expect.stringMatching(/oauth2.*read.*write/) },
  ]);
  for (const host of ['demo.googleapis.com', 'googleapis.com']) {
    const [server] = (await at(`https://${host}`)).answer.servers;
    expect(server?.suggestion).toEqual({ provider: 'google', scopes: ['read', 'write'] });
  }
  const [lookalike] = (await at('https://googleapis.com.example.com')).answer.servers;
  expect(lookalike?.suggestion).toBeNull();
});

it('security-substring-rule-hits-harmless-header', async () => {
  const parameters = [
    parameter('header', 'X-Author', TEXT, { required: true }),
    parameter('header', 'X-Keyword'),
    parameter('header', 'X-Locale'),
  ];
  const { tool } = await see(openapi({ '/a': { get: operation('a', { parameters }) } }));
  expect(tool('a').locations).toEqual({ 'X-Locale': 'header' });
  expect(names(tool('a'))).toEqual(['X-Locale']);
  expect(tool('a').notices).toEqual([
    {
      code: 'credential-left-out',
      at: '/paths/~1a/get/parameters/0',
      message: expect.stringContaining('X-Author'),
    },
  ]);
});
