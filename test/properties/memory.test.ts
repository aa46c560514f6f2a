// The compiler's memory of what it has read changes nothing: neither drafts, nor refusals, nor steps.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../src/base/limits.js';
import { isEmission } from '../../src/tool/emit.js';
import { type Flavour, type Generated, graphs } from './arbitrary.js';
import { documentOf, essence, type Read, readAll, runs, TIMEOUT } from './support.js';

const FLAVOURS: readonly Flavour[] = ['3.0.3', '3.1.0', 'discovery'];
const LIMITS: readonly Partial<Limits>[] = [{}, { operation_steps: 40 }, { nesting: 2, optional_properties: 1 }];

function expectSame(one: Read | undefined, other: Read | undefined): void {
  if (one === undefined || other === undefined) throw new Error('an operation is missing');
  expect(essence(one.result)).toBe(essence(other.result));
  // What was remembered is spent at once, so a refusal may come some steps later.
  if (isEmission(one.result)) expect(one.steps).toBe(other.steps);
}

/** The description with one of its operations alone. */
function alone({ flavour, value }: Generated, index: number): { readonly [key: string]: unknown } {
  const key = flavour === 'discovery' ? 'methods' : 'paths';
  const [name, operation] = Object.entries(value[key] as object)[index] ?? [];
  return { ...value, [key]: { [String(name)]: operation } };
}

/** Two operations of which one refers into the other, in both orders. */
function crossing(inner: unknown, outer: unknown): Generated {
  const post = (name: string, schema: unknown) => ({
    post: { operationId: name, requestBody: { content: { 'application/json': { schema } } }, responses: {} },
  });
  const paths = { '/op0': post('op0', inner), '/op1': post('op1', outer) };
  return { flavour: '3.1.0', value: { openapi: '3.1.0', paths }, count: 2, rooted: true };
}

const BODY = '#/paths/~1op0/post/requestBody/content/application~1json/schema';

describe('a body that another operation refers to and that refers to itself', () => {
  it.each([
    ['by a property', { type: 'object', properties: { next: { $ref: BODY } } }],
    ['by its entries', { type: 'object', additionalProperties: { $ref: BODY } }],
    ['by items of a property', { type: 'object', properties: { next: { type: 'array', items: { $ref: BODY } } } }],
    ['beside a text', { type: 'object', properties: { next: { $ref: BODY, description: 'Next.' } } }],
  ])('%s', (_, inner) => {
    const document = documentOf(crossing(inner, { $ref: BODY }).value);
    const together = readAll(document);
    for (const [index, one] of together.entries()) expectSame(one, readAll(document, {}, index)[0]);
  });
});

describe('what two operations share', () => {
  it('is read under the text of each parameter, also where they share a media type', () => {
    const parameter = (name: string) => ({
      name,
      in: 'query',
      description: `The ${name}.`,
      content: { 'application/json': { $ref: '#/components/mediaTypes/Shared' } },
    });
    const get = (name: string) => ({
      get: { parameters: [{ $ref: `#/components/parameters/${name}` }], responses: {} },
    });
    const document = documentOf({
      openapi: '3.2.0',
      paths: { '/first': get('first'), '/second': get('second') },
      components: {
        parameters: { first: parameter('first'), second: parameter('second') },
        mediaTypes: { Shared: { schema: { type: 'string' } } },
      },
    });
    for (const [index, one] of readAll(document).entries()) expectSame(one, readAll(document, {}, index)[0]);
  });

  it('is refused for its depth where it stands too deep, however it was read before', () => {
    const nested = (depth: number, inside: unknown): unknown =>
      Array.from({ length: depth }).reduce((schema) => ({ anyOf: [{ type: 'integer' }, schema] }), inside);
    const body = (value: unknown) => ({
      content: { 'application/json': { schema: { type: 'object', properties: { value } } } },
    });
    const shared = { $ref: '#/components/schemas/Shared' };
    const document = documentOf({
      openapi: '3.1.0',
      paths: {
        '/shallow': { post: { requestBody: body(shared), responses: {} } },
        '/deep': { post: { requestBody: body(nested(300, shared)), responses: {} } },
      },
      components: { schemas: { Shared: nested(300, { type: 'string' }) } },
    });
    for (const [index, one] of readAll(document).entries()) expectSame(one, readAll(document, {}, index)[0]);
  });
});

describe.each(FLAVOURS)('an operation of %s', (flavour) => {
  it.each(LIMITS)(
    'is the same whatever was read before it, under %j',
    (limits) => {
      const property = fc.property(graphs(flavour), (generated) => {
        const document = documentOf(generated.value);
        const together = readAll(document, limits);
        expect(together.length).toBe(generated.count);
        for (const [index, one] of together.entries()) expectSame(one, readAll(document, limits, index)[0]);
      });
      fc.assert(property, runs(400));
    },
    TIMEOUT,
  );

  it(
    'is the same in a description of its own',
    () => {
      const property = fc.property(graphs(flavour), (generated) => {
        fc.pre(!generated.rooted);
        for (const [index, one] of readAll(documentOf(generated.value)).entries()) {
          expectSame(one, readAll(documentOf(alone(generated, index)))[0]);
        }
      });
      fc.assert(property, { ...runs(200), maxSkipsPerRun: 1_000 });
    },
    TIMEOUT,
  );
});
