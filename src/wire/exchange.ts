// One bounded HTTP exchange with a host on the public internet: the only door to the network, and the only user of undici.
import { Readable } from 'node:stream';
import { Failure } from '../base/failure.js';
import { cut } from '../base/text.js';
import { type Answer, type MaxBytes, received } from './answer.js';
import { VettedClient, type WireRequest } from './client.js';
import { checkHost, checkUrl, HOST_CHARACTERS, isLifted, type Lookup, literal, type Vetted, vetted } from './guard.js';
import type { Lease, Pool } from './pool.js';

export type { Answer, AnswerHead } from './answer.js';
export type { Lookup } from './guard.js';

/** A body that is sent as it is made, and is made anew for every attempt. */
export interface ChunkedBody {
  /** The sum of all chunks: the Content-Length. */
  readonly bytes: number;
  /** From the beginning, each time it is called; taken no faster than they are sent. */
  chunks(): Iterable<Uint8Array>;
}

export interface ExchangeRequest {
  /** Absolute, http or https, without user name and password. */
  readonly url: URL;
  /** The request target where it must go byte for byte as written; otherwise the URL's path and query. Begins with `/`. */
  readonly target?: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ChunkedBody;
}

export interface ExchangeOptions {
  /** Hosts for which the guard is lifted: `host` or `host:port`. */
  readonly allow?: readonly string[];
  /** The look-up of host names; the system's by default. */
  readonly lookup?: Lookup;
  /** Ends the exchange at once, with the signal's reason as the error. The only time limit there is. */
  readonly signal: AbortSignal;
  readonly maxBytes: MaxBytes;
  /** Keeps the socket for the next exchange; without one it is closed when this returns. */
  readonly pool?: Pool;
}

/**
 * Sends one request and reads its answer. Redirects are not followed, and proxies of the environment are not used. The host
 * is resolved once, every address of it is vetted, and only vetted addresses are connected to; a socket of the pool is used
 * where it leads to the same ones.
 * @throws Failure `invalid-url` (not http(s), a user name), `address-refused` (the guard), `fetch-failed` (no connection,
 *   a broken answer; `data.reason` is the code of the cause), or the reason of the signal.
 */
export async function exchange(request: ExchangeRequest, options: ExchangeOptions): Promise<Answer> {
  const { url } = request;
  const { signal } = options;
  try {
    checkUrl(url, request.target);
    const lifted = isLifted(url, options.allow ?? []);
    if (!lifted) checkHost(url);
    signal.throwIfAborted();
    const host = literal(url, lifted) ?? (await untilAborted(vetted(url, lifted, options.lookup), signal));
    return await sent(request, host, options);
  } catch (error) {
    throw failureOf(error, url, signal);
  }
}

async function sent(request: ExchangeRequest, host: Vetted, options: ExchangeOptions): Promise<Answer> {
  const { pool, signal, maxBytes } = options;
  const wire = wireForm(request);
  const lease = pool === undefined ? single(host) : await pool.lease(host, signal);
  let end: Parameters<Lease['end']>[0] = 'failed';
  try {
    const { answer, whole } = await untilAborted(
      received((handler) => lease.client.send(wire, handler), maxBytes),
      signal,
    );
    end = whole ? 'whole' : 'cut';
    return answer;
  } finally {
    lease.end(end);
  }
}

/** A connection for one exchange. */
function single(host: Vetted): Lease {
  const client = new VettedClient(host, false);
  return { client, end: () => client.destroy() };
}

function wireForm({ url, target, method, headers, body }: ExchangeRequest): WireRequest {
  const path = target ?? `${url.pathname}${url.search}`;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { path, method, headers: { ...headers }, body: body ?? null };
  }
  const sized = { ...headers, 'Content-Length': String(body.bytes) };
  return { path, method, headers: sized, body: body.bytes === 0 ? null : streamed(body) };
}

function streamed(body: ChunkedBody): Readable {
  // An error of it is the error of the request; what comes after that is no news.
  return Readable.from(body.chunks()).on('error', () => {});
}

/** The promise, or the reason of the signal as soon as it is aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const settled = () => signal.removeEventListener('abort', abort);
    promise.then(
      (value) => {
        settled();
        resolve(value);
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'could not be found',
  EAI_AGAIN: 'could not be found at the moment',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection too early',
  UND_ERR_SOCKET: 'closed the connection too early',
  UND_ERR_HEADERS_OVERFLOW: 'answered with headers that are too long',
  CONTENT_ENCODING: 'answered in a compression that is not read; gzip, deflate and br are',
};

/** The cause is named by its code alone: the errors of undici hold bytes of the answer, which may quote a secret back. */
function failureOf(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (error instanceof Failure) return error;
  if (signal.aborted) return signal.reason;
  const code = codeOf(error);
  const said = /CERT|TLS|SSL/.test(code)
    ? 'has no certificate that is accepted'
    : 'could not be reached or gave a broken answer';
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : `${said} (${code})`;
  const host = cut(url.host, HOST_CHARACTERS);
  return new Failure('fetch-failed', `the host ${host} ${reason}`, { host, reason: code });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
