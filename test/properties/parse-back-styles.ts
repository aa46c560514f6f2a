// One value as it is written in a place, back to what it was: OpenAPI 3.1.1 (Style Values, Style Examples), RFC 6570, RFC 3986.

export type Schema = { readonly [keyword: string]: unknown };
/** A name and what follows its `=`, both as they are on the wire; undefined where there is no `=`. */
export type Pair = readonly [name: string, value: string | undefined];

/** How a place writes. */
export interface Written {
  readonly style: string;
  readonly explode: boolean;
  readonly schema: unknown;
  readonly decode: (text: string) => string;
}

/** RFC 3986, section 2.1; section 6.2.2.1 has the digits in upper case. */
export function decoded(text: string): string {
  if (/%(?![0-9A-F]{2})/.test(text)) throw new Error(`${text} holds a % that encodes nothing`);
  return decodeURIComponent(text);
}

export function pairOf(text: string): Pair {
  const sign = text.indexOf('=');
  return sign < 0 ? [text, undefined] : [text.slice(0, sign), text.slice(sign + 1)];
}

/** The types that a schema lets through. */
function typesOf(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return ANY;
  const { type, anyOf, enum: listed, const: one } = schema as Schema;
  if (type !== undefined) return new Set([type].flat() as string[]);
  const values = 'const' in schema ? [one] : Array.isArray(listed) ? listed : undefined;
  if (values !== undefined) return new Set(values.map(typeOf));
  return Array.isArray(anyOf) ? new Set(anyOf.flatMap((branch) => [...typesOf(branch)])) : ANY;
}

const ANY: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null']);

export function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** What a place is read as. A schema that lets several through does not say; the richest is taken. */
export function shapeOf(schema: unknown): 'array' | 'object' | 'leaf' {
  const types = typesOf(schema);
  return types.has('array') ? 'array' : types.has('object') ? 'object' : 'leaf';
}

/** The schema of a property, or of an item. */
export function partOf(schema: unknown, key: string | number): unknown {
  const { properties, additionalProperties, prefixItems, items, anyOf } = (schema ?? {}) as Schema;
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((branch) => partOf(branch, key)) };
  if (typeof key === 'number') return (prefixItems as unknown[] | undefined)?.[key] ?? items;
  return Object.hasOwn((properties ?? {}) as Schema, key) ? (properties as Schema)[key] : additionalProperties;
}

/** A text as the type its schema has; one that reads as a number is a number wherever there may be one. */
export function leafOf(text: string, schema: unknown): unknown {
  const types = typesOf(schema);
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  if (isNumber && (types.has('number') || types.has('integer'))) return Number(text);
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The contract: an object inside an array is JSON text. */
export function itemsOf(texts: readonly string[], { schema, decode }: Written): unknown[] {
  return texts.map((text, i) => {
    const item = partOf(schema, i);
    return shapeOf(item) === 'object' ? JSON.parse(decode(text)) : leafOf(decode(text), item);
  });
}

export function recordOf(pairs: readonly Pair[], { schema, decode }: Written): object {
  return Object.fromEntries(
    pairs.map(([name, value = '']) => [decode(name), leafOf(decode(value), partOf(schema, decode(name)))]),
  );
}

/** `R,100,G,200` */
function alternating(texts: readonly string[]): Pair[] {
  if (texts.length % 2 === 1) throw new Error(`${texts.join()} are no names and values`);
  return texts.flatMap((text, i) => (i % 2 === 0 ? [[text, texts[i + 1]] as const] : []));
}

/** The parts of a value that are joined by a separator; names and values are `k,v` or, exploded, `k=v`. */
export function joinedOf(text: string, separator: string, written: Written): unknown {
  const texts = text.split(separator);
  if (shapeOf(written.schema) === 'array') return itemsOf(texts, written);
  return recordOf(written.explode ? texts.map(pairOf) : alternating(texts), written);
}

/** A path segment, or a header: simple, label, matrix. */
export function segmentOf(text: string, name: string, written: Written): unknown {
  const { style, explode, schema, decode } = written;
  const shape = shapeOf(schema);
  const first = { label: '.', matrix: ';' }[style] ?? '';
  if (!text.startsWith(first)) throw new Error(`${text} does not begin with ${first}`);
  const rest = text.slice(first.length);
  if (style !== 'matrix') {
    return shape === 'leaf'
      ? leafOf(decode(rest), schema)
      : joinedOf(rest, explode && first !== '' ? first : ',', written);
  }
  const pairs = rest.split(';').map(pairOf);
  if (explode && shape === 'object') {
    // RFC 6570, section 3.2.7: an empty value has no `=`.
    if (pairs.some(([, value]) => value === '')) throw new Error(`${text} has an = before nothing`);
    return recordOf(pairs, written);
  }
  for (const [key] of pairs) if (decode(key) !== name) throw new Error(`${text} names something else than ${name}`);
  const values = pairs.map(([, value = '']) => value);
  if (explode && shape === 'array') return itemsOf(values, written);
  const [value = '', ...others] = values;
  if (others.length > 0) throw new Error(`${text} has ${values.length} values`);
  return shape === 'leaf' ? leafOf(decode(value), schema) : joinedOf(value, ',', written);
}

/** `f[a][b]=1`: keys from the outermost in; the contract: a repeated key is an array. */
export function nestedOf(
  entries: readonly (readonly [keys: readonly string[], text: string])[],
  schema: unknown,
): object {
  const groups = grouped(entries, ([[key = '']]) => key);
  const parts = [...groups].map(([key, group]): [string, unknown] => {
    const part = partOf(schema, key);
    const texts = group.map(([, text]) => text);
    if (group.some(([keys]) => keys.length > 1))
      return [
        key,
        nestedOf(
          group.map(([[, ...keys], text]) => [keys, text]),
          part,
        ),
      ];
    if (shapeOf(part) === 'array') {
      return [key, itemsOf(texts, { style: 'form', explode: true, schema: part, decode: (text) => text })];
    }
    if (texts.length !== 1) throw new Error(`${key} has ${texts.length} values`);
    return [key, leafOf(texts[0] ?? '', part)];
  });
  return Object.fromEntries(parts);
}

/** The items under each key, in their order. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
