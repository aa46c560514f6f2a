// Who may speak to the HTTP face: checked of every request before anything of it is read.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export interface GuardOptions {
  /** Where it listens; the name that was asked for. */
  readonly host: string;
  /** Names beside its own that it is reached by. */
  readonly names: readonly string[];
  /** Every request has to bring it, where there is one. */
  readonly token?: string;
}

/** A refusal: its status, and a sentence. */
export interface Refused {
  readonly status: 401 | 403;
  readonly reason: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** True of an address that this machine alone reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Checks Host and Origin (a web page that has its own name point here, or another page of the browser) and the token.
 * @returns why a request is refused, where it is.
 */
export function guardOf({ host, names, token }: GuardOptions): (request: IncomingMessage) => Refused | undefined {
  const known = new Set([...LOOPBACK, bracketed(host), ...names].map((name) => name.toLowerCase()));
  const anywhere = host === '0.0.0.0' || host === '::';
  // A page cannot have an address point elsewhere, only a name.
  const isAddress = (name: string) => anywhere && isIP(name.replace(/^\[|\]$/g, '')) > 0;
  const expected = token === undefined ? undefined : hashed(token);
  return ({ headers }) => {
    const asked = hostname(`http://${headers.host}`);
    if (!known.has(asked) && !isAddress(asked))
      return { status: 403, reason: 'The Host of the request is not this server' };
    const { origin } = headers;
    // A page of another machine has an address too, which is not that of this one.
    if (origin !== undefined && !known.has(hostname(origin)) && hostname(origin) !== asked)
      return { status: 403, reason: 'The Origin may not use this server' };
    if (expected === undefined) return undefined;
    const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    // Digests have one length, so that the comparison takes one time.
    if (given !== undefined && timingSafeEqual(hashed(given), expected)) return undefined;
    return { status: 401, reason: 'The request brings no valid bearer token' };
  };
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** In lower case, without the port; empty where there is none. */
function hostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function hashed(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
