// One value to its text on the wire, by OpenAPI's style tables and RFC 6570. Pure.

/** Thrown where a value has no defined form, or cannot be sent; the call is refused with it before anything goes out. */
export class Unsendable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** How one place writes texts: what is encoded, and what separates. */
export interface Wire {
  readonly style: string;
  readonly explode: boolean;
  readonly encode: (text: string) => string;
}

const UNRESERVED = /^[A-Za-z0-9._~-]*$/;

/** Percent-encodes everything but the unreserved characters (RFC 3986, section 2.3; RFC 6570, section 3.2.1). */
export function percent(text: string): string {
  if (UNRESERVED.test(text)) return text;
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, hex);
  } catch {
    throw new Unsendable('it holds half a character (a lone surrogate)');
  }
}

/** As `percent`, but reserved characters and percent-encoded triples pass, save those that would end the place. */
export function percentReserved(text: string, ends: RegExp): string {
  return text.replace(/%[0-9A-Fa-f]{2}|[\s\S]/gu, (piece) => {
    if (piece.length === 3 && piece.startsWith('%')) return piece;
    return /^[:/?#[\]@!$&'()*+,;=]$/.test(piece) && !ends.test(piece) ? piece : percent(piece);
  });
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A value in a path segment (simple, label, matrix); a value in a header is simple with nothing encoded. */
export function inSegment(name: string, value: unknown, wire: Wire): string {
  const { style, explode, encode } = wire;
  const pairs = isRecord(value) ? entries(value) : undefined;
  const items = Array.isArray(value) ? listItems(value) : undefined;
  const first = style === 'label' ? '.' : style === 'matrix' ? ';' : '';
  const between = explode && first !== '' ? first : ',';
  const key = encode(name);
  if (pairs !== undefined) {
    if (style === 'matrix' && explode) return pairs.map(([k, v]) => matrixPair(encode(k), encode(v))).join('');
    const texts = pairs.map(([k, v]) => (explode ? `${encode(k)}=${encode(v)}` : `${encode(k)},${encode(v)}`));
    return texts.length === 0 ? '' : first + (style === 'matrix' ? `${key}=` : '') + texts.join(between);
  }
  if (items !== undefined) {
    if (items.length === 0) return '';
    if (style === 'matrix' && explode) return items.map((item) => matrixPair(key, encode(item))).join('');
    return first + (style === 'matrix' ? `${key}=` : '') + items.map(encode).join(between);
  }
  const text = encode(primitive(value));
  return style === 'matrix' ? matrixPair(key, text) : first + text;
}

/** RFC 6570, section 3.2.7: an empty value has no `=`. */
function matrixPair(key: string, text: string): string {
  return text === '' ? `;${key}` : `;${key}=${text}`;
}

/** How the pairs of a query or a form are written. */
export interface PairWire extends Wire {
  readonly encodeName: (name: string) => string;
}

/** What stands between the items of a list that is one value; `tabDelimited` is the tsv of Swagger 2.0. */
const DELIMITERS: { readonly [style: string]: string } = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** The pairs of a query, written out; empty where there is nothing to send. */
export function inQuery(name: string, value: unknown, wire: Wire): string[] {
  return pairsOf(name, value, { ...wire, encodeName: percent }).map(([key, text]) => `${key}=${text}`);
}

/** Names and values, encoded. */
export function pairsOf(name: string, value: unknown, wire: PairWire): (readonly [name: string, value: string])[] {
  const { style, explode, encode, encodeName } = wire;
  const key = encodeName(name);
  if (style === 'deepObject' && isRecord(value)) return deepPairs(name, value, wire);
  if (isRecord(value)) {
    if (style !== 'form') throw new Unsendable(`an object in the style ${style} is not defined`);
    const pairs = entries(value);
    if (pairs.length === 0) return [];
    if (explode) return pairs.map(([k, v]) => [encodeName(k), encode(v)]);
    return [[key, pairs.map(([k, v]) => `${encode(k)},${encode(v)}`).join(',')]];
  }
  if (!Array.isArray(value)) return [[key, encode(primitive(value))]];
  const items = listItems(value);
  if (items.length === 0) return [];
  if (explode) return items.map((item) => [key, encode(item)]);
  const delimiter = Object.hasOwn(DELIMITERS, style) ? encode(DELIMITERS[style] ?? '') : ',';
  return [[key, items.map(encode).join(delimiter)]];
}

/** `f[a][b]=1`; an array repeats its key. */
function deepPairs(
  name: string,
  object: { readonly [key: string]: unknown },
  wire: PairWire,
): (readonly [name: string, value: string])[] {
  const { encode, encodeName } = wire;
  return Object.entries(object).flatMap(([key, value]): (readonly [string, string])[] => {
    const inner = `${name}[${key}]`;
    if (value === null || value === undefined) return [];
    if (isRecord(value)) return deepPairs(inner, value, wire);
    if (Array.isArray(value)) return listItems(value).map((item) => [encodeName(inner), encode(item)]);
    return [[encodeName(inner), encode(primitive(value))]];
  });
}

/** The items of a list as texts: an absent one (null) is left out, an object is JSON, a list in a list has no form. */
function listItems(list: readonly unknown[]): string[] {
  return list.flatMap((item) => {
    if (item === null || item === undefined) return [];
    if (Array.isArray(item)) throw new Unsendable('a list in a list is not defined');
    return [isRecord(item) ? JSON.stringify(item) : primitive(item)];
  });
}

function entries(object: { readonly [key: string]: unknown }): [string, string][] {
  return Object.entries(object).flatMap(([key, value]): [string, string][] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'object')
      throw new Unsendable(`a list or an object in its property "${key.slice(0, 60)}" is not defined`);
    return [[key, primitive(value)]];
  });
}

/** True of a list or an object with nothing in it: it is absent where it is not JSON (RFC 6570, section 2.3). */
export function isVoid(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((part) => part === null);
}

/** A string, number or boolean as text. */
export function primitive(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new Unsendable('it is no text, number or boolean');
}

export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
