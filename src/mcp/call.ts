// One call of a client: found, confirmed, made within what may run at once, and answered whatever comes of it.
import {
  type CallToolRequestParams,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callTool, requestOf } from '../app/call.js';
import { Failure } from '../base/failure.js';
import { nearest } from '../base/nearest.js';
import { quoted } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';
import { answerOf, failureAnswer, saying } from './answer.js';
import { consentTo } from './confirm.js';
import { placeOf } from './log.js';
import type { Offer } from './mcp.js';
import { telling } from './progress.js';
import { isDestructive, renderTool } from './render.js';
import type { Revision } from './revision.js';

/** Who calls, and how. */
export interface Caller {
  readonly context: ServerContext;
  readonly revision: Revision;
  /** The client can show a question to a person. */
  readonly canAsk: boolean;
}

export type Called = CallToolResult | InputRequiredResult;

/** @throws ProtocolError for a name that is none of a tool. */
export function toolNamed(offer: Offer, name: string): HttpTool {
  const tool = offer.catalogue.find(name);
  if (tool !== undefined) return tool;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${unknownName(offer, name)}`);
}

/** A name that is none, and the one that may be meant. */
export function unknownName({ catalogue }: Offer, name: string): string {
  const near = nearest(
    name,
    catalogue.tools.map((tool) => tool.name),
  );
  return `${quoted(name, 120)}${near === undefined ? '' : `; did you mean ${quoted(near)}?`}`;
}

/** Calls a tool. A crash is an answer: it ends neither the server nor the conversation. */
export async function called(
  offer: Offer,
  tool: HttpTool,
  args: NonNullable<CallToolRequestParams['arguments']>,
  caller: Caller,
): Promise<Called> {
  const run = offer.running.begin(caller.context.mcpReq.signal);
  if (run === 'ending') return saying('The server is ending; nothing was sent.');
  if (run === 'full') return saying('Too many calls are running; nothing was sent. Call again when others have ended.');
  const began = performance.now();
  try {
    const answer = await made(offer, tool, args, caller, run.signal);
    const outcome = 'isError' in answer && answer.isError === true ? 'an error' : 'answered';
    offer.log.debug(`${tool.name}: ${outcome} after ${Math.round(performance.now() - began)} ms`);
    return answer;
  } catch (error) {
    if (error instanceof Failure) {
      offer.log.warning(`${tool.name}: ${error.message}`);
      return failureAnswer(error);
    }
    offer.log.error(`${tool.name} crashed: ${placeOf(error)}`);
    return saying('The call failed for a fault of toolwright itself. It may have been carried out.');
  } finally {
    run.over();
  }
}

async function made(
  offer: Offer,
  tool: HttpTool,
  args: NonNullable<CallToolRequestParams['arguments']>,
  caller: Caller,
  signal: AbortSignal,
): Promise<Called> {
  const form = renderTool(tool, caller.revision).outputSchema === undefined ? undefined : tool.output_schema;
  const answering = { most: offer.options.answerBytes, form };
  if (offer.options.confirm && isDestructive(tool)) {
    // Nobody is asked about a call that would be refused anyway.
    const request = requestOf({ tool, arguments: args });
    if (!('method' in request)) return answerOf(tool, request, answering);
    const consent = await consentTo(tool, args, caller);
    if (consent.kind === 'asked') return consent.question;
    if (consent.kind === 'refused') return saying(consent.reason);
  }
  const teller = tellerOf(tool, caller.context);
  try {
    const result = await callTool(
      { tool, arguments: args },
      { ...offer.calls, signal, ...(teller === undefined ? {} : { progress: teller.tell }) },
    );
    return answerOf(tool, result, answering);
  } finally {
    teller?.end();
  }
}

/** Undefined where the client asked for no progress. */
function tellerOf(tool: HttpTool, { mcpReq }: ServerContext): ReturnType<typeof telling> | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return telling(tool.deadline_seconds, (remark) => {
    // Who no longer listens is told nothing.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...remark } }).catch(() => {});
  });
}
