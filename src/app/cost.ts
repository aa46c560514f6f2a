// Use cases of the price of tools: what they cost a model that is shown them, and a set cut down to a budget of tokens.
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

/**
 * The emissions, the whole set within so many tokens; the notices of their drafts name what was left out.
 * @throws Failure `over-budget` where what is required takes more; `bad-request` for a budget that is no whole number above 0.
 */
export async function withinBudget(emissions: readonly Emission[], budget: number): Promise<Emission[]> {
  if (!Number.isSafeInteger(budget) || budget < 1) {
    const found = quoted(String(budget));
    throw new Failure('bad-request', `the budget is ${found} tokens; a whole number of at least 1 is allowed`);
  }
  const count = await loadTokenizer();
  const drafts = emissions.map(({ draft }) => draft);
  const trimmed = trimmedTo(budget, drafts, count);
  return emissions.map((emission, i) => {
    const one = trimmed[i];
    if (one === undefined || one.notices.length === 0) return emission;
    const { draft } = emission;
    const { description, input_schema } = one;
    const locations = locationsOf(draft, input_schema);
    return {
      ...emission,
      draft: { ...draft, description, input_schema, locations, notices: [...draft.notices, ...one.notices] },
    };
  });
}

/** An argument that is gone goes nowhere. */
function locationsOf({ locations }: ToolDraft, { properties }: ToolDraft['input_schema']): ToolDraft['locations'] {
  const kept: Record<string, ToolDraft['locations'][string]> = {};
  for (const [name, location] of Object.entries(locations)) {
    if (isObject(properties) && own(properties, name) !== undefined) put(kept, name, location);
  }
  return kept;
}
