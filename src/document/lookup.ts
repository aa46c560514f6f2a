// Finds what a reference names, in the description or a file beside it: pointers, `$id` and `$anchor`. Never copies, never walks ahead.
import type { Budget } from '../base/budget.js';
import { isObject, type JsonObject, own, ownString } from '../base/json.js';
import { tokens, under } from '../base/pointer.js';
import { Refused } from '../base/refused.js';
import { quoted } from '../base/text.js';
import { descend } from './descend.js';
import type { ApiDocument, Files, OneFile } from './document.js';
import { baseOf, outOfReach, resolveUri, shownReference } from './uri.js';

/** What `#` stands for: the description, a file beside it, or a schema with an `$id` of its own (JSON Schema 2020-12, section 8.2.1). */
export interface Resource {
  readonly root: unknown;
  readonly at: string;
  /** The base URI, where there is one. */
  readonly uri: string | undefined;
  /** The file that it lies in; undefined where it is one itself. */
  readonly file?: Resource | undefined;
  /** Where that file was read. */
  readonly read?: string | undefined;
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
  readonly #files: Files | undefined;
  readonly #known = new Map<Resource, Map<string, Place | string>>();
  readonly #opened = new Map<OneFile, Resource>();
  #index: Index | undefined;

  /** `withIds`: `$id` and `$anchor` name schemas (OpenAPI 3.1 and newer). */
  constructor(document: ApiDocument, budget: Budget, longestChain: number, withIds: boolean) {
    const { root, files, url } = document;
    const read = files?.base ?? url;
    this.document = { root, at: '', uri: baseOf(root, read, false), read };
    this.#files = files;
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
    if (typeof place !== 'string') return place;
    throw new Refused('unresolved-reference', at, `the reference ${quoted(shownReference(reference), 120)} ${place}`);
  }

  /** The place, or why there is none. */
  #resolve(reference: string, resource: Resource): Place | string {
    const hash = reference.indexOf('#');
    const address = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = decode(hash < 0 ? '' : reference.slice(hash + 1));
    if (address === '') {
      const inside = this.#inside(resource, fragment);
      // Many descriptions give a component an `$id` and still write pointers from the root of its file.
      const file = inside === null && resource.file !== undefined ? this.#inside(resource.file, fragment) : null;
      return inside ?? file ?? UNRESOLVED;
    }
    let why = this.#files === undefined ? NOT_READ : UNRESOLVED;
    // First as its place has it, then from where the file was read: many schemas have an `$id` that is no place.
    for (const uri of new Set([resolveUri(address, resource.uri), resolveUri(address, resource.read)])) {
      if (uri === undefined) continue;
      const target = this.#resourceAt(uri);
      if (typeof target === 'string') why = target;
      else return this.#inside(target, fragment) ?? UNRESOLVED;
    }
    return why;
  }

  /** What a URI without a fragment stands for, or why nothing. */
  #resourceAt(uri: string): Resource | string {
    if (uri === this.document.uri) return this.document;
    const identified = this.#withIds ? this.#identifiers().resources.get(uri) : undefined;
    if (identified !== undefined) return identified;
    if (this.#files === undefined) return NOT_READ;
    const file = this.#files.read.get(uri);
    if (file === undefined) return outOfReach(uri, this.#files.base) ?? TOO_MANY;
    return 'why' in file ? file.why : this.#resourceOfFile(file);
  }

  #resourceOfFile(file: OneFile): Resource {
    const { root, at, uri } = file;
    if (at === '') return this.document;
    let resource = this.#opened.get(file);
    if (resource === undefined) {
      resource = { root, at, uri: baseOf(root, uri, this.#withIds), read: uri };
      this.#opened.set(file, resource);
    }
    return resource;
  }

  #inside(resource: Resource, fragment: string): Place | null {
    if (fragment === '') return { node: resource.root, at: resource.at, resource };
    if (fragment.startsWith('/')) return this.#pointer(resource, fragment);
    if (!this.#withIds) return null;
    return this.#identifiers().anchors.get(resource)?.get(fragment) ?? null;
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
      resource = { root: node, at, uri: resolveUri(id, outer.uri), file: outer.file ?? outer, read: outer.read };
      this.#resources.set(node, resource);
    }
    return resource;
  }

  /** Every `$id` and `$anchor` of all files, found in one pass, and only when a reference needs one. */
  #identifiers(): Index {
    if (this.#index !== undefined) return this.#index;
    const index: Index = { resources: new Map(), anchors: new Map() };
    for (const start of this.#roots()) {
      descend<Place>(start.node, start, (node, outer, key) => {
        if (typeof key === 'string' && DATA_KEYS.has(key)) return undefined;
        const at = key === undefined ? outer.at : under(outer.at, key);
        if (!isObject(node)) return { node, at, resource: outer.resource };
        const resource = this.enter(node, at, outer.resource);
        const place = { node, at, resource };
        const begins = resource.root === node && resource !== this.document;
        if (begins && resource.uri !== undefined && !index.resources.has(resource.uri)) {
          index.resources.set(resource.uri, resource);
        }
        for (const name of ['$anchor', '$dynamicAnchor']) {
          const anchor = ownString(node, name);
          if (anchor !== undefined) addAnchor(index, resource, anchor, place);
        }
        return place;
      });
    }
    this.#index = index;
    return index;
  }

  /** The description and the files beside it, the description first: of two equal identifiers the first counts. */
  #roots(): Place[] {
    const files = [...(this.#files?.read.values() ?? [])].filter((file) => 'root' in file);
    const resources = new Set([this.document, ...files.map((file) => this.#resourceOfFile(file))]);
    return [...resources].map((resource) => ({ node: resource.root, at: resource.at, resource }));
  }
}

/** What has an identifier: resources by their URI, places by their resource and anchor. */
interface Index {
  readonly resources: Map<string, Resource>;
  readonly anchors: Map<Resource, Map<string, Place>>;
}

const UNRESOLVED = 'does not resolve';
const NOT_READ = 'leads to another file, which is not read';
const TOO_MANY = 'leads to a file that is not read: the description is in too many files';

function addAnchor({ anchors }: Index, resource: Resource, anchor: string, place: Place): void {
  const known = anchors.get(resource);
  if (known === undefined) anchors.set(resource, new Map([[anchor, place]]));
  else if (!known.has(anchor)) known.set(anchor, place);
}

function decode(fragment: string): string {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
