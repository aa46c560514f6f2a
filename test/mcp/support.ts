// The real server as a child process, over both transports, and clients of it: the SDK's own, and one written here.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll } from 'vitest';

export const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type Revision = (typeof REVISIONS)[number];

export type Json = { readonly [name: string]: unknown };

export interface ServerOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Node's own arguments. */
  readonly node?: readonly string[];
}

function environment(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { TOOLWRIGHT_STORE: _store, FORCE_COLOR: _color, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1', ...env };
}

/** A child that was started with `toolwright mcp` and these arguments. */
export class Served {
  readonly child: ChildProcess;
  stderr = '';
  stdout = '';
  readonly #messages: Message[] = [];
  readonly #exit: Promise<number | null>;

  constructor(args: readonly string[], { env, node = [] }: ServerOptions = {}) {
    this.child = spawn(process.execPath, [...node, PROGRAM, 'mcp', ...args], { env: environment(env) });
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      // A line that is no message fails the test that looks at the messages.
      this.#messages.push(...lines.map((line) => JSON.parse(line) as Message));
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => {});
    this.#exit = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Resolves with what is found in one of the outputs, as soon as it is there. */
  async until<T>(found: () => T | undefined | false): Promise<T> {
    for (;;) {
      const value = found();
      if (value !== undefined && value !== false) return value;
      if (this.child.exitCode !== null) throw new Error(`the server ended: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  exit(): Promise<number | null> {
    return this.#exit;
  }

  async stop(): Promise<number | null> {
    if (this.child.exitCode === null) this.child.kill('SIGTERM');
    return this.#exit;
  }

  /** Another test begins: what came before it is not its own. */
  forget(): void {
    this.#messages.length = 0;
  }

  /** Messages that came on the standard output. */
  messages(): readonly Message[] {
    return this.#messages;
  }

  send(message: unknown): void {
    this.child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Sends a request over the standard input, and waits for its answer. */
  async ask(message: Json): Promise<Message> {
    this.send(message);
    return this.answer(message.id);
  }

  answer(id: unknown): Promise<Message> {
    return this.until(() => this.messages().find((one) => one.method === undefined && one.id === id));
  }

  /** Of a server over HTTP. */
  async url(): Promise<string> {
    return this.until(() => /listening on (http:\S+)/.exec(this.stderr)?.[1]);
  }
}

export interface Message {
  readonly jsonrpc: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Serves over HTTP while the work is done. */
export async function atHttp<T>(
  args: readonly string[],
  work: (url: string, served: Served) => Promise<T>,
  options: ServerOptions = {},
): Promise<T> {
  const served = new Served([...args, '--http', '0'], options);
  try {
    return await work(await served.url(), served);
  } finally {
    await served.stop();
  }
}

/** Serves over the standard input and output while the work is done. */
export async function atStdio<T>(
  args: readonly string[],
  work: (served: Served) => Promise<T>,
  options: ServerOptions = {},
): Promise<T> {
  const served = new Served(args, options);
  try {
    return await work(served);
  } finally {
    await served.stop();
  }
}

/** What is held while a work is done, held for all tests of a file or a group: starting a process takes longer than most tests. */
export function heldForAll<T>(hold: (work: (held: T) => Promise<void>) => Promise<void>): () => T {
  let held: T;
  let release = () => {};
  let over: Promise<void>;
  beforeAll(
    () =>
      new Promise<void>((ready, failed) => {
        over = hold((one) => {
          held = one;
          ready();
          return new Promise((resolve) => {
            release = resolve;
          });
        });
        over.catch(failed);
      }),
  );
  afterAll(async () => {
    release();
    await over;
  });
  return () => held;
}

/** The SDK's client, speaking one revision. */
export function client(revision: Revision, options: ClientOptions = {}): Client {
  const negotiated: ClientOptions =
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] };
  return new Client({ name: 'test', version: '1' }, { ...negotiated, ...options });
}

/** Does the work with a client that is connected over HTTP, or to a child of its own. */
export async function connected<T>(
  to:
    | { readonly url: string; readonly token?: string }
    | { readonly args: readonly string[]; readonly env?: NodeJS.ProcessEnv },
  one: Client,
  work: (one: Client) => Promise<T>,
): Promise<T> {
  const transport =
    'url' in to
      ? new StreamableHTTPClientTransport(
          new URL(to.url),
          to.token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${to.token}` } } },
        )
      : new StdioClientTransport({
          command: process.execPath,
          args: [PROGRAM, 'mcp', ...to.args],
          env: environment(to.env) as Record<string, string>,
          stderr: 'ignore',
        });
  await one.connect(transport);
  try {
    return await work(one);
  } finally {
    await one.close();
  }
}

/** The reserved keys of a request of 2026-07-28. */
export function envelope(capabilities: Json = {}, rest: Json = {}): Json {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...rest,
  };
}

export function initialize(revision: string, capabilities: Json = {}): Json {
  const params = { protocolVersion: revision, capabilities, clientInfo: { name: 'raw', version: '1' } };
  return { jsonrpc: '2.0', id: 'init', method: 'initialize', params };
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC messages of the body, however it is written. */
  readonly messages: readonly Message[];
}

/** One POST of raw text or JSON. */
export async function post(
  url: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Posted> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, messages: messagesOf(text, response.headers) };
}

function messagesOf(text: string, headers: Headers): Message[] {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)) as Message);
  }
  return type.startsWith('application/json') && text !== '' ? [JSON.parse(text) as Message] : [];
}

/** A session of an earlier revision over HTTP: the headers that its requests bring. */
export async function session(
  url: string,
  revision: string,
  capabilities: Json = {},
): Promise<{ readonly [name: string]: string }> {
  const begun = await post(url, initialize(revision, capabilities));
  const id = begun.headers.get('mcp-session-id') ?? '';
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': revision };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  return headers;
}
