// OpenAI function calling, by its reference and the errors its API answers: first any function, then a strict one.
import { RE2JS } from 're2js';
import { areProperties, Faults, isObject, type Json } from './faults.js';

const ROOT_REFUSED = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', 'const'];

/** Faults of a tool as Chat Completions takes it: its shape, its name, its root, lists without items. */
export function openAiFaults(tool: unknown): readonly string[] {
  const faults = new Faults();
  const definition = isObject(tool) && tool.type === 'function' && isObject(tool.function) ? tool.function : undefined;
  if (definition === undefined) return ['/: a tool is { type: "function", function }'];
  faults.only(definition, ['name', 'description', 'parameters', 'strict'], '/function');
  const { name, description, parameters, strict } = definition;
  faults.check(
    typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name),
    '/name',
    'a name of [a-zA-Z0-9_-]{1,64}',
  );
  faults.check(typeof description === 'string' && [...description].length <= 1024, '/description', 'at most 1024');
  faults.check(isObject(parameters) && parameters.type === 'object', '/parameters', 'type is object');
  faults.check(isObject(parameters) && isObject(parameters.properties), '/parameters', 'has properties');
  for (const key of ROOT_REFUSED)
    faults.check(!Object.hasOwn(parameters ?? {}, key), '/parameters', `no ${key} at top`);
  if (strict === true) strictFaults(parameters, faults);
  else lists(parameters, '', faults);
  return faults.found;
}

function lists(node: unknown, at: string, faults: Faults): void {
  if (Array.isArray(node)) for (const [index, part] of node.entries()) lists(part, `${at}/${index}`, faults);
  if (!isObject(node)) return;
  const array = node.type === 'array' || (Array.isArray(node.type) && node.type.includes('array'));
  // A property may be called `type`: its schema is an object, no string.
  if (array) faults.check(Object.hasOwn(node, 'items'), at, 'a list has items');
  for (const [key, part] of Object.entries(node))
    if (!['enum', 'const', 'default', 'examples', 'required'].includes(key)) lists(part, `${at}/${key}`, faults);
}

const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const TYPES = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'];
const KEYWORDS = [
  ...['type', 'title', 'description', 'enum', 'anyOf', 'properties', 'required', 'additionalProperties', 'items'],
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems'],
];

interface Sum {
  properties: number;
  characters: number;
  values: number;
}

function strictFaults(parameters: unknown, faults: Faults): void {
  const sum: Sum = { properties: 0, characters: 0, values: 0 };
  strictNode(parameters, '/parameters', 1, sum, faults);
  faults.check(sum.properties <= 5_000, '/parameters', 'at most 5,000 properties');
  faults.check(sum.characters <= 120_000, '/parameters', 'at most 120,000 characters');
  faults.check(sum.values <= 1_000, '/parameters', 'at most 1,000 values of enums');
}

function strictNode(node: unknown, at: string, level: number, sum: Sum, faults: Faults): void {
  if (!isObject(node)) {
    faults.check(false, at, 'a schema is an object');
    return;
  }
  faults.only(node, KEYWORDS, at);
  const types = [node.type].flat();
  faults.check(node.anyOf !== undefined || types.every((type) => TYPES.includes(String(type))), at, 'has a type');
  if (node.anyOf !== undefined) {
    faults.check(Array.isArray(node.anyOf) && node.anyOf.length > 0, at, 'anyOf lists schemas');
    faults.check(!Object.hasOwn(node, 'type'), at, 'no type beside anyOf');
    for (const [index, part] of (node.anyOf as unknown[]).entries())
      strictNode(part, `${at}/anyOf/${index}`, level, sum, faults);
  }
  if (types.includes('object')) strictObject(node, at, level, sum, faults);
  if (types.includes('array')) {
    faults.check(level <= 10, at, 'at most 10 levels');
    strictNode(node.items, `${at}/items`, level + 1, sum, faults);
  }
  if (node.enum !== undefined) strictEnum(node.enum, at, sum, faults);
  if (node.format !== undefined) faults.check(FORMATS.includes(String(node.format)), at, `no format ${node.format}`);
  if (node.pattern !== undefined) faults.check(isRe2(node.pattern), at, `no pattern ${node.pattern}`);
}

function strictObject(node: Json, at: string, level: number, sum: Sum, faults: Faults): void {
  faults.check(level <= 10, at, 'at most 10 levels');
  faults.check(node.additionalProperties === false, at, 'additionalProperties is false');
  const properties = isObject(node.properties) ? node.properties : {};
  const names = Object.keys(properties);
  faults.check(isObject(node.properties), at, 'has properties');
  faults.check(areProperties(node.required, properties), at, 'required names properties');
  faults.check(Array.isArray(node.required) && node.required.length === names.length, at, 'every one is required');
  sum.properties += names.length;
  for (const name of names) {
    sum.characters += name.length;
    strictNode(properties[name], `${at}/properties/${name}`, level + 1, sum, faults);
  }
}

function strictEnum(values: unknown, at: string, sum: Sum, faults: Faults): void {
  faults.check(Array.isArray(values) && values.length > 0, at, 'an enum lists values');
  if (!Array.isArray(values)) return;
  const characters = values.reduce<number>((all, value) => all + String(value).length, 0);
  faults.check(values.length <= 250 || characters <= 15_000, at, 'over 250 values at most 15,000 characters');
  faults.check(
    values.every((value) => typeof value !== 'object'),
    at,
    'values of an enum are plain',
  );
  sum.values += values.length;
  sum.characters += characters;
}

export function isRe2(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern.includes('\\b')) return false;
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
