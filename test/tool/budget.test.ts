// Budgets: what is left fits whenever what is required does, is the same each time, names what is gone, and only widens.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, Failure, importOperations, memoryStore, preview, type Schema } from '../../src/index.js';
import { trimmedTo } from '../../src/tool/budget.js';
import { loadTokenizer, type Shown, toolCost } from '../../src/tool/cost.js';
import { runs } from '../properties/support.js';

const count = await loadTokenizer();
const NAMES = ['a', 'b/c', '__proto__', 'description', 'properties'];

const schemas = fc.letrec<{ schema: Schema }>((tie) => {
  const text = fc.constantFrom('Short.', 'A longer text that says what the value is for.', 'Naïve “text” of 語.');
  const object = fc
    .record({
      description: text,
      properties: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('schema')), {
        selector: ([name]) => name,
        maxLength: 4,
      }),
      additionalProperties: fc.constantFrom<unknown>(false, { type: 'string', description: 'Any.' }),
      required: fc.subarray(NAMES),
    })
    .map(({ properties, required, ...rest }): Schema => {
      const declared = required.filter((name) => properties.some(([one]) => one === name));
      return { type: 'object', ...rest, properties: Object.fromEntries(properties), required: declared };
    });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.record({ type: fc.constantFrom('string', 'integer'), description: text }),
      object,
      fc.record({ type: fc.constant('array'), title: text, items: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), description: text }),
    ),
  };
}).schema;
const tools = fc.array(
  fc.tuple(schemas, fc.boolean(), fc.integer({ min: 1, max: 200 })).map(([value, required, words]): Shown => {
    return {
      name: 'tool',
      description: 'word '.repeat(words),
      input_schema: {
        type: 'object',
        properties: { value },
        required: required ? ['value'] : [],
        additionalProperties: false,
      },
    };
  }),
  { minLength: 1, maxLength: 4 },
);

function total(set: readonly Shown[]): number {
  return set.reduce((sum, tool) => sum + toolCost(tool, count).tokens, 0);
}

/** What the budget leaves, or how many tokens the required parts take. */
function trimmed(set: readonly Shown[], budget: number): Shown[] | number {
  try {
    return trimmedTo(budget, set, count).map((left, i) => ({ ...left, name: set[i]?.name ?? '' }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'over-budget') throw error;
    return error.data?.tokens as number;
  }
}

describe('a budget', () => {
  it('is kept, twice alike, down to what is required', () => {
    const property = fc.property(tools, fc.integer({ min: 1, max: 100 }), (set, percent) => {
      const all = total(set);
      const least = trimmed(set, 1) as number;
      expect(least).toBeLessThanOrEqual(all);
      expect(trimmed(set, least - 1)).toBe(least);
      const budget = least + Math.floor(((all - least) * percent) / 100);
      const left = trimmed(set, budget) as Shown[];
      expect(total(left)).toBeLessThanOrEqual(budget);
      expect(trimmed(set, budget)).toEqual(left);
      expect(trimmedTo(all, set, count).every(({ notices }) => notices.length === 0)).toBe(true);
    });
    fc.assert(property, runs(60));
  });

  it('names what is gone, and leaves what is required', () => {
    const property = fc.property(tools, (set) => {
      const least = trimmed(set, 1) as number;
      trimmedTo(least, set, count).forEach(({ input_schema, notices, description }, i) => {
        const before = set[i] as Shown;
        const named = notices.map(({ at }) => at);
        expect(named.every((at) => at === '' || resolve(before.input_schema, at) !== undefined)).toBe(true);
        expect(new Set(notices.map(({ at, message }) => `${at} ${message}`)).size).toBe(notices.length);
        expect([...description].length).toBeLessThanOrEqual(120);
        const optional = (input_schema.properties as object) && Object.keys(input_schema.properties as object);
        expect(optional).toEqual((before.input_schema.required as string[]).length === 0 ? [] : ['value']);
        expect(JSON.stringify(input_schema)).not.toMatch(/longer text|Short\./);
      });
    });
    fc.assert(property, runs(60));
  });

  it('only widens what the arguments that stay may be', () => {
    const values = fc.jsonValue({ maxDepth: 2 });
    const property = fc.property(schemas, fc.array(values, { maxLength: 8 }), (value, samples) => {
      const input_schema = { type: 'object', properties: { value }, required: ['value'], additionalProperties: false };
      const set = [{ name: 'a', description: 'b', input_schema }];
      const [left] = trimmedTo(trimmed(set, 1) as number, set, count);
      const ajv = new Ajv2020({ strict: false, logger: false });
      const [narrow, wide] = [ajv.compile(input_schema), ajv.compile(left?.input_schema ?? false)];
      const all = [...samples, 'x', 1, {}, [], { a: 'x' }, { a: 1, description: 'x' }, [{}], ['x']];
      for (const sample of all)
        if (narrow({ value: sample })) expect([sample, wide({ value: sample })]).toEqual([sample, true]);
    });
    fc.assert(property, runs(60));
  });
});

function resolve(node: unknown, at: string): unknown {
  let here = node;
  for (const token of at.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    here = Object.hasOwn(here as object, key) ? (here as Record<string, unknown>)[key] : undefined;
  }
  return here;
}

describe('an import within a budget', () => {
  const file = new URL('../../fixtures/clinic/description.json', import.meta.url).pathname;
  const request = {
    file,
    server: 'https://api.clinic.example/v1',
    select: { tags: ['visits', 'patients'] },
    batch: true,
  };

  it('costs no more, is the same again, and is given back by an import without one', async () => {
    const store = memoryStore();
    const full = await importOperations(request, { store });
    const whole = (await store.read()).tools;
    const { tokens } = await costOf(whole);
    const budget_tokens = Math.floor(tokens * 0.6);
    const first = await importOperations({ ...request, budget_tokens }, { store });
    const { tools, revision } = await store.read();
    expect((await costOf(tools)).tokens).toBeLessThanOrEqual(budget_tokens);
    expect(first.trimmed?.length).toBeGreaterThan(0);
    expect(first.refreshed).toBe(first.trimmed?.length);
    const again = await importOperations({ ...request, budget_tokens }, { store });
    expect([again.unchanged, again.trimmed, (await store.read()).revision]).toEqual([
      full.created,
      first.trimmed,
      revision,
    ]);
    for (const tool of tools) {
      const properties = Object.keys(tool.input_schema.properties as object);
      expect(Object.keys(tool.config.locations ?? {}).filter((name) => !properties.includes(name))).toEqual([]);
    }
    await importOperations(request, { store });
    expect((await store.read()).tools).toEqual(whole);
  });

  it.each([0, -1, 1.5, Number.NaN, 'many'])('of %s tokens is refused', async (budget_tokens) => {
    const run = preview({ file }, { budget_tokens: budget_tokens as number });
    await expect(run).rejects.toMatchObject({ code: 'bad-request' });
  });
});
