// An answer of the API to the result of a call, and a result to the text that a model reads.
import { STATUS_CODES } from 'node:http';
import { counted } from '../base/text.js';
import type { Answer } from '../wire/exchange.js';
import type { Answered, CallResult } from './call.js';
import { contentOf } from './content.js';
import { headerOf, isRateLimited } from './retry.js';

const SHOWN = new Set(
  'content-type content-length location retry-after link etag last-modified www-authenticate'.split(' '),
);
const SHOWN_LIKE = /rate-?limit|request-?id/;
/** What a model sees by the body itself, or can do nothing with. */
const SAID_BY_BODY = new Set(['content-type', 'content-length', 'last-modified']);
const BODILESS = new Set([204, 304]);

/** The result of a call that was answered. A HEAD has no bytes, so it needs no telling. */
export function answerOf(answer: Answer, attempts: number): Answered & { readonly kind: 'answer' } {
  const { status } = answer;
  const bytes = BODILESS.has(status) ? Buffer.alloc(0) : answer.body;
  const cut = answer.cut && !BODILESS.has(status);
  const type = answer.headers['content-type'];
  const { body, notes } = contentOf(bytes, typeof type === 'string' ? type : type?.[0], cut);
  return {
    kind: 'answer',
    status,
    headers: shownHeaders(answer),
    body,
    ...(cut ? { cut } : {}),
    notes: [...statusNotes(answer), ...notes],
    attempts,
  };
}

function shownHeaders(answer: Answer): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of Object.keys(answer.headers)) {
    const value = SHOWN.has(name) || SHOWN_LIKE.test(name) ? headerOf(answer, name) : undefined;
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

function statusNotes(answer: Answer): readonly string[] {
  if (answer.status === 403 && isRateLimited(answer))
    return ['the API refuses this for the rate of calls, not for who calls'];
  const redirects = answer.status >= 300 && answer.status < 400 && headerOf(answer, 'location') !== undefined;
  return redirects ? ['the redirect was not followed'] : [];
}

/** The text for a model: a line with the outcome in words, notes and headers that matter, then the body. */
export function renderResult(result: CallResult): string {
  const head = renderHead(result);
  if (!('body' in result)) return head;
  const { body } = result;
  if (body.kind === 'empty') return `${head}\nThe body is empty.`;
  if (body.kind !== 'binary') return `${head}\n\n${body.text}`;
  const bytes = Buffer.byteLength(body.base64, 'base64');
  return `${head}\n${body.content_type}, ${counted(bytes, 'byte')} as base64:\n\n${body.base64}`;
}

/** The text for a model without the body of an answer. */
export function renderHead(result: CallResult): string {
  switch (result.kind) {
    case 'answer':
      return answerHead(result, 'The API answered');
    case 'unauthorized':
      return answerHead(result, 'The API refused the key of the connection:');
    case 'refused':
      return [
        `The call was refused and nothing was sent: ${result.reason}`,
        ...result.problems.map(
          ({ argument, expected, received }) => `- ${argument}: expected ${expected}, got ${received}`,
        ),
      ].join('\n');
    case 'timeout':
      return `The call ended without an answer${after(result.attempts)}: ${result.reason}`;
    case 'unreachable':
      return `The API could not be reached${after(result.attempts)}: ${result.reason}`;
  }
}

function answerHead({ status, headers, notes, attempts }: Answered, what: string): string {
  return [
    `${what} ${status} ${STATUS_CODES[status] ?? statusClass(status)}${after(attempts)}`,
    ...notes.map((note) => `Note: ${note}`),
    ...Object.entries(headers)
      .filter(([name]) => !SAID_BY_BODY.has(name))
      .map(([name, value]) => `${name}: ${value}`),
  ].join('\n');
}

function statusClass(status: number): string {
  if (status < 400) return status < 300 ? '(success)' : '(redirection)';
  return status < 500 ? '(client error)' : '(server error)';
}

function after(attempts: number): string {
  return attempts > 1 ? ` (after ${attempts} attempts)` : '';
}
