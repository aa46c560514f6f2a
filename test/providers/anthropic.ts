// Anthropic tool use, by its reference and the errors its API answers.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { areProperties, Faults, isObject } from './faults.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Faults of a tool as Messages takes it: its shape, its name, its root, the keys of properties, a valid JSON Schema. */
export function anthropicFaults(tool: unknown): readonly string[] {
  const faults = new Faults();
  if (!isObject(tool)) return ['/: a tool is an object'];
  faults.only(tool, ['name', 'description', 'input_schema'], '/');
  const { name, description, input_schema: schema } = tool;
  faults.check(typeof name === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(name), '/name', 'of [a-zA-Z0-9_-]{1,128}');
  faults.check(typeof description === 'string', '/description', 'is a text');
  faults.check(isObject(schema) && schema.type === 'object', '/input_schema', 'type is object');
  for (const key of ['oneOf', 'allOf', 'anyOf', '$ref'])
    faults.check(!Object.hasOwn(schema ?? {}, key), '/input_schema', `no ${key} at top`);
  faults.check(ajv.validateSchema(schema as object) === true, '/input_schema', 'a schema of JSON Schema 2020-12');
  keys(schema, '/input_schema', faults);
  return faults.found;
}

function keys(node: unknown, at: string, faults: Faults): void {
  if (Array.isArray(node)) for (const [index, part] of node.entries()) keys(part, `${at}/${index}`, faults);
  if (!isObject(node)) return;
  for (const [key, part] of Object.entries(node)) {
    if (['enum', 'const', 'default', 'required'].includes(key)) continue;
    if (key !== 'properties' || !isObject(part)) keys(part, `${at}/${key}`, faults);
    else {
      for (const [name, schema] of Object.entries(part)) {
        faults.check(/^[a-zA-Z0-9_.-]{1,64}$/.test(name), `${at}/properties`, `no key ${JSON.stringify(name)}`);
        keys(schema, `${at}/properties/${name}`, faults);
      }
      if (at === '/input_schema' && node.required !== undefined)
        faults.check(areProperties(node.required, part), at, 'required names properties');
    }
  }
}
