// Use case: a person approves what an import held back.
import { digest } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
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
  /** SHA-256 in hexadecimal of the canonical JSON of the form that waited. */
  readonly digest: string;
}

export interface ApproveOptions {
  /** Answers, and writes nothing. */
  readonly dry_run?: boolean;
  /** Of the form that was looked at, or its first digits, at least `DIGEST_DIGITS`: another one that waits by now is refused. Of one tool. */
  readonly digest?: string;
}

/** So many digits of a digest say which form it is of. */
export const DIGEST_DIGITS = 16;

/** How a tool that waits differs from what waits; nothing where it does not wait. */
export function pendingDifferences(tool: HttpTool): readonly Difference[] {
  return tool.pending === undefined ? [] : compareTool(tool, tool.pending);
}

/**
 * Approves tools by id or name, or all that wait; all or nothing.
 * @throws Failure `unknown-tool`, `nothing-pending` for one that does not wait, `pending-moved` for another form than that of the
 * digest; `bad-request`; those of the store.
 */
export async function approveTools(
  store: ToolStore,
  references: readonly string[] | 'all',
  options: ApproveOptions = {},
): Promise<readonly Approval[]> {
  const { dry_run = false } = options;
  const looked = options.digest?.toLowerCase();
  if (looked !== undefined) checkDigest(looked, references);
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
      digest: digest(before.pending),
    }));
    for (const { tool, digest: found } of approvals) {
      if (looked !== undefined && !found.startsWith(looked)) throw otherForm(tool, looked, found);
    }
    const put = dry_run ? [] : approvals.map(({ tool }) => tool);
    return { changes: { put, remove: [] }, result: approvals };
  });
}

function waitingTool(tools: readonly HttpTool[], reference: string): HttpTool {
  const tool = findTool(tools, reference);
  if (tool.pending !== undefined) return tool;
  throw new Failure('nothing-pending', `nothing of ${tool.name} waits for approval`, { tool: tool.id });
}

function checkDigest(looked: string, references: readonly string[] | 'all'): void {
  if (references === 'all' || references.length !== 1) {
    throw new Failure('bad-request', 'a digest is that of one tool; name that one alone');
  }
  if (/^[0-9a-f]+$/.test(looked) && looked.length >= DIGEST_DIGITS && looked.length <= 64) return;
  throw new Failure(
    'bad-request',
    `${quoted(looked, 80)} is no digest: ${DIGEST_DIGITS} to 64 of 0-9 a-f are expected`,
  );
}

function otherForm({ id, name }: HttpTool, looked: string, found: string): Failure {
  const [before, now] = [looked, found].map((one) => one.slice(0, DIGEST_DIGITS));
  const message = `what waits of ${name} is not the form ${before}, but ${now}; look at that one before it is approved`;
  return new Failure('pending-moved', message, { tool: id, digest: found });
}
