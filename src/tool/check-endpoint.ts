// Whether the endpoint of a tool written by hand is one that can be called, and which gaps it has.
import { FIXED_LIMITS } from '../base/limits.js';
import { count } from '../base/text.js';
import { type Arguments, invalid } from './field.js';

const FIELD = 'config.endpoint';
const PARTS = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;
/** A `+` before the name is no part of it: the value may hold slashes (RFC 6570, section 3.2.3). */
const GAP = /\{(\+?)([^{}]*)\}/g;
const BRACE = /[{}]/;

export interface CheckedEndpoint {
  /** Scheme and host in lower case, without fragment. */
  readonly endpoint: string;
  readonly gaps: ReadonlySet<string>;
  /** Those of them whose value may hold slashes. */
  readonly reserved: ReadonlySet<string>;
}

/**
 * No message quotes the URL: a secret may be anywhere in it.
 * @throws Failure `invalid-tool`.
 */
export function checkEndpoint(value: unknown, known: Arguments): CheckedEndpoint {
  if (typeof value !== 'string' || value === '') throw invalid(FIELD, 'must be an absolute http or https URL');
  const most = FIXED_LIMITS.path_chars;
  if (value.length > most) {
    throw invalid(FIELD, `is ${count(value.length)} characters; at most ${count(most)} are allowed`);
  }
  const [whole, scheme, authority, path = '', query = '', fragment = ''] = PARTS.exec(value) ?? [];
  if (whole === undefined || scheme === undefined || authority === undefined) {
    throw invalid(FIELD, 'must be an absolute http or https URL');
  }
  if (authority.includes('@')) throw invalid(FIELD, 'holds a user name; a credential belongs to a connection');
  const origin = checkOrigin(scheme, authority);
  for (const [part, name] of [
    [query, 'query'],
    [fragment, 'fragment'],
  ] as const) {
    if (BRACE.test(part)) throw invalid(FIELD, `has a gap in its ${name}; gaps are in its path only`);
  }
  const { gaps, reserved } = checkGaps(path, known);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\s\x00-\x1f\x7f]/.test(value)) throw invalid(FIELD, 'holds white space or a control character');
  return { endpoint: `${origin}${path}${query}`, gaps, reserved };
}

function checkOrigin(scheme: string, authority: string): string {
  const gap = () => invalid(FIELD, 'has a gap in its host; gaps are in its path only');
  if (BRACE.test(authority)) throw gap();
  let url: URL;
  try {
    url = new URL(`${scheme}://${authority}`);
  } catch {
    throw invalid(FIELD, 'has a host that is none');
  }
  // `%7B` in a host is a brace again, and a backslash begins the path.
  if (BRACE.test(url.host)) throw gap();
  if (url.pathname !== '/') throw invalid(FIELD, 'has a host that is none');
  return url.origin;
}

function checkGaps(path: string, known: Arguments): Pick<CheckedEndpoint, 'gaps' | 'reserved'> {
  const found = [...path.matchAll(GAP)];
  const gaps = new Set(found.map(([, , gap = '']) => gap));
  if (gaps.has('')) throw invalid(FIELD, 'has a gap without a name');
  if (BRACE.test(path.replace(GAP, ''))) throw invalid(FIELD, 'has a brace that opens or closes no gap');
  for (const gap of gaps) known.expect(gap, FIELD, 'has the gap');
  return { gaps, reserved: new Set(found.flatMap(([, sign, gap = '']) => (sign === '+' ? [gap] : []))) };
}
