// What comes of an operation does not depend on which operation is read before it.
import { describe, expect, it } from 'vitest';
import { type PreviewOptions, preview } from '../../src/app/preview.js';
import { body, type Json, object, openapi, operation, parameter, TEXT } from '../cases/build.js';

const SCHEMAS = '#/components/schemas';

/** What came of each operation, by its key. */
async function outcomes(description: Json, options: PreviewOptions = {}): Promise<Map<string, unknown>> {
  const { operations, unimportable } = await preview({ document: JSON.stringify(description) }, options);
  return new Map([...operations, ...unimportable].map((one) => [one.key, one]));
}

/** The same with the paths in their order, and the other way round. */
async function bothWays(paths: Json, rest: Json, options: PreviewOptions = {}): Promise<Map<string, unknown>[]> {
  const turned = Object.fromEntries(Object.entries(paths).reverse());
  return [await outcomes(openapi(paths, rest), options), await outcomes(openapi(turned, rest), options)];
}

function texts(count: number): Json {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, TEXT]));
}

describe('two schemas that lead to each other', () => {
  it.each([10, 300, 480, 500, 1_000, 1_900])('and hold %i texts', async (count) => {
    const R = { $ref: `${SCHEMAS}/R` };
    const Q = { $ref: `${SCHEMAS}/Q` };
    const all = texts(count);
    const schemas = { R: object({ ...all, q: Q }, ...Object.keys(all)), Q: object({ p1: R, p2: R }) };
    const paths = { '/q': { post: operation('q', body(Q)) }, '/r': { post: operation('r', body(R)) } };
    for (const openapi of ['3.0.4', '3.1.0']) {
      const [first, second] = await bothWays(paths, { openapi, components: { schemas } });
      expect(first?.size).toBe(2);
      expect(second).toEqual(first);
    }
  });
});

describe('a parameter whose media type is referred to', () => {
  const components = {
    parameters: {
      P: { name: 'p', in: 'query', content: { 'application/json': { $ref: '#/components/mediaTypes/M' } } },
    },
    mediaTypes: { M: { schema: TEXT } },
  };
  const item = { get: { responses: {}, parameters: [{ $ref: '#/components/parameters/P' }] } };
  const paths = { '/b': item, '/c': item };

  it.each([1, 2, 3, 4, 5, 6])('is the same for the second of two in %i steps', async (operation_steps) => {
    const options = { limits: { operation_steps } };
    const [first] = await bothWays(paths, { openapi: '3.2.0', components }, options);
    const [b, c] = ['GET /b', 'GET /c'].map((key) => {
      const { code, input_schema } = (first?.get(key) ?? {}) as { code?: string; input_schema?: unknown };
      return [code, input_schema];
    });
    expect(c).toEqual(b);
  });

  it('is refused in three steps, and read in more', async () => {
    const read = (operation_steps: number) =>
      preview(
        { document: JSON.stringify(openapi(paths, { openapi: '3.2.0', components })) },
        { limits: { operation_steps }, profile: 'core' },
      );
    expect((await read(3)).unimportable.map(({ code }) => code)).toEqual(['too-large', 'too-large']);
    expect((await read(6)).operations.map(({ input_schema }) => input_schema.properties)).toEqual([
      { p: TEXT },
      { p: TEXT },
    ]);
  });
});

describe('a parameter of a path item', () => {
  it('is the same for each operation that shares it', async () => {
    const get = operation(undefined);
    const item = { parameters: [parameter('query', 'q', { allOf: [{ $ref: `${SCHEMAS}/R` }] })], get, delete: get };
    const rest = { components: { schemas: { R: object({ r: { $ref: `${SCHEMAS}/R` } }) } } };
    for (const operation_steps of [1, 2, 3, 4, 5, 6, 7]) {
      const options = { limits: { operation_steps } };
      const [found] = await bothWays({ '/a': item, '/b': item }, rest, options);
      const codes = [...(found?.values() ?? [])].map((one) => (one as { code?: string }).code);
      expect(new Set(codes).size).toBe(1);
    }
  });
});
