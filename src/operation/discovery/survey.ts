// Lists what a Google Discovery document holds without reading what its methods hold inside.
import type { Budget } from '../../base/budget.js';
import { isObject, type JsonObject, own, ownObject, ownString } from '../../base/json.js';
import type { Limits } from '../../base/limits.js';
import type { ApiDocument } from '../../document/document.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { checkCount } from '../count.js';
import { assignKeys, identifierOf } from '../key.js';
import type { Head, SecurityScheme, ServerUrl, Survey } from '../operation.js';
import { serverOf } from '../server.js';

/** The name of the one scheme a Discovery document has. */
const OAUTH = 'oauth2';

/** Surveys one Discovery document. */
export function surveyDiscovery(document: ApiDocument, lookup: Lookup, budget: Budget, limits: Limits): Survey {
  const { root } = document;
  const methods = methodsOf(root, lookup);
  checkCount(methods.length, limits);
  const declared = ownObject(ownObject(root, 'auth') ?? {}, OAUTH) !== undefined;
  return {
    title: ownString(root, 'title') ?? ownString(root, 'name') ?? '',
    servers: [serverUrl(root)],
    schemes: new Map<string, SecurityScheme>(declared ? [[OAUTH, { kind: 'consent', type: OAUTH }]] : []),
    security: undefined,
    heads: heads(methods, budget),
    inbound: [],
    notices: [],
  };
}

/** Every method: those of the top level first, then each resource's own before those of the resources inside it. */
function methodsOf(root: JsonObject, lookup: Lookup): Place[] {
  const found: Place[] = [];
  const waiting: Place[] = [{ node: root, at: '', resource: lookup.document }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (!isObject(place.node)) continue;
    for (const method of members(place, 'methods', lookup)) found.push(method);
    for (const resource of members(place, 'resources', lookup).reverse()) waiting.push(resource);
  }
  return found;
}

function members(place: Place, key: string, lookup: Lookup): Place[] {
  const node = isObject(place.node) ? own(place.node, key) : undefined;
  if (!isObject(node)) return [];
  const inside = lookup.down(place, key, node);
  return Object.keys(node).map((name) => lookup.down(inside, name, node[name]));
}

function heads(methods: readonly Place[], budget: Budget): Head[] {
  const parts = methods.map((place) => {
    const node = isObject(place.node) ? place.node : {};
    const path = ownString(node, 'path') ?? '';
    return {
      node,
      identifier: identifierOf(own(node, 'id')),
      method: (ownString(node, 'httpMethod') ?? 'GET').toUpperCase(),
      path: path.startsWith('/') ? path : `/${path}`,
    };
  });
  const keys = assignKeys(parts.map(({ identifier, method, path }) => ({ identifier, route: `${method} ${path}` })));
  return parts.map(({ node, identifier, method, path }, i) => {
    const scopes = own(node, 'scopes');
    budget.spendText((keys[i] ?? '').length + (methods[i]?.at.length ?? 0));
    if (Array.isArray(scopes)) budget.spendApart(Math.floor(scopes.length / 100));
    const asked = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : undefined;
    return {
      key: keys[i] ?? '',
      identifier,
      method,
      path,
      tags: [],
      security: asked === undefined ? undefined : [new Map([[OAUTH, asked]])],
      servers: undefined,
      place: methods[i] as Place,
      items: [],
    };
  });
}

/** `rootUrl` and `servicePath`; the deprecated `baseUrl` where they are missing. */
function serverUrl(root: JsonObject): ServerUrl {
  const rootUrl = ownString(root, 'rootUrl');
  const url =
    rootUrl === undefined ? ownString(root, 'baseUrl') : joined(rootUrl, ownString(root, 'servicePath') ?? '');
  return url === undefined
    ? { url: null, note: 'the description gives no server; give it at import' }
    : serverOf(url, undefined);
}

function joined(rootUrl: string, servicePath: string): string {
  return `${rootUrl.replace(/\/$/, '')}/${servicePath.replace(/^\//, '')}`;
}
