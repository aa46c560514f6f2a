// The loopback redirect of a native application (RFC 8252, section 7.3): takes one request on 127.0.0.1, and is gone.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Connection: 'close',
};

/**
 * Listens, hands the redirect URI to `begin`, and answers the parameters that the browser brings back to it.
 * @throws the reason of the signal; what `begin` throws.
 */
export async function redirected(
  begin: (redirectUri: string) => void | Promise<void>,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  signal.throwIfAborted();
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
    const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
    const answer = new Promise<URLSearchParams>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      server.on('request', (request, response) => {
        const parameters = broughtBack(request, origin);
        if (parameters === undefined) say(response, 404, 'Nothing is here.');
        else say(response, 200, pageOf(parameters), () => resolve(parameters));
      });
    });
    // What ends it while `begin` runs is thrown below, not left without a hearer.
    answer.catch(() => {});
    await begin(`${origin}/`);
    return await answer;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The parameters of the redirect; undefined of any other request, such as one for an icon or under another host name. */
function broughtBack({ method, url = '', headers }: IncomingMessage, origin: string): URLSearchParams | undefined {
  if (method !== 'GET' || `http://${headers.host}` !== origin || !url.startsWith('/?')) return undefined;
  const parameters = new URLSearchParams(url.slice(2));
  return parameters.has('code') || parameters.has('error') ? parameters : undefined;
}

function pageOf(parameters: URLSearchParams): string {
  const what = parameters.has('error') ? 'The consent was not given.' : 'The answer has arrived.';
  return `${what} You can close this page; the rest is told where you came from.`;
}

function say(response: ServerResponse, status: number, text: string, done: () => void = () => {}): void {
  response.on('close', done);
  response.writeHead(status, HEADERS).end(`<!doctype html><title>toolwright</title><p>${text}</p>\n`);
}
