// The one error this product throws: it cannot go on, and says why.
import type { FailureCode } from './codes.js';

/**
 * Thrown where a whole request cannot go on (a bound, an unreadable source, a stale plan, misuse).
 * `message` is one sentence that names the thing, what was found and what is allowed; it holds no secret and no URL query.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Facts of the failure for programs; JSON-safe. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: FailureCode, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.data = data;
  }
}
