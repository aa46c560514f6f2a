// Server URLs: brought to one form, and joined with the path of an operation.
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';

/**
 * The form in which servers are compared and stored: scheme and host in lower case, no default port, no trailing slash,
 * no fragment. A query stays.
 * @throws Failure `invalid-server` unless it is an absolute http(s) URL without a user name.
 */
export function normalizeServer(server: string): string {
  const refuse = (why: string) => new Failure('invalid-server', `the server ${quoted(bare(server), 120)} ${why}`);
  const text = server.trim();
  if (!/^https?:\/\//i.test(text)) throw refuse('is not an absolute http or https URL');
  if (/[{}]/.test(text)) throw refuse('holds a variable in braces; write its value in its place');
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw new Failure('invalid-server', `the server ${quoted(bare(server), 120)} is no URL`, {}, error);
  }
  // `%7B` in a host is a brace again.
  if (/[{}]/.test(url.host)) throw refuse('holds a variable in braces; write its value in its place');
  if (url.username !== '' || url.password !== '') {
    throw new Failure('invalid-server', 'the server holds a user name; a credential belongs to a connection');
  }
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`;
}

/** True when both are one server. What is no server equals none. */
export function isSameServer(normalized: string, other: string): boolean {
  try {
    return normalizeServer(other) === normalized;
  } catch {
    return false;
  }
}

/** The endpoint of a path template on a normalized server: base path kept, queries of both joined. */
export function joinEndpoint(server: string, template: string): string {
  const [base = '', baseQuery] = split(server);
  const [path = '', pathQuery] = split(template);
  const query = [baseQuery, pathQuery].filter((part) => part !== undefined && part !== '').join('&');
  return `${base}${path.startsWith('/') ? '' : '/'}${path}${query === '' ? '' : `?${query}`}`;
}

function split(text: string): [string, string | undefined] {
  const mark = text.indexOf('?');
  return mark < 0 ? [text, undefined] : [text.slice(0, mark), text.slice(mark + 1)];
}

/** A URL for a message: without user name and query, which may hold a secret. */
function bare(server: string): string {
  return server.replace(/\?.*$/s, '').replace(/\/\/[^/@]*@/, '//');
}
