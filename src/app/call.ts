// Use case: one call of a tool: validated, bound, sent behind its connection, and nothing of the secret in what comes back.
import { Failure } from '../base/failure.js';
import { counted } from '../base/text.js';
import { bind } from '../call/bind.js';
import type { Answered, BoundRequest, CallProgress, CallResult, Problem, RefusedCall } from '../call/call.js';
import { type CallRecords, recordOf } from '../call/record.js';
import { renderResult } from '../call/result.js';
import { isRateLimited } from '../call/retry.js';
import { send } from '../call/send.js';
import { valuesOf, withFitNoted } from '../call/validate.js';
import type { ConnectionStore } from '../connection/connection.js';
import { markBroken } from '../connection/health.js';
import type { ConsentOptions } from '../connection/oauth-client.js';
import { masked, place } from '../connection/placement.js';
import { type Scrubber, scrubber } from '../connection/redact.js';
import { connectionFor, granted, type Resolved } from '../connection/resolve.js';
import { sealer } from '../connection/seal.js';
import { isConsented } from '../connection/tokens.js';
import type { Network } from '../document/document.js';
import type { Consumer } from '../tool/dialect/dialect.js';
import type { HttpTool } from '../tool/tool.js';
import { render } from './export.js';

export interface CallRequest {
  readonly tool: HttpTool;
  readonly arguments: { readonly [name: string]: unknown };
  /** Laid over the arguments and what is fixed. */
  readonly param_overrides?: { readonly [name: string]: unknown };
  /** Whose form of the tool the arguments are written for; without, that of the stored tool. */
  readonly consumer?: Consumer;
}

export interface CallOptions {
  /** Where the tool's connection is; needed where it has one. */
  readonly connections?: ConnectionStore;
  /** Takes one record of the call, whatever comes of it. */
  readonly records?: CallRecords;
  /** Told where the record could not be written: the result is not lost for that. */
  readonly warn?: (failure: Failure) => void;
  readonly network?: Network;
  /** Told of a host that may not be called, since it is not on the public internet: `network.allow` lifts that. */
  readonly refused?: (host: string) => void;
  /** Where consented accounts are renewed; those of the table by default. */
  readonly providers?: ConsentOptions['providers'];
  /** Ends the call at once. */
  readonly signal?: AbortSignal;
  /** Told of each attempt and each wait before the next. */
  readonly progress?: (progress: CallProgress) => void;
}

/** The exact request of a call without its credential, or why it would be refused. Nothing is sent. */
export function requestOf(request: CallRequest): BoundRequest | RefusedCall {
  const { tool, param_overrides, consumer } = request;
  const given = request.arguments;
  const args = consumer === undefined ? given : render(tool, consumer, param_overrides).arguments(given);
  const read = valuesOf(tool, args, param_overrides);
  if ('problems' in read) return refused(tool, read.problems);
  const bound = bind(tool, read.values);
  return 'method' in bound ? bound : refused(tool, bound);
}

/**
 * The exact request of a call with its credential masked, or why it would be refused. Nothing is sent, no secret is read.
 * @throws Failure `unknown-connection`, `no-connection`, `connection-broken`; those of the store.
 */
export async function maskedRequestOf(
  request: CallRequest,
  connections: ConnectionStore,
): Promise<BoundRequest | RefusedCall> {
  const bound = requestOf(request);
  if (!('method' in bound)) return bound;
  const connection = await connectionFor(connections, request.tool);
  return connection === undefined ? bound : masked(bound, connection);
}

/**
 * Calls a tool. Whatever the API does is a result.
 * @throws Failure of the connection: `unknown-connection`, `no-connection`, `connection-broken`, `secret-missing`,
 * `no-oauth-client`, `renewal-failed`...
 */
export async function callTool(request: CallRequest, options: CallOptions = {}): Promise<CallResult> {
  const { records } = options;
  if (records === undefined) return called(request, options);
  const at = new Date();
  const began = performance.now();
  const keep = (end: Parameters<typeof recordOf>[3]) =>
    records.add(recordOf(request.tool, at, performance.now() - began, end)).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      options.warn?.(error);
    });
  try {
    const result = await called(request, options);
    await keep(result);
    return result;
  } catch (error) {
    await keep(error instanceof Failure ? error.code : 'internal');
    throw error;
  }
}

async function called(request: CallRequest, options: CallOptions): Promise<CallResult> {
  const { tool } = request;
  const bound = requestOf(request);
  if (!('method' in bound)) return bound;
  const started = performance.now();
  const resolved = await connectionOf(tool, options);
  if (resolved !== undefined && 'kind' in resolved) return resolved;
  const placed = resolved === undefined ? { request: bound, secrets: [] } : place(bound, resolved.grant);
  const { attempts } = tool.config;
  const result = await send(placed.request, {
    deadline_seconds: Math.max(1, tool.deadline_seconds - Math.floor((performance.now() - started) / 1000)),
    ...(attempts === undefined ? {} : { attempts }),
    ...(options.network === undefined ? {} : { network: options.network }),
    ...(options.refused === undefined ? {} : { refused: options.refused }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.progress === undefined ? {} : { progress: options.progress }),
  });
  const noted = withFitNoted(tool, result);
  if (resolved === undefined || options.connections === undefined) return noted;
  return behind(tool, resolved, options.connections, noted, scrubber(placed.secrets));
}

/** The connection with its secret; a token that is renewed first is waited for as long as the call may take. */
async function connectionOf(
  tool: HttpTool,
  { connections, network, providers, signal }: CallOptions,
): Promise<Resolved | Extract<CallResult, { kind: 'timeout' }> | undefined> {
  if (tool.connection_id === undefined && tool.connection_group === undefined) return undefined;
  if (connections === undefined) {
    throw new Failure(
      'no-connection',
      `${tool.name} is called through a connection, and no store of connections is given`,
    );
  }
  const connection = await connectionFor(connections, tool);
  if (connection === undefined) return undefined;
  const options = {
    sealer: sealer(),
    ...(network === undefined ? {} : { network }),
    ...(providers === undefined ? {} : { providers }),
  };
  if (!isConsented(connection)) return granted(connections, connection, tool, options);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), tool.deadline_seconds * 1000);
  const end = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  try {
    return await granted(connections, connection, tool, { ...options, signal: end });
  } catch (error) {
    if (!end.aborted || error !== end.reason) throw error;
    const late = `the token of the connection was not renewed within ${counted(tool.deadline_seconds, 'second')}`;
    return { kind: 'timeout', reason: signal?.aborted === true ? 'the call was cancelled' : late, attempts: 0 };
  } finally {
    clearTimeout(timer);
  }
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
  // A consented account is known by its token: 403 then says that it may not do this, not that it is unknown.
  if (isConsented(connection) && clean.status === 403) return unauthorized;
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
  // What is wrong with each stands beside it: a model would read it twice, and pay for both.
  const named = [...new Set(problems.map(({ argument }) => argument))].join(', ');
  return { kind: 'refused', reason: `${tool.name} cannot be called like this (${named})`, problems };
}
