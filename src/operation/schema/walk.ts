// The walk through the schemas of one description: references followed, those open on the way down, work remembered.
import type { Budget } from '../../base/budget.js';
import type { Notice, NoticeCode } from '../../base/codes.js';
import { isObject, type JsonObject } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import { Refused } from '../../base/refused.js';
import type { Lookup, Place, Resource } from '../../document/lookup.js';
import type { Dialect } from './dialect.js';
import { literalKey } from './literal.js';

/** A reference that is open on the path down; `target` is the node it led to. */
interface Open {
  readonly target: object;
  readonly up: Open | undefined;
  readonly depth: number;
}

/** One schema node on the path down. A value that allOf describes is several of them. */
export interface Part {
  readonly node: unknown;
  readonly at: string;
  readonly resource: Resource;
  readonly open: Open | undefined;
  /** References in a row that led here, no descent between. */
  readonly chain: number;
  /** Nodes above it on the path. */
  readonly depth: number;
  /** Alternatives above it on the path: each adds to the nesting of what is emitted. */
  readonly branches: number;
}

/** What the reading of one node depends on. */
interface Frame {
  readonly up: Frame | undefined;
  /** Nodes that references inside led to, and operations that a property inside is required for. */
  inner: Set<unknown> | undefined;
  /** Depth of the outermost open reference that cut something inside; -1: depends on the operation. */
  lowest: number;
}

/** A finished reading, used again where nothing it depends on is open. */
interface Remembered<T> {
  /** undefined: it went over a bound after so many steps. */
  readonly result: T | undefined;
  readonly steps: number;
  readonly inner: Set<unknown> | undefined;
  readonly notices: readonly Notice[];
}

export type Memory<T> = Map<unknown, Remembered<T>>;

const NO_NOTICES: readonly Notice[] = [];

export class Walk {
  readonly lookup: Lookup;
  readonly budget: Budget;
  readonly dialect: Dialect;
  notices: Notice[] = [];
  #operation = '';
  #at = '';
  #frame: Frame | undefined;
  readonly #common = new Map<readonly unknown[], Map<readonly unknown[], readonly unknown[]>>();

  constructor(lookup: Lookup, budget: Budget, dialect: Dialect) {
    this.lookup = lookup;
    this.budget = budget;
    this.dialect = dialect;
  }

  /** Starts the walk of one operation at its pointer; `id` is what Discovery's `annotations.required` would name. */
  begin(id: string, at: string): void {
    this.#operation = id;
    this.#at = at;
    this.#frame = undefined;
    this.notices = [];
  }

  /** The first part of a path down. */
  start(place: Place): Part {
    return {
      node: place.node,
      at: place.at,
      resource: place.resource,
      open: undefined,
      chain: 0,
      depth: 0,
      branches: 0,
    };
  }

  /** The part one step down. */
  down(part: Part, node: unknown, at: string): Part {
    const depth = part.depth + 1;
    const most = FIXED_LIMITS.schema_depth;
    if (depth > most) throw this.tooLarge(`its schemas are nested more than ${most} deep`);
    const resource = this.lookup.enter(node, at, part.resource);
    return { node, at, resource, open: part.open, chain: 0, depth, branches: part.branches };
  }

  /** The part of one alternative. */
  branch(part: Part, node: unknown, at: string): Part {
    const branches = part.branches + 1;
    const most = FIXED_LIMITS.alternatives_depth;
    if (branches > most) throw this.tooLarge(`its alternatives are nested more than ${most} deep`);
    return { ...this.down(part, node, at), branches };
  }

  /**
   * Follows a reference, and those it leads to while nothing stands beside them.
   * Undefined where it is open already: the value is cut there.
   * @throws Refused `unresolved-reference`.
   */
  follow(part: Part, reference: string): Part | undefined {
    let { at, resource, open, chain } = part;
    const { depth, branches } = part;
    for (let next: string | undefined = reference; next !== undefined; ) {
      this.budget.spend(1);
      chain += 1;
      this.lookup.checkChain(chain, part.at);
      const target: Place = this.lookup.find(next, resource, at);
      at = target.at;
      resource = target.resource;
      const node = target.node;
      if (!isObject(node)) return { node, at, resource, open, chain, depth, branches };
      const opened = findOpen(open, node);
      if (opened !== undefined) {
        this.#cutAt(opened.depth);
        this.note('recursion-cut', at, 'it leads back to itself; from there on any value is allowed');
        return undefined;
      }
      open = { target: node, up: open, depth: open === undefined ? 0 : open.depth + 1 };
      this.#depend(node);
      next = this.#onlyReference(node);
      if (next === undefined) return { node, at, resource, open, chain, depth, branches };
    }
    return undefined;
  }

  /** Names the methods that a property says it is required for; true where that is this one. */
  requires(methods: readonly unknown[]): boolean {
    if (methods.length === 0) return false;
    this.budget.spendEntries(methods.length);
    if (methods.includes(this.#operation)) {
      this.#cutAt(-1);
      return true;
    }
    for (const method of methods) this.#depend(method);
    return false;
  }

  /** The values that both of two enums hold, found once for the same two lists. */
  common(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
    let known = this.#common.get(a);
    if (known === undefined) {
      known = new Map();
      this.#common.set(a, known);
    }
    let both = known.get(b);
    if (both === undefined) {
      const keys = new Set(b.map(literalKey));
      both = a.filter((value) => keys.has(literalKey(value)));
      known.set(b, both);
    }
    return both;
  }

  /** The keys of a node, paid for. */
  keys(node: JsonObject): readonly string[] {
    const keys = Object.keys(node);
    this.budget.spendEntries(keys.length);
    return keys;
  }

  /** Refuses the operation that is read. */
  tooLarge(reason: string): Refused {
    return new Refused('too-large', this.#at, reason);
  }

  note(code: NoticeCode, at: string, message: string): void {
    this.notices.push({ code, at, message });
  }

  /**
   * What was read of a part before, its steps spent again; undefined where it must be read. A node that a reference led to is
   * open itself and one that stands in its place is not, so the two need memories of their own.
   */
  recall<T>(memory: Memory<T>, part: Part, key: unknown = part.node): T | undefined {
    const known = memory.get(key);
    if (known === undefined || this.#touches(known.inner, part)) return undefined;
    // A reading that was too large is tried again only where more steps are left; as many are spent as a reading would.
    const { left } = this.budget;
    if (known.result === undefined && known.steps <= left) return undefined;
    this.budget.spend(Math.min(known.steps, left + 1));
    if (known.inner !== undefined && this.#frame !== undefined) for (const one of known.inner) this.#depend(one);
    if (known.notices.length > 0) this.notices.push(...known.notices);
    return known.result;
  }

  /** Reads a part, and remembers what came of it where that depends on nothing that is open. */
  remember<T>(memory: Memory<T>, part: Part, read: () => T, key: unknown = part.node): T {
    const frame: Frame = { up: this.#frame, inner: undefined, lowest: Number.POSITIVE_INFINITY };
    const steps = this.budget.operation;
    const noticed = this.notices.length;
    this.#frame = frame;
    let result: T | undefined;
    let large = false;
    try {
      result = read();
      return result;
    } catch (error) {
      large = error instanceof Refused && error.code === 'too-large';
      throw error;
    } finally {
      this.#leave(frame);
      const own = part.open === undefined ? 0 : part.open.depth;
      const alone =
        frame.lowest >= own && (frame.inner === undefined || frame.inner.size <= FIXED_LIMITS.remembered_references);
      if (alone && (large || result !== undefined)) {
        const notices = this.notices.length === noticed ? NO_NOTICES : this.notices.slice(noticed);
        memory.set(key, { result, steps: this.budget.operation - steps, inner: frame.inner, notices });
      }
    }
  }

  /** What a reading depends on, the one around it depends on as well. */
  #leave(frame: Frame): void {
    this.#frame = frame.up;
    if (frame.up === undefined) return;
    if (frame.inner !== undefined) for (const one of frame.inner) this.#depend(one);
    if (frame.lowest < frame.up.lowest) frame.up.lowest = frame.lowest;
  }

  #onlyReference(node: JsonObject): string | undefined {
    const reference = this.dialect.reference(node);
    if (reference === undefined || !this.dialect.siblings) return reference;
    return this.keys(node).length === 1 ? reference : undefined;
  }

  /** Whether a remembered reading leads to a node that is open now (the part's own aside), or names this operation. */
  #touches(inner: Set<unknown> | undefined, part: Part): boolean {
    if (inner === undefined) return false;
    if (inner.has(this.#operation)) return true;
    for (let open = part.open?.up; open !== undefined; open = open.up) if (inner.has(open.target)) return true;
    return false;
  }

  #depend(on: unknown): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    if (frame.inner === undefined) frame.inner = new Set();
    frame.inner.add(on);
  }

  #cutAt(depth: number): void {
    if (this.#frame !== undefined && depth < this.#frame.lowest) this.#frame.lowest = depth;
  }
}

function findOpen(open: Open | undefined, target: object): Open | undefined {
  for (let one = open; one !== undefined; one = one.up) if (one.target === target) return one;
  return undefined;
}
