// The sources of a manifest, read on as many threads as are worth their start, this one among them.
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Failure } from '../base/failure.js';
import type { ManifestSource } from '../manifest/manifest.js';
import { type Outcome, readUntaken, type SharedWork } from './apply-lanes.js';
import type { SourceOptions, SourceTask } from './apply-source.js';
import type { Posted } from './apply-thread.js';

/** A thread loads its modules anew, and its code is slow at first: with less to read it takes more than it gives. */
const BYTES_PER_THREAD = 24 * 1024 * 1024;
/** Of a source that is not looked at before it is read. */
const SOME_BYTES = 1024 * 1024;
/** A byte of YAML takes as long as so many of JSON. */
const YAML_WEIGHT = 10;
/** Beside this one. */
const MOST_THREADS = 3;

/**
 * Reads all tasks, and tells what comes of each, in any order.
 * @throws what is no Failure of a source.
 */
export async function readAll(
  tasks: readonly SourceTask[],
  options: SourceOptions,
  told: (outcome: Outcome) => void,
): Promise<void> {
  const left = new Set(tasks.map(({ name }) => name));
  let over = () => {};
  const tell = (outcome: Outcome) => {
    left.delete(outcome.name);
    told(outcome);
    if (left.size === 0) over();
  };
  const all = new Promise<void>((resolve) => {
    over = resolve;
  });
  const most = await threadsFor(tasks, options);
  const work = workOn(tasks, options, most);
  const threads = Array.from({ length: most }, () => startThread(work, tell));
  try {
    // A thread may still be starting when there is nothing left.
    await Promise.race([all, Promise.all([readUntaken(work, tell), ...threads.map((thread) => thread?.done)])]);
    // What a thread had taken when it died. An error that is no Failure comes up here again.
    const rest = tasks.filter(({ name }) => left.has(name));
    await readUntaken(workOn(rest, options, 0), tell);
  } finally {
    // Nobody takes another one.
    Atomics.store(work.next, 0, tasks.length);
    await Promise.all(threads.map((thread) => thread?.end()));
  }
}

async function threadsFor(tasks: readonly SourceTask[], { network }: SourceOptions): Promise<number> {
  const most = Math.min(MOST_THREADS, availableParallelism() - 1);
  // A function stays in its thread.
  if (most === 0 || network.lookup !== undefined) return 0;
  const weights = await Promise.all(tasks.map(({ source }) => weightOf(source)));
  return Math.min(most, Math.floor(weights.reduce((sum, one) => sum + one, 0) / BYTES_PER_THREAD));
}

async function weightOf({ description }: ManifestSource): Promise<number> {
  const found = await stat(description).catch(() => undefined);
  if (found === undefined) return SOME_BYTES;
  return /\.ya?ml$/i.test(description) ? YAML_WEIGHT * found.size : found.size;
}

function workOn(tasks: readonly SourceTask[], options: SourceOptions, threads: number): SharedWork {
  // A text waits while another one is parsed; where there are threads, it could be read in one of them meanwhile.
  const lanes = threads === 0 ? 4 : 2;
  return { tasks, options, lanes, next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

interface Thread {
  /** When it has told of all that it took, or is no more. */
  readonly done: Promise<void>;
  end(): Promise<unknown>;
}

/** undefined where there can be none. */
function startThread(work: SharedWork, told: (outcome: Outcome) => void): Thread | undefined {
  let worker: Worker;
  try {
    worker = new Worker(new URL('./apply-thread.js', import.meta.url), { workerData: work });
  } catch {
    return undefined;
  }
  const done = new Promise<void>((resolve, reject) => {
    worker.on('message', (posted: Posted | undefined) => {
      try {
        if (posted === undefined) resolve();
        else told('read' in posted ? posted : { name: posted.name, failure: failureOf(posted) });
      } catch (error) {
        reject(error);
      }
    });
    // Its file is not there, or its memory is at an end: it exits.
    worker.on('error', () => {});
    worker.on('exit', () => resolve());
  });
  return { done, end: () => worker.terminate() };
}

function failureOf({ failed: { code, message, data } }: Extract<Posted, { readonly failed: unknown }>): Failure {
  return new Failure(code, message, data);
}
