// Lists what an OpenAPI description holds (3.0, 3.1, 3.2) without reading what its operations hold inside.
import type { Budget } from '../../base/budget.js';
import type { Notice } from '../../base/codes.js';
import { Failure } from '../../base/failure.js';
import { isObject, own, ownObject, ownString } from '../../base/json.js';
import type { Limits } from '../../base/limits.js';
import { under } from '../../base/pointer.js';
import { Refused } from '../../base/refused.js';
import { count } from '../../base/text.js';
import type { ApiDocument } from '../../document/document.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { assignKeys, claim, identifierOf } from '../key.js';
import type { Head, ObjectPlace, Refusal, SecurityScheme, ServerUrl, Survey } from '../operation.js';
import { requirements } from '../security.js';
import { serverOf, serverUrls } from '../server.js';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** An operation as a path item holds it. */
interface Found {
  readonly method: string;
  readonly path: string;
  readonly place: Place;
  readonly items: readonly ObjectPlace[];
}

/** Surveys one description. */
export function surveyOpenApi(document: ApiDocument, lookup: Lookup, budget: Budget, limits: Limits): Survey {
  return new OpenApiSurvey(document, lookup, budget).run(limits);
}

class OpenApiSurvey {
  readonly #document: ApiDocument;
  readonly #lookup: Lookup;
  readonly #budget: Budget;
  readonly #notices: Notice[] = [];

  constructor(document: ApiDocument, lookup: Lookup, budget: Budget) {
    this.#document = document;
    this.#lookup = lookup;
    this.#budget = budget;
  }

  run(limits: Limits): Survey {
    const { root, url } = this.#document;
    const found = this.#operations();
    if (found.length > limits.operations_listed) {
      const most = count(limits.operations_listed);
      throw new Failure(
        'too-many-operations',
        `the description holds ${count(found.length)} operations; at most ${most} are listed`,
        {
          operations: found.length,
        },
      );
    }
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

  get #newer(): boolean {
    return /^3\.(?:[2-9]|\d\d)/.test(this.#document.version);
  }

  #operations(): Found[] {
    const { root } = this.#document;
    const paths = own(root, 'paths');
    if (!isObject(paths)) {
      if (paths !== undefined && paths !== null) this.#unreadable('/paths', 'paths is not an object');
      return [];
    }
    const found: Found[] = [];
    for (const path of Object.keys(paths)) {
      if (path.startsWith('x-')) continue;
      const written: Place = { node: paths[path], at: under('/paths', path), resource: this.#lookup.document };
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

  *#methods(item: ObjectPlace): Generator<[string, Place]> {
    for (const key of Object.keys(item.node)) {
      const node = item.node[key];
      if (METHODS.has(key) || (this.#newer && key === 'query')) {
        if (node !== undefined) yield [key.toUpperCase(), this.#lookup.down(item, key, node)];
      } else if (this.#newer && key === 'additionalOperations' && isObject(node)) {
        const others = this.#lookup.down(item, key, node);
        for (const method of Object.keys(node)) yield [method, this.#lookup.down(others, method, node[method])];
      }
    }
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
      const { url } = this.#document;
      return {
        key: keys[i] ?? '',
        identifier: identifiers[i],
        method,
        path,
        tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
        security: requirements(own(node, 'security'), this.#budget),
        servers: serverUrls(own(node, 'servers'), url) ?? this.#itemServers(items),
        place,
        items,
      };
    });
  }

  #itemServers(items: readonly ObjectPlace[]): ServerUrl[] | undefined {
    for (const item of items.toReversed()) {
      const servers = serverUrls(own(item.node, 'servers'), this.#document.url);
      if (servers !== undefined) return servers;
    }
    return undefined;
  }

  #schemes(): Map<string, SecurityScheme> {
    const schemes = new Map<string, SecurityScheme>();
    const declared = ownObject(ownObject(this.#document.root, 'components') ?? {}, 'securitySchemes') ?? {};
    for (const name of Object.keys(declared)) {
      const at = under('/components/securitySchemes', name);
      const place = this.#settle({ node: declared[name], at, resource: this.#lookup.document });
      if (place === undefined) continue;
      if (isObject(place.node)) schemes.set(name, schemeOf(place.node));
      else this.#unreadable(at, 'the security scheme is not an object');
    }
    return schemes;
  }

  #inbound(heads: readonly Head[]): Refusal[] {
    const inbound: Refusal[] = [];
    const taken = new Set(heads.map(({ key }) => key));
    const add = (key: string, place: Place, what: string) => {
      this.#budget.spendApart(1);
      const reason = `it is a ${what}: the API calls it, it cannot be called`;
      inbound.push({ key: claim(key, taken), code: 'inbound', at: place.at, reason });
    };
    for (const head of heads) {
      const callbacks = isObject(head.place.node) ? own(head.place.node, 'callbacks') : undefined;
      if (!isObject(callbacks)) continue;
      const at = this.#lookup.down(head.place, 'callbacks', callbacks);
      for (const name of Object.keys(callbacks)) {
        for (const [expression, method, place] of this.#callback(this.#lookup.down(at, name, callbacks[name]))) {
          add(`CALLBACK ${head.key} ${name} ${expression} ${method}`, place, 'callback');
        }
      }
    }
    const webhooks = own(this.#document.root, 'webhooks');
    if (isObject(webhooks) && !this.#document.version.startsWith('3.0')) {
      for (const name of Object.keys(webhooks)) {
        const item = this.#item({
          node: webhooks[name],
          at: under('/webhooks', name),
          resource: this.#lookup.document,
        });
        if (item === undefined) continue;
        for (const [method, place] of this.#methods(item)) add(`WEBHOOK ${name} ${method}`, place, 'webhook');
      }
    }
    return inbound;
  }

  *#callback(place: Place): Generator<[string, string, Place]> {
    const callback = this.#settle(place);
    if (callback === undefined || !isObject(callback.node)) return;
    for (const expression of Object.keys(callback.node)) {
      if (expression.startsWith('x-')) continue;
      const item = this.#item(this.#lookup.down(callback, expression, callback.node[expression]));
      if (item !== undefined)
        for (const [method, operation] of this.#methods(item)) yield [expression, method, operation];
    }
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
