// Reads a store, plans on what it holds, writes; when another writer was faster, plans again on what that one left.
import { Failure } from '../base/failure.js';
import type { ChangeSet, ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';

/** Other writers may come in between this often before the change is given up. */
const MOST_TRIES = 100;

/**
 * Writes what a plan changes, and answers its result. An empty change set writes nothing.
 * @throws Failure of the plan or of the store.
 */
export async function committed<T>(
  store: ToolStore,
  plan: (tools: readonly HttpTool[]) => { readonly changes: ChangeSet; readonly result: T },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const { tools, revision } = await store.read();
    const { changes, result } = plan(tools);
    if (changes.put.length + changes.remove.length === 0) return result;
    try {
      await store.commit(changes, revision);
      return result;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'store-moved' || tries >= MOST_TRIES) throw error;
    }
  }
}
