// Any JSON value given as a description yields a preview or a Failure, and a preview keeps its promises.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Preview, preview } from '../../src/app/preview.js';
import { Failure } from '../../src/base/failure.js';
import type { Limits } from '../../src/base/limits.js';
import { almostDiscovery, almostOpenApi, almostSwagger, anyGraph } from './arbitrary.js';
import { runs, TIMEOUT } from './support.js';

const TINY: Partial<Limits> = {
  operations_listed: 3,
  optional_properties: 1,
  nesting: 1,
  operation_steps: 5,
  operation_schema_bytes: 200,
  description_steps: 40,
  tool_name_chars: 16,
  tool_description_chars: 3,
  parameter_description_chars: 3,
  reference_chain: 1,
};
const VALUES = {
  '{}': fc.json(),
  'a value': fc.jsonValue().map((value) => JSON.stringify(value)),
  'a text': fc.string(),
};
const ALMOST = {
  'almost OpenAPI': almostOpenApi,
  'almost Swagger': almostSwagger,
  'almost Discovery': almostDiscovery,
};

async function read(document: string, limits: Partial<Limits> = {}): Promise<Preview | Failure> {
  try {
    return await preview({ document }, { limits });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** The promises of a preview that hold whatever is read. */
function check({ operations, unimportable }: Preview): void {
  const keys = [...operations, ...unimportable].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  for (const { name, input_schema, locations, description } of operations) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(description).not.toBe('');
    expect(Object.keys(input_schema)).toEqual(['type', 'properties', 'required', 'additionalProperties']);
    const properties = Object.keys(input_schema.properties as object);
    for (const property of properties) expect(property).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    for (const located of Object.keys(locations)) expect(properties).toContain(located);
    expect(properties).toEqual(expect.arrayContaining(input_schema.required as string[]));
    ajv.compile(input_schema);
  }
}

describe('any text', () => {
  it.each(Object.entries(VALUES))(
    'is a Failure: %s',
    async (_, texts) => {
      const property = fc.asyncProperty(texts, async (text) => {
        expect(await read(text)).toBeInstanceOf(Failure);
      });
      await fc.assert(property, runs(500));
    },
    TIMEOUT,
  );
});

describe.each(Object.entries(ALMOST))('%s', (_, values) => {
  it(
    'is a preview that keeps its promises, or a Failure',
    async () => {
      const property = fc.asyncProperty(values, async (value) => {
        const answer = await read(JSON.stringify(value));
        if (!(answer instanceof Failure)) check(answer);
      });
      await fc.assert(property, runs(1_000));
    },
    TIMEOUT,
  );

  it(
    'is so under the least bounds',
    async () => {
      const property = fc.asyncProperty(values, async (value) => {
        const answer = await read(JSON.stringify(value), TINY);
        if (!(answer instanceof Failure)) check(answer);
      });
      await fc.assert(property, runs(500));
    },
    TIMEOUT,
  );
});

describe('a description full of references', () => {
  it(
    'is a preview that keeps its promises',
    async () => {
      const property = fc.asyncProperty(anyGraph, async ({ value, count }) => {
        const answer = await read(JSON.stringify(value));
        if (answer instanceof Failure) throw answer;
        expect(answer.operations.length + answer.unimportable.length).toBe(count);
        check(answer);
      });
      await fc.assert(property, runs(500));
    },
    TIMEOUT,
  );
});
