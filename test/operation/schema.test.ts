// Small schemas whose reading a review found wrong: what closes an object, what applies to a type, what is told of a cut.
import { describe, expect, it } from 'vitest';
import { accepts, dig, names, noticeCodes, object, posted, properties, required, TEXT, WHOLE } from '../cases/build.js';

const NEWER = { openapi: '3.1.0' };

/** The property `a` of a body, as it is emitted. */
async function property(schema: unknown, rest = {}): Promise<unknown> {
  return properties(await posted(object({ a: schema, other: TEXT }), rest)).a;
}

describe('additionalProperties', () => {
  it('false of the schema itself closes it, whatever a member of its allOf says', async () => {
    const schema = {
      type: 'object',
      allOf: [{ properties: { x: TEXT }, additionalProperties: true }],
      additionalProperties: false,
    };
    const found = await property(schema);
    expect(found).toMatchObject({ properties: { x: TEXT }, additionalProperties: false });
    expect(accepts(found, { x: 'a' })).toBe(true);
    expect(accepts(found, { y: 'a' })).toBe(false);
    const tool = await posted(schema);
    expect(names(tool)).toEqual(['x']);
    expect(noticeCodes(tool)).toEqual([]);
  });

  it('false of a member closes nothing', async () => {
    const schema = { allOf: [{ properties: { x: TEXT }, additionalProperties: false }, { properties: { y: TEXT } }] };
    expect(accepts(await property(schema), { x: 'a', y: 'b' })).toBe(true);
  });
});

describe('a body', () => {
  it('of no properties and no type is an object', async () => {
    const tool = await posted({ properties: {} });
    expect(names(tool)).toEqual(['body']);
    expect(tool.body).toMatchObject({ whole: 'body' });
    expect(properties(tool).body).toMatchObject({ type: 'object' });
  });

  it('that requires what it does not declare is read without it, and says so', async () => {
    const tool = await posted(object({ a: TEXT }, 'a', 'gone'));
    expect(names(tool)).toEqual(['a']);
    expect(required(tool)).toEqual(['a']);
    expect(tool.notices).toMatchObject([{ code: 'keyword-ignored', message: expect.stringContaining('"gone"') }]);
  });

  it('that requires what a member of its allOf declares says nothing', async () => {
    const tool = await posted({ allOf: [object({ a: TEXT }), { required: ['a'] }] });
    expect([required(tool), noticeCodes(tool)]).toEqual([['a'], []]);
  });
});

describe('a tuple', () => {
  const nested = (levels: number, inside: unknown): unknown =>
    levels === 0 ? inside : object({ a: nested(levels - 1, inside) });
  const tuple = { type: 'array', prefixItems: [object({ x: TEXT }), WHOLE] };

  it('on the last level is cut, and a notice says so', async () => {
    const tool = await posted(nested(5, tuple), NEWER);
    const keys = ['a', ...Array.from({ length: 4 }, () => ['properties', 'a']).flat()];
    expect(dig(properties(tool), ...keys)).toEqual({ type: 'array', items: {} });
    expect(noticeCodes(tool)).toEqual(['nesting-cut']);
  });

  it('one level above it is kept', async () => {
    const tool = await posted(nested(4, tuple), NEWER);
    const keys = ['a', ...Array.from({ length: 3 }, () => ['properties', 'a']).flat()];
    expect(dig(properties(tool), ...keys, 'prefixItems', '1')).toEqual(WHOLE);
  });
});

describe('constraints', () => {
  it.each([
    [[4, 6], 12],
    [[6, 4], 12],
    [[2, 4, 6], 12],
    [[5, 10], 10],
    [[0.5, 2], 2],
  ])('multipleOf %j together are %j', async (list, multipleOf) => {
    const allOf = list.map((one) => ({ type: 'number', multipleOf: one }));
    expect(await property({ allOf })).toEqual({ type: 'number', multipleOf });
  });

  it.each<readonly [object, object]>([
    [{ type: 'integer', minLength: 2, uniqueItems: true }, { type: 'integer' }],
    [{ type: 'string', uniqueItems: true, minItems: 1 }, { type: 'string' }],
    [
      { type: 'array', items: {}, minLength: 3 },
      { type: 'array', items: {} },
    ],
    [{ type: 'boolean', minLength: 1, maxItems: 3 }, { type: 'boolean' }],
  ])('beside a type they do not apply to are dropped: %j', async (schema, emitted) => {
    expect(await property(schema)).toEqual(emitted);
  });

  it.each([
    { type: 'string', minLength: 2 },
    { type: 'array', items: {}, uniqueItems: true },
    { type: ['array', 'null'], items: {}, uniqueItems: true },
    { type: ['integer', 'string'], minLength: 2 },
  ])('beside one of several types they apply to are kept: %j', async (schema) => {
    expect(await property(schema, NEWER)).toEqual(schema);
  });
});

describe('nullable without a type', () => {
  const components = { schemas: { R: object({ x: TEXT }, 'x') } };
  const reference = { $ref: '#/components/schemas/R' };

  it.each([
    { nullable: true, allOf: [reference] },
    { nullable: true, allOf: [object({ x: TEXT }, 'x'), object({ y: TEXT })] },
    { nullable: true, anyOf: [reference, object({ z: WHOLE }, 'z')] },
    { nullable: true, oneOf: [reference, object({ z: WHOLE }, 'z')] },
    { nullable: true, anyOf: [reference] },
  ])('allows null in 3.0, and nothing else more: %j', async (schema) => {
    const found = await property(schema, { components });
    expect(accepts(found, null)).toBe(true);
    expect(accepts(found, { x: 'a' })).toBe(true);
    expect(accepts(found, 3)).toBe(false);
  });

  it('of a member alone allows none', async () => {
    const found = await property({ allOf: [{ nullable: true, allOf: [reference] }, reference] }, { components });
    expect(accepts(found, null)).toBe(false);
  });

  it('is not a word of 3.1', async () => {
    const found = await property({ nullable: true, allOf: [reference] }, { ...NEWER, components });
    expect(accepts(found, null)).toBe(false);
  });
});
