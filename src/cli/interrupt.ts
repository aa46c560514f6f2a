// Ctrl-C: ends the process; where something is under way that has to be told of first, a second one does.
import { EXIT } from './exit.js';
import { complain } from './terminal.js';

let cancel: (() => void) | undefined;
let lastWords: string | undefined;

export function endOnInterrupt(): void {
  process.on('SIGINT', () => {
    const first = cancel;
    cancel = undefined;
    if (first === undefined) endInterrupted();
    first();
  });
}

/** What a Ctrl-C says on stderr from now on, before it ends the process; one line. */
export function sayOnInterrupt(words: string): void {
  lastWords = words;
}

/** Ends the process as a Ctrl-C does while nothing is under way. */
export function endInterrupted(): never {
  if (lastWords !== undefined) complain(lastWords);
  process.exit(EXIT.interrupted);
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
