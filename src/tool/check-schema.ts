// Whether the input schema of a tool written by hand is one that a model can be shown and a call be checked against.
import { isObject, isWithin, type JsonObject, own } from '../base/json.js';
import { FIXED_LIMITS, type Limits } from '../base/limits.js';
import { count, quoted, visible } from '../base/text.js';
import { invalid } from './field.js';
import type { Schema } from './tool.js';
import { schemaFault } from './value.js';

const FIELD = 'input_schema';
const ARGUMENT = /^[A-Za-z0-9_.-]{1,64}$/;
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
/** A schema is whole in itself: no references, no names for them, nothing that makes a check asynchronous. */
const PLAIN = new Set(['$schema', '$comment']);

const NO_ARGUMENTS: Schema = { type: 'object', properties: {}, additionalProperties: false };

/** Keywords that hold a schema, a list of them, or schemas by name (JSON Schema 2020-12, Core, section 10). */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

export interface CheckedSchema {
  readonly schema: Schema;
  /** Its properties, each an object. */
  readonly properties: { readonly [argument: string]: Schema };
}

/**
 * An object schema that compiles, within the bounds; without one the tool takes no arguments.
 * @throws Failure `invalid-tool`.
 */
export function checkSchema(value: unknown, limits: Limits): CheckedSchema {
  const schema = value === undefined ? NO_ARGUMENTS : value;
  if (!isObject(schema)) throw invalid(FIELD, 'must be an object');
  checkSize(schema, limits);
  if (own(schema, 'type') !== 'object') throw invalid(FIELD, 'must have the type "object"');
  const properties = checkProperties(own(schema, 'properties'));
  checkKeywords(schema, FIELD);
  const fault = schemaFault(schema);
  if (fault !== undefined) throw invalid(FIELD, `does not compile as JSON Schema 2020-12: ${visible(fault, 240)}`);
  checkRequired(own(schema, 'required'), properties);
  return { schema, properties };
}

function checkSize(schema: JsonObject, limits: Limits): void {
  const levels = FIXED_LIMITS.stored_levels;
  if (!isWithin(schema, levels)) throw invalid(FIELD, `nests deeper than ${levels} levels`);
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  const most = limits.operation_schema_bytes;
  if (bytes > most)
    throw invalid(FIELD, `is ${count(bytes)} bytes as compact JSON; at most ${count(most)} are allowed`);
}

function checkProperties(value: unknown): CheckedSchema['properties'] {
  if (!isObject(value)) throw invalid(FIELD, 'must have "properties" that are an object');
  for (const [name, property] of Object.entries(value)) {
    if (!ARGUMENT.test(name)) {
      throw invalid(FIELD, `has an argument ${quoted(name, 80)}; a name is 1 to 64 characters of A-Z a-z 0-9 _ . -`);
    }
    if (!isObject(property)) throw invalid(FIELD, `must have a schema that is an object for ${quoted(name)}`);
  }
  return value as CheckedSchema['properties'];
}

function checkRequired(value: unknown, properties: JsonObject): void {
  if (!Array.isArray(value)) return;
  const stranger: unknown = value.find((name) => !Object.hasOwn(properties, name));
  if (stranger !== undefined) throw invalid(FIELD, `requires ${quoted(String(stranger))}, which it does not have`);
}

function checkKeywords(schema: JsonObject, at: string): void {
  for (const key of Object.keys(schema)) {
    if (!key.startsWith('$') || PLAIN.has(key)) continue;
    throw invalid(FIELD, `has ${quoted(key)} at ${quoted(at, 200)}; the schema itself is written in its place`);
  }
  const dialect = own(schema, '$schema');
  if (dialect !== undefined && !(typeof dialect === 'string' && DIALECT.test(dialect))) {
    throw invalid(FIELD, 'has a "$schema" of another dialect; JSON Schema 2020-12 is read, also without "$schema"');
  }
  for (const [part, place] of parts(schema)) if (isObject(part)) checkKeywords(part, `${at}.${place}`);
}

function* parts(schema: JsonObject): Generator<readonly [part: unknown, place: string]> {
  for (const key of ONE) yield [own(schema, key), key];
  for (const key of LISTS) {
    const list = own(schema, key);
    if (Array.isArray(list)) for (const [index, part] of list.entries()) yield [part, `${key}.${index}`];
  }
  for (const key of MAPS) {
    const map = own(schema, key);
    if (isObject(map)) for (const [name, part] of Object.entries(map)) yield [part, `${key}.${name}`];
  }
}
