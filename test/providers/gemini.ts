// Gemini function declarations, by the reference of FunctionDeclaration and Schema and the errors the API answers.
import { areProperties, Faults, isObject, type Json } from './faults.js';
import { isRe2 } from './openai.js';

const KEYWORDS = [
  ...['anyOf', 'default', 'description', 'enum', 'example', 'format', 'items', 'maxItems', 'minItems', 'maxLength'],
  ...['minLength', 'maxProperties', 'minProperties', 'maximum', 'minimum', 'nullable', 'pattern', 'properties'],
  ...['propertyOrdering', 'required', 'title', 'type'],
];
const FORMATS: { readonly [type: string]: readonly string[] } = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Faults of a function declaration: its shape, its name, and every node of its parameters. */
export function geminiFaults(tool: unknown): readonly string[] {
  const faults = new Faults();
  if (!isObject(tool)) return ['/: a tool is an object'];
  faults.only(tool, ['name', 'description', 'parameters'], '/');
  const { name, description, parameters } = tool;
  faults.check(typeof name === 'string' && /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name), '/name', 'a legal name');
  faults.check(typeof description === 'string' && description !== '', '/description', 'is a text');
  if (parameters === undefined) return faults.found;
  faults.check(isObject(parameters) && parameters.type === 'object', '/parameters', 'type is object');
  node(parameters, '/parameters', faults);
  return faults.found;
}

function node(schema: unknown, at: string, faults: Faults): void {
  if (!isObject(schema)) {
    faults.check(false, at, 'a schema is an object');
    return;
  }
  faults.only(schema, KEYWORDS, at);
  if (schema.anyOf !== undefined) {
    faults.check(Object.keys(schema).length === 1, at, 'nothing beside anyOf');
    faults.check(Array.isArray(schema.anyOf) && schema.anyOf.length > 0, at, 'anyOf lists schemas');
    for (const [index, part] of (schema.anyOf as unknown[]).entries()) node(part, `${at}/anyOf/${index}`, faults);
    return;
  }
  const type = String(schema.type);
  faults.check(TYPES.includes(type), at, `no type ${type}`);
  if (type === 'object') object(schema, at, faults);
  if (type === 'array') node(schema.items, `${at}/items`, faults);
  if (schema.nullable !== undefined) faults.check(typeof schema.nullable === 'boolean', at, 'nullable is a boolean');
  if (schema.format !== undefined) {
    const known = (FORMATS[type] ?? []).includes(String(schema.format));
    faults.check(known, at, `no format ${schema.format} of ${type}`);
  }
  if (schema.enum !== undefined) {
    const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    faults.check(type === 'string' && values.length > 0, at, 'an enum is of strings');
    faults.check(
      values.every((value) => typeof value === 'string' && value !== ''),
      at,
      'no empty value in an enum',
    );
  }
  if (schema.pattern !== undefined) faults.check(isRe2(schema.pattern), at, `no pattern ${schema.pattern}`);
  for (const key of ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'])
    if (schema[key] !== undefined) faults.check(typeof schema[key] === 'number', at, `${key} is a number`);
}

function object(schema: Json, at: string, faults: Faults): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  faults.check(Object.keys(properties).length > 0, at, 'an object has properties');
  if (schema.required !== undefined)
    faults.check(areProperties(schema.required, properties), at, 'required names properties');
  for (const [name, part] of Object.entries(properties)) {
    faults.check(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name), at, `no key ${JSON.stringify(name)}`);
    node(part, `${at}/properties/${name}`, faults);
  }
}
