// Tries a change again when another writer was faster: it is read and planned anew on what that one left.
import { Failure } from '../base/failure.js';

/** Other writers may come in between this often before the change is given up. */
const MOST_TRIES = 100;

/**
 * The result of an attempt, which reads, plans and commits; made again after `store-moved`.
 * @throws what the attempt throws.
 */
export async function replanned<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'store-moved' || tries >= MOST_TRIES) throw error;
    }
  }
}
