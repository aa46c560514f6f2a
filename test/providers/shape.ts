// What a model would write for a form of a tool that stands for given arguments: found by trying, from the two schemas alone.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json } from './faults.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, ownProperties: true });
const known = new WeakMap<object, (value: unknown) => unknown>();

/** Whether a schema allows a value; a property called `constructor` is one that was given. */
export function fits(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) return schema !== false;
  let check = known.get(schema);
  if (check === undefined) {
    check = ajv.compile(schema);
    // It would keep every schema for ever.
    ajv.removeSchema(schema);
    known.set(schema, check);
  }
  return check(value) === true;
}

/** Not to be written in that form. */
export const NONE = Symbol('none');

/**
 * Properties stand in one order in both schemas, so the n-th of the one is the n-th of the other.
 * `filled`: everything is required, so what is not given is written all the same.
 */
export function shaped(value: unknown, stored: unknown, form: Json, filled: boolean): unknown {
  if (JSON.stringify(stored) === JSON.stringify(form)) return value;
  if (Array.isArray(form.anyOf)) {
    for (const branch of form.anyOf) {
      const one = shaped(value, stored, branch as Json, filled);
      if (one !== NONE && fits(branch, one)) return one;
    }
    return NONE;
  }
  const types = [form.type].flat();
  if (String(form.description).includes('JSON text of:')) return JSON.stringify(value);
  if (value === null && (form.nullable === true || types.includes('null'))) return null;
  for (const branch of branchesOf(stored)) {
    if (!fits(branch, value)) continue;
    if (JSON.stringify(branch) === JSON.stringify(form)) return value;
    const one = typed(value, branch, form, filled);
    if (one !== NONE) return one;
  }
  return NONE;
}

function typed(value: unknown, stored: Json, form: Json, filled: boolean): unknown {
  const types = [form.type].flat();
  if (isObject(value)) return types.includes('object') ? object(value, stored, form, filled) : NONE;
  if (Array.isArray(value)) {
    if (!types.includes('array')) return NONE;
    const items = value.map((item) => shaped(item, stored.items ?? {}, form.items as Json, filled));
    return items.includes(NONE) ? NONE : items;
  }
  const type = value === null ? 'null' : typeof value;
  const typeFits = types.includes(type) || (types.includes('integer') && Number.isInteger(value));
  return typeFits && (!Array.isArray(form.enum) || form.enum.includes(value)) ? value : NONE;
}

/** What is not given is null where everything is required; where null is a value of its own, it is `{}`. */
function object(value: Json, stored: Json, form: Json, filled: boolean): unknown {
  const ours = Object.entries(isObject(stored.properties) ? stored.properties : {});
  const theirs = Object.entries(isObject(form.properties) ? form.properties : {});
  if (ours.length === 0 && isObject(form.additionalProperties)) {
    const entries = form.additionalProperties;
    const parts = Object.entries(value).map(([key, part]) => [
      key,
      shaped(part, stored.additionalProperties, entries, filled),
    ]);
    return parts.some(([, part]) => part === NONE) ? NONE : Object.fromEntries(parts);
  }
  const required = new Set(form.required as readonly string[] | undefined);
  const strange = Object.keys(value).some((name) => !ours.some(([one]) => one === name));
  if (ours.length !== theirs.length || strange) return NONE;
  const out: Record<string, unknown> = {};
  for (const [index, [name, schema]] of ours.entries()) {
    const [key, part] = theirs[index] ?? ['', {}];
    if (!standsFor(key, name)) return NONE;
    if (Object.hasOwn(value, name)) out[key] = shaped(value[name], schema, part as Json, filled);
    else if (required.has(key) && !filled) return NONE;
    else if (required.has(key)) out[key] = fits(schema, null) && isLeftOut(part as Json) ? {} : null;
    if (out[key] === NONE) return NONE;
  }
  return out;
}

/** A model sees names: an alternative whose properties are called otherwise is another one. */
function standsFor(key: string, name: string): boolean {
  if (key === name) return true;
  const [short, whole] = [key, name].map((one) => one.replace(/[^A-Za-z0-9]/g, '')) as [string, string];
  return /^\d*$/.test(short.startsWith(whole) ? short.slice(whole.length) : '-') || whole.slice(0, 64) === short;
}

function isLeftOut(form: Json): boolean {
  return Array.isArray(form.anyOf) && form.anyOf.some((one) => isObject(one) && one.description === 'Leaves it out.');
}

function branchesOf(schema: unknown): readonly Json[] {
  if (!isObject(schema)) return [];
  return Array.isArray(schema.anyOf) ? schema.anyOf.flatMap(branchesOf) : [schema];
}
