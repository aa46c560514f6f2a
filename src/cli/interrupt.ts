// Ctrl-C: ends the process; where something is under way that has to be told of first, a second one does.
import { EXIT } from './exit.js';

let cancel: (() => void) | undefined;

export function endOnInterrupt(): void {
  process.on('SIGINT', () => {
    const first = cancel;
    cancel = undefined;
    if (first === undefined) process.exit(EXIT.interrupted);
    first();
  });
}

/** Work that the first Ctrl-C cancels and does not cut off: `signal` says so to it. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  cancel = () => controller.abort();
  try {
    return await work(controller.signal);
  } finally {
    cancel = undefined;
  }
}
