// Reads a part of a store, plans on what it holds, writes; when another writer was faster, plans again on what that one left.
import { replanned } from '../store/replan.js';
import type { ChangeSet, Snapshot, ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';

/** What one plan comes to. */
export interface Planned<T> {
  readonly changes: ChangeSet;
  readonly result: T;
}

/**
 * Writes what a plan changes of what it is shown, and answers its result. An empty change set writes nothing.
 * @throws Failure of the plan or of the store.
 */
export function committed<T>(
  store: ToolStore,
  read: () => Promise<Snapshot>,
  plan: (tools: readonly HttpTool[]) => Planned<T> | Promise<Planned<T>>,
): Promise<T> {
  return replanned(async () => {
    const { tools, revision } = await read();
    const { changes, result } = await plan(tools);
    if (changes.put.length + changes.remove.length > 0) await store.commit(changes, revision);
    return result;
  });
}
