// A description without the operations that were not chosen, and without the components that nothing left in it refers to.
import { isObject, type JsonObject, own, put } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { tokens } from '../base/pointer.js';
import { Refused } from '../base/refused.js';
import type { Lookup, Place } from '../document/lookup.js';
import type { Head } from './operation.js';
import type { Reading } from './read.js';

/** Of the root, what is kept only as far as it is referred to; all else there is kept whole. */
const PRUNED: { readonly [kind: string]: readonly string[] } = {
  openapi: ['paths', 'webhooks', 'components'],
  swagger: ['paths', 'definitions', 'parameters', 'responses'],
  discovery: ['methods', 'resources', 'schemas'],
};
const METHODS = new Set([
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query', 'additionalOperations'],
]);

/** `/paths`, a path, a method. */
const OPERATION_LEVELS = 3;

/** What is kept of a node: all of it, or some members. */
type Kept = 'all' | Map<string, Kept>;

/**
 * The description with these operations alone. What is kept is shared with the original, not copied. References to other
 * files, and those that lead nowhere, stay as they are.
 */
export function cutTo(heads: readonly Head[], reading: Reading): JsonObject {
  return new Cutter(reading).cut(heads);
}

class Cutter {
  readonly #root: JsonObject;
  readonly #kind: string;
  readonly #lookup: Lookup;
  readonly #reference: (node: JsonObject) => string | undefined;
  readonly #kept = new Map<string, Kept>();
  /** Kept nodes whose references are not followed yet. */
  readonly #waiting: Place[] = [];

  constructor({ document, lookup, walk }: Reading) {
    this.#root = document.root;
    this.#kind = document.kind;
    this.#lookup = lookup;
    this.#reference = (node) => walk.dialect.reference(node);
  }

  cut(heads: readonly Head[]): JsonObject {
    const pruned = PRUNED[this.#kind] ?? [];
    for (const key of Object.keys(this.#root)) {
      if (pruned.includes(key)) this.#kept.set(key, new Map());
      else this.#keep(this.#lookup.down(this.#whole(), key, this.#root[key]));
    }
    const schemes = this.#find('#/components/securitySchemes');
    if (schemes !== undefined) this.#keep(schemes);
    for (const { place, items } of heads) {
      this.#keep(place);
      for (const item of items) this.#keepShared(item);
    }
    for (let place = this.#waiting.pop(); place !== undefined; place = this.#waiting.pop()) this.#follow(place);
    return copied(this.#root, this.#kept) as JsonObject;
  }

  #whole(): Place {
    return { node: this.#root, at: '', resource: this.#lookup.document };
  }

  /** Of a path item what its operations share. */
  #keepShared(item: Place): void {
    if (!isObject(item.node)) return;
    for (const key of Object.keys(item.node)) {
      if (!METHODS.has(key)) this.#keep(this.#lookup.down(item, key, item.node[key]));
    }
  }

  /** Keeps a node of this document, and what it refers to. */
  #keep(place: Place): void {
    // What lies in another file has no pointer of this one.
    if (place.at !== '' && !place.at.startsWith('/')) return;
    let kept = this.#kept;
    let node: unknown = this.#root;
    const path = tokens(place.at);
    // An operation that something refers into is kept whole: a part of it would be read as another operation.
    const most = path[0] === 'paths' ? OPERATION_LEVELS : FIXED_LIMITS.stored_levels;
    const last = Math.min(path.length, most) - 1;
    for (const [i, token] of path.entries()) {
      const known = kept.get(token);
      if (known === 'all') return;
      node = isObject(node) ? own(node, token) : undefined;
      // A list is kept whole: without some of its items the others would change their places.
      if (i === last || Array.isArray(node)) {
        kept.set(token, 'all');
        const at =
          i === path.length - 1
            ? place
            : this.#find(
                `#${place.at
                  .split('/')
                  .slice(0, i + 2)
                  .join('/')}`,
              );
        if (at !== undefined) this.#waiting.push(at);
        return;
      }
      const next = known ?? new Map<string, Kept>();
      kept.set(token, next);
      kept = next;
    }
  }

  /** Keeps what the references anywhere in a node lead to. */
  #follow(start: Place): void {
    const inside: Place[] = [start];
    for (let place = inside.pop(); place !== undefined; place = inside.pop()) {
      const { node } = place;
      if (typeof node !== 'object' || node === null) continue;
      const resource = this.#lookup.enter(node, place.at, place.resource);
      const here: Place = { ...place, resource };
      if (isObject(node)) for (const reference of this.#references(node)) this.#keepTarget(reference, here);
      for (const [key, part] of Object.entries(node)) inside.push(this.#lookup.down(here, key, part));
    }
  }

  #references(node: JsonObject): string[] {
    const reference = this.#reference(node);
    const mapping = own(node, 'mapping');
    const mapped = isObject(mapping) ? Object.values(mapping).filter((one) => typeof one === 'string') : [];
    // A discriminator maps to a reference or to the bare name of a schema (OpenAPI 3.1.1, Discriminator Object).
    const targets = mapped.map((one) => (/^[\w.-]+$/.test(one) ? `#/components/schemas/${one}` : one));
    return reference === undefined ? targets : [reference, ...targets];
  }

  #keepTarget(reference: string, from: Place): void {
    const target = this.#find(reference, from);
    if (target !== undefined) this.#keep(target);
  }

  #find(reference: string, from: Place = this.#whole()): Place | undefined {
    try {
      return this.#lookup.find(reference, from.resource, from.at);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }
}

/** As deep as pointers go: what is kept whole is shared. */
function copied(node: unknown, kept: Kept): unknown {
  if (kept === 'all' || !isObject(node)) return node;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(node)) {
    const inside = kept.get(key);
    if (inside !== undefined) put(copy, key, copied(node[key], inside));
  }
  return copy;
}
