// Values that satisfy an emitted schema, with every awkward text that the schema lets through.
import fc from 'fast-check';

type Node = { readonly [keyword: string]: unknown };

/** What an object is tried with where it is open: each an own key that something might take for its own. */
const KEYS = ['a', 'k', 'a b', 'x&y=z', 'é', '100%', '+', '[0]', '__proto__', 'constructor', 'a,b', 'n/m'];
const WHOLE_TEXTS = [
  '',
  '.',
  '..',
  '%2F',
  '%2e%2e',
  '100%',
  'null',
  'true',
  '12',
  '1e5',
  '[1]',
  '{"a":1}',
  '"',
  '-',
  ' ',
];
const MARKS = [...`:/?#[]@!$&'()*+,;=%"\\<>^\`{|}~-_. `];

/** One alphabet for each text, because a text with one character no header carries tells nothing else of headers. */
const CHARACTERS = [
  fc.constantFrom(...'abcXYZ019', ...MARKS),
  fc.constantFrom(...'ab', ...MARKS),
  fc.constantFrom(...'aé ß\u00ff\u00a0=', ...MARKS),
  fc.constantFrom(...'a日😀\u0301\u2028', ...MARKS),
  fc.constantFrom('a', '\t', '\n', '\r', '\0', '\u007f', '\u0085', ' '),
  fc.constantFrom('a', '\ud800', '\udc00', 'é'),
];
const ALPHABETS = fc.oneof(
  ...CHARACTERS.map((arbitrary, i) => ({ arbitrary: fc.constant(arbitrary), weight: i < 4 ? 5 : 1 })),
);

const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.oneof(text({}), number({}), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 2 }).map((all) => Object.fromEntries(all)),
  ),
})).value;

/** Values of a schema as our emitter makes it; a few do not fit it (an enum beside bounds), which the caller checks. */
export function valuesOfSchema(schema: unknown): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null) return anything;
  const node = schema as Node;
  if ('const' in node) return fc.constant(node.const);
  if (Array.isArray(node.enum)) return fc.constantFrom(...node.enum);
  if (Array.isArray(node.anyOf)) {
    const { anyOf, ...rest } = node;
    return fc.oneof(
      ...node.anyOf.map((branch) => valuesOfSchema(typeof branch === 'object' ? { ...rest, ...branch } : rest)),
    );
  }
  if (node.type === undefined) return anything;
  return fc.oneof(...[node.type].flat().map((type) => ofType(String(type), node)));
}

function ofType(type: string, node: Node): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return text(node);
  if (type === 'array') return list(node);
  if (type === 'object') return record(node);
  return number(node, type === 'integer');
}

function text({ pattern, minLength, maxLength, default: usual }: Node): fc.Arbitrary<string> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'));
  const least = bound(minLength, 0);
  const most = Math.max(least, Math.min(bound(maxLength, 12), least + 12));
  // A length counts code points, and each item is one.
  const written = ALPHABETS.chain((one) => fc.array(one, { minLength: least, maxLength: most })).map((all) =>
    all.join(''),
  );
  const whole = WHOLE_TEXTS.filter((one) => [...one].length >= least && [...one].length <= most);
  const fixed = [...whole, ...(typeof usual === 'string' ? [usual] : [])];
  return fixed.length === 0 ? written : fc.oneof({ arbitrary: written, weight: 3 }, fc.constantFrom(...fixed));
}

function number(node: Node, whole = false): fc.Arbitrary<number> {
  const step = bound(node.multipleOf, whole ? 1 : 0);
  const least = Math.max(bound(node.minimum, -1e9), bound(node.exclusiveMinimum, -1e9));
  const most = Math.max(least, Math.min(bound(node.maximum, least + 2e9), bound(node.exclusiveMaximum, least + 2e9)));
  const limits = { min: Math.ceil(least / (step || 1)), max: Math.floor(most / (step || 1)) };
  const wholes = limits.min > limits.max ? fc.constant(least) : fc.integer(safe(limits)).map((n) => n * (step || 1));
  if (step !== 0) return wholes;
  const fractions = fc.double({ min: least, max: most, noNaN: true, noDefaultInfinity: true });
  // A JSON number has no negative zero that anyone keeps.
  return fc.oneof(wholes, fractions).map((n) => (Object.is(n, -0) ? 0 : n));
}

function safe({ min, max }: { min: number; max: number }): { min: number; max: number } {
  const clamp = (n: number) => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, n));
  return { min: clamp(min), max: clamp(max) };
}

function list(node: Node): fc.Arbitrary<unknown[]> {
  const first = (Array.isArray(node.prefixItems) ? node.prefixItems : []).map(valuesOfSchema);
  const least = bound(node.minItems, 0);
  const most = Math.max(least, Math.min(bound(node.maxItems, 3 + first.length), least + 3 + first.length));
  const rest =
    node.items === false
      ? fc.constant([])
      : fc.array(valuesOfSchema(node.items), { minLength: least, maxLength: most });
  return fc.tuple(fc.tuple(...first), rest, fc.integer({ min: least, max: most })).map(([head, tail, length]) => {
    const all = [...head, ...tail].slice(0, Math.max(length, least));
    return node.uniqueItems === true ? all.filter((one, i) => all.findIndex((other) => same(one, other)) === i) : all;
  });
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function record(node: Node): fc.Arbitrary<object> {
  const required = new Set((node.required ?? []) as readonly string[]);
  const parts = Object.entries(node.properties ?? {}).map(([key, schema]) => {
    const present = valuesOfSchema(schema).map((value): [string, unknown][] => [[key, value]]);
    return required.has(key) ? present : fc.oneof(present, fc.constant<[string, unknown][]>([]));
  });
  const unnamed = [...required].filter((key) => !Object.hasOwn(node.properties ?? {}, key));
  const open = node.additionalProperties ?? true;
  const others = open === false ? fc.constant([]) : entries(open, node);
  const needed = fc.tuple(
    ...unnamed.map((key) => valuesOfSchema(open).map((value): [string, unknown] => [key, value])),
  );
  // Object.fromEntries, because a key may be called __proto__.
  return fc
    .tuple(fc.tuple(...parts), others, needed)
    .map(([own, more, must]) => Object.fromEntries([...more, ...must, ...own.flat()]));
}

function entries(schema: unknown, node: Node): fc.Arbitrary<[string, unknown][]> {
  const keys = KEYS.filter((key) => !Object.hasOwn(node.properties ?? {}, key));
  return fc.array(fc.tuple(fc.constantFrom(...keys), valuesOfSchema(schema)), { maxLength: 2 });
}

function bound(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
