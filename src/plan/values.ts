// Two schemas of one value: the types, the listed values, the bounds and the formats that they take.
import { canonical } from '../base/canonical.js';
import { type JsonObject, own } from '../base/json.js';
import { count, counted, quoted } from '../base/text.js';
import type { Findings } from './findings.js';

const ALL = ['array', 'boolean', 'null', 'number', 'object', 'string'];
const NUMBERS = ['integer', 'number'];
/** Listed values that are looked at in one step. */
const VALUES = 16;
/** Formats of numbers that take all values of another. */
const WIDER: { readonly [format: string]: string } = { int32: 'int64', float: 'double' };

/** The types that a schema declares; all where it declares none. */
export function declaredTypes(schema: JsonObject): readonly string[] {
  const types = [own(schema, 'type') ?? ALL].flat();
  return types.filter((type): type is string => typeof type === 'string');
}

/** The types of the values that a schema takes. */
function takenTypes(schema: JsonObject): readonly string[] {
  const declared = declaredTypes(schema);
  const values = listed(schema);
  if (values === undefined) return declared;
  return [...new Set(values.map(typeOf))].filter((type) => covers(declared, type));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** The values of an enum or a const; undefined where any is taken. */
function listed(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  const values = own(schema, 'enum');
  return Array.isArray(values) ? values : undefined;
}

/** @returns the types of the values that were taken and still are. */
export function compareTypes(before: JsonObject, after: JsonObject, at: string, findings: Findings): readonly string[] {
  const [taken, was, is] = [takenTypes(before), declaredTypes(before), declaredTypes(after)];
  const lost = taken.filter((type) => !covers(is, type));
  if (lost.length > 0) findings.add('type-narrowed', at, `it takes ${named(is)}, and took ${named(was)}`);
  else if (is.some((type) => !covers(was, type))) {
    findings.add('type-widened', at, `it takes ${named(is)}, and took ${named(was)} alone`);
  }
  return taken.filter((type) => covers(is, type) || (type === 'number' && is.includes('integer')));
}

function named(types: readonly string[]): string {
  return ALL.every((type) => types.includes(type)) ? 'values of any type' : quoted(types.join(', '));
}

export function compareListed(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [listed(before), listed(after)];
  if (was === undefined && is === undefined) return;
  if (was === undefined) {
    findings.add('enum-narrowed', at, `it takes ${counted(is?.length ?? 0, 'listed value')} alone: ${shown(is ?? [])}`);
    return;
  }
  if (is === undefined) {
    findings.add('enum-widened', at, 'it no longer takes listed values alone');
    return;
  }
  // A const beside an enum: only what both name is taken.
  const [old, now] = [keysOf(was, findings), keysOf(is, findings)];
  const also =
    Object.hasOwn(after, 'const') && Array.isArray(own(after, 'enum'))
      ? keysOf(after.enum as unknown[], findings)
      : now;
  const removed = was.filter((value) => !now.has(canonical(value)) || !also.has(canonical(value)));
  const added = is.filter((value) => !old.has(canonical(value)));
  if (removed.length > 0) findings.add('enum-narrowed', at, `it no longer takes ${shown(removed)}`);
  if (added.length > 0) findings.add('enum-widened', at, `it also takes ${shown(added)}`);
}

function keysOf(values: readonly unknown[], findings: Findings): ReadonlySet<string> {
  findings.spend(Math.floor(values.length / VALUES));
  return new Set(values.map((value) => findings.text(value)));
}

function shown(values: readonly unknown[]): string {
  const first = values.slice(0, 4).map((value) => quoted(typeof value === 'string' ? value : canonical(value), 40));
  return `${first.join(', ')}${values.length > 4 ? `, and ${count(values.length - 4)} more` : ''}`;
}

/** One side of a range. */
interface Edge {
  readonly what: string;
  readonly types: readonly string[];
  readonly keyword: string;
  readonly open?: string;
  /** 1: a larger value takes less; -1: a smaller one does. */
  readonly sign: 1 | -1;
  /** What holds where nothing is said. */
  readonly least?: number;
}

const EDGES: readonly Edge[] = [
  { what: 'least value', types: NUMBERS, keyword: 'minimum', open: 'exclusiveMinimum', sign: 1 },
  { what: 'greatest value', types: NUMBERS, keyword: 'maximum', open: 'exclusiveMaximum', sign: -1 },
  { what: 'least length', types: ['string'], keyword: 'minLength', sign: 1, least: 0 },
  { what: 'greatest length', types: ['string'], keyword: 'maxLength', sign: -1 },
  { what: 'least number of items', types: ['array'], keyword: 'minItems', sign: 1, least: 0 },
  { what: 'greatest number of items', types: ['array'], keyword: 'maxItems', sign: -1 },
];

/** @param taken the types of the values that were taken: only a bound of these can take something away. */
export function compareBounds(
  taken: readonly string[],
  before: JsonObject,
  after: JsonObject,
  at: string,
  findings: Findings,
): void {
  const concerns = (types: readonly string[]) => types.some((type) => taken.includes(type));
  for (const edge of EDGES) if (concerns(edge.types)) compareEdge(edge, before, after, at, findings);
  if (concerns(NUMBERS)) compareMultiples(before, after, at, findings);
  if (concerns(['string'])) comparePatterns(before, after, at, findings);
  const [was, is] = [before.uniqueItems === true, after.uniqueItems === true];
  if (concerns(['array']) && was !== is) {
    findings.add(is ? 'bound-narrowed' : 'bound-widened', at, is ? 'its items have to differ' : 'its items may repeat');
  }
}

interface Limit {
  readonly value: number;
  /** The value itself is not taken. */
  readonly open: boolean;
}

function limitOf({ keyword, open, sign, least }: Edge, schema: JsonObject): Limit | undefined {
  const [closed, exclusive] = [own(schema, keyword) ?? least, open === undefined ? undefined : own(schema, open)];
  const limits: Limit[] = [];
  if (typeof closed === 'number') limits.push({ value: closed, open: false });
  if (typeof exclusive === 'number') limits.push({ value: exclusive, open: true });
  const [one, other] = limits;
  return one === undefined || other === undefined || tighter(one, other, sign) ? one : other;
}

function tighter(one: Limit, other: Limit, sign: 1 | -1): boolean {
  return one.value === other.value ? one.open && !other.open : (one.value - other.value) * sign > 0;
}

function compareEdge(edge: Edge, before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [limitOf(edge, before), limitOf(edge, after)];
  const { what, sign } = edge;
  const told = `its ${what} is ${written(is)}, and was ${written(was)}`;
  if (is !== undefined && (was === undefined || tighter(is, was, sign))) findings.add('bound-narrowed', at, told);
  else if (was !== undefined && (is === undefined || tighter(was, is, sign))) findings.add('bound-widened', at, told);
}

function written(limit: Limit | undefined): string {
  if (limit === undefined) return 'not bounded';
  return limit.open ? `next to ${limit.value}` : String(limit.value);
}

function compareMultiples(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [own(before, 'multipleOf'), own(after, 'multipleOf')];
  if (was === is) return;
  const told = `it takes ${is === undefined ? 'any number' : `multiples of ${String(is)}`}, and took ${was === undefined ? 'any number' : `multiples of ${String(was)}`}`;
  // Of fractions nothing is certain.
  const divides = Number.isInteger(was) && Number.isInteger(is) && Number(was) % Number(is) === 0;
  findings.add(is === undefined || divides ? 'bound-widened' : 'bound-narrowed', at, told);
}

function comparePatterns(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [own(before, 'pattern'), own(after, 'pattern')];
  if (was === is) return;
  if (is === undefined) findings.add('bound-widened', at, `it need not match ${quoted(String(was), 120)} any more`);
  else findings.add('pattern-changed', at, `it has to match ${quoted(String(is), 120)}`);
}

/** Nobody asserts a format before the call is made, and the API may. */
export function compareFormats(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [own(before, 'format'), own(after, 'format')];
  if (was === is) return;
  const told = `its format is ${is === undefined ? 'none' : quoted(String(is))}, and was ${was === undefined ? 'none' : quoted(String(was))}`;
  const wider = is === undefined || (typeof was === 'string' && Object.hasOwn(WIDER, was) && WIDER[was] === is);
  findings.add(wider ? 'format-widened' : 'format-changed', at, told);
}

/** What the API takes for a value that is left out. */
export function compareDefaults(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [own(before, 'default'), own(after, 'default')];
  if (findings.text(was) === findings.text(is)) return;
  const written = (value: unknown) => (value === undefined ? 'not named' : quoted(canonical(value)));
  findings.add('default-changed', at, `what is left out is ${written(is)}, and was ${written(was)}`);
}
