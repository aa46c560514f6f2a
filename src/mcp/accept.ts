// What a client takes (RFC 9110, section 12.5.1): the SDK wants JSON and a stream of events named, both and each.
import type { IncomingMessage } from 'node:http';
import { isObject, own } from '../base/json.js';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Names both types in the request where it takes at least what the answer may be, a stream that it does not take as just that. */
export function normalizeAccept({ method, headers }: IncomingMessage): void {
  const { accept } = headers;
  const stream = takes(accept, STREAM_TYPE);
  if (method === 'POST' ? takes(accept, JSON_TYPE) : stream)
    headers.accept = `${JSON_TYPE}, ${STREAM_TYPE}${stream ? '' : ';q=0'}`;
}

/** Whether its client hears anything before the answer. */
export function takesStream(request: Request): boolean {
  return takes(request.headers.get('accept') ?? undefined, STREAM_TYPE);
}

function takes(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const [main = ''] = type.split('/');
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.toLowerCase().split(';');
    const never = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter));
    return !never && ['*/*', `${main}/*`, type].includes(name.trim());
  });
}

/**
 * The answer of a stream as JSON, for a client that takes no stream: what came before the answer is left out. A stream that
 * only tells of changes has no answer to wait for.
 */
export async function withoutStream(request: Request, body: unknown, response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith(STREAM_TYPE) !== true) return response;
  if (request.headers.get('mcp-method') === 'subscriptions/listen') {
    await response.body?.cancel();
    const error = { code: -32_000, message: `Changes are told in a stream: Accept has to name ${STREAM_TYPE}` };
    const id = (isObject(body) ? own(body, 'id') : undefined) ?? null;
    return Response.json({ jsonrpc: '2.0', id, error }, { status: 406 });
  }
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  const answers = events.map((line) => line.slice('data: '.length)).filter((text) => !('method' in JSON.parse(text)));
  // Several messages at once, which only the revision 2025-03-26 has, are answered at once.
  const answer = Array.isArray(body) && answers.length > 0 ? `[${answers.join()}]` : answers.at(-1);
  const headers = new Headers(response.headers);
  headers.set('content-type', JSON_TYPE);
  return new Response(answer ?? null, { status: answer === undefined ? 502 : response.status, headers });
}
