// Keywords of JSON Schema: to which type each applies, and how one is told in words.
import { isWithin } from '../../base/json.js';
import { visible } from '../../base/text.js';

/** Keywords that make the structure of a form, or that say nothing of the value. */
export const STRUCTURE: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'default', 'enum', 'const', 'anyOf', 'oneOf'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'items'],
]);

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'];

/** Constraints by the type that they apply to. */
export const APPLIES: { readonly [type: string]: ReadonlySet<string> } = {
  string: new Set(['format', 'pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType']),
  number: new Set(NUMBERS),
  integer: new Set(NUMBERS),
  boolean: new Set(['format']),
  null: new Set(),
  array: new Set(['minItems', 'maxItems', 'uniqueItems', 'format']),
  object: new Set(['minProperties', 'maxProperties', 'format']),
};

const WORDS: { readonly [keyword: string]: (value: string) => string } = {
  format: (value) => `Format: ${value}.`,
  pattern: (value) => `Pattern: ${value}`,
  contentEncoding: (value) => `Encoding: ${value}.`,
  contentMediaType: (value) => `Media type: ${value}.`,
  minLength: (value) => `At least ${value} characters.`,
  maxLength: (value) => `At most ${value} characters.`,
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: () => 'No item twice.',
  minProperties: (value) => `At least ${value} entries.`,
  maxProperties: (value) => `At most ${value} entries.`,
  default: (value) => `Default: ${value}.`,
};

const MOST_CHARS = 120;
const MOST_VALUES = 30;

/** A constraint in a few words; undefined where it constrains nothing. */
export function told(keyword: string, value: unknown): string | undefined {
  if (keyword === 'uniqueItems' && value !== true) return undefined;
  return WORDS[keyword]?.(literal(value));
}

/** The values of an enum in words. */
export function toldValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => (value === '' ? '""' : literal(value)));
  const more = values.length > MOST_VALUES ? ` and ${values.length - MOST_VALUES} more` : '';
  return `One of: ${shown.join(', ')}${more}.`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return visible(value, MOST_CHARS);
  return isWithin(value, 16) ? visible(JSON.stringify(value) ?? 'nothing', MOST_CHARS) : 'a deep value';
}
