// One bounded HTTP exchange with a host on the public internet: the only door to the network, and the only user of undici.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { Failure } from '../base/failure.js';
import { cut, quoted } from '../base/text.js';
import { bareHost, isPublicAddress, isRefusedPort, refusedHostname } from './address.js';
import { gather } from './gather.js';

/** Resolves a host name to all its addresses, as IP literals. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface ExchangeRequest {
  /** Absolute, http or https, without user name and password. */
  readonly url: URL;
  /** The request target where it must go byte for byte as written; otherwise the URL's path and query. Begins with `/`. */
  readonly target?: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ChunkedBody;
}

/** Header names are in lower case; a header that came more than once is a list. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

export interface Answer extends AnswerHead {
  /** The decompressed body, at most `maxBytes` of it. */
  readonly body: Buffer;
  /** True where the body went on past `maxBytes`, or was not read at all. */
  readonly cut: boolean;
}

export interface ExchangeOptions {
  /** Hosts for which the guard is lifted: `host` or `host:port`. */
  readonly allow?: readonly string[];
  /** The look-up of host names; the system's by default. */
  readonly lookup?: Lookup;
  /** Ends the exchange at once, with the signal's reason as the error. The only time limit there is. */
  readonly signal: AbortSignal;
  /** How many bytes of the decompressed body are kept; 0: the body is not read. May throw, which ends the exchange. */
  readonly maxBytes: number | ((head: AnswerHead) => number);
}

/** A body in pieces that can be sent again. */
export interface ChunkedBody {
  readonly bytes: number;
  chunks(): Iterable<Uint8Array>;
}

function bodyOf(body: ExchangeRequest['body']): string | Uint8Array | Readable | null {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body ?? null;
  return Readable.from(body.chunks(), { objectMode: false });
}

function lengthOf(body: ExchangeRequest['body']): Record<string, string> {
  return typeof body === 'object' && 'chunks' in body ? { 'Content-Length': String(body.bytes) } : {};
}

const MOST_CODINGS = 3;
/** How much of a host a message shows; a redirect may name a longer one. */
const HOST_CHARACTERS = 100;

/**
 * Sends one request and reads its answer. Redirects are not followed, proxies of the environment are not used, and the
 * connection is closed when this returns. The host is resolved once, every address of it is vetted, and only vetted
 * addresses are connected to.
 * @throws Failure `invalid-url` (not http(s), a user name), `address-refused` (the guard), `fetch-failed` (no connection,
 *   a broken answer; `data.reason` is the code of the cause), or the reason of the signal.
 */
export async function exchange(request: ExchangeRequest, options: ExchangeOptions): Promise<Answer> {
  const { url } = request;
  const { signal } = options;
  const lifted = isLifted(url, options.allow ?? []);
  const sockets: Socket[] = [];
  let agent: Agent | undefined;
  try {
    checkUrl(url, request.target);
    if (!lifted) checkHost(url);
    signal.throwIfAborted();
    const addresses = await untilAborted(vettedAddresses(url, lifted, options.lookup ?? systemAddresses), signal);
    agent = new Agent({ connect: connector(url, addresses, lifted, sockets), headersTimeout: 0, bodyTimeout: 0 });
    const response = await agent.request({
      origin: url.origin,
      path: request.target ?? `${url.pathname}${url.search}`,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...request.headers, ...lengthOf(request.body) },
      body: bodyOf(request.body),
      reset: true,
      signal,
    });
    const head: AnswerHead = { status: response.statusCode, headers: response.headers };
    return { ...head, ...(await readBody(response.body, head, options.maxBytes)) };
  } catch (error) {
    throw failureOf(error, url, signal);
  } finally {
    // A socket that is still connecting belongs to no client yet, so the agent alone would leave it open.
    for (const socket of sockets) socket.destroy();
    agent?.destroy().catch(() => {});
  }
}

function checkUrl(url: URL, target: string | undefined): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Failure('invalid-url', `a URL of ${quoted(url.protocol, 20)} cannot be called; http and https can`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure(
      'invalid-url',
      `the URL of ${cut(url.host, HOST_CHARACTERS)} holds a user name or a password; neither is allowed`,
    );
  }
  if (target !== undefined && !target.startsWith('/')) {
    throw new Failure(
      'invalid-url',
      `the request target for ${cut(url.host, HOST_CHARACTERS)} does not begin with a slash`,
    );
  }
}

function isLifted(url: URL, allow: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  const forms = [host, shown, `${shown}:${portOf(url)}`];
  return allow.some((entry) => forms.includes(entry.toLowerCase()));
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** All that can be said without asking the network. */
function checkHost(url: URL): void {
  const host = bareHost(url.hostname);
  if (isRefusedPort(portOf(url))) throw refused(url, `is asked for on port ${portOf(url)}, which is not one of HTTP`);
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw notPublic(url);
    return;
  }
  const reason = refusedHostname(host);
  if (reason !== null) throw refused(url, reason);
}

function refused(url: URL, reason: string): Failure {
  const host = cut(url.hostname, HOST_CHARACTERS);
  return new Failure('address-refused', `the host ${host} ${reason}`, { host });
}

function notPublic(url: URL): Failure {
  return refused(url, 'leads to an address that is not on the public internet');
}

/** The addresses of the host; one refused address refuses the host. */
async function vettedAddresses(url: URL, lifted: boolean, lookup: Lookup): Promise<readonly string[]> {
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) return [host];
  const addresses = await lookup(host);
  if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  if (!lifted && !addresses.every(isPublicAddress)) throw notPublic(url);
  return addresses;
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Connects to the vetted addresses alone, whatever the name resolves to by now. */
function connector(
  url: URL,
  addresses: readonly string[],
  lifted: boolean,
  sockets: Socket[],
): buildConnector.connector {
  const host = bareHost(url.hostname);
  const secure = url.protocol === 'https:';
  const target = { host, port: portOf(url), lookup: pinned(addresses) };
  return (_options, callback) => {
    let answered = false;
    const socket = secure
      ? tlsConnect({ ...target, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
      : netConnect(target);
    sockets.push(socket);
    socket.setNoDelay(true);
    socket.on('error', (error) => {
      if (!answered) callback(error, null);
      answered = true;
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      if (!lifted && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy(notPublic(url));
        return;
      }
      answered = true;
      callback(null, socket);
    });
  };
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (options.all === true || first === undefined) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

async function readBody(
  body: Readable,
  head: AnswerHead,
  maxBytes: ExchangeOptions['maxBytes'],
): Promise<Pick<Answer, 'body' | 'cut'>> {
  // Cutting the connection under a body that nobody reads any more is no error.
  body.on('error', () => {});
  const most = typeof maxBytes === 'number' ? maxBytes : maxBytes(head);
  if (most === 0) return { body: Buffer.alloc(0), cut: true };
  const gathered = await gather(await decompressed(body, head), most);
  return { body: gathered.bytes, cut: gathered.cut };
}

/** The body with its content codings undone, the last one first (RFC 9110, section 8.4). */
async function decompressed(body: Readable, head: AnswerHead): Promise<AsyncIterable<Buffer>> {
  const decoders = codings(head).map(decoderOf).reverse();
  const last = decoders.at(-1);
  if (last === undefined) return body;
  // An empty body is no compressed text, whatever the header says: a decoder would miss its beginning.
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return body;
  // The error of any part reaches the reader through the last one.
  pipeline([Readable.from(continued(first.value, chunks)), ...decoders], () => {});
  return last;
}

async function* continued(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function codings(head: AnswerHead): string[] {
  const header = head.headers['content-encoding'];
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  const names = text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MOST_CODINGS) throw Object.assign(new Error('too many codings'), { code: 'CONTENT_ENCODING' });
  return names;
}

function decoderOf(coding: string): Duplex {
  const chunkSize = 64 * 1024;
  if (coding === 'br') return createBrotliDecompress({ chunkSize });
  if (coding === 'gzip' || coding === 'x-gzip' || coding === 'deflate') return createUnzip({ chunkSize });
  throw Object.assign(new Error('unknown coding'), { code: 'CONTENT_ENCODING' });
}

/** The promise, or the reason of the signal as soon as it is aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
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
