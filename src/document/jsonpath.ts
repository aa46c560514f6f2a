// A JSONPath query (RFC 9535) evaluated on a JSON value: the parser is a library's, every node looked at is a step.
import parse from 'jsonpath-rfc9535/parser';
import { RE2JS } from 're2js';
import { isObject, own } from '../base/json.js';

/** A node that a query selects, and the way to it. */
export interface Found {
  readonly value: unknown;
  /** Null for the root. */
  readonly parent: Found | null;
  readonly key: string | number;
}

/** Called with the steps of what comes next; it throws where they are too many. */
export type Spend = (steps: number) => void;

type Query = ReturnType<typeof parse>;
type Segment = Query['segments'][number];
type Selector = Extract<Segment['node'], { type: 'BracketedSelection' }>['selectors'][number];
type Filter = Extract<Selector, { type: 'FilterSelector' }>['value'];
type Test = Extract<Filter, { type: 'TestExpr' }>;
type Call = Extract<Test['expression'], { type: 'FunctionExpr' }>;
type FilterQuery = Extract<Test['expression'], { type: 'FilterQuery' }>;
type Comparison = Extract<Filter, { type: 'ComparisonExpr' }>;
type Comparable = Comparison['left'];
type Argument = Call['arguments'][number];

/** The result of a query that selects nothing (RFC 9535, section 2.4.1). */
const NOTHING = Symbol('nothing');

/** What a query means that its grammar allows. */
export class QueryError extends Error {}

/**
 * The nodes in the order of the value; one that two selectors select is there twice.
 * @throws QueryError for a text that is no query.
 */
export function select(root: unknown, query: string, spend: Spend): Found[] {
  let parsed: Query;
  try {
    parsed = parse(query);
  } catch (error) {
    const { location } = error as { readonly location?: { readonly start: { readonly column: number } } };
    throw new QueryError(
      location === undefined ? 'it cannot be read' : `it breaks at character ${location.start.column}`,
    );
  }
  check(parsed);
  return new Evaluation(root, spend).nodes(parsed.segments, { value: root, parent: null, key: '' });
}

/** How many arguments each function takes, and whether it answers a test or a value (RFC 9535, section 2.4). */
const FUNCTIONS = new Map([
  ['length', { takes: 1, tests: false }],
  ['count', { takes: 1, tests: false }],
  ['value', { takes: 1, tests: false }],
  ['match', { takes: 2, tests: true }],
  ['search', { takes: 2, tests: true }],
]);

/** Refuses what the grammar allows and the specification does not. */
function check(node: unknown, tests = false): void {
  if (typeof node === 'number' && !Number.isSafeInteger(node)) throw new QueryError('it has an index out of range');
  if (Array.isArray(node)) for (const part of node) check(part);
  if (!isObject(node) || node.type === 'Literal') return;
  if (node.type === 'FunctionExpr') checkCall(node as Call, tests);
  for (const part of Object.values(node)) check(part, node.type === 'TestExpr');
}

function checkCall({ name, arguments: given }: Call, tests: boolean): void {
  const known = FUNCTIONS.get(name);
  if (known === undefined) throw new QueryError('it calls a function that JSONPath does not have');
  if (given.length !== known.takes)
    throw new QueryError(`${name}() takes ${known.takes}, not ${given.length} arguments`);
  if (tests !== known.tests)
    throw new QueryError(`${name}() ${known.tests ? 'is a test, not a value' : 'is a value, not a test'}`);
  const query = given[0]?.type === 'FilterQuery' ? given[0].value : undefined;
  if (name === 'count' || name === 'value') {
    if (query === undefined) throw new QueryError(`${name}() takes a query`);
  } else if (query?.segments.some((segment) => !isSingular(segment))) {
    throw new QueryError(`${name}() takes a query that selects one node at most`);
  }
}

function isSingular({ type, node }: Segment): boolean {
  if (type !== 'ChildSegment' || node.type === 'WildcardSelector') return false;
  if (node.type === 'MemberNameShorthand') return true;
  const [selector, ...others] = node.selectors;
  return others.length === 0 && (selector?.type === 'NameSelector' || selector?.type === 'IndexSelector');
}

class Evaluation {
  readonly #root: Found;
  readonly #spend: Spend;
  readonly #patterns = new Map<string, RE2JS | null>();

  constructor(root: unknown, spend: Spend) {
    this.#root = { value: root, parent: null, key: '' };
    this.#spend = spend;
  }

  nodes(segments: readonly Segment[], from: Found): Found[] {
    let found = [from];
    for (const { type, node } of segments) {
      const next: Found[] = [];
      for (const start of found) {
        for (const here of type === 'DescendantSegment' ? this.#below(start) : [start])
          this.#selected(here, node, next);
      }
      found = next;
    }
    return found;
  }

  /** The node and all below it, each before its own. */
  *#below(start: Found): Generator<Found> {
    const waiting = [start];
    for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
      yield here;
      for (const child of this.#children(here).reverse()) waiting.push(child);
    }
  }

  #children(parent: Found): Found[] {
    const { value } = parent;
    if (typeof value !== 'object' || value === null) return [];
    const children = Array.isArray(value)
      ? value.map((item: unknown, key): Found => ({ value: item, parent, key }))
      : Object.entries(value).map(([key, item]): Found => ({ value: item, parent, key }));
    this.#spend(children.length);
    return children;
  }

  #selected(here: Found, node: Segment['node'], out: Found[]): void {
    this.#spend(1);
    switch (node.type) {
      case 'MemberNameShorthand':
        this.#member(here, node.value, out);
        break;
      case 'WildcardSelector':
        this.#all(here, out);
        break;
      case 'BracketedSelection':
        for (const selector of node.selectors) this.#bySelector(here, selector, out);
    }
  }

  #bySelector(here: Found, selector: Selector, out: Found[]): void {
    this.#spend(1);
    switch (selector.type) {
      case 'NameSelector':
        this.#member(here, selector.value, out);
        break;
      case 'WildcardSelector':
        this.#all(here, out);
        break;
      case 'IndexSelector':
        this.#item(here, selector.value, out);
        break;
      case 'SliceSelector':
        this.#slice(here, selector, out);
        break;
      case 'FilterSelector':
        for (const child of this.#children(here)) if (this.#holds(selector.value, child)) out.push(child);
    }
  }

  #all(here: Found, out: Found[]): void {
    for (const child of this.#children(here)) out.push(child);
  }

  #member(parent: Found, key: string, out: Found[]): void {
    const { value } = parent;
    if (isObject(value) && Object.hasOwn(value, key)) out.push({ value: value[key], parent, key });
  }

  #item(parent: Found, index: number, out: Found[]): void {
    const { value } = parent;
    if (!Array.isArray(value)) return;
    const key = index < 0 ? value.length + index : index;
    if (key >= 0 && key < value.length) out.push({ value: value[key], parent, key });
  }

  /** RFC 9535, section 2.3.4.2.2. */
  #slice(parent: Found, { start, end, step }: Extract<Selector, { type: 'SliceSelector' }>, out: Found[]): void {
    const { value } = parent;
    if (!Array.isArray(value) || step === 0) return;
    const length = value.length;
    const by = step ?? 1;
    const at = (bound: number, least: number, most: number) =>
      Math.min(Math.max(bound < 0 ? length + bound : bound, least), most);
    const [least, most] = by > 0 ? [0, length] : [-1, length - 1];
    const first = start === null ? (by > 0 ? 0 : length - 1) : at(start, least, most);
    const last = end === null ? (by > 0 ? length : -1) : at(end, least, most);
    for (let key = first; by > 0 ? key < last : key > last; key += by) {
      this.#spend(1);
      out.push({ value: value[key], parent, key });
    }
  }

  // Filters

  #holds(filter: Filter, here: Found): boolean {
    this.#spend(1);
    switch (filter.type) {
      case 'LogicalOrExpr':
        return this.#holds(filter.left, here) || this.#holds(filter.right, here);
      case 'LogicalAndExpr':
        return this.#holds(filter.left, here) && this.#holds(filter.right, here);
      case 'LogicalNotExpr':
        return !this.#holds(filter.expression, here);
      case 'ComparisonExpr':
        return this.#compared(filter, here);
      case 'TestExpr':
        if (filter.expression.type === 'FilterQuery') return this.#query(filter.expression, here).length > 0;
        return this.#call(filter.expression, here) === true;
    }
  }

  #query({ value }: FilterQuery, here: Found): Found[] {
    return this.nodes(value.segments, value.type === 'RelQuery' ? here : this.#root);
  }

  /** RFC 9535, section 2.3.5.2.2. */
  #compared({ left, right, op }: Comparison, here: Found): boolean {
    const a = this.#comparable(left, here);
    const b = this.#comparable(right, here);
    switch (op) {
      case '==':
        return this.#equal(a, b);
      case '!=':
        return !this.#equal(a, b);
      case '<':
        return isLess(a, b);
      case '>':
        return isLess(b, a);
      case '<=':
        return isLess(a, b) || this.#equal(a, b);
      case '>=':
        return isLess(b, a) || this.#equal(a, b);
    }
  }

  #comparable(side: Comparable, here: Found): unknown {
    if (side.type === 'Literal') return side.value;
    if (side.type === 'FunctionExpr') return this.#call(side, here);
    let found: unknown = side.type === 'RelSingularQuery' ? here.value : this.#root.value;
    for (const { node } of side.segments) {
      // The parser wraps an index once more than its types say.
      const selector = 'selector' in node ? (node.selector as typeof node) : node;
      const out: Found[] = [];
      const holder: Found = { value: found, parent: null, key: '' };
      if (selector.type === 'IndexSelector') this.#item(holder, selector.value, out);
      else this.#member(holder, selector.value, out);
      if (out[0] === undefined) return NOTHING;
      found = out[0].value;
    }
    return found;
  }

  #equal(a: unknown, b: unknown, depth = 0): boolean {
    this.#spend(1);
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
    if (depth > DEEPEST) throw new QueryError('it compares what is nested too deep');
    if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      return a.every((item, i) => this.#equal(item, b[i], depth + 1));
    }
    const keys = Object.keys(a);
    if (!isObject(a) || !isObject(b) || keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && this.#equal(own(a, key), own(b, key), depth + 1));
  }

  /** RFC 9535, section 2.4. */
  #call({ name, arguments: [first, second] }: Call, here: Found): unknown {
    switch (name) {
      case 'count':
      case 'value': {
        const found = first?.type === 'FilterQuery' ? this.#query(first, here) : [];
        if (name === 'count') return found.length;
        return found.length === 1 ? found[0]?.value : NOTHING;
      }
      case 'length': {
        const value = this.#argument(first, here);
        if (typeof value === 'string') return [...value].length;
        if (Array.isArray(value)) return value.length;
        return isObject(value) ? Object.keys(value).length : NOTHING;
      }
      default:
        return this.#matches(name === 'match', this.#argument(first, here), this.#argument(second, here));
    }
  }

  #argument(argument: Argument | undefined, here: Found): unknown {
    switch (argument?.type) {
      case 'Literal':
        return argument.value;
      case 'FunctionExpr':
        return this.#call(argument, here);
      case 'FilterQuery': {
        const found = this.#query(argument, here);
        return found.length === 1 ? found[0]?.value : NOTHING;
      }
      default:
        return NOTHING;
    }
  }

  /** A pattern is an I-Regexp (RFC 9485), run in linear time; what is none matches nothing. */
  #matches(whole: boolean, text: unknown, pattern: unknown): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    this.#spend(1 + Math.floor((text.length + pattern.length) / 100));
    let compiled = this.#patterns.get(pattern);
    if (compiled === undefined) {
      compiled = pattern.length > LONGEST_PATTERN ? null : compile(pattern);
      this.#patterns.set(pattern, compiled);
    }
    if (compiled === null) return false;
    const matcher = compiled.matcher(text);
    return whole ? matcher.matches() : matcher.find();
  }
}

const DEEPEST = 500;
const LONGEST_PATTERN = 1_000;

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return null;
  }
}

function isLess(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  // By code points (RFC 9535, section 2.3.5.2.2), which UTF-8 keeps the order of.
  return typeof a === 'string' && typeof b === 'string' && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
