// What OpenAPI and Swagger have in common at the top: paths with their path items, heads, and security schemes by name.
import type { Budget } from '../base/budget.js';
import type { Notice } from '../base/codes.js';
import { isObject, type JsonObject, own } from '../base/json.js';
import { under } from '../base/pointer.js';
import { Refused } from '../base/refused.js';
import type { Lookup, Place } from '../document/lookup.js';
import { assignKeys, identifierOf } from './key.js';
import type { Head, ObjectPlace, Requirement, SecurityScheme, ServerUrl } from './operation.js';
import { requirements } from './security.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** An operation as a path item holds it. */
interface Found {
  readonly method: string;
  readonly path: string;
  readonly place: Place;
  readonly items: readonly ObjectPlace[];
}

/** The servers of its own that an operation has; undefined: those of the description. */
export type OwnServers = (operation: JsonObject, items: readonly ObjectPlace[]) => ServerUrl[] | undefined;

/** Lists the paths of one description; what several of them share is listed once. */
export class Paths {
  /** What could not be read and is no single operation. */
  readonly notices: Notice[] = [];
  readonly #lookup: Lookup;
  readonly #budget: Budget;
  readonly #newer: boolean;
  readonly #known = new Map<JsonObject, readonly [string, Place][]>();
  readonly #requirements = new Map<unknown, Requirement[] | undefined>();

  /** `newer`: path items hold what OpenAPI 3.2 added. */
  constructor(lookup: Lookup, budget: Budget, newer: boolean) {
    this.#lookup = lookup;
    this.#budget = budget;
    this.#newer = newer;
  }

  /** The operations under the `paths` of a description. */
  operations(root: JsonObject): Found[] {
    const place = this.#partOf({ node: root, at: '', resource: this.#lookup.document }, 'paths');
    const paths = place?.node;
    if (place === undefined || !isObject(paths)) {
      if (paths !== undefined && paths !== null) this.unreadable('/paths', 'paths is not an object');
      return [];
    }
    const found: Found[] = [];
    for (const path of Object.keys(paths)) {
      if (path.startsWith('x-')) continue;
      const written = this.#lookup.down(place, path, paths[path]);
      const item = this.item(written);
      if (item === undefined) continue;
      const items = [item, ...this.#beside(written, item)];
      for (const [method, place] of this.methods(item)) found.push({ method, path, place, items });
    }
    return found;
  }

  /** A path item, its reference followed; undefined where there is none to read. */
  item(place: Place): ObjectPlace | undefined {
    const settled = this.settle(place);
    if (settled === undefined || settled.node === null) return undefined;
    if (isObject(settled.node)) return settled as ObjectPlace;
    this.unreadable(place.at, 'it is not an object');
    return undefined;
  }

  /** What stands beside the reference of a path item: its parameters and servers count, operations there do not. */
  #beside(written: Place, item: ObjectPlace): ObjectPlace[] {
    if (!isObject(written.node) || written.node === item.node) return [];
    const place = written as ObjectPlace;
    for (const [method, operation] of this.methods(place)) {
      this.unreadable(
        operation.at,
        `the operation ${method} stands beside a reference, which leads to another path item`,
      );
    }
    return [place];
  }

  /** The operations of a path item; what paths share is listed once. */
  methods(item: ObjectPlace): readonly [string, Place][] {
    let methods = this.#known.get(item.node);
    if (methods === undefined) {
      methods = [...this.#listMethods(item)];
      this.#known.set(item.node, methods);
    }
    return methods;
  }

  *#listMethods(item: ObjectPlace): Generator<[string, Place]> {
    for (const key of Object.keys(item.node)) {
      const node = item.node[key];
      if (METHODS.has(key) || (this.#newer && key === 'query')) {
        if (node !== undefined) yield [key.toUpperCase(), this.#operation(this.#lookup.down(item, key, node))];
      } else if (this.#newer && key === 'additionalOperations' && isObject(node)) {
        const others = this.#lookup.down(item, key, node);
        for (const method of Object.keys(node)) {
          yield [method, this.#operation(this.#lookup.down(others, method, node[method]))];
        }
      }
    }
  }

  /** An operation in a file of its own. Where the reference does not resolve, that is found again where it is read. */
  #operation(written: Place): Place {
    this.#budget.begin(written.at);
    try {
      return this.#lookup.settle(written);
    } catch (error) {
      if (error instanceof Refused) return written;
      throw error;
    }
  }

  /** One part of an object, which may be in a file of its own as well, though the specification has it written in place. */
  #partOf({ node, ...owner }: Place, key: string): Place | undefined {
    return isObject(node) ? this.settle(this.#lookup.down({ node, ...owner }, key, own(node, key))) : undefined;
  }

  heads(found: readonly Found[], ownServers: OwnServers): Head[] {
    const identifiers = found.map(({ place }) =>
      identifierOf(isObject(place.node) ? own(place.node, 'operationId') : undefined),
    );
    const keys = assignKeys(
      found.map(({ method, path }, i) => ({ identifier: identifiers[i], route: `${method} ${path}` })),
    );
    return found.map(({ method, path, place, items }, i) => {
      const node = isObject(place.node) ? place.node : {};
      const tags = own(node, 'tags');
      this.#budget.spendText((keys[i] ?? '').length + place.at.length);
      return {
        key: keys[i] ?? '',
        identifier: identifiers[i],
        method,
        path,
        tags: Array.isArray(tags) ? tags : [],
        security: this.#security(own(node, 'security')),
        servers: ownServers(node, items),
        place,
        items,
      };
    });
  }

  #security(list: unknown): Requirement[] | undefined {
    if (!this.#requirements.has(list)) this.#requirements.set(list, requirements(list, this.#budget));
    return this.#requirements.get(list);
  }

  /** The security schemes that stand at the end of these keys of the root, by name. */
  schemes(
    root: JsonObject,
    keys: readonly string[],
    schemeOf: (node: JsonObject) => SecurityScheme,
  ): Map<string, SecurityScheme> {
    const schemes = new Map<string, SecurityScheme>();
    let declared: Place | undefined = { node: root, at: '', resource: this.#lookup.document };
    for (const key of keys) declared = declared === undefined ? undefined : this.#partOf(declared, key);
    if (declared === undefined || !isObject(declared.node)) return schemes;
    for (const name of Object.keys(declared.node)) {
      const place = this.settle(this.#lookup.down(declared, name, declared.node[name]));
      if (place === undefined) continue;
      if (isObject(place.node)) schemes.set(name, schemeOf(place.node));
      else this.unreadable(under(declared.at, name), 'the security scheme is not an object');
    }
    return schemes;
  }

  /** Follows a reference where no operation is read; undefined, and a notice, where it does not resolve. */
  settle(place: Place): Place | undefined {
    this.#budget.begin(place.at);
    try {
      return this.#lookup.settle(place);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.unreadable(place.at, error.message);
      return undefined;
    }
  }

  unreadable(at: string, message: string): void {
    this.notices.push({ code: 'unreadable-part', at, message });
  }
}
