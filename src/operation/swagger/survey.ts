// Lists what a Swagger 2.0 description holds without reading what its operations hold inside.
import type { Budget } from '../../base/budget.js';
import { type JsonObject, own, ownObject, ownString } from '../../base/json.js';
import type { Limits } from '../../base/limits.js';
import type { ApiDocument } from '../../document/document.js';
import type { Lookup } from '../../document/lookup.js';
import { checkCount } from '../count.js';
import type { SecurityScheme, Survey } from '../operation.js';
import { Paths } from '../paths.js';
import { keyScheme, requirements } from '../security.js';
import { SwaggerServers } from './server.js';

/** Surveys one description. */
export function surveySwagger(document: ApiDocument, lookup: Lookup, budget: Budget, limits: Limits): Survey {
  const { root } = document;
  const paths = new Paths(lookup, budget, false);
  const servers = new SwaggerServers(document);
  const found = paths.operations(root);
  checkCount(found.length, limits);
  return {
    title: ownString(ownObject(root, 'info') ?? {}, 'title') ?? '',
    servers: [servers.general],
    schemes: paths.schemes(root, ['securityDefinitions'], schemeOf),
    security: requirements(own(root, 'security'), budget),
    heads: paths.heads(found, (operation) => servers.own(operation)),
    inbound: [],
    notices: paths.notices,
  };
}

/** Swagger 2.0, Security Scheme Object. */
function schemeOf(node: JsonObject): SecurityScheme {
  const type = ownString(node, 'type') ?? 'unknown';
  if (type === 'apiKey') return keyScheme(node);
  if (type === 'basic') return { kind: 'basic' };
  return type === 'oauth2' ? { kind: 'consent', type } : { kind: 'other', type };
}
