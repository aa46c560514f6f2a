// A cut may widen and never narrows: what the description's schema allows, the emitted one allows too.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../src/base/limits.js';
import { Answers } from '../../src/operation/answer.js';
import { survey } from '../../src/operation/read.js';
import { isEmission } from '../../src/tool/emit.js';
import { emitOutput } from '../../src/tool/output.js';
import { documentOf, readAll, runs, startOf, TIMEOUT } from './support.js';

type Node = { readonly [key: string]: unknown };

function ajv(): Ajv2020 {
  return new Ajv2020({ strict: false, logger: false, validateFormats: false });
}

/** The schema emitted for a property of that schema, with components beside it. */
function emitted(value: unknown, schemas: Node, limits: Partial<Limits> = {}): Node | undefined {
  const schema = { type: 'object', properties: { value }, required: ['value'] };
  const requestBody = { content: { 'application/json': { schema } } };
  const description = {
    openapi: '3.1.0',
    paths: { '/a': { post: { requestBody, responses: {} } } },
    components: { schemas },
  };
  const [read] = readAll(documentOf(description), limits);
  if (read === undefined || !isEmission(read.result)) return undefined;
  return (read.result.draft.input_schema.properties as { value?: Node }).value;
}

/** The schema emitted for that value in an answer: an item of the list that the answer is. */
function answered(value: unknown, schemas: Node, limits: Partial<Limits> = {}): Node | undefined {
  const schema = { type: 'array', items: value };
  const responses = { 200: { description: '', content: { 'application/json': { schema } } } };
  const document = documentOf({
    openapi: '3.1.0',
    paths: { '/a': { get: { responses } } },
    components: { schemas },
  });
  const { reading } = startOf(document, limits);
  const [head] = survey(reading).heads;
  if (head === undefined) return undefined;
  const output = emitOutput(head, new Answers(document, reading.limits, 1)).schema;
  const { result } = (output?.properties ?? {}) as { result?: Node };
  return result?.items as Node | undefined;
}

function expectWider(
  value: unknown,
  samples: readonly unknown[],
  schemas: Node = {},
  limits: Partial<Limits> = {},
  show = emitted,
): void {
  const shown = show(value, schemas, limits);
  if (shown === undefined) return;
  const original = ajv().compile({ ...(value as Node), components: { schemas } });
  const ours = ajv().compile(shown);
  for (const sample of samples) {
    if (original(sample)) expect({ sample, shown, valid: ours(sample) }).toEqual({ sample, shown, valid: true });
  }
}

const NAMES = ['a', 'b', 'c'];
const COMPONENTS = ['C0', 'C1', 'C2'];

/** Without readOnly, and a type wherever there is a shape: the contract reads shapes without a type as objects. */
function schemasOver(references: readonly string[]): fc.Arbitrary<Node> {
  const reference = references.map(($ref) => fc.constant<Node>({ $ref }));
  return fc.letrec<{ schema: Node }>((tie) => {
    const properties = fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3, noNullPrototype: true });
    const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    const scalar = fc.oneof(
      fc.constantFrom<Node[]>(
        { type: 'string', maxLength: 1 },
        { type: ['string', 'null'] },
        { type: 'integer', minimum: 1 },
        { type: 'number', exclusiveMaximum: 2 },
        { type: 'boolean' },
        { enum: ['x', 1, null] },
        { const: 'x' },
        {},
      ),
      fc.subarray(['x', 'yy', 1, 2, null, true], { minLength: 1 }).map((values): Node => ({ enum: values })),
    );
    const object = fc
      .record(
        {
          properties,
          required: fc.subarray(NAMES),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          allOf: list,
          anyOf: list,
          oneOf: list,
        },
        { requiredKeys: ['properties'], noNullPrototype: true },
      )
      .map((one): Node => ({ type: 'object', ...one }));
    const array = fc
      .record(
        { items: tie('schema'), minItems: fc.integer({ min: 0, max: 2 }), prefixItems: list },
        { requiredKeys: ['items'] },
      )
      .map((one): Node => ({ type: 'array', ...one }));
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        scalar,
        ...reference,
        object,
        object,
        array,
        list.map((allOf): Node => ({ allOf })),
        list.map((anyOf): Node => ({ anyOf })),
      ),
    };
  }).schema;
}

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('x', 'yy', 1, 2, 1.5, null, true, false),
    fc.dictionary(fc.constantFrom(...NAMES, 'd'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

/** Components each of which refers only to later ones. */
const components = fc
  .tuple(
    ...COMPONENTS.map((_, index) =>
      schemasOver(COMPONENTS.slice(index + 1).map((name) => `#/components/schemas/${name}`)),
    ),
  )
  .map((schemas): Node => Object.fromEntries(COMPONENTS.map((name, index) => [name, schemas[index]])));
const roots = schemasOver(COMPONENTS.map((name) => `#/components/schemas/${name}`));

describe('a schema that is emitted', () => {
  it.each<Partial<Limits>>([{}, { nesting: 2 }, { optional_properties: 1 }, { optional_properties: 0, nesting: 3 }])(
    'allows what the description allows, under %j',
    (limits) => {
      const samples = fc.array(values, { minLength: 8, maxLength: 16 });
      const property = fc.property(roots, components, samples, (root, schemas, list) => {
        expectWider(root, list, schemas, limits);
        expectWider(root, list, schemas, limits, answered);
      });
      fc.assert(property, runs(400));
    },
    TIMEOUT,
  );

  const cases: readonly (readonly [string, Node, unknown, Partial<Limits>?])[] = [
    [
      'a property that was cut beside typed entries',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        additionalProperties: { type: 'integer' },
      },
      { a: 'x', b: 'x' },
      { optional_properties: 1 },
    ],
    [
      'a property that was cut beside typed entries of another member',
      {
        allOf: [
          { type: 'object', additionalProperties: { type: 'integer' } },
          { type: 'object', properties: { a: { type: 'integer' } } },
        ],
      },
      { a: 1 },
      { optional_properties: 0 },
    ],
    [
      'entries by pattern in a closed object',
      { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
      { xa: 'x' },
    ],
    [
      'entries by pattern beside typed entries',
      { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: { type: 'integer' } },
      { xa: 'x' },
    ],
    [
      'prefixes of two lengths',
      {
        allOf: [
          { type: 'array', prefixItems: [{ type: 'string' }] },
          { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], items: { type: 'integer' } },
        ],
      },
      ['x', 'x'],
    ],
    [
      'prefixes of two lengths, the longer one closed',
      {
        allOf: [
          { type: 'array', prefixItems: [{ type: 'string' }] },
          { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], items: false },
        ],
      },
      ['x', 'x'],
    ],
    ['a list in two enums', { allOf: [{ enum: ['x', ['y']] }, { enum: ['x', ['y']] }] }, ['y']],
    ['an object in two enums', { allOf: [{ enum: ['x', { a: 1 }] }, { enum: ['x', { a: 1 }] }] }, { a: 1 }],
    [
      'a value of an enum that is nested deep',
      { enum: ['x', [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]] },
      [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]],
    ],
    [
      '0 of a type that is a number and an integer',
      { allOf: [{ type: ['number', 'null'] }, { type: ['integer', 'null'] }] },
      null,
    ],
    ['a multiple of two numbers', { allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] }, 12],
    [
      'a member closed to what another names',
      {
        allOf: [
          { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false },
          { type: 'object', properties: { a: {} }, additionalProperties: false },
        ],
      },
      { a: 1 },
    ],
  ];

  it.each(cases.map(([what, schema, sample, limits = {}]) => ({ what, schema, sample, limits })))(
    'allows $what',
    ({ schema, sample, limits }) => {
      expect(ajv().compile(schema)(sample)).toBe(true);
      expectWider(schema, [sample], {}, limits);
    },
  );
});

describe('the root of a body', () => {
  /** Alternatives are closed: an open one allows any value for what only another names, which the contract narrows. */
  const branches = fc.array(
    fc
      .record(
        {
          properties: fc.dictionary(fc.constantFrom(...NAMES), schemasOver([]), { maxKeys: 3, noNullPrototype: true }),
          required: fc.subarray(NAMES),
        },
        { requiredKeys: ['properties'], noNullPrototype: true },
      )
      .map((one): Node => ({ type: 'object', additionalProperties: false, ...one })),
    { minLength: 2, maxLength: 3 },
  );

  it(
    'allows each property what an alternative allows it, and requires what all require',
    () => {
      const objects = fc.array(
        fc.dictionary(fc.constantFrom(...NAMES), values, { maxKeys: 3, noNullPrototype: true }),
        { minLength: 8, maxLength: 16 },
      );
      const property = fc.property(branches, fc.constantFrom('anyOf', 'oneOf'), objects, (list, keyword, samples) => {
        const schema = { [keyword]: list };
        const paths = {
          '/a': { post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
        };
        const [read] = readAll(documentOf({ openapi: '3.1.0', paths }));
        if (read === undefined || !isEmission(read.result)) return;
        const shown = ajv().compile(read.result.draft.input_schema);
        const original = ajv().compile(schema);
        for (const sample of samples) {
          if (original(sample)) expect([sample, read.result.draft.input_schema, shown(sample)]).toContain(true);
        }
      });
      fc.assert(property, runs(300));
    },
    TIMEOUT,
  );
});
