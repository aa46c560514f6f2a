// `toolwright call`: one call of a tool, what came of it as text or JSON; --dry-run: the exact request; --records: the calls so far.
import { isUtf8 } from 'node:buffer';
import { type CallOptions, type CallRequest, callTool, maskedRequestOf } from '../app/call.js';
import { render } from '../app/export.js';
import { parseValue, readTool } from '../app/tools.js';
import { Failure } from '../base/failure.js';
import { isObject, put } from '../base/json.js';
import { counted, printable, quoted, visible } from '../base/text.js';
import type { BoundRequest, CallResult, RefusedCall } from '../call/call.js';
import type { CallRecord } from '../call/record.js';
import { openRecords } from '../call/record-open.js';
import { renderResult } from '../call/result.js';
import { openStore } from '../store/open.js';
import type { Consumer } from '../tool/dialect/dialect.js';
import type { HttpTool } from '../tool/tool.js';
import { closing, withStores } from './closing.js';
import { EXIT } from './exit.js';
import { interruptible } from './interrupt.js';
import type { StoreFlags } from './options.js';
import { complain, print, printJson, remark, table } from './terminal.js';

interface CallFlags extends StoreFlags {
  readonly args?: string;
  readonly for?: Consumer;
  readonly dryRun?: boolean;
  readonly records?: boolean;
  readonly allowPrivate: readonly string[];
}

/** @returns the exit status: 0 for an answer below 400. */
export async function runCall(
  reference: string | undefined,
  pairs: readonly string[],
  flags: CallFlags,
): Promise<number> {
  if (flags.records === true) return showRecords(reference, pairs, flags);
  if (reference === undefined)
    throw new Failure('bad-request', 'no tool is named; `toolwright tools list` shows those there are');
  return withStores(flags.store, async ({ tools, connections }) => {
    const tool = await readTool(tools, reference);
    const request = { tool, arguments: await argumentsOf(tool, pairs, flags) };
    if (flags.dryRun === true) return showRequest(await maskedRequestOf(request, connections), flags);
    return closing(openRecords(flags.store), (records) => showCall(request, { connections, records }, flags));
  });
}

async function showCall(
  request: CallRequest,
  beside: Pick<CallOptions, 'connections' | 'records'>,
  flags: CallFlags,
): Promise<number> {
  const refusedHosts = new Set<string>();
  const { result, interrupted } = await interruptible(async (signal) => {
    const network = { allow: flags.allowPrivate };
    const warn = ({ message }: Failure) => remark(`warning: ${message}`, flags.quiet === true);
    const refused = (host: string) => refusedHosts.add(host);
    const result = await callTool(request, { ...beside, network, warn, refused, signal });
    return { result, interrupted: signal.aborted };
  });
  // The API may have got it: the record says so.
  if (interrupted) return EXIT.interrupted;
  show(result, flags);
  for (const host of refusedHosts) complain(`--allow-private ${host} lifts this for that host`);
  return statusOf(result);
}

/** What an API answered is data, whatever its status; why it answered nothing is none. */
function show(result: CallResult, flags: CallFlags): void {
  if (flags.json === true) printJson(result);
  else if ('body' in result) print(printable(renderResult(result)));
  if (!('body' in result)) complain(`error[${result.kind}]: ${printable(renderResult(result))}`);
}

function statusOf(result: CallResult): number {
  if (result.kind === 'unauthorized') return EXIT.unauthorized;
  return result.kind === 'answer' && result.status < 400 ? EXIT.done : EXIT.failed;
}

function showRequest(request: BoundRequest | RefusedCall, flags: CallFlags): number {
  if (!('method' in request)) {
    show(request, flags);
    return EXIT.failed;
  }
  const text = bodyText(request);
  if (flags.json === true) printJson(text === undefined ? request : { ...request, body: text });
  else {
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
    const body = text === undefined ? [] : ['', text];
    print(printable([`${request.method} ${request.origin}${request.target}`, ...headers, ...body].join('\n')));
  }
  return EXIT.done;
}

const BODY_SHOWN = 64 * 1024;

/** A body as text: what is long or no text is only counted. */
function bodyText({ body }: BoundRequest): string | undefined {
  if (typeof body !== 'object') return body;
  const bytes = body.bytes <= BODY_SHOWN ? Buffer.concat([...body.chunks()]) : undefined;
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString() : `(${counted(body.bytes, 'byte')})`;
}

const RECORDS_SHOWN = 50;

/** The last calls, of one tool where one is named; the tool itself need not exist any more. */
async function showRecords(reference: string | undefined, pairs: readonly string[], flags: CallFlags): Promise<number> {
  if (pairs.length > 0 || flags.args !== undefined || flags.dryRun === true) {
    throw new Failure('bad-request', '--records makes no call; it goes with the name of a tool alone');
  }
  const all = await closing(openRecords(flags.store), (records) => records.last());
  const wanted = all.filter(
    ({ tool, tool_id }) => reference === undefined || reference === tool || reference === tool_id,
  );
  const shown = wanted.slice(-RECORDS_SHOWN);
  if (shown.length === 0 && reference !== undefined) await remarkUnknown(reference, flags);
  if (flags.json === true) printJson(shown);
  else if (shown.length === 0) print('No calls are recorded.');
  else {
    const head = ['WHEN', 'TOOL', 'OUTCOME', 'STATUS', 'ATTEMPTS', 'MS'];
    print(`${table([head, ...shown.map(recordRow)], new Set([3, 4, 5]))}\n${counted(shown.length, 'call')}`);
  }
  return EXIT.done;
}

/** Nothing is recorded of a tool that does not exist, and never did. */
async function remarkUnknown(reference: string, flags: CallFlags): Promise<void> {
  try {
    await closing(await openStore(flags.store), (tools) => readTool(tools, reference));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unknown-tool') throw error;
    remark(error.message, flags.quiet === true);
  }
}

function recordRow({ at, tool, outcome, code, status, attempts, duration_ms }: CallRecord): string[] {
  const end = code === undefined ? outcome : `${outcome} (${code})`;
  return [at, tool, end, status ?? '', attempts, duration_ms].map((cell) => visible(String(cell), 80));
}

/** Arguments as one JSON object (`-`: from the standard input), in the form of the consumer that is named, and as name=value read by the tool's own schema. */
async function argumentsOf(
  tool: HttpTool,
  pairs: readonly string[],
  { args: json, for: consumer }: CallFlags,
): Promise<Record<string, unknown>> {
  const given = json === undefined ? {} : await readObject(json);
  const args: Record<string, unknown> = {
    ...(consumer === undefined ? given : render(tool, consumer).arguments(given)),
  };
  for (const pair of pairs) {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || text === undefined) throw new Failure('bad-request', `${quoted(pair)} is not name=value`);
    put(args, name, parseValue(tool, name, text));
  }
  return args;
}

async function readObject(given: string): Promise<Record<string, unknown>> {
  const text = given === '-' ? await standardInput() : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('bad-request', 'the arguments are not JSON', {}, error);
  }
  if (!isObject(value)) throw new Failure('bad-request', 'the arguments are not a JSON object');
  return { ...value };
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
