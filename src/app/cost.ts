// Use cases of the price of tools: what they cost a model that is shown them, and a set cut down to a budget of tokens.
import type { Notice } from '../base/codes.js';
import { Failure } from '../base/failure.js';
import { isObject, own, put } from '../base/json.js';
import { quoted } from '../base/text.js';
import { shownSchema } from '../call/shown.js';
import { trimmedTo } from '../tool/budget.js';
import { type Cost, loadTokenizer, type Shown, toolCost } from '../tool/cost.js';
import type { Emission, ToolDraft } from '../tool/emit.js';
import type { HttpTool } from '../tool/tool.js';

/** What a set of tools costs: each in their order, and all together. */
export interface SetCost extends Cost {
  readonly tools: readonly Cost[];
}

/** What these tools cost a model that is shown them. Of stored ones what is fixed is not shown. */
export async function costOf(tools: readonly (Shown | HttpTool)[]): Promise<SetCost> {
  const count = await loadTokenizer();
  const costs = tools.map((tool) => toolCost(shown(tool), count));
  return {
    bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
    tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    tools: costs,
  };
}

function shown(tool: Shown | HttpTool): Shown {
  return 'config' in tool ? { ...tool, input_schema: shownSchema(tool) } : tool;
}

/** What can be cut down to a budget: what a model is shown, and where its arguments go. */
type Priced = Shown & Pick<ToolDraft, 'locations'>;

/** A tool within a budget; the notices name what was left out of it. */
interface Fitting<T> {
  readonly tool: T;
  readonly notices: readonly Notice[];
}

/**
 * The tools, the whole set within so many tokens.
 * @throws Failure `over-budget` where what is required takes more; `bad-request` for a budget that is no whole number above 0.
 */
export async function toolsWithin<T extends Priced>(tools: readonly T[], budget: number): Promise<Fitting<T>[]> {
  if (!Number.isSafeInteger(budget) || budget < 1) {
    const found = quoted(String(budget));
    throw new Failure('bad-request', `the budget is ${found} tokens; a whole number of at least 1 is allowed`);
  }
  const trimmed = trimmedTo(budget, tools, await loadTokenizer());
  return tools.map((tool, i) => {
    const one = trimmed[i];
    if (one === undefined || one.notices.length === 0) return { tool, notices: [] };
    const { description, input_schema, notices } = one;
    return { tool: { ...tool, description, input_schema, locations: locationsOf(tool, input_schema) }, notices };
  });
}

/**
 * The emissions, the whole set within so many tokens; the notices of their drafts name what was left out.
 * @throws Failure as `toolsWithin`.
 */
export async function withinBudget(emissions: readonly Emission[], budget: number): Promise<Emission[]> {
  const fitting = await toolsWithin(
    emissions.map(({ draft }) => draft),
    budget,
  );
  return emissions.map((emission, i) => {
    const one = fitting[i];
    if (one === undefined || one.notices.length === 0) return emission;
    return { ...emission, draft: { ...one.tool, notices: [...one.tool.notices, ...one.notices] } };
  });
}

/** An argument that is gone goes nowhere. */
function locationsOf({ locations }: Priced, { properties }: ToolDraft['input_schema']): ToolDraft['locations'] {
  const kept: Record<string, ToolDraft['locations'][string]> = {};
  for (const [name, location] of Object.entries(locations)) {
    if (isObject(properties) && own(properties, name) !== undefined) put(kept, name, location);
  }
  return kept;
}
