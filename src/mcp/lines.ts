// The stdio transport: one JSON message a line, long lines refused; the end of the input is not the end of the answers.
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { isObject, own } from '../base/json.js';
import { count } from '../base/text.js';

/** JSON-RPC 2.0, section 5.1. */
const [PARSE_ERROR, INVALID_REQUEST] = [-32_700, -32_600];
const LINE_END = 0x0a;

export interface LinesOptions {
  readonly input: Readable;
  /** Writes one message; resolves when more may be written. */
  readonly write: (text: string) => Promise<void>;
  /** Bytes of one line. */
  readonly most: number;
}

export class Lines implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: LinesOptions;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** What is left of a line that is too long is passed over. */
  #skipping = false;
  #closed = false;
  /** Characters that wait to be written. */
  #unwritten = 0;
  /** Requests that are not answered. */
  readonly #asked = new Set<RequestId>();
  #settled: (() => void) | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input } = this.#options;
    input.on('data', (chunk: Buffer) => this.#take(chunk));
    input.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    const written = this.#write(serializeMessage(message));
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#answered(message.id);
    await written;
  }

  /** Resolves when every request is answered, or after so many milliseconds. */
  async settled(milliseconds: number): Promise<void> {
    if (this.#asked.size === 0) return;
    const late = new AbortController();
    const all = new Promise<void>((resolve) => {
      this.#settled = resolve;
    });
    await Promise.race([all, pause(milliseconds, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.input.pause();
    this.onclose?.();
  }

  /** Nothing more is read while much waits to be written: a client that asks and never reads would fill the memory. */
  async #write(text: string): Promise<void> {
    const { input, write, most } = this.#options;
    this.#unwritten += text.length;
    if (this.#unwritten > most) input.pause();
    await write(text);
    this.#unwritten -= text.length;
    if (this.#unwritten <= most && !this.#closed && input.isPaused()) input.resume();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      this.#add(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (this.#skipping) return;
    this.#bytes += part.length;
    if (this.#bytes <= this.#options.most) this.#parts.push(part);
    else {
      this.#skipping = true;
      this.#parts = [];
    }
  }

  #line(): void {
    const text = Buffer.concat(this.#parts).toString('utf8').trim();
    const skipped = this.#skipping;
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (skipped) this.#refuse(null, INVALID_REQUEST, `A message has at most ${count(this.#options.most)} bytes`);
    else if (text !== '') this.#read(text);
  }

  #read(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(null, PARSE_ERROR, 'The line is not JSON');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const what = Array.isArray(value) ? 'Messages come one by one, not as a list' : 'This is no JSON-RPC message';
      this.#refuse(idOf(value), INVALID_REQUEST, what);
      return;
    }
    if (isJSONRPCRequest(message)) this.#asked.add(message.id);
    // A request that is taken back is not answered any more.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.#answered(message.params?.requestId as RequestId);
    }
    this.onmessage?.(message);
  }

  #answered(id: RequestId): void {
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#settled?.();
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.onerror?.(new Error(message));
    void this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** The id that a message without form may have all the same. */
function idOf(value: unknown): string | number | null {
  const id = isObject(value) ? own(value, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
