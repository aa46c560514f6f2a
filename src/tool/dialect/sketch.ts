// A schema in a few words, for what a model is to write as JSON text: `{ [name]: string }`, `{ a: string, b?: integer }[]`.
import { isObject, type JsonObject, own, ownObject } from '../../base/json.js';
import { cut, visible } from '../../base/text.js';

const MOST_CHARS = 300;
const MOST_PARTS = 20;
const LEVELS = 3;

/** At most 300 characters; what lies deeper than three levels is `any`. */
export function sketch(schema: unknown): string {
  return cut(sketched(schema, LEVELS), MOST_CHARS);
}

function sketched(schema: unknown, levels: number): string {
  if (!isObject(schema) || levels === 0) return 'any';
  for (const [keyword, sign] of [
    ['anyOf', ' | '],
    ['oneOf', ' | '],
    ['allOf', ' & '],
  ] as const) {
    const list = own(schema, keyword);
    if (Array.isArray(list)) return listed(list, (one) => sketched(one, levels - 1), sign);
  }
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : own(schema, 'enum');
  if (Array.isArray(values)) {
    return listed(values, (one) => (typeof one === 'object' && one !== null ? 'any' : JSON.stringify(one)), ' | ');
  }
  const types = [own(schema, 'type') ?? (isObject(own(schema, 'properties')) ? 'object' : 'any')].flat();
  return listed(types, (type) => sketchedType(String(type), schema, levels), ' | ');
}

function sketchedType(type: string, schema: JsonObject, levels: number): string {
  if (type === 'array') return `${sketched(own(schema, 'items'), levels - 1)}[]`;
  if (type !== 'object') return type;
  const properties = ownObject(schema, 'properties') ?? {};
  const listing = own(schema, 'required');
  const required = Array.isArray(listing) ? listing : [];
  const parts = Object.entries(properties).map(([name, part]) => [
    `${visible(JSON.stringify(name).slice(1, -1), 64)}${required.includes(name) ? '' : '?'}`,
    part,
  ]);
  const entries = own(schema, 'additionalProperties');
  if (parts.length === 0 && entries !== false) parts.push(['[name]', entries]);
  return `{ ${listed(parts, ([name, part]) => `${name}: ${sketched(part, levels - 1)}`, ', ')} }`;
}

function listed<T>(items: readonly T[], write: (item: T) => string, sign: string): string {
  const shown = items.slice(0, MOST_PARTS).map(write);
  return items.length > MOST_PARTS ? `${shown.join(sign)}${sign}…` : shown.join(sign);
}
