// The sources of a manifest that nobody took yet, read one after the other: here, or in a thread beside this one.
import { Failure } from '../base/failure.js';
import { type Alone, oneAtATime } from '../base/turns.js';
import { type ReadSource, readSource, type SourceOptions, type SourceTask } from './apply-source.js';

/** What all who read share. Plain data. */
export interface SharedWork {
  readonly tasks: readonly SourceTask[];
  readonly options: SourceOptions;
  /** So many sources each reader takes at once: one is parsed, and the texts of the others are fetched. */
  readonly lanes: number;
  /** One number, in shared memory: the first task that nobody took. */
  readonly next: Int32Array;
}

/** What came of the source of this name. */
export type Outcome = { readonly name: string } & ({ readonly read: ReadSource } | { readonly failure: Failure });

/** Takes tasks until there are none, and tells what comes of each. */
export async function readUntaken(
  { tasks, options, lanes, next }: SharedWork,
  told: (outcome: Outcome) => void,
): Promise<void> {
  const alone = oneAtATime();
  await inLanes(untaken(tasks, next), lanes, async (task) => told(await outcomeOf(task, options, alone)));
}

function* untaken(tasks: readonly SourceTask[], next: Int32Array): Generator<SourceTask> {
  for (;;) {
    const task = tasks[Atomics.add(next, 0, 1)];
    if (task === undefined) return;
    yield task;
  }
}

async function outcomeOf(task: SourceTask, options: SourceOptions, alone: Alone): Promise<Outcome> {
  const { name } = task;
  try {
    return { name, read: await readSource(task, options, alone) };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return { name, failure };
  }
}

/** Only a few items at once are worked on. */
export async function inLanes<T>(items: Iterable<T>, lanes: number, work: (item: T) => Promise<void>): Promise<void> {
  const lane = async () => {
    for (const item of items) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
