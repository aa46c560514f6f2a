// Reads a store, plans on what it holds, writes; when another writer was faster, plans again on what that one left.
import { replanned } from '../store/replan.js';
import type { ChangeSet, ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';

/**
 * Writes what a plan changes, and answers its result. An empty change set writes nothing.
 * @throws Failure of the plan or of the store.
 */
export function committed<T>(
  store: ToolStore,
  plan: (tools: readonly HttpTool[]) => { readonly changes: ChangeSet; readonly result: T },
): Promise<T> {
  return replanned(async () => {
    const { tools, revision } = await store.read();
    const { changes, result } = plan(tools);
    if (changes.put.length + changes.remove.length > 0) await store.commit(changes, revision);
    return result;
  });
}
