// Cases of request bodies: which are carried, as what, and with which arguments.
import { expect, it } from 'vitest';
import {
  accepts,
  body,
  expectBody,
  expectWhole,
  imported,
  type Json,
  list,
  names,
  noticeCodes,
  object,
  only,
  openapi,
  operation,
  parameter,
  posted,
  properties,
  required,
  SERVER,
  see,
  seeExtended,
  TEXT,
  WHOLE,
} from './build.js';

const JSON_BODY = { content_type: 'application/json', required: true };
const FORM = 'application/x-www-form-urlencoded';
const BODY_AT = '/paths/~1a/post/requestBody';

const posting = (schema: Json, options: Parameters<typeof body>[1] = {}): Json =>
  openapi({ '/a': { post: operation('a', body(schema, options)) } });

/** The operation is refused for its media type, which the reason names. */
async function expectMedia(type: string, schema: Json, media: Json = {}): Promise<void> {
  const { keys, refusal } = await see(posting(schema, { type, media }));
  expect(keys).toEqual([]);
  expect(refusal('a')).toMatchObject({ code: 'body-media', at: BODY_AT });
  expect(refusal('a').reason).toContain(type);
}

it('body-form-urlencoded', async () => {
  const all = { grant_type: TEXT, user: TEXT, ttl: WHOLE };
  await expectMedia(FORM, object(all, 'grant_type'));
  const extended = await seeExtended(posting(object(all, 'grant_type'), { type: FORM }));
  expectBody(extended, FORM, all, 'grant_type');
  expect(extended.tool('a').body).toEqual({ content_type: FORM, required: true });
});

it('body-form-deep-object-encoding', async () => {
  const address = object({ city: TEXT, zip: TEXT });
  const encoding = { address: { style: 'deepObject', explode: true } };
  await expectMedia(FORM, object({ address }), { encoding });
  const extended = await seeExtended(posting(object({ address }), { type: FORM, media: { encoding } }));
  expectBody(extended, FORM, { address });
  expect(extended.tool('a').body?.encoding).toEqual(encoding);
});

it('body-form-defaults-without-encoding', async () => {
  const all = { tags: list(TEXT), meta: object({ a: WHOLE }) };
  await expectMedia(FORM, object(all));
  const extended = await seeExtended(posting(object(all), { type: FORM }));
  expectBody(extended, FORM, all);
  expect(extended.tool('a').body?.encoding).toBeUndefined();
});

it('body-multipart', async () => {
  const type = 'multipart/form-data';
  const all = { title: TEXT, meta: object({ a: WHOLE }), tags: list(TEXT) };
  await expectMedia(type, object(all, 'title'));
  expectBody(await seeExtended(posting(object(all, 'title'), { type })), type, all, 'title');
});

it('body-top-level-array', async () => {
  const rows = list(object({ id: WHOLE }, 'id'));
  expectWhole(await seeExtended(posting(rows)), 'application/json', rows);
  const { keys, refusal } = await see(posting(rows));
  expect(keys).toEqual([]);
  expect(refusal('a').code).toBe('body-not-object');
  expect(refusal('a').at.startsWith(BODY_AT)).toBe(true);
  expect(refusal('a').reason).toContain('array');
});

it('body-scalar-json', async () => {
  expectWhole(await seeExtended(posting(TEXT)), 'application/json', TEXT);
  const { keys, refusal } = await see(posting(TEXT));
  expect(keys).toEqual([]);
  expect(refusal('a').code).toBe('body-not-object');
  expect(refusal('a').reason).toContain('string');
});

it('body-unsupported-media-type', async () => {
  await expectMedia('application/xml', object({ a: TEXT }));
  const xml = await seeExtended(posting(object({ a: TEXT }), { type: 'application/xml' }));
  expect(xml.refusal('a')).toMatchObject({ code: 'body-media', reason: expect.stringContaining('application/xml') });
  const [type, bytes] = ['application/octet-stream', { type: 'string', format: 'binary' }];
  await expectMedia(type, bytes);
  const extended = await seeExtended(posting(bytes, { type }));
  expectWhole(extended, type, { type: 'string', description: expect.stringContaining('Base64') });
});

it('body-media-type-with-charset', async () => {
  const tool = await only(posting(object({ n: TEXT }, 'n'), { type: 'application/json; charset=utf-8' }));
  expect(required(tool)).toEqual(['n']);
  expect(tool.locations).toEqual({ n: 'body' });
  expect(tool.body?.content_type).toMatch(/^application\/json\b/);
  expect(tool.body?.required).toBe(true);
});

it('body-wildcard-media-type', async () => {
  const tool = await only(posting(object({ a: TEXT }), { type: '*/*' }));
  expect(tool.body).toEqual(JSON_BODY);
  expect(tool.locations).toEqual({ a: 'body' });
});

it('body-several-media-types-prefer-json', async () => {
  const media = { schema: object({ a: TEXT }) };
  const content = { 'application/xml': media, [FORM]: media, 'application/json': media };
  const tool = await only(openapi({ '/p': { post: operation('p', { requestBody: { required: true, content } }) } }));
  expect(tool.body).toEqual(JSON_BODY);
  expect(tool.locations).toEqual({ a: 'body' });
});

it('body-content-type-header-sent', async () => {
  const tool = await posted(object({ n: WHOLE }));
  expect(tool.body).toEqual(JSON_BODY);
  expect(tool.locations).toEqual({ n: 'body' });
});

it('body-optional-and-no-arguments', async () => {
  const tool = await only(posting(object({ a: TEXT }), { required: false }));
  expect(tool.body).toEqual({ content_type: 'application/json', required: false });
  expect(required(tool)).toEqual([]);
  expect(accepts(tool.input_schema, {})).toBe(true);
});

it('body-no-body-no-content-type', async () => {
  const parameters = [parameter('path', 'id')];
  const description = openapi({
    '/f/{id}': { delete: operation('del', { parameters }), post: operation('touch', { parameters }) },
  });
  const tools = await imported(description, ['del', 'touch']);
  expect(tools.map(({ config }) => config)).toEqual([
    { endpoint: `${SERVER}/f/{id}`, method: 'DELETE', locations: {} },
    { endpoint: `${SERVER}/f/{id}`, method: 'POST', locations: {} },
  ]);
});

it('body-on-get-in-30-ignored', async () => {
  const tool = await only(
    openapi({
      '/s': { get: operation('s', { parameters: [parameter('query', 'q')], ...body(object({ x: TEXT }, 'x')) }) },
    }),
  );
  expect(properties(tool)).toEqual({ q: TEXT });
  expect(required(tool)).toEqual([]);
  expect(tool.body).toBeUndefined();
  expect(tool.notices).toEqual([
    { code: 'body-left-out', at: '/paths/~1s/get/requestBody', message: expect.stringContaining('GET') },
  ]);
});

it('body-on-delete-in-31-carried', async () => {
  for (const openapiVersion of ['3.1.1', '3.0.4']) {
    const tool = await only(
      openapi(
        { '/items': { delete: operation('delItems', body(object({ ids: list(WHOLE) }, 'ids'))) } },
        { openapi: openapiVersion },
      ),
    );
    expect(tool).toMatchObject({ method: 'DELETE', body: JSON_BODY, locations: { ids: 'body' } });
    expect(required(tool)).toEqual(['ids']);
    expect(noticeCodes(tool)).toEqual([]);
  }
});

it('body-falsy-values-kept', async () => {
  const tool = await posted(object({ n: WHOLE, on: { type: 'boolean' }, s: TEXT, l: list(WHOLE) }));
  expect(accepts(tool.input_schema, { n: 0, on: false, s: '', l: [] })).toBe(true);
  expect(tool.locations).toEqual({ n: 'body', on: 'body', s: 'body', l: 'body' });
});

it('body-twenty-optional-properties', async () => {
  const optional = Array.from({ length: 30 }, (_, i) => `o${i + 1}`);
  const needed = ['r1', 'r2', 'r3'];
  const tool = await posted(
    object(Object.fromEntries([...optional, ...needed].map((name) => [name, TEXT])), ...needed),
  );
  expect(names(tool)).toEqual([...optional.slice(0, 20), ...needed]);
  expect(required(tool)).toEqual(needed);
  expect(noticeCodes(tool)).toEqual(['properties-cut']);
});

it('body-arguments-outside-the-schema', async () => {
  const tool = await only(
    openapi({
      '/a': { post: operation('a', { parameters: [parameter('query', 'q')], ...body(object({ n: WHOLE })) }) },
    }),
  );
  expect(tool.locations).toEqual({ q: 'query', n: 'body' });
  expect(accepts(tool.input_schema, { n: 1, q: 'x' })).toBe(true);
  expect(accepts(tool.input_schema, { n: 1, q: 'x', is_admin: true })).toBe(false);
  expect(accepts(tool.input_schema, { n: 1, q: 'x', Authorization: 'Bearer evil' })).toBe(false);
});
