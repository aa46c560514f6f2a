// An offer of tools in this process.
import { MCP_LIMITS } from '../../src/base/limits.js';
import { type HttpTool, memoryStore, type ToolStore } from '../../src/index.js';
import { Catalogue } from '../../src/mcp/catalogue.js';
import { logTo } from '../../src/mcp/log.js';
import type { Offer, OfferOptions } from '../../src/mcp/mcp.js';
import { Running } from '../../src/mcp/running.js';

/** What is offered, and what it logs. */
export async function offerOf(
  tools: readonly HttpTool[],
  options: Partial<OfferOptions> = {},
  store: ToolStore = memoryStore(),
): Promise<{ readonly offer: Offer; readonly logged: string[] }> {
  await store.commit({ put: tools, remove: [] }, (await store.read()).revision);
  const logged: string[] = [];
  const log = logTo((line) => logged.push(line), 'debug', false);
  const all = { answerBytes: MCP_LIMITS.answer_bytes, search: false, readOnly: false, confirm: false, ...options };
  const offer: Offer = {
    options: all,
    catalogue: await Catalogue.open(store, { readOnly: all.readOnly, log }),
    calls: { network: { allow: ['127.0.0.1'] } },
    running: new Running(MCP_LIMITS.calls),
    log,
    version: '0',
  };
  return { offer, logged };
}
