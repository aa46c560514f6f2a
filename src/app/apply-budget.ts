// The wanted tools of the sources of a manifest within their budgets of tokens, before anything is planned.
import { Failure } from '../base/failure.js';
import { under } from '../base/pointer.js';
import type { ReadManifest } from '../manifest/manifest.js';
import type { SourceFault } from './apply-read.js';
import type { ReadSource } from './apply-source.js';
import { toolsWithin } from './cost.js';
import type { TrimmedOperation } from './import.js';

/** Sources of which something may have been left out. */
export interface BudgetedSources {
  /** Without those of the faults. */
  readonly sources: readonly ReadSource[];
  readonly trimmed: readonly (TrimmedOperation & { readonly source: string })[];
  /** A source of which what is required takes more than its budget. */
  readonly faults: readonly SourceFault[];
}

/**
 * First each source within its own `budget_tokens`, then all together within `budget`. The tokenizer is loaded where there is one.
 * @throws Failure `over-budget`, `bad-request` of the budget of all.
 */
export async function withinBudgets(
  read: readonly ReadSource[],
  { manifest }: ReadManifest,
  budget: number | undefined,
): Promise<BudgetedSources> {
  const cutting = new Cutting();
  const faults: SourceFault[] = [];
  let sources = read;
  for (const source of read) {
    const own = manifest.sources[source.name]?.budget_tokens;
    if (own === undefined) continue;
    try {
      const [cut] = await cutting.cut([source], own);
      sources = sources.map((one) => (one === source ? (cut ?? one) : one));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      // What it would come to without its budget is nothing that was asked for.
      sources = sources.filter((one) => one !== source);
      faults.push({ source: source.name, failure, at: `${under('/sources', source.name)}/budget_tokens` });
    }
  }
  if (budget !== undefined) sources = await cutting.cut(sources, budget);
  return { sources, trimmed: cutting.trimmed, faults };
}

/** Cuts, and remembers what was left out. */
class Cutting {
  readonly trimmed: (TrimmedOperation & { readonly source: string })[] = [];

  /** The sources, all their tools together within so many tokens. */
  async cut(sources: readonly ReadSource[], budget: number): Promise<readonly ReadSource[]> {
    const fitting = await toolsWithin(
      sources.flatMap(({ request }) => request.wanted),
      budget,
    );
    let next = 0;
    return sources.map((source) => {
      const ours = fitting.slice(next, next + source.request.wanted.length);
      next += ours.length;
      for (const { tool, notices } of ours) {
        if (notices.length > 0) this.trimmed.push({ source: source.name, operation: tool.operation, notices });
      }
      return { ...source, request: { ...source.request, wanted: ours.map(({ tool }) => tool) } };
    });
  }
}
