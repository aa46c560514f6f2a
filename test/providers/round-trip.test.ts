// A call made in the form of any consumer sends the request that the same call of the stored tool sends.
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Consumer, type HttpTool, render, requestOf } from '../../src/index.js';
import { MULTIPLIER } from '../properties/support.js';
import { handTool } from './draft.js';
import { isObject, type Json } from './faults.js';
import { fits, NONE, shaped } from './shape.js';

/** Those whose arguments differ. */
const FORMS = ['openai-strict', 'anthropic', 'gemini'] as const satisfies readonly Consumer[];
/** Calls of each form; PROPERTY_RUNS multiplies them. */
const CALLS = 150;
const NAMES = ['a', 'b-c', 'b_c', '@type', 'a b', '1st', 'constructor', 'x'.repeat(70)];
/** Arguments of a tool have names of few characters; properties inside them any. */
const ARGUMENTS = NAMES.filter((name) => /^[A-Za-z0-9_.-]{1,64}$/.test(name));

function objectOver(names: readonly string[], part: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.dictionary(fc.constantFrom(...names), part, { maxKeys: 4, noNullPrototype: true }), fc.nat(15))
    .map(([properties, bits]) => {
      const required = Object.keys(properties).filter((_, index) => (bits >> index) % 2 === 1);
      return { type: 'object', properties, required, additionalProperties: false };
    });
}

const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Json[]>(
      { type: 'string' },
      { type: 'string', enum: ['', 'x', '{}', 'null'] },
      { type: 'string', enum: ['x', 'y'] },
      { type: ['string', 'null'] },
      { type: 'integer', minimum: 0, format: 'int64' },
      { type: ['integer', 'null'], enum: [1, 2, null] },
      { const: 'x' },
      { type: 'boolean' },
      {},
    ),
    objectOver(NAMES, tie('schema')),
    objectOver(NAMES, tie('schema')),
    tie('schema').map((items): Json => ({ type: 'array', items })),
    tie('schema').map((additionalProperties): Json => ({ type: 'object', additionalProperties })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): Json => ({ anyOf })),
    tie('schema').map((one): Json => ({ anyOf: [one, { type: 'null' }] })),
  ),
}));

const TEXTS = ['x', 'y', '', '{}', 'null', '"x"', '[1]'];
const ANY = ['x', '{}', 3, null, true, { a: [1] }, {}, [null]];

/** Values that schemas allow, by the choices that are handed in: building an arbitrary for each schema would take the time. */
class Values {
  readonly #choices: readonly number[];
  #next = 0;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  of(given: Json): unknown {
    if (Array.isArray(given.anyOf)) return this.of(this.#one(given.anyOf));
    if (given.const !== undefined) return given.const;
    if (Array.isArray(given.enum)) return this.#one(given.enum);
    if (given.type === 'object') return this.object(given);
    const type = this.#one([given.type].flat());
    if (type === 'string') return this.#one(TEXTS);
    if (type === 'integer') return this.#one([0, 1, 7]);
    if (type === 'boolean') return this.#one([true, false]);
    if (type === 'null') return null;
    if (type === 'array')
      return this.#one<readonly number[]>([[], [0], [0, 0]]).map(() => this.of(given.items as Json));
    return this.#one<unknown>(ANY);
  }

  object({ properties, required, additionalProperties }: Json): Json {
    const wanted = properties === undefined ? ['a', 'b-c', '@type'] : Object.keys(properties as Json);
    const always = new Set(required as readonly string[] | undefined);
    const names = wanted.filter((name) => this.#one([true, false]) || always.has(name));
    const part = (name: string): unknown => (isObject(properties) ? properties[name] : additionalProperties);
    return Object.fromEntries(names.map((name) => [name, this.of(part(name) as Json)]));
  }

  #one<T>(items: readonly T[]): T {
    this.#next += 1;
    return items[(this.#choices[this.#next % this.#choices.length] ?? 0) % items.length] as T;
  }
}

function request(tool: HttpTool, args: Json, consumer?: Consumer): unknown {
  return JSON.parse(JSON.stringify(requestOf({ tool, arguments: args, ...(consumer && { consumer }) })));
}

const parametersOf = ({ tool }: { readonly tool: Json }): Json =>
  ((tool.function as Json | undefined)?.parameters ??
    tool.parameters ??
    tool.input_schema ??
    tool.inputSchema ?? { type: 'object', properties: {} }) as Json;

/** Gemini's nullable as JSON Schema has it. */
function withNull(form: unknown): unknown {
  if (Array.isArray(form)) return form.map(withNull);
  if (!isObject(form)) return form;
  const { nullable, ...rest } = form;
  const inside = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, withNull(part)]));
  return nullable === true ? { anyOf: [inside, { type: 'null' }] } : inside;
}

const choices = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 });
const roots = objectOver(ARGUMENTS, schema);
const counts = new Map<string, number>();

describe('arguments in the form of a consumer', () => {
  afterAll(() => console.log(`calls in both forms: ${JSON.stringify(Object.fromEntries(counts))}`));

  it.each(FORMS)(
    'send the same request, for %s',
    (consumer) => {
      const property = fc.property(roots, choices, (root, chosen) => {
        const args = new Values(chosen).object(root);
        fc.pre(fits(root, args));
        const tool = handTool(root);
        const rendering = render(tool, consumer);
        const parameters = withNull(parametersOf(rendering)) as Json;
        const given = shaped(args, root, parameters, consumer === 'openai-strict');
        counts.set(consumer, (counts.get(consumer) ?? 0) + 1);
        // Everything that the stored tool takes can be written in every form.
        expect(given).not.toBe(NONE);
        expect([fits(parameters, given), given]).toEqual([true, given]);
        expect(request(tool, given as Json, consumer)).toEqual(request(tool, args));
      });
      // No bound of time: a loaded machine tries as many.
      fc.assert(property, { numRuns: CALLS * MULTIPLIER });
      expect(counts.get(consumer)).toBeGreaterThanOrEqual(CALLS);
    },
    60_000 * MULTIPLIER,
  );
});
