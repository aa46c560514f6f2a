// Whether a header is one that a tool written by hand may set. Names are quoted, values never.
import { isObject } from '../base/json.js';
import { quoted } from '../base/text.js';
import { isWithheldHeader } from './credential.js';
import { invalid, isToken } from './field.js';

/** Headers that belong to the exchange itself; the client that sends it sets them (RFC 9112). */
const EXCHANGE = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);
/** RFC 9110, section 5.5, as Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws Failure `invalid-tool`. */
export function checkHeaders(value: unknown, field: string): { readonly [name: string]: string } {
  if (!isObject(value)) throw invalid(field, 'must be an object of texts by header name');
  const seen = new Set<string>();
  for (const [name, text] of Object.entries(value)) {
    checkHeaderName(name, field);
    if (seen.has(name.toLowerCase())) throw invalid(field, `has the header ${quoted(name)} twice, in different case`);
    seen.add(name.toLowerCase());
    if (typeof text !== 'string') throw invalid(field, `must have a text as the value of ${quoted(name)}`);
    if (!VALUE.test(text)) {
      throw invalid(field, `has a value of ${quoted(name)} with a line break, or a character that no header can carry`);
    }
  }
  return value as { readonly [name: string]: string };
}

/** @throws Failure `invalid-tool`. */
export function checkHeaderName(name: string, field: string): void {
  const lower = name.toLowerCase();
  if (!isToken(name)) {
    // What was pasted whole, `Name: value`, is not shown beyond the name.
    const shown = /^[\w-]{0,40}/.exec(name)?.[0] ?? '';
    throw invalid(field, `names the header ${quoted(shown)} with a character that no header name has`);
  }
  if (lower === 'idempotency-key') {
    throw invalid(field, `names the header ${quoted(name)}, which is made anew for each call`);
  }
  if (isWithheldHeader(name)) {
    throw invalid(field, `names the header ${quoted(name)}, which carries a credential; that belongs to a connection`);
  }
  if (lower === 'content-type') {
    throw invalid(field, `names the header ${quoted(name)}; it is config.body.content_type`);
  }
  if (EXCHANGE.has(lower)) {
    throw invalid(field, `names the header ${quoted(name)}, which belongs to the exchange itself`);
  }
}
