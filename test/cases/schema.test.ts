// Cases of the schemas that a model is shown.
import { expect, it } from 'vitest';
import {
  accepts,
  body,
  dig,
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
  TEXT,
  WHOLE,
} from './build.js';

const NEWER = { openapi: '3.1.1' };

it('schema-array-without-items', async () => {
  const tool = await only(
    openapi({
      '/a': {
        post: operation('a', {
          parameters: [parameter('query', 'tags', { type: 'array' })],
          ...body(object({ rows: { type: 'array' }, grid: list({ type: 'array' }) })),
        }),
      },
    }),
  );
  expect(properties(tool)).toEqual({ tags: list({}), rows: list({}), grid: list(list({})) });
});

it('schema-items-kept-on-parameters', async () => {
  const page = object({ no: { type: 'integer', description: 'Page number' } }, 'no');
  const status = list({ type: 'string', enum: ['new', 'old'] });
  const tool = await only(
    openapi({
      '/a': {
        post: operation('a', {
          parameters: [parameter('query', 'status', status)],
          ...body(object({ pages: list(page) })),
        }),
      },
    }),
  );
  expect(properties(tool)).toEqual({ status, pages: list(page) });
});

it('schema-optional-list-anyof-null', async () => {
  const { tags } = properties(
    await posted(object({ tags: { anyOf: [list(TEXT), { type: 'null' }], title: 'Tags' } }), NEWER),
  );
  expect(accepts(tags, ['x'])).toBe(true);
  expect(accepts(tags, null)).toBe(true);
  expect(accepts(tags, [1])).toBe(false);
  expect(accepts(tags, 'x')).toBe(false);
});

it('schema-nullable-30', async () => {
  const tool = await posted(
    object(
      { price: { type: 'number', nullable: true }, at: { ...list({ ...TEXT, nullable: true }), nullable: true } },
      'price',
    ),
  );
  const { price, at } = properties(tool);
  expect(required(tool)).toEqual(['price']);
  expect([1.5, null, 'x'].map((value) => accepts(price, value))).toEqual([true, true, false]);
  expect([['a', null], null, [1], 'a'].map((value) => accepts(at, value))).toEqual([true, true, false, false]);
});

it('schema-nullable-with-enum-30', async () => {
  const { size } = properties(await posted(object({ size: { ...TEXT, nullable: true, enum: ['s', 'm'] } })));
  expect(size?.enum).toEqual(['s', 'm']);
  expect(['s', 'l', null].map((value) => accepts(size, value))).toEqual([true, false, false]);
});

it('schema-property-named-like-a-keyword', async () => {
  const all = {
    nullable: { type: 'boolean' },
    type: TEXT,
    items: WHOLE,
    required: { type: 'boolean' },
    description: TEXT,
    properties: object({ enum: TEXT }),
  };
  const tool = await posted(object(all, 'type'));
  expect(properties(tool)).toEqual(all);
  expect(required(tool)).toEqual(['type']);
  expect(Object.values(tool.locations)).toEqual(Object.keys(all).map(() => 'body'));
});

it('schema-null-listed-first', async () => {
  const { v } = properties(await posted(object({ v: { type: ['null', 'string', 'number'] } }), NEWER));
  expect(['x', 1, null, true].map((value) => accepts(v, value))).toEqual([true, true, true, false]);
});

it('schema-no-type-added-beside-anyof', async () => {
  const value = { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }], title: 'value' };
  const tool = await posted(object({ value }, 'value'), NEWER);
  expect(required(tool)).toEqual(['value']);
  expect([null, 'abc', 'a'.repeat(21), 1].map((one) => accepts(properties(tool).value, one))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('schema-exclusive-minimum-boolean-30', async () => {
  const tool = await only(
    openapi({
      '/r': {
        get: operation('rate', {
          parameters: [
            parameter('query', 'x', { type: 'number', minimum: 0, exclusiveMinimum: true }),
            parameter('query', 'y', { type: 'number', maximum: 9, exclusiveMaximum: false }),
          ],
        }),
      },
    }),
  );
  expect(properties(tool)).toEqual({ x: { type: 'number', exclusiveMinimum: 0 }, y: { type: 'number', maximum: 9 } });
});

it('schema-body-oneof-at-top', async () => {
  const tool = await posted({ oneOf: [object({ card: TEXT }, 'card'), object({ iban: TEXT }, 'iban')] });
  expect(properties(tool)).toEqual({ card: TEXT, iban: TEXT });
  expect(required(tool)).toEqual([]);
  expect(accepts(tool.input_schema, { iban: 'X1' })).toBe(true);
  expect(tool.locations).toEqual({ card: 'body', iban: 'body' });
  expect(tool.body).toEqual({ content_type: 'application/json', required: true });
  expect(noticeCodes(tool)).toEqual(['alternatives-united']);
});

it('schema-body-object-with-anyof-required', async () => {
  const all = { route: TEXT, file: TEXT, depth: WHOLE };
  const tool = await posted({ ...object(all, 'depth'), anyOf: [{ required: ['route'] }, { required: ['file'] }] });
  expect(properties(tool)).toEqual(all);
  expect(required(tool)).toEqual(['depth']);
});

it('schema-allof-merged', async () => {
  const animal = object({ name: TEXT, age: WHOLE }, 'name');
  const tool = await posted(
    { allOf: [{ $ref: '#/components/schemas/Animal' }, object({ breed: TEXT }, 'breed')] },
    { components: { schemas: { Animal: animal } } },
  );
  expect(names(tool)).toEqual(['name', 'age', 'breed']);
  expect(properties(tool)).toEqual({ name: TEXT, age: WHOLE, breed: TEXT });
  expect(required(tool)).toEqual(['breed', 'name']);
  expect(tool.notices).toEqual([]);
});

it('schema-allof-beside-properties', async () => {
  const tool = await posted(
    { ...object({ extra: { type: 'boolean' } }, 'extra', 'id'), allOf: [{ $ref: '#/components/schemas/Base' }] },
    { components: { schemas: { Base: object({ id: TEXT, note: TEXT }) } } },
  );
  expect(names(tool)).toEqual(['id', 'note', 'extra']);
  expect(properties(tool)).toEqual({ id: TEXT, note: TEXT, extra: { type: 'boolean' } });
  expect(required(tool)).toEqual(['extra', 'id']);
});

it('schema-free-form-dictionary-body', async () => {
  const entries = { type: 'object', additionalProperties: TEXT };
  const tool = await posted({ ...entries, properties: {} });
  expect(names(tool)).toEqual(['body']);
  expect(required(tool)).toEqual(['body']);
  expect(tool.body).toEqual({ content_type: 'application/json', required: true, whole: 'body' });
  expect(tool.locations).toEqual({ body: 'body' });
  expect(
    [{ body: { env: 'prod' } }, { body: { env: 1 } }, { body: 'prod' }].map((one) => accepts(tool.input_schema, one)),
  ).toEqual([true, false, false]);
  expect(await posted(entries)).toEqual(tool);
});

it('schema-readonly-required-in-request', async () => {
  const tool = await posted(
    { $ref: '#/components/schemas/User' },
    {
      components: {
        schemas: {
          User: object(
            { id: { ...TEXT, readOnly: true }, name: TEXT, password: { ...TEXT, writeOnly: true } },
            'id',
            'name',
          ),
        },
      },
    },
  );
  expect(properties(tool)).toEqual({ name: TEXT, password: TEXT });
  expect(required(tool)).toEqual(['name']);
});

it('schema-no-ref-left-behind', async () => {
  const to = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
  const tool = await only(
    openapi(
      {
        '/a': {
          post: operation('a', {
            parameters: [parameter('query', 'f', to('F'))],
            ...body(object({ addr: to('Addr') })),
          }),
        },
      },
      {
        ...NEWER,
        components: {
          schemas: {
            F: { ...TEXT, enum: ['a', 'b'] },
            Addr: object({ geo: to('Geo') }),
            Geo: object({ lat: { type: 'number' } }),
          },
        },
      },
    ),
  );
  expect(JSON.stringify(tool.input_schema)).not.toMatch(/"(?:\$\w+|definitions)"/);
  expect(dig(properties(tool).addr, 'properties', 'geo', 'properties', 'lat')).toEqual({ type: 'number' });
  expect(properties(tool).f).toEqual({ type: 'string', enum: ['a', 'b'] });
});

it('schema-numeric-and-mixed-enums-keep-their-types', async () => {
  const days = { type: 'integer', enum: [1, 7, 30] };
  const m = { type: 'string', enum: ['on', 'off'] };
  const tool = await only(
    openapi({
      '/a': { get: operation('a', { parameters: [parameter('query', 'days', days), parameter('query', 'm', m)] }) },
    }),
  );
  expect(properties(tool)).toEqual({ days, m });
});
