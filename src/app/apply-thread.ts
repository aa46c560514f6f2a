// A thread that reads sources of a manifest beside the main one: it takes its share, posts what comes of each, and at the end nothing.
import { parentPort, workerData } from 'node:worker_threads';
import type { Failure } from '../base/failure.js';
import { type Outcome, readUntaken, type SharedWork } from './apply-lanes.js';

/** An outcome as plain data: an error loses its class, and what it has beside its message, on the way. */
export type Posted =
  | Extract<Outcome, { readonly read: unknown }>
  | { readonly name: string; readonly failed: Pick<Failure, 'code' | 'message' | 'data'> };

const post = (posted?: Posted) => parentPort?.postMessage(posted);

await readUntaken(workerData as SharedWork, (outcome) => {
  if ('read' in outcome) return post(outcome);
  const { name, failure } = outcome;
  return post({ name, failed: { code: failure.code, message: failure.message, data: failure.data } });
});
post();
