// A JSON value -> a description of a known kind, or the name of what it is instead.
import { Failure } from '../base/failure.js';
import { isObject, type JsonObject, own, ownObject, ownString } from '../base/json.js';
import { DEFAULT_PROFILE, type Profile } from '../base/profile.js';
import { quoted } from '../base/text.js';
import type { ApiDocument, Opened } from './document.js';

/**
 * What the value is: OpenAPI 3.x by its `openapi`, a Google Discovery document by its `kind` or its shape, in the extended profile
 * also Swagger 2.0 by its `swagger`.
 * @throws Failure `not-a-description`, naming what was found (also as `data.found`).
 */
export function identify(
  value: unknown,
  opened: Pick<Opened, 'name' | 'url'> = { name: 'the document' },
  profile: Profile = DEFAULT_PROFILE,
): ApiDocument {
  const located = opened.url === undefined ? {} : { url: opened.url };
  if (isObject(value)) {
    const openapi = ownString(value, 'openapi');
    if (openapi?.startsWith('3.')) return { kind: 'openapi', version: openapi, root: value, ...located };
    if (isDiscovery(value)) {
      return { kind: 'discovery', version: ownString(value, 'discoveryVersion') ?? 'v1', root: value, ...located };
    }
    const swagger = ownString(value, 'swagger');
    if (profile === 'extended' && swagger === '2.0')
      return { kind: 'swagger', version: swagger, root: value, ...located };
  }
  const found = isObject(value) ? foundObject(value) : `JSON, but its top level is ${typeName(value)}`;
  throw new Failure('not-a-description', `${opened.name} is ${found}; ${READ[profile]} are read`, { found });
}

const READ: { readonly [profile in Profile]: string } = {
  core: 'OpenAPI 3.x and Google Discovery',
  extended: 'OpenAPI 3.x, Swagger 2.0 and Google Discovery',
};

function isDiscovery(value: JsonObject): boolean {
  if (own(value, 'kind') === 'discovery#restDescription') return true;
  const located = hasString(value, 'rootUrl') || hasString(value, 'baseUrl');
  const filled = ['resources', 'methods', 'schemas'].some((key) => ownObject(value, key) !== undefined);
  return (
    located && filled && !Object.hasOwn(value, 'openapi') && (hasString(value, 'name') || hasString(value, 'version'))
  );
}

function foundObject(value: JsonObject): string {
  for (const name of NAMERS) {
    const found = name(value);
    if (found !== null) return found;
  }
  return unknownObject(value);
}

/** Each names one family of documents, or answers null. The surest signs come first. */
const NAMERS: readonly ((value: JsonObject) => string | null)[] = [
  otherOpenApi,
  (value) => otherSwagger(value) ?? versioned(value, 'swaggerVersion', 'Swagger'),
  (value) => versioned(value, 'asyncapi', 'AsyncAPI'),
  (value) => versioned(value, 'arazzo', 'an Arazzo description'),
  (value) => versioned(value, 'overlay', 'an OpenAPI Overlay'),
  (value) => versioned(value, 'openrpc', 'OpenRPC'),
  (value) => (own(value, 'kind') === 'discovery#directoryList' ? 'a list of Google Discovery documents' : null),
  postman,
  insomnia,
  (value) => (Array.isArray(own(ownObject(value, 'log') ?? {}, 'entries')) ? 'an HTTP archive (HAR)' : null),
  (value) => (ownObject(ownObject(value, 'data') ?? value, '__schema') ? 'a GraphQL introspection result' : null),
  (value) => (hasString(value, 'jsonrpc') ? 'a JSON-RPC message' : null),
  fragment,
  jsonSchema,
  errorAnswer,
];

function otherOpenApi(value: JsonObject): string | null {
  if (!Object.hasOwn(value, 'openapi')) return null;
  const openapi = own(value, 'openapi');
  if (typeof openapi === 'string') return `OpenAPI of the version ${quoted(openapi)}`;
  const shown = typeof openapi === 'number' ? `the number ${openapi}` : typeName(openapi);
  return `JSON whose "openapi" is ${shown} in place of a text such as "3.1.0"`;
}

function otherSwagger(value: JsonObject): string | null {
  const swagger = own(value, 'swagger');
  return swagger === 2
    ? 'JSON whose "swagger" is the number 2 in place of the text "2.0"'
    : versioned(value, 'swagger', 'Swagger');
}

function versioned(value: JsonObject, key: string, name: string): string | null {
  if (!Object.hasOwn(value, key)) return null;
  const version = own(value, key);
  // A plain number needs no quotes to be told from the sentence around it.
  if (typeof version === 'number') return `${name} ${Number.isInteger(version) ? version.toFixed(1) : version}`;
  if (typeof version !== 'string') return null;
  return /^\d{1,4}(?:\.\d{1,4}){0,3}$/.test(version)
    ? `${name} ${version}`
    : `${name} of the version ${quoted(version)}`;
}

function postman(value: JsonObject): string | null {
  if (Object.hasOwn(value, '_postman_variable_scope')) return 'a Postman environment';
  const inner = ownObject(value, 'collection') ?? value;
  const info = ownObject(inner, 'info') ?? {};
  const named = Object.hasOwn(info, '_postman_id') || (ownString(info, 'schema') ?? '').includes('getpostman.com');
  const old = Array.isArray(own(inner, 'requests')) && Array.isArray(own(inner, 'order'));
  return named || old || (hasString(info, 'name') && Array.isArray(own(inner, 'item'))) ? 'a Postman collection' : null;
}

function insomnia(value: JsonObject): string | null {
  const exported = Object.hasOwn(value, '__export_format') || own(value, '_type') === 'export';
  const collection = (ownString(value, 'type') ?? '').includes('insomnia.rest');
  return exported || collection ? 'an Insomnia export' : null;
}

/** Part of an OpenAPI description, or one whose first field was lost. */
function fragment(value: JsonObject): string | null {
  const whole = ownObject(value, 'paths') !== undefined || ownObject(value, 'webhooks') !== undefined;
  const part = ownObject(value, 'components') !== undefined || ownObject(value, 'info') !== undefined;
  if (whole || part) return 'like an OpenAPI description, but it has no "openapi" that names a version';
  const paths = Object.keys(value);
  return paths.length > 0 && paths.every((key) => key.startsWith('/'))
    ? 'only the paths of an OpenAPI description'
    : null;
}

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

function jsonSchema(value: JsonObject): string | null {
  const dialect = (ownString(value, '$schema') ?? '').includes('json-schema.org');
  const typed = TYPES.has(ownString(value, 'type') ?? '');
  const shaped = ['properties', 'items', '$defs', 'definitions'].some((key) => ownObject(value, key) !== undefined);
  return dialect || (typed && shaped) || ownObject(value, '$defs') !== undefined ? 'a JSON Schema' : null;
}

/** An answer in place of the description: problem details (RFC 9457), or the usual `error` and `message`. */
function errorAnswer(value: JsonObject): string | null {
  const error = own(value, 'error');
  const inner = isObject(error) ? error : {};
  const status = own(value, 'status') ?? own(value, 'code') ?? own(value, 'statusCode');
  const [first] = [
    ownString(inner, 'message'),
    ownString(value, 'error_description'),
    ownString(value, 'message'),
    ownString(value, 'detail'),
    typeof error === 'string' ? error : undefined,
    status === undefined ? undefined : ownString(value, 'title'),
  ].filter((text) => text !== undefined);
  if (first !== undefined) return `an error answer: ${quoted(first)}`;
  return isObject(error) || Array.isArray(own(value, 'errors')) ? 'an error answer' : null;
}

const KEYS_SHOWN = 5;

function unknownObject(value: JsonObject): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty JSON object';
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => quoted(key));
  const rest = keys.length > KEYS_SHOWN ? ' and others' : '';
  return `JSON of no known kind with the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${rest}`;
}

function hasString(value: JsonObject, key: string): boolean {
  return ownString(value, key) !== undefined;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
