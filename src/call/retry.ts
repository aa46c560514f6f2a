// Whether what came of one attempt is worth another, and how long to wait before it.
import { CALL_LIMITS } from '../base/limits.js';
import type { AnswerHead } from '../wire/exchange.js';

/** Statuses that say: the same request may go through later. */
const LATER = new Set([408, 429, 502, 503, 504]);
/** Codes of no connection, or one that was lost. A name that does not exist, a certificate and broken HTTP stay as they are. */
const LOST = new Set(
  `EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH EPIPE ETIMEDOUT
  UND_ERR_CONNECT_TIMEOUT UND_ERR_SOCKET`.split(/\s+/),
);
const REMAINING = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'];
/** The three forms of RFC 9110, section 5.6.7; Date.parse alone takes almost anything for a date. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? [\w -]+ ?\d\d:\d\d:\d\d(?: gmt| \d{4})$/i;

/** True for an answer that means "later". */
export function isWorthRetrying(head: AnswerHead): boolean {
  return LATER.has(head.status) || isRateLimited(head);
}

/** True for the code of a failure to get any answer. */
export function isLost(code: unknown): boolean {
  return typeof code === 'string' && LOST.has(code);
}

/** True for a 429, and for a 403 that says it is one by its headers: it is about the rate, not about who asks. */
export function isRateLimited(head: AnswerHead): boolean {
  if (head.status === 429) return true;
  if (head.status !== 403) return false;
  return (
    headerOf(head, 'retry-after') !== undefined ||
    REMAINING.some((name) => /^\s*0+\s*$/.test(headerOf(head, name) ?? ''))
  );
}

/** A header of an answer; one that came more than once is joined. */
export function headerOf(head: AnswerHead, name: string): string | undefined {
  const value = Object.hasOwn(head.headers, name) ? head.headers[name] : undefined;
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** The milliseconds that Retry-After asks for; undefined where it asks for none that can be read. */
export function askedWait(head: AnswerHead, now: number): number | undefined {
  const value = head.headers['retry-after'];
  const waits = (typeof value === 'string' ? [value] : (value ?? [])).flatMap((text) =>
    readWait(text.trim(), head, now),
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function readWait(text: string, head: AnswerHead, now: number): number[] {
  if (/^\d+(?:\.\d+)?$/.test(text)) return [Number(text) * 1000];
  const until = httpDate(text);
  if (until === undefined) return [];
  // Against the clock of the API where it tells it: ours may be wrong.
  return [Math.max(0, until - (httpDate(headerOf(head, 'date') ?? '') ?? now))];
}

function httpDate(text: string): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined;
  const time = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Exponential, with full jitter, in milliseconds; `attempt` is the one that failed, from 1. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(CALL_LIMITS.longest_wait, CALL_LIMITS.first_wait * 2 ** (attempt - 1));
}
