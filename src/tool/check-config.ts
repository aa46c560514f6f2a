// Whether the request of a tool written by hand is one that can be sent: its method, locations and body.
import { isObject, own, put } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count, quoted } from '../base/text.js';
import { type CheckedEndpoint, checkEndpoint } from './check-endpoint.js';
import { checkHeaderName, checkHeaders } from './check-header.js';
import { type Arguments, closed, filledText, flag, hint, invalid, isToken, wholeNumber } from './field.js';
import type { HttpConfig, Locations, Place, ToolBody } from './tool.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** They send no body (RFC 9110, sections 9.3.1 and 9.3.2). */
const BODILESS = new Set(['GET', 'HEAD']);
/** Without locations they send their values in the query. */
const IN_QUERY = new Set(['GET', 'HEAD', 'DELETE']);
/** The styles of each place (OpenAPI 3.1.1, Style Values). */
const STYLES: { readonly [place in Place['in']]: readonly string[] } = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: [],
  header: ['simple'],
  body: [],
};
const PLACES = Object.keys(STYLES);
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\x20-\x7e]*)?$/;
const JSON_TYPE = /^[^/]+\/(?:[^/;]+\+)?json[ \t]*(?:;|$)/i;
const JSON_BODY: ToolBody = { content_type: 'application/json', required: false };

/** @throws Failure `invalid-tool`. */
export function checkConfig(value: unknown, known: Arguments): HttpConfig {
  const fields = ['endpoint', 'method', 'headers', 'locations', 'body', 'attempts'];
  const config = closed(value, 'config', fields);
  const target = checkEndpoint(own(config, 'endpoint'), known);
  const method = checkMethod(own(config, 'method'));
  const [headers, locations, attempts] = [own(config, 'headers'), own(config, 'locations'), own(config, 'attempts')];
  const places = locations === undefined ? undefined : checkLocations(locations, target, known);
  const body = checkBody(own(config, 'body'), places, { method, known, target });
  return {
    endpoint: target.endpoint,
    method,
    ...(headers === undefined ? {} : { headers: checkHeaders(headers, 'config.headers') }),
    ...(places === undefined ? {} : { locations: places }),
    ...(body === undefined ? {} : { body }),
    ...(attempts === undefined ? {} : { attempts: wholeNumber(attempts, 'config.attempts', 1, 3) }),
  };
}

function checkMethod(value: unknown): string {
  if (value === undefined) return 'POST';
  if (typeof value !== 'string' || !isToken(value))
    throw invalid('config.method', 'must be the name of an HTTP method');
  const upper = value.toUpperCase();
  if (upper === 'CONNECT') throw invalid('config.method', 'is CONNECT, which opens a tunnel');
  // Methods are told apart by case (RFC 9110, section 9.1); of these nobody means another one.
  return METHODS.includes(upper) ? upper : value;
}

function checkLocations(value: unknown, { gaps }: CheckedEndpoint, known: Arguments): Locations {
  const field = 'config.locations';
  if (!isObject(value)) throw invalid(field, 'must be an object of places by argument');
  const locations: Record<string, Locations[string]> = {};
  for (const [name, given] of Object.entries(value)) {
    known.expect(name, field);
    const place = checkPlace(given, name, field);
    if ((place.in === 'path') !== gaps.has(name)) {
      const fault = gaps.has(name) ? 'fills a gap of config.endpoint' : 'fills no gap of config.endpoint';
      throw invalid(field, `puts ${quoted(name)} in ${place.in}, and it ${fault}`);
    }
    if (place.in === 'header') checkHeaderName(place.name ?? name, field);
    const plain = Object.keys(place).length === 1;
    // A plain gap needs no location.
    if (!plain) put(locations, name, place);
    else if (place.in !== 'path') put(locations, name, place.in === 'querystring' ? place : place.in);
  }
  return locations;
}

function checkPlace(given: unknown, argument: string, field: string): Place {
  const where = `${field}.${argument}`;
  const shape = typeof given === 'string' ? { in: given } : given;
  const place = closed(shape, where, ['in', 'name', 'style', 'explode', 'allow_reserved', 'content_type']);
  const spot = own(place, 'in');
  if (typeof spot !== 'string' || !PLACES.includes(spot)) {
    const near = typeof spot === 'string' ? hint(spot, PLACES) : '';
    throw invalid(where, `must be in one of ${PLACES.join(', ')}${near}`);
  }
  const [name, style, type] = [own(place, 'name'), own(place, 'style'), own(place, 'content_type')];
  if (name !== undefined) checkWireName(filledText(name, `${where}.name`), `${where}.name`);
  const styles = STYLES[spot as Place['in']];
  if (style !== undefined && !(typeof style === 'string' && styles.includes(style))) {
    throw invalid(`${where}.style`, styles.length === 0 ? `is not for ${spot}` : `must be one of ${styles.join(', ')}`);
  }
  for (const key of ['explode', 'allow_reserved'] as const) {
    if (Object.hasOwn(place, key)) flag(place[key], `${where}.${key}`);
  }
  if (type !== undefined || spot === 'querystring') checkMediaType(type, `${where}.content_type`);
  return place as unknown as Place;
}

function checkWireName(name: string, field: string): void {
  const most = FIXED_LIMITS.name_chars;
  if (name.length <= most) return;
  throw invalid(field, `is ${count(name.length)} characters; at most ${count(most)} are allowed`);
}

function checkMediaType(value: unknown, field: string): string {
  if (typeof value === 'string' && value.length <= FIXED_LIMITS.media_type_chars && MEDIA_TYPE.test(value))
    return value;
  throw invalid(field, 'must be a media type, as in application/json');
}

interface Request {
  readonly method: string;
  readonly target: CheckedEndpoint;
  readonly known: Arguments;
}

/** The body that is sent; one of JSON where an argument goes there and nothing is said of it. */
function checkBody(value: unknown, locations: Locations | undefined, request: Request): ToolBody | undefined {
  const { method, known } = request;
  const inBody = argumentsInBody(locations, request);
  const carries = !BODILESS.has(method);
  const [first] = inBody;
  if (!carries && first !== undefined)
    throw invalid('config.locations', `puts ${quoted(first)} in the body, and ${method} has none`);
  if (value === undefined) return locations === undefined || inBody.length === 0 ? undefined : JSON_BODY;
  const field = 'config.body';
  const given = closed(value, field, ['content_type', 'required', 'whole']);
  if (!carries) throw invalid(field, `is for a method that has one; ${method} has none`);
  const [type, required, whole] = [own(given, 'content_type'), own(given, 'required'), own(given, 'whole')];
  const body = {
    content_type: type === undefined ? JSON_BODY.content_type : checkMediaType(type, `${field}.content_type`),
    required: required === undefined ? JSON_BODY.required : flag(required, `${field}.required`),
  };
  if (!JSON_TYPE.test(body.content_type))
    throw invalid(`${field}.content_type`, 'must be one of JSON: bodies are sent as JSON');
  if (whole === undefined) return body;
  const name = filledText(whole, `${field}.whole`);
  known.expect(name, `${field}.whole`);
  checkWhole(name, inBody, locations, request);
  return { ...body, whole: name };
}

function argumentsInBody(locations: Locations | undefined, { method, target, known }: Request): readonly string[] {
  if (locations === undefined) return IN_QUERY.has(method) ? [] : known.names.filter((name) => !target.gaps.has(name));
  return Object.entries(locations).flatMap(([name, place]) =>
    place === 'body' || (typeof place === 'object' && place.in === 'body') ? [name] : [],
  );
}

function checkWhole(
  whole: string,
  inBody: readonly string[],
  locations: Locations | undefined,
  request: Request,
): void {
  const field = 'config.body.whole';
  const elsewhere = request.target.gaps.has(whole) || (locations !== undefined && Object.hasOwn(locations, whole));
  if (elsewhere && !inBody.includes(whole)) throw invalid(field, `names ${quoted(whole)}, which goes elsewhere`);
  const other = inBody.find((name) => name !== whole);
  if (other === undefined) return;
  throw invalid(
    field,
    `names ${quoted(whole)}, and ${quoted(other)} would go in the body too; config.locations moves it`,
  );
}
