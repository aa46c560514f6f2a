// Where a secret goes on the wire. Pure: the request with its secret, and all that must never be shown of it.
import { put } from '../base/json.js';
import type { Connection } from './connection.js';
import type { Grant } from './grant.js';
import { isConsented } from './tokens.js';

/** The part of a request that a secret is placed in. */
export interface Placeable {
  /** Begins with `/`; encoded, with the query where there is one. */
  readonly target: string;
  readonly headers: { readonly [name: string]: string };
}

export interface Placed<R extends Placeable> {
  readonly request: R;
  /** For a `scrubber`. */
  readonly secrets: readonly string[];
}

/** The request with the secret in it; what stood in its place, under the same name, is gone. */
export function place<R extends Placeable>(request: R, grant: Grant): Placed<R> {
  const secrets = secretsOf(grant);
  if (grant.placement === 'query') return { request: { ...request, target: inQuery(request.target, grant) }, secrets };
  return { request: inHeader(request, ...headerOf(grant)), secrets };
}

const MASK = 'REDACTED';

/** The request with a mask where the secret of the connection would stand. */
export function masked<R extends Placeable>(request: R, connection: Connection): R {
  if (isConsented(connection)) return inHeader(request, 'Authorization', `Bearer ${MASK}`);
  if (connection.placement === 'basic') return inHeader(request, 'Authorization', `Basic ${MASK}`);
  if (connection.placement === 'header') {
    return inHeader(request, connection.header, `${connection.prefix ?? ''}${MASK}`);
  }
  const { placement, parameter } = connection;
  return { ...request, target: inQuery(request.target, { placement, parameter, key: MASK }) };
}

function inHeader<R extends Placeable>(request: R, name: string, value: string): R {
  const headers: Record<string, string> = {};
  const ours = name.toLowerCase();
  for (const [other, one] of Object.entries(request.headers)) {
    if (other.length !== ours.length || other.toLowerCase() !== ours) put(headers, other, one);
  }
  put(headers, name, value);
  return { ...request, headers };
}

function headerOf(grant: Exclude<Grant, { placement: 'query' }>): readonly [name: string, value: string] {
  if (grant.placement === 'header') return [grant.header, `${grant.prefix ?? ''}${grant.key}`];
  if (grant.placement === 'bearer') return ['Authorization', `Bearer ${grant.key}`];
  return ['Authorization', `Basic ${base64(`${grant.username}:${grant.password}`)}`];
}

/** All that must never be shown of a grant: the key; of basic the pair, its base64 and the password alone; both tokens. */
export function secretsOf(grant: Grant): readonly string[] {
  if (grant.placement === 'bearer') return [grant.key, grant.refresh_token];
  if (grant.placement !== 'basic') return [grant.key, ...insideBasic(grant)];
  const pair = `${grant.username}:${grant.password}`;
  // Where there is no password the username is the key, as some APIs have it.
  return [pair, base64(pair), grant.password === '' ? grant.username : grant.password];
}

/** A header key may itself be the base64 of a pair; an API that decodes it may quote the password. */
function insideBasic(grant: Exclude<Grant, { placement: 'basic' }>): readonly string[] {
  if (grant.placement !== 'header') return [];
  const coded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(`${grant.prefix ?? ''}${grant.key}`)?.[1];
  const pair = Buffer.from(coded ?? '', 'base64').toString();
  const colon = pair.indexOf(':');
  if (coded === undefined || colon < 0) return [];
  return [coded, pair, pair.slice(colon + 1) === '' ? pair.slice(0, colon) : pair.slice(colon + 1)];
}

/** RFC 7617, section 2.1: UTF-8. */
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function inQuery(target: string, { parameter, key }: Extract<Grant, { placement: 'query' }>): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const parts = mark < 0 || mark === target.length - 1 ? [] : target.slice(mark + 1).split('&');
  const others = parts.filter((part) => decodedName(part) !== parameter);
  return `${path}?${[...others, `${encoded(parameter)}=${encoded(key)}`].join('&')}`;
}

/** As a lenient server reads it: `+` is a space, a broken escape stands for itself. */
function decodedName(part: string): string | undefined {
  // The part is one pair: without the sign, `?` at its start would be dropped.
  return [...new URLSearchParams(`&${part}`).keys()][0];
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
