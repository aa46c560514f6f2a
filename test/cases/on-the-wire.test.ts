// The cases of parameters, bodies, security and servers that say what is sent: by really sending it.
import { describe, expect, it } from 'vitest';
import { body, type Json, list, object, openapi, operation, parameter, TEXT, WHOLE } from './build.js';
import { type CallOf, called } from './wire.js';

interface Row {
  readonly description: Json;
  readonly args: Json;
  readonly line: string;
  readonly body?: string;
  readonly headers?: { readonly [name: string]: readonly string[] };
  readonly options?: CallOf;
}

const FORM = 'application/x-www-form-urlencoded';
const get = (parameters: readonly Json[], path = '/a', rest: Json = {}): Json =>
  openapi({ [path]: { get: operation('a', { parameters }) } }, rest);
const post = (schema: unknown, options: Parameters<typeof body>[1] = {}, rest: Json = {}): Json =>
  openapi({ '/a': { post: operation('a', { ...rest, ...body(schema, options) }) } });
const query = (name: string, schema: Json = TEXT, rest: Json = {}) => parameter('query', name, schema, rest);
const swagger = (operationOf: Json, basePath = '/'): Json => ({
  swagger: '2.0',
  info: { title: 'Demo', version: '1' },
  host: 'api.example.com',
  basePath,
  schemes: ['https'],
  paths: { '/a': operationOf },
});
const strings = (name: string, rest: Json = {}) => ({ name, in: 'query', type: 'array', items: TEXT, ...rest });
const JSON_TYPE = { 'content-type': ['application/json'] };
const keyed = (scheme: Json, rest: Json = {}) => ({
  components: { securitySchemes: { k: scheme } },
  security: [{ k: [] }],
  ...rest,
});

const ROWS: { readonly [id: string]: Row } = {
  'params-path-level-merged-and-overridden': {
    description: openapi({
      '/a/{id}': {
        parameters: [parameter('path', 'id'), query('lang'), parameter('header', 'trace')],
        get: operation('a', { parameters: [parameter('path', 'id'), parameter('header', 'lang')] }),
      },
    }),
    args: { id: 'i1', lang: 'en', header_lang: 'fr', trace: 't' },
    line: 'GET /a/i1?lang=en',
    headers: { lang: ['fr'], trace: ['t'] },
  },
  'params-same-name-in-four-places': {
    description: openapi({
      '/x/{v}': {
        post: operation('a', {
          parameters: [parameter('header', 'v'), query('v'), parameter('path', 'v')],
          ...body(object({ v: TEXT })),
        }),
      },
    }),
    args: { v: 'p', query_v: 'q', header_v: 'h', body_v: 'b' },
    line: 'POST /x/p?v=q',
    headers: { v: ['h'] },
    body: '{"v":"b"}',
  },
  'params-derived-name-already-taken': {
    description: get([parameter('path', 'id'), query('id'), query('query_id')], '/x/{id}'),
    args: { id: 'a', query_id_2: 'b', query_id: 'c' },
    line: 'GET /x/a?id=b&query_id=c',
  },
  'params-query-named-body-with-whole-body': {
    description: post(list(WHOLE), {}, { parameters: [query('body')] }),
    args: { body: 'active', body_body: [1, 2] },
    line: 'POST /a?body=active',
    body: '[1,2]',
  },
  'params-content-json-in-query': {
    description: get(
      ['filter', 'pet'].map((name) => ({ name, in: 'query', content: { 'application/json': { schema: {} } } })),
    ),
    args: { filter: { size: 1, tags: ['a', 'b'] }, pet: 'cat' },
    line: 'GET /a?filter=%7B%22size%22%3A1%2C%22tags%22%3A%5B%22a%22%2C%22b%22%5D%7D&pet=%22cat%22',
  },
  'params-query-array-form-explode-false': {
    description: get([query('tags', list(TEXT), { explode: false }), query('ids', list(WHOLE))]),
    args: { tags: ['red', 'a,b'], ids: [1, 2] },
    line: 'GET /a?tags=red,a%2Cb&ids=1&ids=2',
  },
  'params-pipe-and-space-delimited-default': {
    description: get([
      query('p', list(TEXT), { style: 'pipeDelimited' }),
      query('s', list(TEXT), { style: 'spaceDelimited' }),
    ]),
    args: { p: ['a', 'b'], s: ['c', 'd'] },
    line: 'GET /a?p=a%7Cb&s=c%20d',
  },
  'params-deep-object': {
    description: get([query('filter', object({ eq: TEXT, min: WHOLE }), { style: 'deepObject', explode: true })]),
    args: { filter: { eq: 'x y', min: 3 } },
    line: 'GET /a?filter%5Beq%5D=x%20y&filter%5Bmin%5D=3',
  },
  'params-deep-object-keys-and-values-escaped': {
    description: get([
      query('f', { type: 'object', additionalProperties: TEXT }, { style: 'deepObject', explode: true }),
    ]),
    args: { f: { 'a+b': '1=2&3' } },
    line: 'GET /a?f%5Ba%2Bb%5D=1%3D2%263',
  },
  'params-query-object-form': {
    description: get([
      query('color', object({ R: WHOLE, G: WHOLE })),
      query('tone', object({ a: WHOLE, b: WHOLE }), { explode: false }),
    ]),
    args: { color: { R: 100, G: 200 }, tone: { a: 1, b: 2 } },
    line: 'GET /a?R=100&G=200&tone=a,1,b,2',
  },
  'params-header-array-and-object': {
    description: get([
      parameter('header', 'X-Tags', list(TEXT)),
      parameter('header', 'X-F', object({ role: TEXT, lv: WHOLE })),
      parameter('header', 'X-G', object({ role: TEXT, lv: WHOLE }), { explode: true }),
    ]),
    args: { 'X-Tags': ['a', 'b'], 'X-F': { role: 'admin', lv: 2 }, 'X-G': { role: 'admin', lv: 2 } },
    line: 'GET /a',
    headers: { 'x-tags': ['a,b'], 'x-f': ['role,admin,lv,2'], 'x-g': ['role=admin,lv=2'] },
  },
  'params-empty-array-and-empty-string': {
    description: get([query('ids', list(WHOLE)), query('s')]),
    args: { ids: [], s: '' },
    line: 'GET /a?s=',
  },
  'params-allow-reserved': {
    description: get([query('path', TEXT, { allowReserved: true }), query('plain')]),
    args: { path: 'quotes/h2g2:1,2@x.txt', plain: 'a/b' },
    line: 'GET /a?path=quotes/h2g2:1,2@x.txt&plain=a%2Fb',
  },
  'params-swagger2-collection-formats': {
    description: swagger({
      get: operation('a', {
        parameters: [
          strings('a'),
          ...['multi', 'ssv', 'pipes', 'tsv'].map((format, i) =>
            strings('bcde'[i] ?? '', { collectionFormat: format }),
          ),
        ],
      }),
    }),
    args: Object.fromEntries([...'abcde'].map((name) => [name, ['1', '2']])),
    line: 'GET /a?a=1,2&b=1&b=2&c=1%202&d=1%7C2&e=1%092',
  },
  'body-form-urlencoded': {
    description: post(object({ grant_type: TEXT, user: TEXT, ttl: WHOLE }, 'grant_type'), { type: FORM }),
    args: { grant_type: 'password', user: 'a&b@c.d', ttl: 5 },
    line: 'POST /a',
    headers: { 'content-type': [FORM] },
    body: 'grant_type=password&user=a%26b%40c.d&ttl=5',
  },
  'body-form-deep-object-encoding': {
    description: post(object({ address: object({ city: TEXT, zip: TEXT }) }), {
      type: FORM,
      media: { encoding: { address: { style: 'deepObject', explode: true } } },
    }),
    args: { address: { city: 'Oslo', zip: '01' } },
    line: 'POST /a',
    body: 'address%5Bcity%5D=Oslo&address%5Bzip%5D=01',
  },
  'body-form-defaults-without-encoding': {
    description: post(object({ tags: list(TEXT), meta: object({ a: WHOLE }) }), { type: FORM }),
    args: { tags: ['x', 'y'], meta: { a: 1 } },
    line: 'POST /a',
    body: 'tags=x&tags=y&meta=%7B%22a%22%3A1%7D',
  },
  'body-top-level-array': {
    description: post(list(object({ id: WHOLE }, 'id'))),
    args: { body: [{ id: 1 }, { id: 2 }] },
    line: 'POST /a',
    body: '[{"id":1},{"id":2}]',
  },
  'body-scalar-json': {
    description: post(TEXT),
    args: { body: 'true' },
    line: 'POST /a',
    headers: JSON_TYPE,
    body: '"true"',
  },
  'body-media-type-with-charset': {
    description: post(object({ n: TEXT }, 'n'), { type: 'application/json; charset=utf-8' }),
    args: { n: 'é' },
    line: 'POST /a',
    body: '{"n":"é"}',
  },
  'body-wildcard-media-type': {
    description: post(object({ a: TEXT }), { type: '*/*' }),
    args: { a: 'x' },
    line: 'POST /a',
    headers: JSON_TYPE,
    body: '{"a":"x"}',
  },
  'body-several-media-types-prefer-json': {
    description: openapi({
      '/a': {
        post: operation('a', {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              ['application/xml', FORM, 'application/json'].map((type) => [type, { schema: object({ a: TEXT }) }]),
            ),
          },
        }),
      },
    }),
    args: { a: 'x' },
    line: 'POST /a',
    headers: JSON_TYPE,
    body: '{"a":"x"}',
  },
  'body-content-type-header-sent': {
    description: post(object({ n: WHOLE })),
    args: { n: 1 },
    line: 'POST /a',
    headers: { ...JSON_TYPE, accept: ['application/json, text/*;q=0.9, */*;q=0.8'] },
  },
  'body-optional-and-no-arguments': {
    description: post(object({ a: TEXT }), { required: false }),
    args: {},
    line: 'POST /a',
    headers: { 'content-type': [] },
    body: '',
  },
  'body-no-body-no-content-type': {
    description: openapi({ '/f/{id}': { post: operation('a', { parameters: [parameter('path', 'id')] }) } }),
    args: { id: '1' },
    line: 'POST /f/1',
    headers: { 'content-type': [] },
    body: '',
  },
  'body-on-get-in-30-ignored': {
    description: openapi({
      '/a': { get: operation('a', { parameters: [query('q')], ...body(object({ x: TEXT }, 'x')) }) },
    }),
    args: { q: '1' },
    line: 'GET /a?q=1',
    headers: { 'content-type': [] },
    body: '',
  },
  'body-on-delete-in-31-carried': {
    description: openapi(
      { '/a': { delete: operation('a', body(object({ ids: list(WHOLE) }, 'ids'))) } },
      { openapi: '3.1.0' },
    ),
    args: { ids: [1] },
    line: 'DELETE /a',
    headers: JSON_TYPE,
    body: '{"ids":[1]}',
  },
  'body-falsy-values-kept': {
    description: post(object({ n: WHOLE, on: { type: 'boolean' }, s: TEXT, l: list(WHOLE) })),
    args: { n: 0, on: false, s: '', l: [] },
    line: 'POST /a',
    body: '{"n":0,"on":false,"s":"","l":[]}',
  },
  'body-swagger2-formdata': {
    description: swagger(
      {
        post: operation('a', {
          consumes: [FORM],
          parameters: [
            { name: 'a', in: 'formData', type: 'string', required: true },
            { ...strings('b', { collectionFormat: 'multi' }), in: 'formData' },
          ],
        }),
      },
      '/v1',
    ),
    args: { a: '1', b: ['x', 'y'] },
    options: { base: '/v1' },
    line: 'POST /v1/a',
    headers: { 'content-type': [FORM] },
    body: 'a=1&b=x&b=y',
  },
  'security-or-alternatives': {
    description: get([], '/a', keyed({ type: 'apiKey', in: 'header', name: 'X-API-Key' })),
    args: {},
    options: { placement: { placement: 'header', header: 'X-API-Key' }, secret: 'K1' },
    line: 'GET /a',
    headers: { 'x-api-key': ['K1'] },
  },
  'security-scheme-name-case': {
    description: get([], '/a', keyed({ type: 'http', scheme: 'BASIC' })),
    args: {},
    options: { placement: { placement: 'basic' }, secret: 'u:p' },
    line: 'GET /a',
    headers: { authorization: ['Basic dTpw'] },
  },
  'security-apikey-named-authorization': {
    description: get([], '/a', keyed({ type: 'apiKey', in: 'header', name: 'Authorization' })),
    args: {},
    options: { placement: { placement: 'header', header: 'Authorization' }, secret: 'abc123' },
    line: 'GET /a',
    headers: { authorization: ['abc123'] },
  },
  'security-query-key-not-a-parameter': {
    description: get(
      [query('api_key', TEXT, { required: true }), query('q')],
      '/a',
      keyed({ type: 'apiKey', in: 'query', name: 'api_key' }),
    ),
    args: { q: 'x' },
    options: { placement: { placement: 'query', parameter: 'api_key' }, secret: 'S3C' },
    line: 'GET /a?q=x&api_key=S3C',
  },
  'servers-host-cannot-be-moved-by-arguments': {
    description: get([parameter('path', 'p')], '/{p}'),
    args: { p: '/evil.example/x' },
    line: 'GET /%2Fevil.example%2Fx',
  },
};

describe('on the wire', () => {
  it.each(Object.entries(ROWS))('%s', async (_id, row) => {
    const sent = await called(row.description, 'a', row.args, row.options);
    expect(sent.result).toMatchObject({ kind: 'answer', status: 200 });
    expect([sent.line, sent.requests.length]).toEqual([row.line, 1]);
    if (row.body !== undefined) expect(sent.body).toBe(row.body);
    for (const [name, values] of Object.entries(row.headers ?? {}))
      expect([name, sent.header(name)]).toEqual([name, values]);
  });

  it('body-multipart', async () => {
    const schema = object({ title: TEXT, meta: object({ a: WHOLE }), tags: list(TEXT) }, 'title');
    const args = { title: 'T', meta: { a: 1 }, tags: ['x', 'y'] };
    const { body: sent, header } = await called(post(schema, { type: 'multipart/form-data' }), 'a', args);
    const [, boundary = ''] = /^multipart\/form-data; boundary=(\S+)$/.exec(header('content-type')[0] ?? '') ?? [];
    const part = (name: string, text: string, type = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n${text}\r\n`;
    const meta = part('meta', '{"a":1}', '\r\nContent-Type: application/json');
    expect(sent).toBe(`${part('title', 'T')}${meta}${part('tags', 'x')}${part('tags', 'y')}--${boundary}--\r\n`);
  });

  it('body-arguments-outside-the-schema', async () => {
    const description = post(object({ n: WHOLE }), {}, { parameters: [query('q')] });
    const args = { n: 1, q: 'x', is_admin: true, Authorization: 'Bearer evil' };
    const { result, requests } = await called(description, 'a', args);
    expect(requests).toEqual([]);
    expect(result.kind === 'refused' ? result.problems.map(({ argument }) => argument) : []).toContain('is_admin');
  });
});
