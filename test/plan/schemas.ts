// Random schemas as tools have them, random edits of them, and values that mostly fit one.
import fc from 'fast-check';

type Node = { readonly [keyword: string]: unknown };

const NAMES = ['a', 'b', 'c'];
const TEXTS = ['', 'a', 'ab', 'abc', 'xyz'];
const NUMBERS = [-1, 0, 0.5, 1, 2, 3, 4, 6];
const LISTED = [...TEXTS, ...NUMBERS, null, true, false];
const TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'];

const bound = fc.constantFrom(...NUMBERS.filter((value) => value >= 0));
const length = fc.integer({ min: 0, max: 3 });
const type = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...TYPES) },
  { weight: 1, arbitrary: fc.subarray(TYPES, { minLength: 2, maxLength: 3 }) },
);

function keywords(schema: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> {
  return {
    type,
    enum: fc.subarray(LISTED, { minLength: 1, maxLength: 4 }),
    const: fc.constantFrom(...LISTED),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.constantFrom(0.5, 1, 2, 3),
    minLength: length,
    maxLength: length,
    pattern: fc.constantFrom('^a', 'b', '^x'),
    minItems: length,
    maxItems: length,
    uniqueItems: fc.boolean(),
    properties: fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 3 }).map((entries) => ({ ...entries })),
    required: fc.subarray(NAMES, { maxLength: 2 }),
    additionalProperties: schema,
    items: schema,
    prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
    format: fc.constantFrom('uuid', 'date'),
    description: fc.constantFrom('One.', 'Two.'),
    default: fc.constantFrom(...LISTED),
  };
}

const { one } = fc.letrec<{ one: Node | boolean }>((tie) => {
  const all = keywords(tie('one'));
  const of = (names: string): fc.Arbitrary<Node> => {
    const chosen = Object.fromEntries(names.split(' ').map((name) => [name, all[name] as fc.Arbitrary<unknown>]));
    return fc.record(chosen, { requiredKeys: ['type'], noNullPrototype: true }) as fc.Arbitrary<Node>;
  };
  const typed = (kind: string, rest: string) => of(`type ${rest}`).map((node) => ({ ...node, type: kind }));
  return {
    one: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      of('type enum'),
      typed('integer', 'minimum maximum multipleOf'),
      typed('number', 'exclusiveMinimum exclusiveMaximum'),
      typed('string', 'minLength maxLength pattern'),
      fc.boolean(),
      fc.constant({}),
      typed('object', 'properties required additionalProperties'),
      typed('object', 'properties required'),
      typed('array', 'items prefixItems minItems maxItems uniqueItems'),
      all.anyOf?.map((anyOf) => ({ anyOf })) as fc.Arbitrary<Node>,
      of('type anyOf properties required minLength'),
    ),
  };
});

/** A keyword put into a node somewhere inside, or taken out of it. */
interface Edit {
  /** Which part to go into at each step; the way ends where there is none. */
  readonly way: readonly number[];
  readonly keyword: string;
  readonly value: unknown;
}

const anyKeyword = fc.oneof(
  ...Object.entries(keywords(one)).map(([keyword, value]) =>
    fc.record({ keyword: fc.constant(keyword), value: fc.option(value, { nil: undefined, freq: 3 }) }),
  ),
);
const edit: fc.Arbitrary<Edit> = fc
  .tuple(fc.array(fc.nat(5), { maxLength: 4 }), anyKeyword)
  .map(([way, change]) => ({ way, ...change }));

function edited(schema: unknown, { way, ...change }: Edit): unknown {
  const { keyword, value } = change;
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = partsOf(schema as Node);
  const [turn, ...rest] = way;
  const part = turn === undefined ? undefined : parts[turn];
  if (part !== undefined) return part.put(edited(part.schema, { way: rest, ...change }));
  const { [keyword]: _, ...without } = schema as Node;
  return value === undefined ? without : { ...without, [keyword]: value };
}

interface InnerPart {
  readonly schema: unknown;
  readonly put: (schema: unknown) => Node;
}

function partsOf(node: Node): readonly InnerPart[] {
  const maps = Object.entries(node.properties ?? {}).map(([name, schema]) => ({
    schema,
    put: (now: unknown) => ({ ...node, properties: { ...(node.properties as Node), [name]: now } }),
  }));
  const lists = ['prefixItems', 'anyOf'].flatMap((keyword) =>
    ((node[keyword] ?? []) as readonly unknown[]).map((schema, i) => ({
      schema,
      put: (now: unknown) => ({ ...node, [keyword]: (node[keyword] as unknown[]).with(i, now) }),
    })),
  );
  const alone = ['items', 'additionalProperties'].flatMap((keyword) =>
    node[keyword] === undefined
      ? []
      : [{ schema: node[keyword], put: (now: unknown) => ({ ...node, [keyword]: now }) }],
  );
  return [...maps, ...lists, ...alone];
}

/** A schema, and what became of it after one to three edits, or another schema. */
export const pair = fc
  .oneof(
    { weight: 9, arbitrary: fc.tuple(one, fc.array(edit, { minLength: 1, maxLength: 3 })) },
    { weight: 1, arbitrary: fc.tuple(one, one) },
  )
  .map(([before, change]): readonly [unknown, unknown] => [
    before,
    Array.isArray(change) ? change.reduce<unknown>(edited, before) : change,
  ]);

/** A source of numbers below 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A value that may well fit. */
export function valueFor(schema: unknown, next: () => number, depth = 4): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const node = (typeof schema === 'object' && schema !== null ? schema : {}) as Node;
  if (Array.isArray(node.anyOf) && node.anyOf.length > 0) {
    const { anyOf, ...base } = node;
    const branch = pick(anyOf);
    const properties = { ...(base.properties ?? {}), ...((branch as Node)?.properties ?? {}) };
    const merged = { ...base, ...(branch as Node) };
    return valueFor('properties' in merged ? { ...merged, properties } : merged, next, depth);
  }
  if (Object.hasOwn(node, 'const')) return node.const;
  if (Array.isArray(node.enum)) return pick(node.enum);
  const kind = pick([node.type ?? TYPES].flat() as string[]);
  if (kind === 'string') return pick(TEXTS);
  if (kind === 'integer') return pick(NUMBERS.filter(Number.isInteger));
  if (kind === 'number') return pick(NUMBERS);
  if (kind === 'boolean') return next() < 0.5;
  if (kind === 'null' || depth === 0) return null;
  if (kind === 'array') {
    const tuple = (node.prefixItems ?? []) as readonly unknown[];
    return Array.from({ length: Math.floor(next() * 4) }, (_, i) => valueFor(tuple[i] ?? node.items, next, depth - 1));
  }
  const properties = (node.properties ?? {}) as Node;
  const required = (node.required ?? []) as readonly string[];
  const names = NAMES.filter((name) => required.includes(name) || next() < 0.5);
  return Object.fromEntries(
    names.map((name) => [name, valueFor(properties[name] ?? node.additionalProperties, next, depth - 1)]),
  );
}

/** The schema of what callers send: where an object names properties and says nothing of others, nobody sends more. */
export function asSent(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = partsOf(schema as Node).reduce<Node>((whole, _, i) => {
    const part = partsOf(whole)[i];
    return part === undefined ? whole : part.put(asSent(part.schema));
  }, schema as Node);
  const open = Object.keys(node.properties ?? {}).length > 0 && node.additionalProperties === undefined;
  if (!open) return node;
  // Names of its forms are shown as well.
  const anyOf = node.anyOf as readonly unknown[] | undefined;
  return { ...node, unevaluatedProperties: false, ...(anyOf === undefined ? {} : { anyOf: anyOf.map(reopened) }) };
}

function reopened(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { unevaluatedProperties: _, ...node } = schema as Node;
  return node;
}
