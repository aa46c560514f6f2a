// What a client that asked for it is told while its call goes on: the attempt, the wait before the next, the time gone.
import { MCP_LIMITS } from '../base/limits.js';
import type { CallProgress } from '../call/call.js';

/** A remark: seconds gone, of those that the call may take. */
export interface Remark {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

export interface Teller {
  tell(progress: CallProgress): void;
  end(): void;
}

/** Tells of what happens as it happens, and every few seconds that the call goes on: a client may give up on one that is silent. */
export function telling(deadlineSeconds: number, send: (remark: Remark) => void): Teller {
  const began = performance.now();
  let last = -1;
  let message = 'beginning';
  const say = () => {
    // Whole milliseconds that always grow: a client may refuse a progress that stands still.
    last = Math.max(last + 1, Math.round(performance.now() - began));
    send({ progress: last / 1000, total: Math.max(deadlineSeconds, last / 1000), message });
  };
  const timer = setInterval(say, MCP_LIMITS.progress);
  return {
    tell(progress) {
      message = messageOf(progress);
      say();
    },
    end: () => clearInterval(timer),
  };
}

function messageOf(progress: CallProgress): string {
  const { attempt, of } = progress;
  if (progress.kind === 'sending') return `attempt ${attempt} of ${of}`;
  return `attempt ${attempt} of ${of} failed; the next one in ${(progress.milliseconds / 1000).toFixed(1)} s`;
}
