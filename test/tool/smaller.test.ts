// Operations that are too large as a whole: shown smaller in the extended profile, refused in the core one, within a budget of their own.
import { describe, expect, it } from 'vitest';
import { type Limits, type Profile, preview } from '../../src/index.js';

type Json = { readonly [key: string]: unknown };

const TEXT =
  'A sentence of the clinic that is as long as such sentences are when somebody has much to say about a property.';

/** An object `width` wide at each of `levels` levels. */
function wide(width: number, levels: number): Json {
  const leaf = { type: 'string', description: TEXT };
  const property = levels === 1 ? leaf : wide(width, levels - 1);
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: width }, (_, i) => [`p${i}`, property])),
  };
}

function posting(schema: Json, rest: Json = {}): Json {
  return { ...rest, requestBody: { required: true, content: { 'application/json': { schema } } } };
}

function description(operations: { readonly [id: string]: Json }): string {
  const paths = Object.entries(operations).map(([id, one]) => [`/${id}`, { post: { operationId: id, ...one } }]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Clinic', version: '1' },
    paths: Object.fromEntries(paths),
  });
}

async function read(operations: { readonly [id: string]: Json }, profile: Profile, limits: Partial<Limits> = {}) {
  const { operations: drafts, unimportable } = await preview(
    { document: description(operations) },
    { profile, limits },
  );
  return {
    drafts: new Map(drafts.map((draft) => [draft.key, draft])),
    refused: new Map(unimportable.map((refusal) => [refusal.key, refusal])),
  };
}

const levelsOf = (schema: unknown): number => {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return 0;
  return 1 + Math.max(0, ...Object.values(schema.properties as Json).map(levelsOf));
};

describe('an operation that is too large as a whole', () => {
  it('is shown with as many levels as fit', async () => {
    const operations = { book: posting(wide(4, 5)) };
    expect((await read(operations, 'core')).refused.get('book')).toMatchObject({ code: 'too-large' });
    const draft = (await read(operations, 'extended')).drafts.get('book');
    expect(levelsOf(draft?.input_schema)).toBe(4);
    expect(draft?.notices[0]).toMatchObject({ code: 'shown-smaller', at: '/paths/~1book/post' });
    expect(draft?.notices[0]?.message).toMatch(/^it is shown with 4 levels: .*65,536/);
    expect(draft?.notices.map(({ code }) => code)).toContain('nesting-cut');
  });

  it('is shown smaller where it takes too many steps, too', async () => {
    const operations = { book: posting(wide(20, 3)) };
    const limits = { operation_steps: 500 };
    expect((await read(operations, 'core', limits)).refused.get('book')?.reason).toMatch(/steps/);
    const draft = (await read(operations, 'extended', limits)).drafts.get('book');
    expect(draft?.notices[0]?.message).toMatch(/^it is shown with 2 levels/);
  });

  it('is shown with its required arguments alone where no number of levels fits', async () => {
    const parameters = Array.from({ length: 30 }, (_, i) => ({
      name: `q${i}`,
      in: 'query',
      required: i % 10 === 0,
      schema: { type: 'string' },
    }));
    const body = { ...wide(3, 1), required: ['p1'] };
    const operations = { book: posting(body, { parameters }) };
    const draft = (await read(operations, 'extended', { operation_schema_bytes: 700 })).drafts.get('book');
    expect(draft?.input_schema.required).toEqual(['p1', 'q0', 'q10', 'q20']);
    expect(Object.keys(draft?.input_schema.properties as Json).sort()).toEqual(['p1', 'q0', 'q10', 'q20']);
    expect(draft?.notices[0]?.message).toMatch(/^it is shown with its required arguments alone/);
    expect(draft?.notices.find(({ code }) => code === 'parameter-left-out')?.message).toMatch(/^27 optional/);
    expect(draft?.notices.map(({ code }) => code)).toContain('properties-cut');
  });

  it('is refused where even that does not fit', async () => {
    const body = { ...wide(20, 1), required: Array.from({ length: 20 }, (_, i) => `p${i}`) };
    const { refused } = await read({ book: posting(body) }, 'extended', { operation_schema_bytes: 700 });
    expect(refused.get('book')).toMatchObject({ code: 'too-large', at: '/paths/~1book/post' });
  });

  it('takes no step from what both profiles read', async () => {
    const small = (n: number) => posting(wide(n + 1, 1));
    const operations = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`o${i}`, i % 2 === 0 ? posting(wide(12, 2)) : small(i % 5)]),
    );
    const limits = { operation_steps: 100, description_steps: 20 * 101 + 500 };
    const core = await read(operations, 'core', limits);
    const extended = await read(operations, 'extended', limits);
    expect(core.drafts.size).toBe(20);
    for (const [key, draft] of core.drafts) expect(extended.drafts.get(key)).toEqual(draft);
    // Their own budget is spent in the order of the description: the first are shown, the last are not.
    expect(extended.drafts.has('o0')).toBe(true);
    expect(extended.refused.get('o38')).toMatchObject({ code: 'too-large' });
  });
});
