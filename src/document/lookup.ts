// Finds what a reference names inside one document: pointers, `$id` and `$anchor`. Never copies, never walks ahead.
import type { Budget } from '../base/budget.js';
import { isObject, type JsonObject, own, ownString } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { tokens, under } from '../base/pointer.js';
import { Refused } from '../base/refused.js';
import { quoted } from '../base/text.js';
import type { ApiDocument } from './document.js';

/** What `#` stands for: the document, or a schema with an `$id` of its own (JSON Schema 2020-12, section 8.2.1). */
export interface Resource {
  readonly root: unknown;
  readonly at: string;
  /** The base URI, where there is one. */
  readonly uri: string | undefined;
}

/** A node of the document, its JSON pointer, and the resource that references inside it are relative to. */
export interface Place {
  readonly node: unknown;
  readonly at: string;
  readonly resource: Resource;
}

/** Keys whose values are data, not schemas: nothing in them has an identifier. */
const DATA_KEYS = new Set(['example', 'examples', 'default', 'enum', 'const']);

export class Lookup {
  readonly document: Resource;
  readonly #budget: Budget;
  readonly #longest: number;
  readonly #withIds: boolean;
  readonly #known = new Map<Resource, Map<string, Place | null>>();
  #index: Map<string, Place> | undefined;

  /** `withIds`: `$id` and `$anchor` name schemas (OpenAPI 3.1 and newer). */
  constructor(document: ApiDocument, budget: Budget, longestChain: number, withIds: boolean) {
    const self = ownString(document.root, '$self');
    this.document = { root: document.root, at: '', uri: resolveUri(self, document.url) ?? document.url };
    this.#budget = budget;
    this.#longest = longestChain;
    this.#withIds = withIds;
  }

  /** The place one step down from a place. */
  down(place: Place, key: string | number, node: unknown): Place {
    return { node, at: under(place.at, key), resource: place.resource };
  }

  /**
   * Follows a Reference Object, and those it leads to, to what is none; anything else comes back as it is.
   * @throws Refused `unresolved-reference` where one does not resolve, leads back to itself, or the chain is over its bound.
   */
  settle(place: Place): Place {
    let here = place;
    for (let chain = 1; ; chain += 1) {
      const reference = isObject(here.node) ? own(here.node, '$ref') : undefined;
      if (typeof reference !== 'string') return here;
      this.checkChain(chain, place.at);
      this.#budget.spend(1);
      here = this.find(reference, here.resource, here.at);
      if (here.node === place.node) {
        throw new Refused('unresolved-reference', place.at, `its reference ${quoted(reference)} leads back to itself`);
      }
    }
  }

  /** @throws Refused when a chain of references is over the bound. */
  checkChain(chain: number, at: string): void {
    if (chain <= this.#longest) return;
    throw new Refused(
      'unresolved-reference',
      at,
      `its chain of references is longer than ${this.#longest} (reference_chain)`,
    );
  }

  /**
   * What one reference names.
   * @throws Refused `unresolved-reference` naming it.
   */
  find(reference: string, resource: Resource, at: string): Place {
    let known = this.#known.get(resource);
    if (known === undefined) {
      known = new Map();
      this.#known.set(resource, known);
    }
    let place = known.get(reference);
    if (place === undefined) {
      place = this.#resolve(reference, resource);
      known.set(reference, place);
    }
    if (place !== null) return place;
    const why = reference.startsWith('#') ? 'does not resolve' : 'leads to another file, which is not read';
    throw new Refused('unresolved-reference', at, `the reference ${quoted(reference, 120)} ${why}`);
  }

  #resolve(reference: string, resource: Resource): Place | null {
    const hash = reference.indexOf('#');
    const address = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = decode(hash < 0 ? '' : reference.slice(hash + 1));
    if (address === '') {
      const inside = this.#inside(resource, fragment);
      // Many descriptions give a component an `$id` and still write pointers from the document's root.
      return inside ?? (resource === this.document ? null : this.#inside(this.document, fragment));
    }
    const uri = resolveUri(address, resource.uri);
    if (uri !== undefined && uri === this.document.uri) return this.#inside(this.document, fragment);
    if (!this.#withIds || uri === undefined) return null;
    const target = this.#identifiers().get(uri);
    return target === undefined ? null : this.#inside(target.resource, fragment);
  }

  #inside(resource: Resource, fragment: string): Place | null {
    if (fragment === '') return { node: resource.root, at: resource.at, resource };
    if (fragment.startsWith('/')) return this.#pointer(resource, fragment);
    if (!this.#withIds) return null;
    return this.#identifiers().get(anchorKey(resource, fragment)) ?? null;
  }

  #pointer(resource: Resource, pointer: string): Place | null {
    let node = resource.root;
    let at = resource.at;
    let inside = resource;
    for (const token of tokens(pointer)) {
      if (Array.isArray(node)) {
        if (!/^(?:0|[1-9]\d{0,9})$/.test(token)) return null;
        node = node[Number(token)];
      } else if (isObject(node) && Object.hasOwn(node, token)) {
        node = node[token];
      } else return null;
      if (node === undefined) return null;
      at = under(at, token);
      inside = this.enter(node, at, inside);
    }
    return { node, at, resource: inside };
  }

  /** The resource that a schema lies in: its own where it has an `$id`. */
  enter(node: unknown, at: string, resource: Resource): Resource {
    if (!this.#withIds || !isObject(node)) return resource;
    const id = ownString(node, '$id');
    if (id === undefined || id.startsWith('#') || node === resource.root) return resource;
    return this.#resourceOf(node, at, id, resource);
  }

  readonly #resources = new Map<JsonObject, Resource>();

  #resourceOf(node: JsonObject, at: string, id: string, outer: Resource): Resource {
    let resource = this.#resources.get(node);
    if (resource === undefined) {
      resource = { root: node, at, uri: resolveUri(id, outer.uri) };
      this.#resources.set(node, resource);
    }
    return resource;
  }

  /** Every `$id` and `$anchor`, found in one pass, and only when a reference needs one. */
  #identifiers(): Map<string, Place> {
    if (this.#index !== undefined) return this.#index;
    const index = new Map<string, Place>();
    const waiting: Place[] = [{ node: this.document.root, at: '', resource: this.document }];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const { node, at } = place;
      if (Array.isArray(node)) {
        for (const [i, item] of node.entries()) if (typeof item === 'object') waiting.push(this.down(place, i, item));
      } else if (isObject(node)) {
        const resource = this.enter(node, at, place.resource);
        if (resource !== place.resource && resource.uri !== undefined) index.set(resource.uri, { node, at, resource });
        for (const key of ['$anchor', '$dynamicAnchor']) {
          const anchor = ownString(node, key);
          if (anchor !== undefined) index.set(anchorKey(resource, anchor), { node, at, resource });
        }
        for (const key of Object.keys(node)) {
          const part = node[key];
          if (typeof part !== 'object' || DATA_KEYS.has(key)) continue;
          waiting.push({ node: part, at: under(at, key), resource });
        }
      }
    }
    this.#index = index;
    return index;
  }
}

function anchorKey(resource: Resource, anchor: string): string {
  return `${resource.at}#${anchor}`;
}

function decode(fragment: string): string {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function resolveUri(reference: string | undefined, base: string | undefined): string | undefined {
  if (reference === undefined || reference.length + (base?.length ?? 0) > FIXED_LIMITS.uri_chars) return undefined;
  try {
    const uri = new URL(reference, base);
    uri.hash = '';
    return uri.href;
  } catch {
    return undefined;
  }
}
