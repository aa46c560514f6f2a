// A person is asked before a tool is called that may destroy something: the client shows the question, where it can.
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { digest } from '../base/canonical.js';
import { visible } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';

/** What was asked: a digest of the tool and its arguments. It travels to the client and back, signed. */
interface Asked {
  readonly call: string;
}

/** A person may take ten minutes; a question ends with its process. One for all clients: over HTTP each request has its own server. */
export const questions = createRequestStateCodec<Asked>({ key: randomBytes(32), ttlSeconds: 600 });

export type Consent =
  | { readonly kind: 'given' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'asked'; readonly question: InputRequiredResult };

const KEY = 'confirm';

/** Whether a person agreed to this very call; the question, where nobody was asked yet. */
export async function consentTo(
  tool: HttpTool,
  args: { readonly [name: string]: unknown },
  asking: { readonly canAsk: boolean; readonly context: ServerContext },
): Promise<Consent> {
  const { context } = asking;
  const refused = (why: string): Consent => ({
    kind: 'refused',
    reason: `${tool.name} was not called: it may destroy something, and ${why}.`,
  });
  if (!asking.canAsk) return refused('this client cannot ask a person whether it may be called');
  const call = digest([tool.id, tool.config, args]);
  const response = inputResponse(context.mcpReq.inputResponses, KEY);
  const state = context.mcpReq.requestState<Asked>();
  if (response.kind === 'elicit' && state?.call === call) {
    if (response.action === 'accept' && response.content?.[KEY] === true) return { kind: 'given' };
    return refused('the person who was asked did not agree. Do not call it again unless they say so');
  }
  const question = inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: `The model wants to call ${tool.name} (${tool.config.method}), which may destroy something, with ${visible(JSON.stringify(args), 1_000)}`,
        requestedSchema: {
          type: 'object',
          properties: { [KEY]: { type: 'boolean', title: 'Call it' } },
          required: [KEY],
        },
      }),
    },
    requestState: await questions.mint({ call }, context),
  });
  return { kind: 'asked', question };
}
