// Cases of parameters: their names, their places, and how each is written there.
import { expect, it } from 'vitest';
import {
  accepts,
  body,
  dig,
  endpoint,
  type Json,
  list,
  names,
  noticeCodes,
  object,
  only,
  openapi,
  operation,
  parameter,
  properties,
  required,
  SERVER,
  see,
  seeExtended,
  TEXT,
  WHOLE,
} from './build.js';

const got = (path: string, identifier: string, ...parameters: readonly Json[]): Json =>
  openapi({ [path]: { get: operation(identifier, { parameters }) } });

it('params-path-level-merged-and-overridden', async () => {
  const description = openapi({
    '/items/{itemId}': {
      parameters: [
        parameter('path', 'itemId', TEXT, { description: 'Path text' }),
        parameter('query', 'lang'),
        parameter('header', 'trace'),
      ],
      get: operation('getItem', {
        parameters: [
          parameter('path', 'itemId', { type: 'string', format: 'uuid' }, { description: 'Op text' }),
          parameter('header', 'lang'),
        ],
      }),
    },
  });
  const tool = await only(description);
  expect(properties(tool)).toEqual({
    itemId: { type: 'string', format: 'uuid', description: 'Op text' },
    lang: TEXT,
    trace: TEXT,
    header_lang: TEXT,
  });
  expect(required(tool)).toEqual(['itemId']);
  expect(tool.locations).toEqual({ lang: 'query', trace: 'header', header_lang: { in: 'header', name: 'lang' } });
  expect(await endpoint(description, 'getItem')).toBe(`${SERVER}/items/{itemId}`);
});

it('params-same-name-in-four-places', async () => {
  const parameters = [parameter('header', 'v'), parameter('query', 'v'), parameter('path', 'v')];
  for (const ordered of [parameters, parameters.toReversed()]) {
    const description = openapi({
      '/x/{v}': { post: operation('x', { parameters: ordered, ...body(object({ v: TEXT })) }) },
    });
    const tool = await only(description);
    expect(names(tool).sort()).toEqual(['body_v', 'header_v', 'query_v', 'v']);
    expect(required(tool)).toEqual(['v']);
    expect(tool.locations).toEqual({
      query_v: { in: 'query', name: 'v' },
      header_v: { in: 'header', name: 'v' },
      body_v: { in: 'body', name: 'v' },
    });
    expect(noticeCodes(tool)).toContain('argument-renamed');
    expect(await endpoint(description, 'x')).toBe(`${SERVER}/x/{v}`);
  }
});

it('params-derived-name-already-taken', async () => {
  const description = got(
    '/x/{id}',
    'x',
    parameter('path', 'id'),
    parameter('query', 'id'),
    parameter('query', 'query_id'),
  );
  const tool = await only(description);
  expect(names(tool).sort()).toEqual(['id', 'query_id', 'query_id_2']);
  expect(tool.locations).toEqual({ query_id: 'query', query_id_2: { in: 'query', name: 'id' } });
  expect(await endpoint(description, 'x')).toBe(`${SERVER}/x/{id}`);
});

it('params-query-named-body-with-whole-body', async () => {
  const described = (schema: Json) =>
    openapi({ '/v': { post: operation('setV', { parameters: [parameter('query', 'body')], ...body(schema) }) } });
  const { refusal } = await see(described(list(WHOLE)));
  expect(refusal('setV').code).toBe('body-not-object');
  const extended = await seeExtended(described(list(WHOLE)));
  expect(properties(extended.tool('setV')).body_body).toEqual(list(WHOLE));
  const free = await only(described({ type: 'object', additionalProperties: WHOLE }));
  for (const tool of [free, extended.tool('setV')]) {
    expect(names(tool)).toEqual(['body', 'body_body']);
    expect(tool.locations).toEqual({ body: 'query', body_body: { in: 'body', name: 'body' } });
    expect(tool.body).toEqual({ content_type: 'application/json', required: true, whole: 'body_body' });
  }
});

it('params-accept-content-type-authorization-ignored', async () => {
  const tool = await only(
    got(
      '/a',
      'a',
      parameter('header', 'Accept', { ...TEXT, default: 'application/vnd.x+json;version=2' }, { required: true }),
      parameter('header', 'content-type'),
      parameter('header', 'AUTHORIZATION', TEXT, { required: true }),
      parameter('header', 'X-Version'),
    ),
  );
  expect(names(tool)).toEqual(['X-Version']);
  expect(required(tool)).toEqual([]);
  expect(tool.locations).toEqual({ 'X-Version': 'header' });
  expect(noticeCodes(tool)).toEqual(['credential-left-out']);
  expect(tool.notices[0]).toMatchObject({
    at: '/paths/~1a/get/parameters/2',
    message: expect.stringContaining('AUTHORIZATION'),
  });
});

it('params-path-gap-without-parameter', async () => {
  const { keys, refusal } = await see(
    openapi({
      '/u/{userId}/p/{postId}': { get: operation('getPost', { parameters: [parameter('path', 'userId')] }) },
      '/ok': { get: operation('ok') },
    }),
  );
  expect(keys).toEqual(['ok']);
  expect(refusal('getPost')).toMatchObject({ code: 'path-gap', at: '/paths/~1u~1{userId}~1p~1{postId}/get' });
  expect(refusal('getPost').reason).toContain('postId');
  expect(refusal('getPost').reason).not.toContain('userId');
});

it('params-required-cookie', async () => {
  const sid = parameter('cookie', 'sid', TEXT, { required: true });
  const { keys, tool, refusal, answer } = await see(
    openapi(
      {
        '/a': { get: operation('a', { parameters: [parameter('cookie', 'region', TEXT, { required: true })] }) },
        '/b': {
          get: operation('b', {
            parameters: [parameter('cookie', 'theme', TEXT, { required: false }), parameter('query', 'q')],
          }),
        },
        '/c': { get: operation('c', { parameters: [sid], security: [{ sess: [] }] }) },
      },
      { components: { securitySchemes: { sess: { type: 'apiKey', in: 'cookie', name: 'sid' } } } },
    ),
  );
  expect(keys).toEqual(['b', 'c']);
  expect(refusal('a')).toMatchObject({ code: 'cookie', at: '/paths/~1a/get/parameters/0' });
  expect(refusal('a').reason).toContain('region');
  expect(names(tool('b'))).toEqual(['q']);
  expect(noticeCodes(tool('b'))).toContain('cookie-left-out');
  expect(names(tool('c'))).toEqual([]);
  expect(answer.servers).toEqual([{ url: SERVER, suggestion: null, note: expect.stringMatching(/cookie.*sid/) }]);
});

it('params-content-json-in-query', async () => {
  const type = 'application/json';
  const filter = object({ size: WHOLE, tags: list(TEXT) });
  const under = (name: string, schema: Json) => ({ name, in: 'query', content: { [type]: { schema } } });
  const tool = await only(got('/s', 's', under('filter', filter), under('pet', TEXT)));
  expect(properties(tool)).toEqual({ filter, pet: TEXT });
  expect(tool.locations).toEqual({
    filter: { in: 'query', content_type: type },
    pet: { in: 'query', content_type: type },
  });
});

it('params-query-array-form-explode-false', async () => {
  const tool = await only(
    got('/t', 't', parameter('query', 'tags', list(TEXT), { explode: false }), parameter('query', 'ids', list(WHOLE))),
  );
  expect(tool.locations).toEqual({ tags: { in: 'query', explode: false }, ids: 'query' });
  expect(properties(tool)).toEqual({ tags: list(TEXT), ids: list(WHOLE) });
});

it('params-pipe-and-space-delimited-default', async () => {
  const tool = await only(
    got(
      '/t',
      't',
      parameter('query', 'p', list(TEXT), { style: 'pipeDelimited' }),
      parameter('query', 's', list(TEXT), { style: 'spaceDelimited' }),
    ),
  );
  expect(tool.locations).toEqual({
    p: { in: 'query', style: 'pipeDelimited' },
    s: { in: 'query', style: 'spaceDelimited' },
  });
});

const DEEP = { style: 'deepObject', explode: true };

it('params-deep-object', async () => {
  const filter = object({ eq: TEXT, min: WHOLE });
  const tool = await only(got('/i', 'i', parameter('query', 'filter', filter, DEEP)));
  expect(tool.locations).toEqual({ filter: { in: 'query', ...DEEP } });
  expect(properties(tool)).toEqual({ filter });
});

it('params-deep-object-keys-and-values-escaped', async () => {
  const f = { type: 'object', additionalProperties: TEXT };
  const tool = await only(got('/i', 'i', parameter('query', 'f', f, DEEP)));
  expect(tool.locations).toEqual({ f: { in: 'query', ...DEEP } });
  expect(accepts(tool.input_schema, { f: { 'a+b': '1=2&3' } })).toBe(true);
  expect(accepts(tool.input_schema, { f: { 'a+b': 1 } })).toBe(false);
});

it('params-query-object-form', async () => {
  const color = object({ R: WHOLE, G: WHOLE });
  const tone = object({ a: WHOLE, b: WHOLE });
  const tool = await only(
    got('/c', 'c', parameter('query', 'color', color), parameter('query', 'tone', tone, { explode: false })),
  );
  expect(tool.locations).toEqual({ color: 'query', tone: { in: 'query', explode: false } });
  expect(properties(tool)).toEqual({ color, tone });
});

it('params-header-array-and-object', async () => {
  const role = object({ role: TEXT, lv: WHOLE });
  const tool = await only(
    got(
      '/h',
      'h',
      parameter('header', 'X-Tags', list(TEXT)),
      parameter('header', 'X-F', role),
      parameter('header', 'X-G', role, { explode: true }),
    ),
  );
  expect(tool.locations).toEqual({ 'X-Tags': 'header', 'X-F': 'header', 'X-G': { in: 'header', explode: true } });
  expect(properties(tool)).toEqual({ 'X-Tags': list(TEXT), 'X-F': role, 'X-G': role });
});

it('params-empty-array-and-empty-string', async () => {
  const tool = await only(got('/e', 'e', parameter('query', 'ids', list(WHOLE)), parameter('query', 's')));
  expect(tool.locations).toEqual({ ids: 'query', s: 'query' });
  expect(accepts(tool.input_schema, { ids: [], s: '' })).toBe(true);
});

it('params-allow-reserved', async () => {
  const tool = await only(
    got('/f', 'f', parameter('query', 'path', TEXT, { allowReserved: true }), parameter('query', 'plain')),
  );
  expect(tool.locations).toEqual({ path: { in: 'query', allow_reserved: true }, plain: 'query' });
});

it('params-description-cut-and-cleaned', async () => {
  for (const word of ['lorem ', '\u{1F600} ', '\u{1F600}']) {
    const text = `<p>Search <b>text</b> &amp; more</p>${word.repeat(300)}`;
    const tool = await only(got('/a', 'a', parameter('query', 'q', TEXT, { description: text })));
    const description = String(dig(properties(tool).q, 'description'));
    expect(description.startsWith('Search text & more')).toBe(true);
    expect(description).not.toMatch(/<|>|&amp;/);
    expect(description.endsWith('…')).toBe(true);
    // No half of a surrogate pair is left.
    expect(() => encodeURIComponent(description)).not.toThrow();
    expect([...description].length).toBeLessThanOrEqual(300);
    expect([...description].length).toBeGreaterThan(290);
  }
});
