// Tools within a budget of tokens: texts and optional properties are left out, the deepest first, until the set fits.
import type { Notice } from '../base/codes.js';
import { Failure } from '../base/failure.js';
import { count, cut, quoted } from '../base/text.js';
import { type CountTokens, type Shown, toolCost } from './cost.js';
import type { Schema } from './tool.js';
import { type Part, partsOf, withoutParts } from './trim.js';

/** What is left of a tool, and what was left out of it. */
export interface Trimmed {
  readonly description: string;
  readonly input_schema: Schema;
  readonly notices: readonly Notice[];
}

/** Characters of a tool's own description that always stay: without any, nobody knows what the tool is for. */
const KEPT_DESCRIPTION = 100;
/** A cut of fewer characters may save no token. */
const WORTH_A_CUT = 20;

/** Something that may be left out of one tool. */
interface Candidate {
  readonly tool: number;
  readonly part: Part;
}

/**
 * The tools, the whole set within so many tokens. Left out first is what lies deepest; at one depth texts before optional
 * properties, and of those the largest. A tool's own description is shortened last, to 100 characters. The same tools and budget
 * give the same cut.
 * @throws Failure `over-budget` where what is required takes more.
 */
export function trimmedTo(budget: number, tools: readonly Shown[], countTokens: CountTokens): Trimmed[] {
  const candidates = tools.flatMap((tool, index) => candidatesOf(tool, index)).sort(byPlace);
  const set = new TrimmedSet(tools, candidates, countTokens);
  const all = candidates.length;
  const least = set.tokens(all);
  if (least > budget) {
    const message = `what is required of ${count(tools.length)} tools takes ${count(least)} tokens; the budget is ${count(budget)}`;
    throw new Failure('over-budget', message, { tokens: least, budget });
  }
  let [low, high] = [0, all];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (set.tokens(middle) <= budget) high = middle;
    else low = middle + 1;
  }
  return tools.map((_, index) => set.trimmed(index, high));
}

function candidatesOf({ description, input_schema }: Shown, tool: number): Candidate[] {
  const candidates = partsOf(input_schema).map((part) => ({ tool, part }));
  const size = description.length;
  if (size > KEPT_DESCRIPTION + WORTH_A_CUT)
    candidates.push({ tool, part: { kind: 'description', at: '', depth: -1, size } });
  return candidates;
}

function byPlace(a: Candidate, b: Candidate): number {
  const [one, other] = [a.part, b.part];
  if (one.depth !== other.depth) return other.depth - one.depth;
  if (one.kind !== other.kind) return one.kind === 'text' ? -1 : 1;
  // The sort is stable: what is alike stays in the order of the tools and of their schemas.
  return other.size - one.size;
}

/** The tools without the first so many candidates. */
class TrimmedSet {
  readonly #tools: readonly Shown[];
  readonly #count: CountTokens;
  /** By tool: its candidates, and where they stand among all. */
  readonly #parts: Part[][];
  readonly #places: number[][];
  /** By tool and the number of its candidates that are left out. */
  readonly #known: Map<number, number>[];

  constructor(tools: readonly Shown[], candidates: readonly Candidate[], countTokens: CountTokens) {
    this.#tools = tools;
    this.#count = countTokens;
    this.#parts = tools.map(() => []);
    this.#places = tools.map(() => []);
    this.#known = tools.map(() => new Map<number, number>());
    candidates.forEach(({ tool, part }, place) => {
      this.#parts[tool]?.push(part);
      this.#places[tool]?.push(place);
    });
  }

  tokens(leftOut: number): number {
    return this.#tools.reduce((sum, _, tool) => sum + this.#toolTokens(tool, leftOut), 0);
  }

  trimmed(tool: number, leftOut: number): Trimmed {
    const parts = this.#leftOut(tool, leftOut);
    const { description, input_schema } = this.#shown(tool, parts);
    return { description, input_schema, notices: noticesOf(parts) };
  }

  #toolTokens(tool: number, leftOut: number): number {
    const parts = this.#leftOut(tool, leftOut);
    const known = this.#known[tool]?.get(parts.length);
    if (known !== undefined) return known;
    const { tokens } = toolCost(this.#shown(tool, parts), this.#count);
    this.#known[tool]?.set(parts.length, tokens);
    return tokens;
  }

  /** Those of its parts that are among the first so many of all. */
  #leftOut(tool: number, leftOut: number): readonly Part[] {
    const places = this.#places[tool] ?? [];
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((places[middle] ?? 0) < leftOut) low = middle + 1;
      else high = middle;
    }
    return this.#parts[tool]?.slice(0, low) ?? [];
  }

  #shown(tool: number, parts: readonly Part[]): Shown {
    const shown = this.#tools[tool] as Shown;
    if (parts.length === 0) return shown;
    const short = parts.some(({ kind }) => kind === 'description');
    const description = short ? cut(shown.description, KEPT_DESCRIPTION) : shown.description;
    return { name: shown.name, description, input_schema: withoutParts(shown.input_schema, parts) };
  }
}

/** A notice for each part; what lies in a property that is gone needs none. */
function noticesOf(parts: readonly Part[]): Notice[] {
  const gone = new Set(parts.filter(({ kind }) => kind === 'property').map(({ at }) => at));
  return parts.filter(({ kind, at }) => !isInside(at, kind, gone)).map(noticeOf);
}

function isInside(at: string, kind: Part['kind'], gone: ReadonlySet<string>): boolean {
  if (kind === 'text' && gone.has(at)) return true;
  for (let end = at.lastIndexOf('/'); end > 0; end = at.lastIndexOf('/', end - 1)) {
    if (gone.has(at.slice(0, end))) return true;
  }
  return false;
}

function noticeOf({ kind, at, name }: Part): Notice {
  const message =
    kind === 'property'
      ? `the optional property ${quoted(name ?? '')} is left out to fit the budget`
      : kind === 'text'
        ? 'its title and description are left out to fit the budget'
        : `the description of the tool is cut to ${KEPT_DESCRIPTION} characters to fit the budget`;
  return { code: 'budget-cut', at, message };
}
