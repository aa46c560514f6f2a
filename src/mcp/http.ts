// The tools over streamable HTTP, on this machine alone unless a token is asked for.
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { Failure } from '../base/failure.js';
import { MCP_LIMITS } from '../base/limits.js';
import { count, quoted } from '../base/text.js';
import { normalizeAccept, takesStream, withoutStream } from './accept.js';
import { type GuardOptions, guardOf, isLoopback } from './guard.js';
import { placeOf, remarkOf } from './log.js';
import type { Offer } from './mcp.js';
import { newServer } from './server.js';
import { Sessions } from './sessions.js';

export interface HttpOptions extends GuardOptions {
  /** 0: any that is free. */
  readonly port: number;
}

const PATH = '/mcp';

/**
 * Serves until the signal asks for the end. Running calls end first, within `grace`.
 * @throws Failure `bad-request` where it would be open to others without a token, `listen-failed`.
 */
export async function serveHttp(offer: Offer, options: HttpOptions, end: AbortSignal): Promise<void> {
  if (!isLoopback(options.host) && options.token === undefined) {
    throw new Failure(
      'bad-request',
      `${quoted(options.host, 120)} is reached from other machines: a token is needed there`,
    );
  }
  const sessions = new Sessions(offer);
  const onerror = (error: Error) => offer.log.debug(remarkOf(error));
  const bounds = { maxRequestBodySize: MCP_LIMITS.message_bytes };
  const modern = createMcpHandler(() => newServer(offer), { legacy: 'reject', onerror, ...bounds });
  const guard = guardOf(options);
  /** Requests that are read or worked on: of a stream that goes on, what keeps it going is bounded for itself. */
  const working = new Set<IncomingMessage>();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const refused = guard(request);
    if (refused !== undefined) return refuse(response, refused.status, refused.reason);
    if (request.url?.split('?', 1)[0] !== PATH) return refuse(response, 404, `The tools are at ${PATH}`);
    if (end.aborted) return refuse(response, 503, 'The server is ending');
    if (Number(request.headers['content-length']) > MCP_LIMITS.message_bytes)
      return refuse(response, 413, `A message has at most ${count(MCP_LIMITS.message_bytes)} bytes`);
    if (working.size >= MCP_LIMITS.requests)
      return refuse(response, 503, 'Too many requests are being answered; try again later');
    normalizeAccept(request);
    // A client may be gone before anything of its request is looked at.
    const closed = (over: () => void) => (response.closed ? over() : response.once('close', over));
    const fetch = async (asked: Request) => {
      const body = await jsonOf(asked);
      const legacy = await isLegacyRequest(asked, body, bounds);
      const begun = legacy
        ? await sessions.fetch(asked, body, closed)
        : await modern.fetch(asked, { parsedBody: body });
      const answer = takesStream(asked) ? begun : await withoutStream(asked, body, begun);
      working.delete(request);
      return answer;
    };
    const adapted = toNodeHandler({ fetch }, { onerror, ...bounds });
    working.add(request);
    try {
      // The adapter's types are of its own making; what it takes is exactly this.
      await adapted(...([request, response] as unknown as Parameters<typeof adapted>));
    } finally {
      working.delete(request);
    }
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      offer.log.error(`a request crashed: ${placeOf(error)}`);
      if (!response.headersSent) refuse(response, 500, 'A fault of toolwright');
      response.destroy();
    });
  });
  server.maxConnections = MCP_LIMITS.sockets;
  server.keepAliveTimeout = MCP_LIMITS.socket_idle;
  const { address, port } = await listening(server, options);
  server.on('error', onerror);
  offer.log.info(`listening on http://${address.includes(':') ? `[${address}]` : address}:${port}${PATH}`);
  const forget = offer.catalogue.onChange(() => {
    modern.notify.toolsChanged();
    sessions.changed();
  });
  if (!end.aborted)
    await new Promise<void>((resolve) => end.addEventListener('abort', () => resolve(), { once: true }));
  forget();
  const gone = new Promise<void>((resolve) => server.close(() => resolve()));
  await offer.running.end(MCP_LIMITS.grace);
  await Promise.all([modern.close(), sessions.end()]);
  server.closeIdleConnections();
  await Promise.race([gone, pause(ANSWERS)]);
  server.closeAllConnections();
}

/** The body, parsed once for all who look into it; undefined where it is no JSON: the SDK finds that again, and says so. */
async function jsonOf(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    return await request.clone().json();
  } catch {
    return undefined;
  }
}

/** Milliseconds for the answers of calls that are over to be sent. */
const ANSWERS = 500;

async function listening(server: HttpServer, { port, host }: HttpOptions): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // A name might lead elsewhere than to this machine.
      server.listen(port, host === 'localhost' ? '127.0.0.1' : host, resolve);
    });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Failure(
      'listen-failed',
      `port ${port} of ${quoted(host, 120)} could not be listened on (${reason})`,
      { reason },
      error,
    );
  }
  return server.address() as AddressInfo;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const retry = status === 503 ? { 'retry-after': '1' } : {};
  // Who is still writing a long message has to read this first: the rest is passed over, and the socket stays.
  const close = status === 413 ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...close, ...challenge, ...retry });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
}
