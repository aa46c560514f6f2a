// What the specifications leave open: texts kept out because no reader could tell them apart, values that are the same once
// sent, and the causes for which a call may be refused.
import { isDeepStrictEqual } from 'node:util';
import type { HttpTool } from '../../src/index.js';
import { isSpread, type Spot, segmentsOf, spotsOf } from './parse-back-reader.js';
import { leafOf, partOf, type Schema, shapeOf, typeOf } from './parse-back-styles.js';

type Values = { readonly [argument: string]: unknown };

/** The arguments with each separator that would stand unencoded inside a part replaced. Everything else is sent as it is. */
export function tamed(tool: HttpTool, args: Values): Values {
  const spots = new Map(spotsOf(tool).map((spot) => [spot.argument, spot]));
  return Object.fromEntries(
    Object.entries(args).map(([argument, value]) => {
      const spot = spots.get(argument);
      return [
        argument,
        spot === undefined || isWritten(spot) ? value : replaced(value, separators(tool, spot, typeOf(value))),
      ];
    }),
  );
}

/** A value that goes out as JSON or text of its own. */
function isWritten(spot: Spot): boolean {
  return spot.in === 'body' || spot.content_type !== undefined;
}

function separators(tool: HttpTool, spot: Spot, type: string): string {
  const parts = type === 'array' || type === 'object';
  const own: string[] = [];
  // A header encodes nothing, so a comma in an item is the comma between two; exploded, `=` ends a key.
  if (spot.in === 'header' && parts) own.push(spot.explode && type === 'object' ? ',=' : ',');
  // A full stop is unreserved and never encoded, and it separates the parts of an exploded label.
  if (spot.style === 'label' && spot.explode && parts) own.push('.');
  // Encoded or not, a space in an item is the separator (OpenAPI 3.1.1, Appendix E), and so is a bar.
  if (spot.style === 'spaceDelimited' && !spot.explode) own.push(' ');
  if (spot.style === 'pipeDelimited' && !spot.explode) own.push('|');
  // A bracket in a key of deepObject is the bracket around it.
  if (spot.style === 'deepObject') own.push('[]');
  // allowReserved lets a percent-encoded triple through as it is, and the separators of the styles.
  if (spot.allow_reserved === true) own.push(parts ? '%,;=' : '%');
  // Two gaps in one segment are told apart by the literal between them, where that is not encoded.
  const segment = segmentsOf(tool).find((one) => one.includes(`{${spot.argument}}`)) ?? '';
  if (spot.in === 'path' && segment.split('{').length > 2) own.push(segment.replace(/\{[^{}]*\}/g, ''));
  return own.join('');
}

function replaced(value: unknown, characters: string): unknown {
  if (characters === '') return value;
  const text = (one: string) => [...one].map((sign) => (characters.includes(sign) ? '_' : sign)).join('');
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, characters));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [text(key), replaced(part, characters)]));
}

/** True of arguments whose shapes and types the schema tells, so that text can be read back as what it was. */
export function isTold(tool: HttpTool, args: Values): boolean {
  const spots = spotsOf(tool);
  const names = spots.filter((spot) => spot.in === 'query').map(({ name }) => name);
  const fixed = [...new URL(tool.config.endpoint).searchParams.keys()];
  // A property of a deepObject and a parameter called `filter[day]` are one name on the wire.
  const deep = spots.filter(({ style }) => style === 'deepObject');
  if (
    deep.some(({ argument, name }) =>
      Object.keys(Object(args[argument])).some((key) => names.includes(`${name}[${key}]`)),
    )
  )
    return false;
  const spread = spots.filter(isSpread);
  const keys = spread.flatMap(({ argument }) => Object.keys((args[argument] ?? {}) as object));
  // Two exploded objects, or one and a parameter, with one key are one key on the wire; of two open ones nobody knows whose it is.
  if (new Set(keys).size < keys.length || keys.some((key) => names.includes(key) || fixed.includes(key))) return false;
  if (keys.some((key) => names.some((name) => key.startsWith(`${name}[`)))) return false;
  const unnamed = ({ argument, schema }: Spot) =>
    Object.keys((args[argument] ?? {}) as object).some(
      (key) => !Object.hasOwn(((schema as Schema).properties ?? {}) as object, key),
    );
  if (spread.length > 1 && spread.some(unnamed)) return false;
  return spots.every((spot) => {
    const value = args[spot.argument];
    return value === undefined || value === null || spot.in === 'body' || isTyped(value, spot);
  });
}

function isTyped(value: unknown, spot: Spot): boolean {
  if (isWritten(spot) && !isForm(spot)) return true;
  const deep = spot.style === 'deepObject';
  const fits = (one: unknown, schema: unknown, depth: number): boolean => {
    if (one === null) return true;
    const type = typeOf(one);
    const shape = shapeOf(schema);
    if (type !== 'array' && type !== 'object')
      return shape === 'leaf' && isDeepStrictEqual(leafOf(String(one), schema), one);
    // An object inside an array, or in a field of a whole query, is JSON text.
    if (type === 'object' && depth > 0 && !deep) return shape === 'object';
    if (type !== shape) return false;
    return Object.entries(one as object).every(([key, part]) => {
      return fits(part, partOf(schema, type === 'array' ? Number(key) : key), depth + 1);
    });
  };
  return fits(value, spot.schema, 0);
}

function isForm({ in: place, content_type = '' }: Spot): boolean {
  return place === 'querystring' && content_type.startsWith('application/x-www-form-urlencoded');
}

/** What has to come back: an absent value is nothing, and so is an empty list or object outside of JSON (section 10, RFC 6570, 2.3). */
export function sentValues(tool: HttpTool, args: Values): Values {
  const found = spotsOf(tool).flatMap((spot): [string, unknown][] => {
    const value = args[spot.argument];
    if (value === undefined) return [];
    if (spot.in === 'body') return [[spot.argument, value]];
    if (value === null) return [];
    const sent = isWritten(spot) && !isForm(spot) ? value : present(value, spot.style === 'deepObject');
    return sent === undefined ? [] : [[spot.argument, sent]];
  });
  return Object.fromEntries(found);
}

function present(value: unknown, deep: boolean, depth = 0): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null);
    return items.length === 0 ? undefined : items;
  }
  if (depth > 0 && !deep) return value;
  const parts = Object.entries(value as object).map(([key, part]) => [key, present(part, deep, depth + 1)] as const);
  const kept = parts.filter(([, part]) => part !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** White space around the value of a header is no part of it (RFC 9110, section 5.5): the connection keeps none. */
export function hasOuterSpace(tool: HttpTool, args: Values): boolean {
  const texts = spotsOf(tool)
    .filter((spot) => spot.in === 'header')
    .flatMap(({ argument }) => textsOf(args[argument], false));
  return texts.some((text) => /^[\t ]|[\t ]$/.test(text));
}

/** The cause in the contract's section 10 for which an argument may be refused; undefined where there is none. */
export function causeOf(tool: HttpTool, args: Values, argument: string): string | undefined {
  const spot = spotsOf(tool).find((one) => one.argument === argument);
  if (spot === undefined || spot.in === 'body') return undefined;
  const value = args[argument];
  const texts = [spot.name, ...textsOf(value, isWritten(spot) && !isForm(spot))];
  if (spot.in === 'path' && present(value, false) === undefined) return 'a gap without a value';
  if (spot.in === 'path' && leavesNoSegment(tool, args, argument)) return 'a segment that is empty, . or ..';
  if (spot.in === 'header') {
    if (texts.some((text) => /[^\t\x20-\x7e\x80-\xff]/.test(text)))
      return 'a line break, a control, or not Latin-1 in a header';
  } else if (texts.some((text) => /\p{Surrogate}/u.test(text))) {
    return 'half a character, which has no UTF-8 to percent-encode (RFC 3986, section 2.5)';
  }
  if (isWritten(spot)) return isForm(spot) && hasNoForm(Object.values(value as object), false) ? 'no form' : undefined;
  return hasNoForm([value], spot.style === 'deepObject') || isDelimitedObject(spot, value)
    ? 'no form is defined'
    : undefined;
}

function isDelimitedObject({ style }: Spot, value: unknown): boolean {
  return typeOf(value) === 'object' && (style === 'spaceDelimited' || style === 'pipeDelimited');
}

/** A list in a list; outside of deepObject a list or an object in an object. */
function hasNoForm(values: readonly unknown[], deep: boolean): boolean {
  return values.some((value) => {
    if (Array.isArray(value)) return value.some((item) => Array.isArray(item));
    if (typeof value !== 'object' || value === null) return false;
    const parts = Object.values(value);
    return deep ? hasNoForm(parts, true) : parts.some((part) => typeof part === 'object' && part !== null);
  });
}

function leavesNoSegment(tool: HttpTool, args: Values, argument: string): boolean {
  const segment = segmentsOf(tool).find((one) => one.includes(`{${argument}}`)) ?? '';
  const text = segment.replace(/\{([^{}]*)\}/g, (_gap, name: string) => {
    const spot = spotsOf(tool).find((one) => one.argument === name);
    const [first, last] = { label: ['.', '.'], matrix: [';', ';'] }[spot?.style ?? ''] ?? ['', ','];
    return first + textsOf(args[name], false).join(spot?.explode === true ? last : ',');
  });
  return text === '' || text === '.' || text === '..';
}

/** Every text in a value, keys included; `json` texts have what JSON escapes escaped. */
function textsOf(value: unknown, json: boolean): string[] {
  if (json) return [typeof value === 'string' ? value : (JSON.stringify(value) ?? '')];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, typeOf(item) === 'object'));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, part]) => [key, ...textsOf(part, false)]);
  return value === null || value === undefined ? [] : [String(value)];
}
