// What is kept of a call: that it was made and what came of it; never an argument, a URL or a word of the API.
import type { FailureCode } from '../base/codes.js';
import { FIXED_LIMITS } from '../base/limits.js';
import type { HttpTool } from '../tool/tool.js';
import type { CallResult } from './call.js';

export interface CallRecord {
  /** When it began: ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
  readonly tool_id: string;
  /** The tool's name at that time. */
  readonly tool: string;
  /** `failed`: what the call needs was not there; `code` says what. */
  readonly outcome: CallResult['kind'] | 'failed';
  /** Requests that were sent. */
  readonly attempts: number;
  /** Of the answer, where there was one. */
  readonly status?: number;
  readonly code?: FailureCode | 'internal';
  /** From the arguments to the result. */
  readonly duration_ms: number;
}

/** Where records go. */
export interface CallRecords {
  /** @throws Failure `record-unwritable`. */
  add(record: CallRecord): Promise<void>;
  /**
   * The last records, at most `records_kept`, the oldest of them first.
   * @throws Failure `record-unreadable`.
   */
  last(): Promise<readonly CallRecord[]>;
  close(): Promise<void>;
}

/** The record of a call that began at `at` and came to `end`. */
export function recordOf(
  tool: HttpTool,
  at: Date,
  duration_ms: number,
  end: CallResult | FailureCode | 'internal',
): CallRecord {
  const failed = typeof end === 'string';
  return {
    at: at.toISOString(),
    tool_id: tool.id,
    tool: tool.name,
    outcome: failed ? 'failed' : end.kind,
    attempts: failed || !('attempts' in end) ? 0 : end.attempts,
    ...(failed ? { code: end } : 'status' in end ? { status: end.status } : {}),
    duration_ms: Math.round(duration_ms),
  };
}

/** Records that live as long as their process; the oldest are dropped past `records_kept`. */
export function memoryRecords(): CallRecords {
  let kept: CallRecord[] = [];
  return {
    async add(record) {
      kept.push(record);
      if (kept.length >= FIXED_LIMITS.records_kept * 2) kept = kept.slice(-FIXED_LIMITS.records_kept);
    },
    last: async () => kept.slice(-FIXED_LIMITS.records_kept),
    close: async () => {},
  };
}
