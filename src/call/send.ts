// A bound request to the API and back: the headers of every call, the attempts, the waits between them, one deadline over all.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Failure } from '../base/failure.js';
import { CALL_LIMITS, FIXED_LIMITS } from '../base/limits.js';
import { counted, quoted } from '../base/text.js';
import type { Network } from '../document/document.js';
import type { Answer, ExchangeOptions, ExchangeRequest } from '../wire/exchange.js';
import type { BoundRequest, CallProgress, CallResult } from './call.js';
import { answerOf } from './result.js';
import { askedWait, backoff, isLost, isWorthRetrying } from './retry.js';

export interface SendOptions {
  /** Covers the attempts, the waits between them and the reading of the body. */
  readonly deadline_seconds: number;
  /** 1 to 3; 3 by default. */
  readonly attempts?: number;
  readonly network?: Network;
  /** Told of a host that may not be called. */
  readonly refused?: (host: string) => void;
  /** Ends the call at once. */
  readonly signal?: AbortSignal;
  /** Told of each attempt and each wait before the next. */
  readonly progress?: (progress: CallProgress) => void;
  /** How much of the decoded body is kept; 1 MiB by default. */
  readonly maxBytes?: number;
}

/** Chance and waiting, for tests to replace. */
export interface Pacing {
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Rejects as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const PACING: Pacing = {
  random: Math.random,
  sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};
const HEADERS = {
  Accept: 'application/json, text/*;q=0.9, */*;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br',
  'User-Agent': 'toolwright',
} as const;
const KEY = 'Idempotency-Key';
/** What a request of its own header of the same name goes without, by that name in lower case. */
const ADDED = new Map([...Object.keys(HEADERS), KEY].map((name) => [name.toLowerCase(), name]));
/** Methods that change nothing, so a repeated one needs no key. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What undici says of a request that it will not write. */
const UNWRITABLE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);

/** Sends a request, again where that is worth it, and reads the answer. Whatever comes of it is a result; nothing is thrown. */
export async function send(request: BoundRequest, options: SendOptions, pacing: Pacing = PACING): Promise<CallResult> {
  const deadline = new AbortController();
  const milliseconds = Math.min(options.deadline_seconds * 1000, 2 ** 31 - 1);
  const cancel = () => deadline.abort('the call was cancelled');
  // Not AbortSignal.timeout: its timer alone does not keep the process alive until the result is there.
  const timer = setTimeout(() => deadline.abort(lateReason(request, options.deadline_seconds)), milliseconds);
  options.signal?.addEventListener('abort', cancel, { once: true });
  if (options.signal?.aborted === true) cancel();
  try {
    return await new Call(request, options, pacing, deadline.signal, performance.now() + milliseconds).result();
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', cancel);
  }
}

function lateReason({ origin }: BoundRequest, seconds: number): string {
  return `${quoted(origin, 120)} gave no whole answer within ${counted(seconds, 'second')}`;
}

/** Imported where it is used, since what never calls should not load undici, and once, since each import costs. */
let wire: ReturnType<typeof loaded> | undefined;

function loaded() {
  return Promise.all([import('../wire/exchange.js'), import('../wire/pool.js')]);
}

/** By origin, of those last called. */
const urls = new LRUCache<string, URL>({ max: FIXED_LIMITS.compiled_schemas });

function urlOf(origin: string): URL | null {
  const known = urls.get(origin);
  if (known !== undefined) return known;
  if (!URL.canParse(origin)) return null;
  const url = new URL(origin);
  urls.set(origin, url);
  return url;
}

/** What came of one attempt; `wait` where another one is worth it: what it asked for, or nothing in particular. */
interface Outcome {
  readonly result: CallResult;
  readonly again: boolean;
  readonly wait?: number | undefined;
}

/** The attempts of one call. */
class Call {
  readonly #request: BoundRequest;
  readonly #options: SendOptions;
  readonly #pacing: Pacing;
  readonly #signal: AbortSignal;
  /** On the clock of performance.now(). */
  readonly #end: number;
  #attempts = 0;

  constructor(request: BoundRequest, options: SendOptions, pacing: Pacing, signal: AbortSignal, end: number) {
    this.#request = request;
    this.#options = options;
    this.#pacing = pacing;
    this.#signal = signal;
    this.#end = end;
  }

  async result(): Promise<CallResult> {
    const prepared = this.#prepared();
    if (prepared === null) {
      return {
        kind: 'refused',
        reason: `${quoted(this.#request.origin, 120)} is not an absolute http(s) URL`,
        problems: [],
      };
    }
    const most = Math.min(CALL_LIMITS.attempts, Math.max(1, this.#options.attempts ?? CALL_LIMITS.attempts));
    const { progress } = this.#options;
    for (;;) {
      progress?.({ kind: 'sending', attempt: this.#attempts + 1, of: most });
      const { result, again, wait } = await this.#attempt(prepared);
      if (!again || this.#attempts >= most) return result;
      const milliseconds = wait ?? backoff(this.#attempts, this.#pacing.random());
      // A wait that the deadline would cut short is not begun: what there is, is the better answer.
      if (milliseconds >= this.#end - performance.now()) return result;
      progress?.({ kind: 'waiting', attempt: this.#attempts, of: most, milliseconds });
      try {
        await this.#pacing.sleep(milliseconds, this.#signal);
      } catch (error) {
        if (!this.#signal.aborted) throw error;
      }
      if (this.#signal.aborted) return this.#timeout();
    }
  }

  /** The request of every attempt, the key included. */
  #prepared(): ExchangeRequest | null {
    const { origin, target, method, body } = this.#request;
    const url = urlOf(origin);
    if (url === null) return null;
    const headers: Record<string, string> = { ...HEADERS };
    if (!SAFE_METHODS.has(method.toUpperCase())) headers[KEY] = randomUUID();
    for (const [name, value] of Object.entries(this.#request.headers)) {
      const ours = ADDED.get(name.toLowerCase());
      if (ours !== undefined) delete headers[ours];
      headers[name] = value;
    }
    return { url, target, method, headers, ...(body === undefined ? {} : { body }) };
  }

  async #attempt(prepared: ExchangeRequest): Promise<Outcome> {
    if (this.#signal.aborted) return { result: this.#timeout(), again: false };
    this.#attempts += 1;
    try {
      const answer = await this.#exchanged(prepared);
      const result = answerOf(answer, this.#attempts);
      return { result, again: isWorthRetrying(answer), wait: askedWait(answer, Date.now()) };
    } catch (error) {
      if (this.#signal.aborted) return { result: this.#timeout(), again: false };
      if (error instanceof Failure) return this.#failed(error);
      throw error;
    }
  }

  async #exchanged(prepared: ExchangeRequest): Promise<Answer> {
    wire ??= loaded();
    const [{ exchange }, { sharedPool }] = await wire;
    const { network, maxBytes = CALL_LIMITS.answer_bytes } = this.#options;
    const options: ExchangeOptions = { ...network, signal: this.#signal, maxBytes, pool: sharedPool };
    return exchange(prepared, options);
  }

  #failed({ code, message, data }: Failure): Outcome {
    if (code === 'address-refused' && typeof data.host === 'string') this.#options.refused?.(data.host);
    if (code !== 'fetch-failed') return { result: { kind: 'refused', reason: message, problems: [] }, again: false };
    if (typeof data.reason === 'string' && UNWRITABLE.has(data.reason)) {
      const reason = 'the method, the path or a header of the request holds what HTTP does not allow';
      return { result: { kind: 'refused', reason, problems: [] }, again: false };
    }
    const result: CallResult = { kind: 'unreachable', reason: message, attempts: this.#attempts };
    return { result, again: isLost(data.reason) };
  }

  #timeout(): CallResult {
    return { kind: 'timeout', reason: String(this.#signal.reason), attempts: this.#attempts };
  }
}
