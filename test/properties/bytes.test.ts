// The bytes that are counted while a schema is built are those of its compact JSON.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/base/limits.js';
import { Refused } from '../../src/base/refused.js';
import { readOperation, survey } from '../../src/operation/read.js';
import { type Emitted, ObjectBuilder } from '../../src/operation/schema/build.js';
import { literal } from '../../src/operation/schema/literal.js';
import type { Annotation } from '../../src/operation/schema/reader.js';
import { isEmission } from '../../src/tool/emit.js';
import { anyGraph, type Generated } from './arbitrary.js';
import { documentOf, readAll, runs, startOf, TIMEOUT } from './support.js';

const texts = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function expectBytes({ schema, bytes }: Emitted): void {
  expect([bytes, schema]).toEqual([bytesOf(schema), schema]);
}

/** Every schema that the parts of the compiler hand to each other, of parameters, bodies and those described anew. */
function* emittedOf({ value }: Generated, annotation: Annotation): Generator<Emitted> {
  const { reading } = startOf(documentOf(value));
  for (const head of survey(reading).heads) {
    try {
      const { parameters, body } = readOperation(head, reading);
      const emitted = parameters.flatMap(({ schema, description }) => [
        reading.schemas.parameter(schema, undefined, false),
        reading.schemas.parameter(schema, description, true),
      ]);
      const shape = body === undefined ? undefined : reading.bodies.read(body.schema);
      if (shape?.kind === 'properties') emitted.push(...shape.properties.map((property) => property.emitted));
      if (shape?.kind === 'free') emitted.push(shape.emitted);
      for (const one of emitted) {
        yield one;
        yield reading.schemas.annotated(one, annotation);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
}

const annotations: fc.Arbitrary<Annotation> = fc.record(
  { title: texts, description: texts, default: fc.jsonValue(), member: fc.boolean() },
  { requiredKeys: [] },
);

describe('the bytes of a schema', () => {
  it(
    'are counted while it is read, and while it is described anew',
    () => {
      const property = fc.property(anyGraph, annotations, (generated, annotation) => {
        for (const one of emittedOf(generated, annotation)) expectBytes(one);
      });
      fc.assert(property, runs(600));
    },
    TIMEOUT,
  );

  it(
    'are those of the bound: as many are allowed, one less is not',
    () => {
      const property = fc.property(anyGraph, ({ value }) => {
        const document = documentOf(value);
        for (const [index, { result }] of readAll(document).entries()) {
          if (!isEmission(result)) continue;
          const bytes = bytesOf(result.draft.input_schema);
          expect(bytes).toBeLessThanOrEqual(DEFAULT_LIMITS.operation_schema_bytes);
          const at = readAll(document, { operation_schema_bytes: bytes }, index)[0]?.result;
          const over = readAll(document, { operation_schema_bytes: bytes - 1 }, index)[0]?.result;
          expect(at).toEqual({ ...result, output: expect.any(Function) });
          expect(over).toMatchObject({ code: 'too-large' });
        }
      });
      fc.assert(property, runs(150));
    },
    TIMEOUT,
  );
});

describe('the bytes of what a schema is built of', () => {
  it('are counted for any keys and values', () => {
    const value = fc.oneof(fc.jsonValue(), texts, fc.double({ noNaN: true, noDefaultInfinity: true }));
    const property = fc.property(
      fc.dictionary(fc.oneof(texts, fc.constant('__proto__')), value, { noNullPrototype: true }),
      fc.array(texts),
      texts,
      (pairs, list, text) => {
        const builder = new ObjectBuilder();
        for (const [key, one] of Object.entries(pairs)) builder.addEntry(key, one, bytesOf(one));
        builder.addStrings('list', list);
        builder.addString('text', text);
        builder.add('enum', list, bytesOf(list));
        expect(builder.bytes).toBe(bytesOf(builder.value));
        expect(builder.size).toBe(Object.keys(builder.value).length);
      },
    );
    fc.assert(property, runs(500));
  });

  it('are counted for any literal', () => {
    const property = fc.property(fc.oneof(fc.jsonValue(), texts), (value) => {
      const copy = literal(JSON.parse(JSON.stringify(value)));
      expect(copy?.bytes).toBe(bytesOf(value));
      expect(JSON.stringify(copy?.value)).toBe(JSON.stringify(value));
    });
    fc.assert(property, runs(500));
  });
});
