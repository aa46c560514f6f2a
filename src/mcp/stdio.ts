// The tools over the standard input and output, for the client that started this process.
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { MCP_LIMITS } from '../base/limits.js';
import { Lines } from './lines.js';
import { remarkOf } from './log.js';
import type { Offer } from './mcp.js';
import { newServer } from './server.js';

/** Milliseconds for the answers of calls that are over to be written. */
const ANSWERS = 500;

/**
 * Serves until the client closes its end, or the signal asks for the end. Running calls end first, within `grace`.
 * @param write writes to the client; resolves when more may be written
 */
export async function serveLines(
  offer: Offer,
  write: (text: string) => Promise<void>,
  end: AbortSignal,
): Promise<void> {
  const servers = new Set<Server>();
  const lines = new Lines({ input: process.stdin, write, most: MCP_LIMITS.message_bytes });
  const handle = serveStdio(
    () => {
      const server = newServer(offer);
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport: lines, onerror: (error) => offer.log.debug(remarkOf(error)) },
  );
  const forget = offer.catalogue.onChange(() => {
    for (const server of servers) server.sendToolListChanged().catch(() => {});
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    end.addEventListener('abort', () => resolve(), { once: true });
  });
  // What came with the last line is answered too, though its sender waits for no more.
  if (!end.aborted) await lines.settled(MCP_LIMITS.grace);
  await offer.running.end(end.aborted ? MCP_LIMITS.grace : 0);
  await lines.settled(ANSWERS);
  forget();
  await handle.close();
}
