// Read, plan, commit, and again where another was faster.
import { Failure } from '../../src/base/failure.js';
import type { ToolStore } from '../../src/store/store.js';
import type { HttpTool } from '../../src/tool/tool.js';

export async function retrying(store: ToolStore, plan: (tools: readonly HttpTool[]) => HttpTool[]): Promise<void> {
  for (;;) {
    const { revision, tools } = await store.read();
    try {
      await store.commit({ put: plan(tools), remove: [] }, revision);
      return;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'store-moved') throw error;
    }
  }
}
