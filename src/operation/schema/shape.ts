// One value's schema as a single view: references followed, allOf merged, constraints intersected. No descent into its parts.
import { isObject, type JsonObject, own } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import { Refused } from '../../base/refused.js';
import { quoted } from '../../base/text.js';
import type { Part, Walk } from './walk.js';

/** Alternatives of which one applies (anyOf or oneOf). */
export interface Alternatives {
  readonly at: string;
  readonly branches: readonly Part[];
}

/** The properties that one conjunct declares; parts are made of them only where they are emitted. */
export interface PropertySource {
  readonly part: Part;
  readonly properties: JsonObject;
  readonly names: readonly string[];
}

/** What all conjuncts of one value say together. */
export interface Shape {
  /** The pointer of the first node read, for notices. */
  readonly at: string;
  /** Declared types; null where none are. */
  types: readonly string[] | null;
  title: string | undefined;
  description: string | undefined;
  default: unknown;
  format: string | undefined;
  pattern: string | undefined;
  enum: readonly unknown[] | undefined;
  const: { readonly value: unknown } | undefined;
  /** Bounds that are numbers, by keyword; made when there is one. */
  bounds: Map<string, number> | undefined;
  uniqueItems: boolean;
  sources: PropertySource[];
  required: Set<string>;
  /** It has properties, if only none. */
  hasProperties: boolean;
  /** false: closed; parts: the schema of free-form entries. */
  additional: false | readonly Part[] | undefined;
  items: false | readonly Part[] | undefined;
  prefixItems: readonly Part[] | undefined;
  /** Several conjuncts give prefixItems. */
  severalTuples: boolean;
  alternatives: Alternatives[];
  readOnly: boolean;
  writeOnly: boolean;
  /** null is allowed beside what alternatives, allOf or properties say (OpenAPI 3.0). */
  nullable: boolean;
  /** No value is allowed (the schema false). */
  never: boolean;
}

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const ONE_TYPE: { readonly [type: string]: readonly string[] } = Object.fromEntries(
  [...TYPES].map((type) => [type, [type]]),
);
/** Keywords that hold a count: a whole number of at least 0. */
const COUNTS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

// Most shapes have none of these: one empty value, never changed, serves them all until there is something to hold.
const NO_SOURCES: PropertySource[] = [];
const NOTHING_REQUIRED = new Set<string>();
const NO_ALTERNATIVES: Alternatives[] = [];

/** The single view of a value that one or several parts describe. */
export function shapeOf(walk: Walk, parts: readonly Part[]): Shape {
  const shape: Shape = {
    at: parts[0]?.at ?? '',
    types: null,
    title: undefined,
    description: undefined,
    default: undefined,
    format: undefined,
    pattern: undefined,
    enum: undefined,
    const: undefined,
    bounds: undefined,
    uniqueItems: false,
    sources: NO_SOURCES,
    required: NOTHING_REQUIRED,
    hasProperties: false,
    additional: undefined,
    items: undefined,
    prefixItems: undefined,
    severalTuples: false,
    alternatives: NO_ALTERNATIVES,
    readOnly: false,
    writeOnly: false,
    nullable: false,
    never: false,
  };
  for (const part of parts) absorb(walk, shape, part, parts.length > 1);
  return shape;
}

/** True of a value that is an object: by its type, or without one by its properties or entries. */
export function isObjectShape(shape: Shape): boolean {
  if (shape.types !== null) return shape.types.includes('object');
  return shape.hasProperties || shape.additional !== undefined;
}

/** Adds what one part says. `member`: it is one conjunct of several, so that it does not close the object. */
function absorb(walk: Walk, shape: Shape, part: Part, member: boolean): void {
  const { node } = part;
  if (!isObject(node)) {
    walk.budget.spend(1);
    if (node === false) shape.never = true;
    else if (node !== undefined && node !== null && node !== true) {
      throw new Refused('malformed', part.at, `its schema is ${describe(node)}, not an object`);
    }
    return;
  }
  const keys = walk.keys(node);
  const reference = walk.dialect.reference(node);
  if (reference !== undefined) {
    const beside = walk.dialect.siblings && keys.length > 1;
    const target = walk.follow(part, reference);
    if (target !== undefined) absorb(walk, shape, target, member || beside);
    if (!beside) return;
  }
  walk.budget.spend(1);
  // In this order, whatever the order of keys: what stands in the node itself comes last, and is nearer.
  const allOf = own(node, 'allOf');
  if (Array.isArray(allOf)) {
    allOf.forEach((one, i) => {
      absorb(walk, shape, walk.down(part, one, `${part.at}/allOf/${i}`), true);
    });
  }
  const single = absorbAlternatives(walk, shape, part, node);
  const nearer = reference !== undefined || Array.isArray(allOf) || single;
  for (const key of keys) absorbKeyword(walk, shape, part, node, key, nearer, member);
}

function absorbKeyword(
  walk: Walk,
  shape: Shape,
  part: Part,
  node: JsonObject,
  key: string,
  nearer: boolean,
  member: boolean,
): void {
  const value = node[key];
  switch (key) {
    case 'type':
      absorbType(walk, shape, part, node, value);
      return;
    case 'title':
    case 'description':
      if (typeof value === 'string' && (nearer || shape[key] === undefined)) shape[key] = value;
      return;
    case 'default':
      if (nearer || shape.default === undefined) shape.default = value;
      return;
    case 'format':
    case 'pattern':
      if (typeof value === 'string') shape[key] ??= value;
      return;
    case 'enum':
      absorbEnum(walk, shape, part, value);
      return;
    case 'const':
      shape.const ??= { value };
      return;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      absorbBound(walk, shape, part, node, key, value);
      return;
    case 'uniqueItems':
      if (value === true) shape.uniqueItems = true;
      return;
    case 'readOnly':
    case 'writeOnly':
      if (value === true) shape[key] = true;
      return;
    case 'properties':
      absorbProperties(walk, shape, part, value);
      return;
    case 'required':
      absorbRequired(walk, shape, value);
      return;
    case 'additionalProperties':
      absorbAdditional(walk, shape, part, node, value, member);
      return;
    case 'items':
      absorbItems(walk, shape, part, node, value);
      return;
    case 'prefixItems':
      absorbPrefix(walk, shape, part, value, 'prefixItems');
      return;
    case walk.dialect.nullable:
      // Beside a type it is part of that. Where none is written, descriptions mean it of the whole value.
      if (value === true && !member && own(node, 'type') === undefined) shape.nullable = true;
      return;
    default:
      return;
  }
}

function absorbType(walk: Walk, shape: Shape, part: Part, node: JsonObject, declared: unknown): void {
  if (declared === undefined || declared === null || declared === 'any') return;
  const keyword = walk.dialect.nullable;
  const nullable = keyword !== undefined && own(node, keyword) === true;
  if (typeof declared === 'string' && !nullable && shape.types === null && TYPES.has(declared)) {
    shape.types = ONE_TYPE[declared] ?? null;
    return;
  }
  const listed: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
  const types = listed.filter((type): type is string => typeof type === 'string' && TYPES.has(type));
  if (types.length < listed.length) {
    const odd = listed.find((type) => typeof type !== 'string' || !TYPES.has(type));
    walk.note('keyword-ignored', `${part.at}/type`, `the type ${describe(odd)} is none of JSON Schema's`);
  }
  if (types.length === 0) return;
  if (nullable && !types.includes('null')) types.push('null');
  if (shape.types !== null) shape.types = intersectTypes(walk, shape.types, types, part.at);
  else shape.types = types.length > 1 ? [...new Set(types)] : types;
}

function intersectTypes(walk: Walk, a: readonly string[], b: readonly string[], at: string): readonly string[] {
  const both = new Set<string>();
  for (const type of a) {
    if (b.includes(type)) both.add(type);
    else if (type === 'integer' && b.includes('number')) both.add(type);
    else if (type === 'number' && b.includes('integer')) both.add('integer');
  }
  if (both.size > 0) return [...both];
  walk.note('constraints-conflict', `${at}/type`, `no value is both ${a.join(' or ')} and ${b.join(' or ')}`);
  return a;
}

function absorbEnum(walk: Walk, shape: Shape, part: Part, values: unknown): void {
  if (!Array.isArray(values) || values.length === 0) return;
  walk.budget.spendEntries(values.length);
  if (shape.enum === undefined) {
    shape.enum = values;
    return;
  }
  const both = walk.common(shape.enum, values);
  if (both.length > 0) shape.enum = both;
  else walk.note('constraints-conflict', `${part.at}/enum`, 'no value is in all of its enums');
}

function absorbBound(walk: Walk, shape: Shape, part: Part, node: JsonObject, key: string, given: unknown): void {
  // OpenAPI 3.0's boolean exclusive bound is read with the bound that it changes.
  if (typeof given === 'boolean' || given === null || given === undefined) return;
  // Discovery writes numbers as strings.
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof number !== 'number' || !Number.isFinite(number) || !inRange(key, number)) {
    walk.note('keyword-ignored', under(part.at, key), `${key} is ${describe(given)}`);
    return;
  }
  const exclusive = key === 'minimum' ? 'exclusiveMinimum' : key === 'maximum' ? 'exclusiveMaximum' : undefined;
  const keyword = exclusive !== undefined && own(node, exclusive) === true ? exclusive : key;
  shape.bounds ??= new Map();
  const before = shape.bounds.get(keyword);
  shape.bounds.set(keyword, before === undefined ? number : tighter(keyword, before, number));
}

function inRange(key: string, number: number): boolean {
  if (key === 'multipleOf') return number > 0;
  return !COUNTS.has(key) || (Number.isInteger(number) && number >= 0);
}

function tighter(keyword: string, a: number, b: number): number {
  if (keyword === 'multipleOf') return commonMultiple(a, b);
  return keyword.startsWith('min') || keyword === 'exclusiveMinimum' ? Math.max(a, b) : Math.min(a, b);
}

/** The least common multiple of whole numbers; of others the one that is a multiple, or else the first. */
function commonMultiple(a: number, b: number): number {
  if (b % a === 0) return b;
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return a;
  let [divisor, rest] = [a, b];
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
  return (a / divisor) * b;
}

function absorbProperties(walk: Walk, shape: Shape, part: Part, properties: unknown): void {
  if (!isObject(properties)) return;
  shape.hasProperties = true;
  const names = Object.keys(properties);
  walk.budget.spendEntries(names.length);
  if (names.length === 0) return;
  if (shape.sources === NO_SOURCES) shape.sources = [];
  shape.sources.push({ part, properties, names });
  if (walk.dialect.requiredBy === undefined) return;
  const { requiredBy } = walk.dialect;
  const required = names.filter((name) => walk.requires(requiredBy(properties[name])));
  if (required.length > 0) require(shape, required);
}

function absorbRequired(walk: Walk, shape: Shape, required: unknown): void {
  // A boolean here is the older form of a parameter or property that says it of itself.
  if (!Array.isArray(required)) return;
  walk.budget.spendEntries(required.length);
  if (required.length > 0) require(shape, required);
}

function require(shape: Shape, names: readonly unknown[]): void {
  if (shape.required === NOTHING_REQUIRED) shape.required = new Set();
  for (const name of names) if (typeof name === 'string') shape.required.add(name);
}

function absorbAdditional(
  walk: Walk,
  shape: Shape,
  part: Part,
  node: JsonObject,
  given: unknown,
  member: boolean,
): void {
  // Entries under patterns are not shown: what does not fit the rest must still be allowed.
  const patterns = own(node, 'patternProperties');
  const value = isObject(patterns) && Object.keys(patterns).length > 0 ? true : given;
  if (value === false) {
    if (!member) shape.additional = false;
  } else if (value === true || isObject(value)) {
    shape.additional = joined(shape.additional, walk.down(part, value, `${part.at}/additionalProperties`));
  }
}

function absorbItems(walk: Walk, shape: Shape, part: Part, node: JsonObject, value: unknown): void {
  // Before 2020-12 a list of items was what prefixItems is now.
  if (Array.isArray(value)) {
    if (!Array.isArray(own(node, 'prefixItems'))) absorbPrefix(walk, shape, part, value, 'items');
  } else if (value === false) shape.items = false;
  else if (value !== undefined && value !== null) {
    if (shape.items !== false) shape.items = joined(shape.items, walk.down(part, value, `${part.at}/items`));
  }
}

function absorbPrefix(walk: Walk, shape: Shape, part: Part, value: unknown, key: string): void {
  if (!Array.isArray(value) || value.length === 0) return;
  walk.budget.spendEntries(value.length);
  if (shape.prefixItems === undefined) {
    shape.prefixItems = value.map((one, i) => walk.down(part, one, `${part.at}/${key}/${i}`));
  } else {
    // What one tuple says of its rest does not hold for the positions of a longer one.
    shape.severalTuples = true;
    walk.note('keyword-ignored', `${part.at}/${key}`, 'a tuple beside another tuple is not shown');
  }
}

function joined(parts: false | readonly Part[] | undefined, part: Part): readonly Part[] {
  return parts === undefined || parts === false ? [part] : [...parts, part];
}

/** True when one of them has a single branch, which is no alternative but a member. */
function absorbAlternatives(walk: Walk, shape: Shape, part: Part, node: JsonObject): boolean {
  let single = false;
  for (const key of ['anyOf', 'oneOf']) {
    const list = own(node, key);
    if (!Array.isArray(list) || list.length === 0) continue;
    walk.budget.spendEntries(list.length);
    const at = `${part.at}/${key}`;
    if (list.length === 1) {
      single = true;
      absorb(walk, shape, walk.branch(part, list[0], `${at}/0`), true);
    } else {
      const branches = list.map((branch, i) => walk.branch(part, branch, `${at}/${i}`));
      if (shape.alternatives === NO_ALTERNATIVES) shape.alternatives = [];
      shape.alternatives.push({ at, branches });
    }
  }
  return single;
}

/** Foreign JSON in a few words, for messages. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return quoted(value);
  return value === undefined ? 'missing' : 'an object';
}
