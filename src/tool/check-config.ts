// Whether the request of a tool written by hand is one that can be sent: its method and locations.
import { isObject, own, put } from '../base/json.js';
import { quoted } from '../base/text.js';
import { checkBody } from './check-body.js';
import { type CheckedEndpoint, checkEndpoint } from './check-endpoint.js';
import { checkHeaderName, checkHeaders } from './check-header.js';
import {
  type Arguments,
  checkMediaType,
  checkWireName,
  closed,
  filledText,
  flag,
  hint,
  invalid,
  isToken,
  wholeNumber,
} from './field.js';
import type { HttpConfig, Locations, Place } from './tool.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The styles of each place (OpenAPI 3.1.1, Style Values). */
const STYLES: { readonly [place in Place['in']]: readonly string[] } = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  querystring: [],
  header: ['simple'],
  body: [],
};
const PLACES = Object.keys(STYLES);

/** @throws Failure `invalid-tool`. */
export function checkConfig(value: unknown, known: Arguments): HttpConfig {
  const fields = ['endpoint', 'method', 'headers', 'locations', 'body', 'attempts'];
  const config = closed(value, 'config', fields);
  const target = checkEndpoint(own(config, 'endpoint'), known);
  const method = checkMethod(own(config, 'method'));
  const [headers, locations, attempts] = [own(config, 'headers'), own(config, 'locations'), own(config, 'attempts')];
  const places = locations === undefined ? undefined : checkLocations(locations, target, known);
  checkReserved(target, places);
  const body = checkBody(own(config, 'body'), places, { method, known, gaps: target.gaps });
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

/** The location of a gap `{+name}` says that its value is reserved text. */
function checkReserved({ reserved }: CheckedEndpoint, locations: Locations | undefined): void {
  for (const name of reserved) {
    const place = locations !== undefined && Object.hasOwn(locations, name) ? locations[name] : undefined;
    if (typeof place === 'object' && place.allow_reserved === true) continue;
    const gap = quoted(`{+${name}}`);
    throw invalid('config.locations', `must have { "in": "path", "allow_reserved": true } for the gap ${gap}`);
  }
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
