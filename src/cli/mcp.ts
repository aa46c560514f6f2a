// `toolwright mcp`: serves the tools of a store, or of a description, until the client or a signal ends it.
import { Failure } from '../base/failure.js';
import { MCP_LIMITS } from '../base/limits.js';
import { counted } from '../base/text.js';
import { openRecords } from '../call/record-open.js';
import { openConnections } from '../connection/open.js';
import { Catalogue } from '../mcp/catalogue.js';
import type { HttpOptions } from '../mcp/http.js';
import { type Log, logTo } from '../mcp/log.js';
import type { Offer } from '../mcp/mcp.js';
import { ownOutput } from '../mcp/output.js';
import { Running } from '../mcp/running.js';
import { openStore } from '../store/open.js';
import { EXIT } from './exit.js';
import { interruptible } from './interrupt.js';
import { printConfig } from './mcp-config.js';
import { KEYS, type McpFlags, type Served } from './mcp-flags.js';

export async function runMcp(
  description: string | undefined,
  flags: McpFlags,
  { args, version }: { readonly args: readonly string[]; readonly version: string },
): Promise<void> {
  checkFlags(description, flags);
  if (flags.printConfig !== undefined) return printConfig(flags.printConfig, description, flags, args);
  const log = logTo((line) => process.stderr.write(line), flags.logLevel, flags.logFormat === 'json');
  // Begun before the store is read: loading the SDK takes longer than all the rest.
  const face = flags.http === undefined ? overLines() : overHttp(await httpOptions(flags.http, flags));
  const { store, connections } = await servedBy(description, flags, log);
  const catalogue = await Catalogue.open(store, { readOnly: flags.readOnly === true, log });
  const offer: Offer = {
    options: {
      answerBytes: flags.maxAnswer,
      search: flags.search ?? { over: flags.maxTools },
      readOnly: flags.readOnly === true,
      confirm: flags.confirm === 'destructive',
    },
    catalogue,
    calls: {
      connections,
      records: openRecords(description === undefined ? flags.store : 'memory:'),
      network: { allow: flags.allowPrivate },
      warn: ({ message }) => log.warning(message),
      refused: oncePerHost((host) => log.warning(`a call of ${host} was refused; --allow-private ${host} lifts this`)),
    },
    running: new Running(MCP_LIMITS.calls),
    log,
    version,
  };
  const { length } = catalogue.tools;
  log.info(`${counted(length, 'tool')} of ${description === undefined ? 'the store' : 'the description'}`);
  if (length === 0) {
    const where = description === undefined ? store.address : 'the description';
    log.warning(`there is no tool${flags.readOnly === true ? ' that reads' : ''} in ${where}`);
  }
  try {
    const serve = await face;
    await interruptible((interrupt) => serve(offer, endSignal(interrupt)));
  } finally {
    await catalogue.close();
  }
  // Sockets that are kept to APIs hold the process for a while, and the standard input for good.
  process.exit(EXIT.done);
}

/** Serves an offer until the end. */
type Serve = (offer: Offer, end: AbortSignal) => Promise<void>;

async function overLines(): Promise<Serve> {
  // At once: what a library prints while the store opens or the description compiles is no message either.
  const write = ownOutput();
  const { serveLines } = await import('../mcp/stdio.js');
  return (offer, end) => serveLines(offer, write, end);
}

async function overHttp(options: HttpOptions): Promise<Serve> {
  const { serveHttp } = await import('../mcp/http.js');
  return (offer, end) => serveHttp(offer, options, end);
}

/** What does nothing where it is given is a mistake. */
function checkFlags(description: string | undefined, flags: McpFlags): void {
  const forbid = (names: readonly (keyof McpFlags)[], where: string) => {
    const stray = names.find((name) => {
      const value = flags[name];
      return typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined;
    });
    const written = stray?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (written !== undefined) throw new Failure('bad-request', `--${written} does not go ${where}`);
  };
  if (description === undefined) {
    forbid(
      ['server', 'overrideServers', 'connection', 'group', 'secret', ...KEYS, 'prefix', 'limit', 'all', ...SELECTING],
      'without a description',
    );
  } else if (flags.server === undefined) throw new Failure('bad-request', 'a description is served with --server URL');
  if (flags.secret === undefined) forbid(KEYS, 'without --secret');
  else forbid(['connection', 'group'], 'with --secret');
  if (flags.http === undefined) {
    forbid(['token', 'tokenFile', 'allowHost'], 'without --http');
    if (description === '-')
      throw new Failure('bad-request', 'the standard input is the client; the description is a file or a URL');
  }
}

/** What a model calls again and again is said once. */
function oncePerHost(tell: (host: string) => void): (host: string) => void {
  const told = new Set<string>();
  return (host) => {
    if (told.has(host)) return;
    told.add(host);
    tell(host);
  };
}

const SELECTING = ['operation', 'tag', 'method', 'path', 'overlay'] as const;

/** What never compiles should not load the compiler. */
async function servedBy(description: string | undefined, flags: McpFlags, log: Log): Promise<Served> {
  const { store } = flags;
  if (description === undefined) return { store: await openStore(store), connections: openConnections(store) };
  return (await import('./mcp-description.js')).compiled(description, flags, log);
}

const TOKEN_CHARS = 16;

async function httpOptions(port: number, flags: McpFlags): Promise<HttpOptions> {
  const { token, tokenFile, host, allowHost } = flags;
  if (token !== undefined && tokenFile !== undefined)
    throw new Failure('bad-request', 'the token is given in two ways');
  const { fromFile, variableOf } = await import('./connections.js');
  let read: string | undefined;
  if (tokenFile !== undefined) read = await fromFile(tokenFile);
  if (token !== undefined) {
    const name = variableOf('--token', token);
    read = process.env[name];
    if (read === undefined)
      throw new Failure('secret-missing', `the variable ${name} is not set; it has to hold the token`);
  }
  if (read !== undefined && !/^[\x21-\x7e]+$/.test(read))
    throw new Failure('invalid-secret', 'the token holds what no header carries');
  if (read !== undefined && read.length < TOKEN_CHARS) {
    throw new Failure('invalid-secret', `the token is shorter than ${TOKEN_CHARS} characters`);
  }
  return { port, host, names: allowHost, ...(read === undefined ? {} : { token: read }) };
}

/** Aborted by Ctrl-C and SIGTERM; a second one ends the process at once. */
function endSignal(interrupt: AbortSignal): AbortSignal {
  const terminate = new AbortController();
  process.on('SIGTERM', () => {
    if (terminate.signal.aborted) process.exit(EXIT.interrupted);
    terminate.abort();
  });
  return AbortSignal.any([interrupt, terminate.signal]);
}
