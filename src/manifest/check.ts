// A value against its shape: every fault, where it is and what is allowed in its place.
import { isJson, isObject, own } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { under } from '../base/pointer.js';
import { count, quoted } from '../base/text.js';
import type { RecordShape, Rule, Shape, TextShape } from './shape.js';

/** `at` is a JSON pointer; `key`: it is the key that is wrong, not the value. */
export interface ShapeFault {
  readonly at: string;
  readonly key: boolean;
  readonly message: string;
}

/** All faults of a value, in the order of the shape. */
export function shapeFaults(shape: Shape, value: unknown, at = ''): ShapeFault[] {
  switch (shape.kind) {
    case 'any':
      return isJson(value) ? [] : [wrong(at, 'a value that JSON can hold', value)];
    case 'text':
      return fitsText(shape, value) ? [] : [wrong(at, shape.expected, shape.secret === true ? HIDDEN : value)];
    case 'flag':
      return typeof value === 'boolean' ? [] : [wrong(at, 'true or false', value)];
    case 'choice':
      return shape.values.some((one) => one === value) ? [] : [wrong(at, either(shape.values), value)];
    case 'whole': {
      const { least, most } = shape;
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
      return fits ? [] : [wrong(at, wholeText(least, most), value)];
    }
    case 'list':
      if (!Array.isArray(value) || value.length === 0) return [wrong(at, 'a list of at least one', value)];
      return value.flatMap((item, i) => shapeFaults(shape.items, item, under(at, i)));
    case 'map': {
      if (!isObject(value)) return [wrong(at, 'names with their values', value)];
      const names = Object.keys(value);
      if (names.length < (shape.least ?? 0)) return [wrong(at, 'at least one name with its value', value)];
      return names.flatMap((name) => shapeFaults(shape.values, value[name], under(at, name)));
    }
    case 'record':
      return recordFaults(shape, value, at);
  }
}

/** What stands in the place of a value that is not shown. */
const HIDDEN = Symbol('hidden');

function fitsText({ pattern }: TextShape, value: unknown): boolean {
  return typeof value === 'string' && new RegExp(pattern, 'u').test(value);
}

function recordFaults(shape: RecordShape, value: unknown, at: string): ShapeFault[] {
  const { name, fields, required = [], rules = [] } = shape;
  if (!isObject(value)) return [wrong(at, `${name} with its keys`, value)];
  const faults: ShapeFault[] = [];
  for (const key of Object.keys(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) faults.push({ at: under(at, key), key: true, message: unknownKey(shape, key) });
    else faults.push(...shapeFaults(field, value[key], under(at, key)));
  }
  const missing = required.filter((key) => !Object.hasOwn(value, key));
  for (const key of missing) faults.push({ at, key: true, message: `${name} needs "${key}"` });
  for (const rule of rules) faults.push(...ruleFaults(rule, value, name, at));
  return faults;
}

function unknownKey({ name, fields }: RecordShape, key: string): string {
  const near = nearest(key, Object.keys(fields));
  return `${quoted(key)} is no key of ${name}${near === undefined ? '' : `; did you mean "${near}"?`}`;
}

function ruleFaults(rule: Rule, value: { readonly [key: string]: unknown }, name: string, at: string): ShapeFault[] {
  const has = (key: string) => Object.hasOwn(value, key);
  if (rule.kind === 'apart') {
    const [first, second] = rule.fields;
    if (!has(first) || !has(second)) return [];
    return [{ at: under(at, second), key: true, message: `${name} has "${first}" or "${second}", not both` }];
  }
  if (rule.kind === 'some') {
    if (rule.fields.some(has)) return [];
    return [{ at, key: true, message: `${name} needs one of ${rule.fields.map((key) => `"${key}"`).join(', ')}` }];
  }
  if (has(rule.field) ? own(value, rule.field) !== rule.is : !rule.byDefault) return [];
  const where = `${name} with the ${rule.field} ${rule.is}`;
  return [
    ...rule.needs.filter((key) => !has(key)).map((key) => ({ at, key: true, message: `${where} needs "${key}"` })),
    ...rule.refuses
      .filter(has)
      .map((key) => ({ at: under(at, key), key: true, message: `${where} takes no "${key}"` })),
  ];
}

function wrong(at: string, expected: string, value: unknown): ShapeFault {
  const name = at
    .slice(at.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  const what = at === '' ? 'the manifest' : /^\d+$/.test(name) ? `the item ${Number(name) + 1}` : quoted(name);
  const found = value === HIDDEN ? 'something else, which is not shown here,' : shown(value);
  return { at, key: false, message: `${what} must be ${expected}; ${found} stands there` };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value, 40);
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value !== 'object') return String(value);
  return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
}

function either(values: readonly unknown[]): string {
  return values.map(String).join(' or ');
}

function wholeText(least: number, most: number): string {
  const bounded = most < Number.MAX_SAFE_INTEGER;
  return `a whole number ${bounded ? `from ${count(least)} to ${count(most)}` : `of at least ${count(least)}`}`;
}
