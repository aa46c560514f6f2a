// Whether a value from outside is a tool as it is stored: each field by hand, the first fault with its place.
import { isObject, isWithin, own } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { under } from '../base/pointer.js';
import { isWithheldHeader } from '../tool/credential.js';
import type { HttpConfig, HttpTool, Origin, OwnedForm, PartEncoding, Place, ToolBody } from '../tool/tool.js';

/** `message` continues the name of the place: `must be a string`. */
export interface Fault {
  /** A JSON pointer. */
  readonly at: string;
  readonly message: string;
}

/** A property that is not there is checked as undefined. */
export type Check = (value: unknown, at: string) => Fault | undefined;

const LEVELS = FIXED_LIMITS.stored_levels;

export function rule(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, at) => (holds(value) ? undefined : { at, message: `must be ${expected}` });
}

export function optional(check: Check): Check {
  return (value, at) => (value === undefined ? undefined : check(value, at));
}

export function wholeNumber(least: number, most: number): Check {
  const expected = `a whole number from ${least} to ${most}`;
  return rule(expected, (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most);
}

export function oneOf(...values: readonly string[]): Check {
  return rule(values.join(' or '), (value) => typeof value === 'string' && values.includes(value));
}

/** A list whose every item passes the check. */
export function listOf(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return { at, message: 'must be a list' };
    for (const [index, item] of value.entries()) {
      const fault = check(item, under(at, index));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** An object whose every value passes the check. */
function mapOf(check: Check): Check {
  return (value, at) => {
    if (!isObject(value)) return { at, message: 'must be an object' };
    for (const [key, entry] of Object.entries(value)) {
      const fault = check(entry, under(at, key));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** An object with these fields and no others: a misspelt name is a fault, not a field that does nothing. */
export function recordOf<T>(fields: { readonly [field in keyof T]-?: Check }): Check {
  const checks = Object.entries<Check>(fields);
  return (value, at) => {
    if (!isObject(value)) return { at, message: 'must be an object' };
    const stranger = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
    if (stranger !== undefined) return { at: under(at, stranger), message: 'is not a field that is known' };
    for (const [field, check] of checks) {
      const fault = check(own(value, field), under(at, field));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

export const text = rule('a string', (value) => typeof value === 'string');
export const filledText = rule('a string that is not empty', (value) => typeof value === 'string' && value !== '');
const flag = rule('true or false', (value) => typeof value === 'boolean');
const anyObject = rule(`an object of at most ${LEVELS} levels`, (value) => isObject(value) && isWithin(value, LEVELS));
const toolName = rule('1 to 64 characters of A-Z, a-z, 0-9, _ and -', (value) => {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
});

const names = rule(
  'a list of names',
  (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
);

const place = recordOf<Place>({
  in: rule('path, query, querystring, header or body', (value) => {
    return typeof value === 'string' && ['path', 'query', 'querystring', 'header', 'body'].includes(value);
  }),
  name: optional(text),
  style: optional(text),
  explode: optional(flag),
  allow_reserved: optional(flag),
  content_type: optional(text),
});

const shortPlace = rule('query, header, body or an object', (value) => {
  return typeof value === 'string' && ['query', 'header', 'body'].includes(value);
});

const part = recordOf<PartEncoding>({
  style: optional(text),
  explode: optional(flag),
  allow_reserved: optional(flag),
  content_type: optional(text),
  file: optional(rule('true', (value) => value === true)),
});

/** Values of headers; a credential belongs to a connection. */
const headers: Check = (value, at) => {
  const name = isObject(value) ? Object.keys(value).find(isWithheldHeader) : undefined;
  return name === undefined ? mapOf(text)(value, at) : { at: under(at, name), message: 'must not carry a credential' };
};

const endpoint = rule('an absolute http or https URL without a gap in its host', (value) => {
  return typeof value === 'string' && /^https?:\/\/[^/?#{}@\s]+(?:[/?]|$)/.test(value);
});
const locations = mapOf((value, at) => (isObject(value) ? place : shortPlace)(value, at));
const body = recordOf<ToolBody>({
  content_type: text,
  required: flag,
  whole: optional(text),
  encoding: optional(mapOf(part)),
});

const config = recordOf<HttpConfig>({
  endpoint,
  method: filledText,
  locations: optional(locations),
  body: optional(body),
  headers: optional(headers),
  attempts: optional(wholeNumber(1, 3)),
});

const ownedForm = recordOf<OwnedForm>({
  endpoint,
  method: filledText,
  locations,
  body: optional(body),
  input_schema: anyObject,
  output_schema: optional(anyObject),
  description: text,
});

/** The first fault of a value that should be a stored tool; `at` is the pointer of the value. */
export const toolFault: Check = recordOf<HttpTool>({
  id: filledText,
  name: toolName,
  description: text,
  imported_description: optional(text),
  input_schema: anyObject,
  output_schema: optional(anyObject),
  config,
  fixed_parameters: anyObject,
  deadline_seconds: wholeNumber(1, 300),
  connection_id: optional(filledText),
  connection_group: optional(filledText),
  shown_parameters: optional(names),
  hidden_parameters: optional(names),
  origin: optional(recordOf<Origin>({ server: filledText, operation: filledText, set: optional(text) })),
  pending: optional(ownedForm),
  approved: optional(
    rule('a SHA-256 in hexadecimal', (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)),
  ),
});
