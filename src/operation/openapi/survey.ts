// Lists what an OpenAPI description holds (3.0, 3.1, 3.2) without reading what its operations hold inside.
import type { Budget } from '../../base/budget.js';
import type { Notice } from '../../base/codes.js';
import { isObject, type JsonObject, own, ownObject, ownString } from '../../base/json.js';
import type { Limits } from '../../base/limits.js';
import { under } from '../../base/pointer.js';
import { Refused } from '../../base/refused.js';
import type { ApiDocument } from '../../document/document.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { checkCount } from '../count.js';
import { assignKeys, claim, identifierOf } from '../key.js';
import type { Head, ObjectPlace, Refusal, Requirement, SecurityScheme, ServerUrl, Survey } from '../operation.js';
import { requirements } from '../security.js';
import { serverOf, serverUrls } from '../server.js';
import { isNewer } from './version.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** An operation as a path item holds it. */
interface Found {
  readonly method: string;
  readonly path: string;
  readonly place: Place;
  readonly items: readonly ObjectPlace[];
}

/** A callback or webhook: the end of its key, and its pointer. */
interface Inbound {
  readonly name: string;
  readonly at: string;
}

/** Surveys one description. */
export function surveyOpenApi(document: ApiDocument, lookup: Lookup, budget: Budget, limits: Limits): Survey {
  return new OpenApiSurvey(document, lookup, budget).run(limits);
}

class OpenApiSurvey {
  readonly #document: ApiDocument;
  readonly #lookup: Lookup;
  readonly #budget: Budget;
  readonly #newer: boolean;
  readonly #notices: Notice[] = [];
  /** Lists that many operations share are read once. */
  readonly #servers = new Map<unknown, ServerUrl[] | undefined>();
  readonly #requirements = new Map<unknown, Requirement[] | undefined>();
  readonly #known = new Map<JsonObject, readonly [string, Place][]>();
  readonly #callbacks = new Map<unknown, readonly Inbound[]>();

  constructor(document: ApiDocument, lookup: Lookup, budget: Budget) {
    this.#document = document;
    this.#lookup = lookup;
    this.#budget = budget;
    this.#newer = isNewer(document.version);
  }

  run(limits: Limits): Survey {
    const { root, url } = this.#document;
    const found = this.#operations();
    checkCount(found.length, limits);
    const heads = this.#heads(found);
    return {
      title: ownString(ownObject(root, 'info') ?? {}, 'title') ?? '',
      servers: serverUrls(own(root, 'servers'), url) ?? [serverOf('/', url)],
      schemes: this.#schemes(),
      security: requirements(own(root, 'security'), this.#budget),
      heads,
      inbound: this.#inbound(heads),
      notices: this.#notices,
    };
  }

  #operations(): Found[] {
    const place = this.#partOf({ node: this.#document.root, at: '', resource: this.#lookup.document }, 'paths');
    const paths = place?.node;
    if (place === undefined || !isObject(paths)) {
      if (paths !== undefined && paths !== null) this.#unreadable('/paths', 'paths is not an object');
      return [];
    }
    const found: Found[] = [];
    for (const path of Object.keys(paths)) {
      if (path.startsWith('x-')) continue;
      const written = this.#lookup.down(place, path, paths[path]);
      const item = this.#item(written);
      if (item === undefined) continue;
      const items = [item, ...this.#beside(written, item)];
      for (const [method, place] of this.#methods(item)) found.push({ method, path, place, items });
    }
    return found;
  }

  /** A path item, its reference followed; undefined where there is none to read. */
  #item(place: Place): ObjectPlace | undefined {
    const settled = this.#settle(place);
    if (settled === undefined || settled.node === null) return undefined;
    if (isObject(settled.node)) return settled as ObjectPlace;
    this.#unreadable(place.at, 'it is not an object');
    return undefined;
  }

  /** What stands beside the reference of a path item: its parameters and servers count, operations there do not. */
  #beside(written: Place, item: ObjectPlace): ObjectPlace[] {
    if (!isObject(written.node) || written.node === item.node) return [];
    const place = written as ObjectPlace;
    for (const [method, operation] of this.#methods(place)) {
      this.#unreadable(
        operation.at,
        `the operation ${method} stands beside a reference, which leads to another path item`,
      );
    }
    return [place];
  }

  /** The operations of a path item; what paths share is listed once. */
  #methods(item: ObjectPlace): readonly [string, Place][] {
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
    return isObject(node) ? this.#settle(this.#lookup.down({ node, ...owner }, key, own(node, key))) : undefined;
  }

  #heads(found: readonly Found[]): Head[] {
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
        servers: this.#ownServers(own(node, 'servers')) ?? this.#itemServers(items),
        place,
        items,
      };
    });
  }

  #security(list: unknown): Requirement[] | undefined {
    if (!this.#requirements.has(list)) this.#requirements.set(list, requirements(list, this.#budget));
    return this.#requirements.get(list);
  }

  #ownServers(list: unknown): ServerUrl[] | undefined {
    if (!this.#servers.has(list)) this.#servers.set(list, serverUrls(list, this.#document.url));
    return this.#servers.get(list);
  }

  #itemServers(items: readonly ObjectPlace[]): ServerUrl[] | undefined {
    for (const item of items.toReversed()) {
      const servers = this.#ownServers(own(item.node, 'servers'));
      if (servers !== undefined) return servers;
    }
    return undefined;
  }

  #schemes(): Map<string, SecurityScheme> {
    const schemes = new Map<string, SecurityScheme>();
    const root: Place = { node: this.#document.root, at: '', resource: this.#lookup.document };
    const components = this.#partOf(root, 'components');
    const declared = components === undefined ? undefined : this.#partOf(components, 'securitySchemes');
    if (declared === undefined || !isObject(declared.node)) return schemes;
    for (const name of Object.keys(declared.node)) {
      const place = this.#settle(this.#lookup.down(declared, name, declared.node[name]));
      if (place === undefined) continue;
      if (isObject(place.node)) schemes.set(name, schemeOf(place.node));
      else this.#unreadable(under(declared.at, name), 'the security scheme is not an object');
    }
    return schemes;
  }

  #inbound(heads: readonly Head[]): Refusal[] {
    const found: { readonly name: string; readonly at: string; readonly what: string }[] = [];
    const taken = new Set(heads.map(({ key }) => key));
    for (const head of heads) {
      for (const { name, at } of this.#callbacksOf(head.place))
        found.push({ name: `CALLBACK ${head.key} ${name}`, at, what: 'callback' });
    }
    for (const { name, at } of this.#webhooks()) found.push({ name: `WEBHOOK ${name}`, at, what: 'webhook' });
    return found.map(({ name, at, what }) => {
      this.#budget.spendText(name.length + at.length);
      const reason = `it is a ${what}: the API calls it, it cannot be called`;
      return { key: claim(name, taken), code: 'inbound', at, reason };
    });
  }

  #webhooks(): Inbound[] {
    const webhooks = own(this.#document.root, 'webhooks');
    if (!isObject(webhooks) || this.#document.version.startsWith('3.0')) return [];
    return Object.keys(webhooks).flatMap((name) => {
      const item = this.#item({ node: webhooks[name], at: under('/webhooks', name), resource: this.#lookup.document });
      return item === undefined ? [] : this.#listed(item, name);
    });
  }

  /** The callbacks of one operation, each listed for a step. */
  #callbacksOf(operation: Place): readonly Inbound[] {
    const callbacks = isObject(operation.node) ? own(operation.node, 'callbacks') : undefined;
    if (!isObject(callbacks)) return [];
    const known = this.#callbacks.get(callbacks);
    if (known !== undefined) {
      this.#budget.spendApart(known.length);
      return known;
    }
    const at = this.#lookup.down(operation, 'callbacks', callbacks);
    const found = Object.keys(callbacks).flatMap((name) => {
      const written = this.#lookup.down(at, name, callbacks[name]);
      return this.#callback(written).map((one) => ({ name: `${name} ${one.name}`, at: one.at }));
    });
    this.#callbacks.set(callbacks, found);
    return found;
  }

  #callback(written: Place): readonly Inbound[] {
    const callback = this.#settle(written);
    if (callback === undefined || !isObject(callback.node)) return [];
    const { node } = callback;
    const known = this.#callbacks.get(node);
    if (known !== undefined) {
      this.#budget.spendApart(known.length);
      return known;
    }
    const found = Object.keys(node).flatMap((expression) => {
      const item = expression.startsWith('x-')
        ? undefined
        : this.#item(this.#lookup.down(callback, expression, node[expression]));
      return item === undefined ? [] : this.#listed(item, expression);
    });
    this.#callbacks.set(node, found);
    return found;
  }

  #listed(item: ObjectPlace, name: string): Inbound[] {
    return this.#methods(item).map(([method, { at }]) => {
      this.#budget.spendApart(1);
      return { name: `${name} ${method}`, at };
    });
  }

  #settle(place: Place): Place | undefined {
    this.#budget.begin(place.at);
    try {
      return this.#lookup.settle(place);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#unreadable(place.at, error.message);
      return undefined;
    }
  }

  #unreadable(at: string, message: string): void {
    this.#notices.push({ code: 'unreadable-part', at, message });
  }
}

function schemeOf(node: { readonly [key: string]: unknown }): SecurityScheme {
  const type = ownString(node, 'type') ?? 'unknown';
  if (type === 'apiKey') {
    const place = ownString(node, 'in');
    const name = ownString(node, 'name');
    const known = place === 'header' || place === 'query' || place === 'cookie';
    return known && name !== undefined && name !== ''
      ? { kind: 'key', in: place, name }
      : { kind: 'other', type: 'apiKey without a place' };
  }
  if (type === 'http') {
    const scheme = (ownString(node, 'scheme') ?? '').toLowerCase();
    if (scheme === 'basic' || scheme === 'bearer') return { kind: scheme };
    return { kind: 'other', type: `http ${scheme}` };
  }
  return type === 'oauth2' || type === 'openIdConnect' ? { kind: 'consent', type } : { kind: 'other', type };
}
