// The promise of the classes: a value that was taken and no longer is means that something breaks. Judged by ajv alone.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareForms } from '../../src/plan/compare.js';
import type { Difference } from '../../src/plan/plan.js';
import type { OwnedForm } from '../../src/tool/tool.js';
import { runs, TIMEOUT } from '../properties/support.js';
import { asSent, pair, random, valueFor } from './schemas.js';

const VALUES = 30;
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });

function formOf(schema: unknown): OwnedForm {
  const input_schema = { type: 'object', properties: { a: schema }, required: [], additionalProperties: false };
  return {
    endpoint: 'https://api.example.com',
    method: 'POST',
    locations: { a: 'body' },
    input_schema,
    description: 'A',
  };
}

function differences(before: unknown, after: unknown): readonly Difference[] {
  return compareForms(formOf(before), formOf(after));
}

function taker(schema: unknown): (value: unknown) => boolean {
  return ajv.compile(schema as object);
}

it(
  'a value that is no longer taken means a breaking difference',
  () => {
    let lost = 0;
    let safe = 0;
    fc.assert(
      fc.property(pair, fc.integer(), ([before, after], seed) => {
        const [took, takes] = [taker(asSent(before)), taker(after)];
        const next = random(seed);
        const values = Array.from({ length: VALUES }, () => valueFor(before, next));
        const refused = values.find((value) => took(value) && !takes(value));
        const found = differences(before, after);
        const breaks = found.some((one) => one.class === 'breaking');
        if (refused !== undefined) lost += 1;
        else if (!breaks && found.length > 0) safe += 1;
        if (refused !== undefined && !breaks)
          expect.fail(`${JSON.stringify(refused)} is no longer taken: ${JSON.stringify(found)}`);
      }),
      { numRuns: runs(300).numRuns },
    );
    // It is no proof where nothing was lost, nor where everything breaks.
    expect(lost).toBeGreaterThan(20);
    expect(safe).toBeGreaterThan(20);
  },
  TIMEOUT,
);

it(
  'a schema does not differ from itself',
  () => {
    fc.assert(
      fc.property(pair, ([schema]) => {
        expect(differences(schema, JSON.parse(JSON.stringify(schema)))).toEqual([]);
      }),
      runs(500),
    );
  },
  TIMEOUT,
);
