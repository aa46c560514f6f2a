// Use case: one call of a tool: validated, bound, sent behind its connection, and nothing of the secret in what comes back.
import { Failure } from '../base/failure.js';
import { bind } from '../call/bind.js';
import type { Answered, BoundRequest, CallResult, Problem, RefusedCall } from '../call/call.js';
import { renderResult } from '../call/result.js';
import { isRateLimited } from '../call/retry.js';
import { send } from '../call/send.js';
import { valuesOf } from '../call/validate.js';
import type { ConnectionStore } from '../connection/connection.js';
import { place } from '../connection/placement.js';
import { type Scrubber, scrubber } from '../connection/redact.js';
import { markBroken, type Resolved, resolve } from '../connection/resolve.js';
import { sealer } from '../connection/seal.js';
import type { Network } from '../document/document.js';
import type { HttpTool } from '../tool/tool.js';

export interface CallRequest {
  readonly tool: HttpTool;
  readonly arguments: { readonly [name: string]: unknown };
  /** Laid over the arguments and what is fixed. */
  readonly param_overrides?: { readonly [name: string]: unknown };
}

export interface CallOptions {
  /** Where the tool's connection is; needed where it has one. */
  readonly connections?: ConnectionStore;
  readonly network?: Network;
  /** Ends the call at once. */
  readonly signal?: AbortSignal;
}

/** The exact request of a call without its credential, or why it would be refused. Nothing is sent. */
export function requestOf({ tool, arguments: args, param_overrides }: CallRequest): BoundRequest | RefusedCall {
  const read = valuesOf(tool, args, param_overrides);
  if ('problems' in read) return refused(tool, read.problems);
  const bound = bind(tool, read.values);
  return 'method' in bound ? bound : refused(tool, bound);
}

/**
 * Calls a tool. Whatever the API does is a result.
 * @throws Failure of the connection: `unknown-connection`, `no-connection`, `connection-broken`, `secret-missing`...
 */
export async function callTool(request: CallRequest, options: CallOptions = {}): Promise<CallResult> {
  const { tool } = request;
  const bound = requestOf(request);
  if (!('method' in bound)) return bound;
  const resolved = await connectionOf(tool, options.connections);
  const placed = resolved === undefined ? { request: bound, secrets: [] } : place(bound, resolved.grant);
  const { attempts } = tool.config;
  const result = await send(placed.request, {
    deadline_seconds: tool.deadline_seconds,
    ...(attempts === undefined ? {} : { attempts }),
    ...(options.network === undefined ? {} : { network: options.network }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (resolved === undefined || options.connections === undefined) return result;
  return behind(tool, resolved, options.connections, result, scrubber(placed.secrets));
}

async function connectionOf(tool: HttpTool, connections: ConnectionStore | undefined): Promise<Resolved | undefined> {
  if (tool.connection_id === undefined && tool.connection_group === undefined) return undefined;
  if (connections === undefined) {
    throw new Failure(
      'no-connection',
      `${tool.name} is called through a connection, and no store of connections is given`,
    );
  }
  return resolve(connections, tool, { sealer: sealer() });
}

/** What an API answered behind a connection: without its secret, and where it refused the key the connection is broken. */
async function behind(
  tool: HttpTool,
  { connection }: Resolved,
  connections: ConnectionStore,
  result: CallResult,
  scrub: Scrubber,
): Promise<CallResult> {
  const clean = scrub.value(withoutSecret(result, scrub));
  if (clean.kind !== 'answer' || !isRefusal(clean)) return clean;
  const unauthorized: CallResult = { ...clean, kind: 'unauthorized' };
  const reason = scrub.text(renderResult(unauthorized));
  await markBroken(connections, connection.id, { tool: tool.name, reason, secret: connection.secret });
  return unauthorized;
}

/** The body without the secret: out of bytes before they are shown as base64, and at its end where it was cut there. */
function withoutSecret(result: CallResult, scrub: Scrubber): CallResult {
  if (!('body' in result)) return result;
  const { body, cut = false } = result;
  if (body.kind === 'text' && cut) return { ...result, body: { ...body, text: scrub.text(body.text, cut) } };
  if (body.kind !== 'binary') return result;
  const text = scrub.text(Buffer.from(body.base64, 'base64').toString('latin1'), cut);
  return { ...result, body: { ...body, base64: Buffer.from(text, 'latin1').toString('base64') } };
}

/** 401, or 403; one that is about the rate of calls says nothing of who calls. */
function isRefusal(answer: Answered): boolean {
  return answer.status === 401 || (answer.status === 403 && !isRateLimited(answer));
}

function refused(tool: HttpTool, problems: readonly Problem[]): RefusedCall {
  const listed = problems.map((one) => `${one.argument}: ${one.expected} is expected, and ${one.received} came`);
  return { kind: 'refused', reason: `${tool.name} cannot be called like this: ${listed.join('; ')}`, problems };
}
