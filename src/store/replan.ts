// Tries a change again when another writer was faster: it is read and planned anew on what that one left.
import { Failure } from '../base/failure.js';

/** Other writers may come in between for so long before the change is given up, in milliseconds. */
const MOST = 120_000;
/** The longest wait between two tries, in milliseconds. */
const LONGEST_WAIT = 200;

/**
 * The result of an attempt, which reads, plans and commits; made again after `store-moved`.
 * @throws what the attempt throws.
 */
export async function replanned<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + MOST;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'store-moved' || performance.now() > end) throw error;
    }
    // By chance, so that those that lost to the same writer do not meet again.
    await pause(Math.random() * Math.min(LONGEST_WAIT, 2 ** tries));
  }
}

/** `unref`: it keeps no process alive. */
export function pause(milliseconds: number, { unref = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    if (unref) timer.unref();
  });
}
