// Clients of the revisions before 2026-07-28 over HTTP: each has a session, a bounded number of them, ended when unused.
import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { MCP_LIMITS } from '../base/limits.js';
import type { Offer } from './mcp.js';
import { newServer } from './server.js';

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams that are open. */
  open: number;
  /** On the clock of performance.now(). */
  used: number;
}

const HEADER = 'mcp-session-id';
/** As the SDK has it. */
const NOT_FOUND = -32_001;
const SERVER_BUSY = -32_000;
const INVALID_REQUEST = -32_600;
/** The only revision that has lists of messages. */
const BATCHES = '2025-03-26';
/** Milliseconds between two looks for what is unused. */
const LOOKS = 60_000;

export class Sessions {
  readonly #offer: Offer;
  /** The longest unused first. */
  readonly #sessions = new Map<string, Session>();
  readonly #timer: NodeJS.Timeout;

  constructor(offer: Offer) {
    this.#offer = offer;
    this.#timer = setInterval(() => this.#sweep(), LOOKS).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Answers one request.
   * @param parsedBody undefined where it is none, or no JSON
   * @param closed is asked to tell when the answer is sent, or its client is gone
   */
  async fetch(request: Request, parsedBody: unknown, closed: (over: () => void) => void): Promise<Response> {
    const id = request.headers.get(HEADER);
    if (id === null) return this.#begun(request, parsedBody);
    const session = this.#sessions.get(id);
    if (session === undefined) return refusal(404, NOT_FOUND, 'There is no such session; it was ended. Begin anew');
    if (Array.isArray(parsedBody) && session.server.getNegotiatedProtocolVersion() !== BATCHES)
      return refusal(400, INVALID_REQUEST, 'Messages come one by one');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.open += 1;
    closed(() => {
      session.open -= 1;
      session.used = performance.now();
    });
    return session.transport.handleRequest(request, { parsedBody });
  }

  /** Tells each client that the tools changed. */
  changed(): void {
    for (const { server } of this.#sessions.values()) server.sendToolListChanged().catch(() => {});
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map(({ server }) => server.close()));
  }

  /** A request without a session: the first of one, or none that is answered. */
  async #begun(request: Request, parsedBody: unknown): Promise<Response> {
    if (this.#isFull()) return refusal(503, SERVER_BUSY, 'There are too many sessions; try again later');
    const server = newServer(this.#offer);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MCP_LIMITS.message_bytes,
      onsessioninitialized: (id) => {
        // Only now: what begins no session ends none.
        this.#makeRoom();
        this.#sessions.set(id, { server, transport, open: 0, used: performance.now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** True where there are as many sessions as may be, and all are in use. */
  #isFull(): boolean {
    return this.#sessions.size >= MCP_LIMITS.sessions && [...this.#sessions.values()].every(({ open }) => open > 0);
  }

  /** Ends the session that is longest unused, where there are too many. */
  #makeRoom(): void {
    if (this.#sessions.size < MCP_LIMITS.sessions) return;
    const unused = [...this.#sessions].find(([, { open }]) => open === 0);
    if (unused !== undefined) this.#drop(unused[0]);
  }

  #sweep(): void {
    const since = performance.now() - MCP_LIMITS.session_idle;
    for (const [id, { open, used }] of this.#sessions) if (open === 0 && used < since) this.#drop(id);
  }

  #drop(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    session?.server.close().catch(() => {});
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
