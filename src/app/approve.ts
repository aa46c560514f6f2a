// Use case: a person approves what an import held back.
import { Failure } from '../base/failure.js';
import { compareTool } from '../plan/compare.js';
import { approve } from '../plan/owned.js';
import type { Difference } from '../plan/plan.js';
import type { ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';
import { committed } from './commit.js';
import { findTool, readNamed } from './tools.js';

/** A tool that was approved, and what that changed. */
export interface Approval {
  readonly tool: HttpTool;
  readonly before: HttpTool;
  readonly differences: readonly Difference[];
}

/** How a tool that waits differs from what waits; nothing where it does not wait. */
export function pendingDifferences(tool: HttpTool): readonly Difference[] {
  return tool.pending === undefined ? [] : compareTool(tool, tool.pending);
}

/**
 * Approves tools by id or name, or all that wait; all or nothing.
 * @throws Failure `unknown-tool`, `nothing-pending` for one that does not wait; those of the store.
 */
export function approveTools(
  store: ToolStore,
  references: readonly string[] | 'all',
  /** `dry_run`: answers, and writes nothing. */
  options: { readonly dry_run?: boolean } = {},
): Promise<readonly Approval[]> {
  const read = () => (references === 'all' ? store.read() : readNamed(store, references));
  return committed(store, read, (tools) => {
    const waiting =
      references === 'all'
        ? tools.filter(({ pending }) => pending !== undefined)
        : [...new Set(references.map((reference) => waitingTool(tools, reference)))];
    const approvals = waiting.map((before) => ({
      tool: approve(before),
      before,
      differences: pendingDifferences(before),
    }));
    const put = options.dry_run === true ? [] : approvals.map(({ tool }) => tool);
    return { changes: { put, remove: [] }, result: approvals };
  });
}

function waitingTool(tools: readonly HttpTool[], reference: string): HttpTool {
  const tool = findTool(tools, reference);
  if (tool.pending !== undefined) return tool;
  throw new Failure('nothing-pending', `nothing of ${tool.name} waits for approval`, { tool: tool.id });
}
