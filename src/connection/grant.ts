// What a secret and its placement may look like. No message here ever holds a part of a secret.
import { Failure } from '../base/failure.js';
import { isObject, own } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count } from '../base/text.js';
import type { Placement } from './connection.js';

/** A secret with its placement, as it is at the moment of a call; never stored. */
export type Grant = KeyGrant | BearerGrant;

/** The token of a consented account (RFC 6750), and that which renews it, which is never sent along. */
interface BearerGrant {
  readonly placement: 'bearer';
  readonly key: string;
  readonly refresh_token: string;
}

export type KeyGrant =
  | { readonly placement: 'header'; readonly key: string; readonly header: string; readonly prefix?: string }
  | { readonly placement: 'query'; readonly key: string; readonly parameter: string }
  | { readonly placement: 'basic'; readonly username: string; readonly password: string };

const FIELDS = {
  header: ['key', 'placement', 'header', 'prefix'],
  query: ['key', 'placement', 'parameter'],
  basic: ['placement', 'username', 'password'],
} as const;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, section 5.5, as Latin-1: no control character but the tab. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const UNPLACEABLE = /[\p{Cc}\p{Cs}]/u;
const SHORT = 8;

/** Headers that frame the message or belong to one hop: a key there would break the request, not sign it. */
const FRAMING = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

function refused(message: string): Failure {
  return new Failure('invalid-secret', message);
}

/** True of a name that a header may have. */
export function isHeaderName(name: string): boolean {
  return TOKEN.test(name);
}

/**
 * Reads a `grant_secret`: a string, itself JSON.
 * @throws Failure `invalid-secret`.
 */
export function parseGrant(text: string): KeyGrant {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The cause would quote the text.
    throw refused('the secret is not JSON');
  }
  if (!isObject(value)) throw refused('the secret is not a JSON object');
  const placement = own(value, 'placement') ?? 'header';
  if (placement !== 'header' && placement !== 'query' && placement !== 'basic') {
    throw refused('the placement of the secret is not header, query or basic');
  }
  const fields: readonly string[] = FIELDS[placement];
  if (placement === 'query' && Object.hasOwn(value, 'prefix')) throw refused('a key in the query takes no prefix');
  if (Object.keys(value).some((key) => !fields.includes(key))) {
    throw refused(`the secret has a field that is not known; placement ${placement} has ${fields.join(', ')}`);
  }
  const field = (name: string): string => {
    const part = own(value, name);
    if (typeof part === 'string') return part;
    throw refused(part === undefined ? `the secret has no ${name}` : `the ${name} of the secret is not a string`);
  };
  if (placement === 'basic')
    return checkedGrant({ placement, username: field('username'), password: field('password') });
  if (placement === 'query') return checkedGrant({ placement, key: field('key'), parameter: field('parameter') });
  const prefix = Object.hasOwn(value, 'prefix') ? { prefix: field('prefix') } : {};
  return checkedGrant({ placement, key: field('key'), header: field('header'), ...prefix });
}

/** The two halves of a grant: what may be shown, and the secret. */
export function split(grant: KeyGrant): { readonly placement: Placement; readonly secret: string } {
  if (grant.placement === 'basic') {
    return { placement: { placement: 'basic' }, secret: `${grant.username}:${grant.password}` };
  }
  const { key, ...placement } = grant;
  return { placement, secret: key };
}

/**
 * The grant of a placement and a secret as text: `username:password` for basic, else the key.
 * @throws Failure `invalid-secret`.
 */
export function grantOf(placement: Placement, secret: string): KeyGrant {
  if (placement.placement !== 'basic') {
    const { header, prefix, parameter } = placement as { header?: string; prefix?: string; parameter?: string };
    return placement.placement === 'query'
      ? checkedGrant({ placement: 'query', key: secret, parameter: parameter ?? '' })
      : checkedGrant({
          placement: 'header',
          key: secret,
          header: header ?? '',
          ...(prefix === undefined ? {} : { prefix }),
        });
  }
  const colon = secret.indexOf(':');
  if (colon < 0) throw refused('a basic secret is written username:password, and this one has no colon');
  return checkedGrant({ placement: 'basic', username: secret.slice(0, colon), password: secret.slice(colon + 1) });
}

/**
 * Checks what is known of a placement before there is a secret.
 * @throws Failure `invalid-secret`.
 */
export function checkedPlacement(placement: Placement): Placement {
  if (placement.placement === 'query') {
    if (placement.parameter === '') throw refused('the name of the query parameter is empty');
    if (UNPLACEABLE.test(placement.parameter))
      throw refused('the query parameter holds a character that cannot be sent');
  }
  if (placement.placement === 'header') {
    if (!isHeaderName(placement.header)) throw refused('the name of the header is not one that a header may have');
    if (FRAMING.has(placement.header.toLowerCase())) {
      throw refused(`the header ${placement.header.toLowerCase()} belongs to the request itself and takes no key`);
    }
    if (!FIELD_VALUE.test(placement.prefix ?? '')) {
      throw refused('the prefix holds a line break or a character outside Latin-1, which no header carries');
    }
  }
  return placement;
}

function checkedGrant(grant: KeyGrant): KeyGrant {
  const most = FIXED_LIMITS.secret_chars;
  if (split(grant).secret.length > most) throw refused(`the secret is longer than ${count(most)} characters`);
  if (grant.placement === 'basic') return checkedBasic(grant);
  checkedPlacement(split(grant).placement);
  if (grant.key === '') throw refused('the key is empty');
  if (grant.placement === 'header' && !FIELD_VALUE.test(grant.key)) {
    throw refused('the key holds a line break or a character outside Latin-1, which no header carries');
  }
  if (UNPLACEABLE.test(grant.key.replaceAll('\t', ''))) {
    throw refused('the key holds a line break or another character that cannot be sent');
  }
  return grant;
}

/** RFC 7617, section 2. */
function checkedBasic(grant: Extract<KeyGrant, { placement: 'basic' }>): KeyGrant {
  const { username, password } = grant;
  if (username.includes(':')) throw refused('the username holds a colon, which basic authentication cannot carry');
  if (username === '' && password === '') throw refused('the username and the password are empty');
  if (UNPLACEABLE.test(username + password)) {
    throw refused('the username or the password holds a control character, which basic authentication cannot carry');
  }
  return grant;
}

/** What the owner of a secret should know of it; undefined where there is nothing. */
export function secretWarning(grant: KeyGrant): string | undefined {
  const basic = grant.placement === 'basic';
  const [what, secret] = basic ? passwordOf(grant) : (['key', grant.key] as const);
  if ([...secret].length >= SHORT) return undefined;
  return `the ${what} is under ${count(SHORT)} characters: it is kept out of answers and logs only where it stands as a whole word`;
}

function passwordOf({ username, password }: Extract<KeyGrant, { placement: 'basic' }>): readonly [string, string] {
  return password === '' ? ['username', username] : ['password', password];
}
