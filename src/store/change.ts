// What a change set makes of the tools: the same for every store, without any input or output.
import { sorted } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';
import { toolFault } from './record.js';
import type { ChangeSet } from './store.js';

/** Two tools that share what only one may have. */
export interface Clash {
  /** The index of the later one. */
  readonly index: number;
  readonly field: 'id' | 'name' | 'origin';
  readonly former: HttpTool;
  readonly latter: HttpTool;
}

/** The order of a snapshot: server, set, operation, name; tools without an origin last; by code units. */
export function inOrder(tools: readonly HttpTool[]): HttpTool[] {
  const rows = tools.map((tool) => ({ tool, key: orderKey(tool) }));
  return rows.sort((a, b) => compareKeys(a.key, b.key)).map((row) => row.tool);
}

function orderKey({ origin, name }: HttpTool): readonly string[] {
  return origin === undefined ? ['1', name] : ['0', origin.server, origin.set ?? '', origin.operation, name];
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((part, position) => part !== b[position]);
  return index === -1 ? 0 : (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
}

/** The first two tools that share a name, an id or an identity (server, set, operation). */
export function firstClash(tools: readonly HttpTool[]): Clash | undefined {
  return clashes(tools).next().value;
}

/** Each tool with what an earlier one has too. */
export function* clashes(tools: readonly HttpTool[]): Generator<Clash, undefined> {
  const seen = new Map<string, HttpTool>();
  for (const [index, latter] of tools.entries()) {
    for (const field of ['id', 'name', 'origin'] as const) {
      if (latter[field] === undefined) continue;
      const key = clashKey(field, latter);
      const former = seen.get(key);
      if (former !== undefined) yield { index, field, former, latter };
      else seen.set(key, latter);
    }
  }
  return undefined;
}

function clashKey(field: Clash['field'], tool: HttpTool): string {
  const { server, set, operation } = tool.origin ?? {};
  return JSON.stringify(field === 'origin' ? [field, server, set ?? null, operation] : [field, tool[field]]);
}

/**
 * The tools after the change, in order, keys sorted. `before` is as a snapshot has it.
 * @throws Failure `store-moved`, `store-conflict`, `invalid-value` (a tool that no store would read back).
 */
export function applyChanges(before: readonly HttpTool[], { put, remove }: ChangeSet): HttpTool[] {
  const known = new Set(before.map((tool) => tool.id));
  const unknown = remove.find((id) => !known.has(id));
  if (unknown !== undefined) throw gone(unknown);
  const leaving = new Set([...remove, ...put.map((tool) => tool.id)]);
  const tools = inOrder([...before.filter((tool) => !leaving.has(tool.id)), ...put.map(storable)]);
  const clash = firstClash(tools);
  if (clash !== undefined) throw conflict(clash);
  return tools;
}

/** A removed id that is not there. */
export function gone(id: string): Failure {
  return new Failure('store-moved', `the tool ${quoted(id)} is no longer in the store`, { tool_id: id });
}

/**
 * The tool with sorted keys.
 * @throws Failure `invalid-value` where no store would read it back.
 */
export function storable(tool: HttpTool): HttpTool {
  const fault = toolFault(tool, '');
  if (fault === undefined) return sorted(tool);
  const message = `the tool ${quoted(tool.id)} cannot be stored: ${quoted(fault.at, 200)} ${fault.message}`;
  throw new Failure('invalid-value', message, { tool_id: tool.id, at: fault.at });
}

export function conflict({ field, former, latter }: Clash): Failure {
  const data = { field, tool_ids: [former.id, latter.id] };
  const shared = {
    id: `the id ${quoted(latter.id)}`,
    name: `the name ${latter.name}`,
    origin: 'one server, set and operation',
  };
  const names = former.name === latter.name ? former.name : `${former.name} and ${latter.name}`;
  return new Failure('store-conflict', `two tools (${names}) would share ${shared[field]}`, data);
}

/** @throws Failure `store-moved` where the two revisions differ. */
export function expectRevision(address: string, found: string, planned: string): void {
  if (found !== planned) throw moved(address, { found, planned });
}

/** Another writer was faster. */
export function moved(address: string, data: { readonly found?: string; readonly planned: string }): Failure {
  const message = `the store ${address} changed since it was read; read it again and plan anew`;
  return new Failure('store-moved', message, data);
}
