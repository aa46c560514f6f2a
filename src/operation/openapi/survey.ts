// Lists what an OpenAPI description holds (3.0, 3.1, 3.2) without reading what its operations hold inside.
import type { Budget } from '../../base/budget.js';
import { isObject, type JsonObject, own, ownObject, ownString } from '../../base/json.js';
import type { Limits } from '../../base/limits.js';
import { under } from '../../base/pointer.js';
import type { ApiDocument } from '../../document/document.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { checkCount } from '../count.js';
import { claim } from '../key.js';
import type { Head, ObjectPlace, Refusal, SecurityScheme, ServerUrl, Survey } from '../operation.js';
import { Paths } from '../paths.js';
import { keyScheme, requirements } from '../security.js';
import { serverOf, serverUrls } from '../server.js';
import { isNewer } from './version.js';

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
  readonly #paths: Paths;
  /** Lists that many operations share are read once. */
  readonly #servers = new Map<unknown, ServerUrl[] | undefined>();
  readonly #callbacks = new Map<unknown, readonly Inbound[]>();

  constructor(document: ApiDocument, lookup: Lookup, budget: Budget) {
    this.#document = document;
    this.#lookup = lookup;
    this.#budget = budget;
    this.#paths = new Paths(lookup, budget, isNewer(document.version));
  }

  run(limits: Limits): Survey {
    const { root, url } = this.#document;
    const found = this.#paths.operations(root);
    checkCount(found.length, limits);
    const heads = this.#paths.heads(
      found,
      (operation, items) => this.#ownServers(own(operation, 'servers')) ?? this.#itemServers(items),
    );
    return {
      title: ownString(ownObject(root, 'info') ?? {}, 'title') ?? '',
      servers: serverUrls(own(root, 'servers'), url) ?? [serverOf('/', url)],
      schemes: this.#paths.schemes(root, ['components', 'securitySchemes'], schemeOf),
      security: requirements(own(root, 'security'), this.#budget),
      heads,
      inbound: this.#inbound(heads),
      notices: this.#paths.notices,
    };
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
      const item = this.#paths.item({
        node: webhooks[name],
        at: under('/webhooks', name),
        resource: this.#lookup.document,
      });
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
    const callback = this.#paths.settle(written);
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
        : this.#paths.item(this.#lookup.down(callback, expression, node[expression]));
      return item === undefined ? [] : this.#listed(item, expression);
    });
    this.#callbacks.set(node, found);
    return found;
  }

  #listed(item: ObjectPlace, name: string): Inbound[] {
    return this.#paths.methods(item).map(([method, { at }]) => {
      this.#budget.spendApart(1);
      return { name: `${name} ${method}`, at };
    });
  }
}

function schemeOf(node: JsonObject): SecurityScheme {
  const type = ownString(node, 'type') ?? 'unknown';
  if (type === 'apiKey') return keyScheme(node);
  if (type === 'http') {
    const scheme = (ownString(node, 'scheme') ?? '').toLowerCase();
    if (scheme === 'basic' || scheme === 'bearer') return { kind: scheme };
    return { kind: 'other', type: `http ${scheme}` };
  }
  return type === 'oauth2' || type === 'openIdConnect' ? { kind: 'consent', type } : { kind: 'other', type };
}
