// Use case: what could become a tool of a description, and why the rest cannot. Writes nothing.
import type { Notice } from '../base/codes.js';
import { Failure } from '../base/failure.js';
import { type Limits, withLimits } from '../base/limits.js';
import { DEFAULT_PROFILE, type Profile } from '../base/profile.js';
import type { DocumentKind, Network, Source } from '../document/document.js';
import type { Refusal } from '../operation/operation.js';
import type { Cost } from '../tool/cost.js';
import { type Emission, isEmission, type ToolDraft } from '../tool/emit.js';
import type { SuggestedServer } from '../tool/suggestion.js';
import type { Schema } from '../tool/tool.js';
import { byKey, type Compilation, compile } from './compile.js';
import { costOf, withinBudget } from './cost.js';
import { type ReadOptions, readDescription } from './read.js';
import { byKeys, type Select, selector, type Unmatched, unmatchedOf } from './select.js';

export interface CommonOptions {
  readonly profile?: Profile;
  readonly limits?: Partial<Limits>;
  readonly network?: Network;
  /** OpenAPI Overlays 1.0, applied in this order to what was decoded. */
  readonly overlays?: readonly Source[];
  /** Told while a large description is compiled: operations done, operations in all. */
  readonly progress?: (done: number, total: number) => void;
}

export interface PreviewOptions extends CommonOptions {
  /** Shows the output schemas as well. */
  readonly output?: boolean;
  /** Shows what each operation, and all together, would cost a model. */
  readonly cost?: boolean;
  /** Shows what an import with this budget of tokens would leave of them. */
  readonly budget_tokens?: number;
  /** Put before every name. */
  readonly name_prefix?: string;
  /** Shows these operations alone; keys and names do not depend on it. */
  readonly select?: Select;
}

/** A draft, with what was asked for beside it. */
export interface PreviewedOperation extends ToolDraft {
  readonly output_schema?: Schema;
  readonly cost?: Cost;
}

/** What could become a tool. */
export interface Preview {
  readonly kind: DocumentKind;
  readonly title: string;
  /** The version of the specification, as the description gives it. */
  readonly description_version: string;
  readonly servers: readonly SuggestedServer[];
  /** In the description's order. */
  readonly operations: readonly PreviewedOperation[];
  readonly unimportable: readonly Refusal[];
  /** Parts of the description that are no single operation and could not be read. */
  readonly notices: readonly Notice[];
  /** Of all operations, where it is asked for. */
  readonly cost?: Cost;
  /** Parts of the selection that match nothing, where there are some. */
  readonly unmatched?: readonly Unmatched[];
}

/** Everything, or what is selected. A callback or webhook has no tag, method or path of its own: only its key selects it. */
function selectedResults(compilation: Compilation, select: Select | undefined): (Emission | Refusal)[] {
  const { operations, inbound } = compilation;
  if (select === undefined) return [...operations.map(({ result }) => result), ...inbound];
  const keys = new Set(select.keys);
  byKeys(byKey(compilation), [...keys]);
  const selected = selector(select);
  return [
    ...operations.filter(({ head }) => selected(head)).map(({ result }) => result),
    ...inbound.filter(({ key }) => keys.has(key)),
  ];
}

/**
 * The profile that is asked for, or the default.
 * @throws Failure `bad-request`.
 */
export function profileOf(profile: unknown): Profile {
  if (profile === undefined) return DEFAULT_PROFILE;
  if (profile === 'core' || profile === 'extended') return profile;
  throw new Failure('bad-request', 'the profile is neither core nor extended');
}

/**
 * The overlays that are asked for.
 * @throws Failure `bad-request`.
 */
function overlaysOf(overlays: unknown): readonly Source[] {
  if (overlays === undefined) return [];
  if (Array.isArray(overlays)) return overlays;
  throw new Failure('bad-request', 'the overlays are no list of sources');
}

/**
 * By what rules, within what bounds and over what network a description is read.
 * @throws Failure `bad-request`, and that of a bound.
 */
export function readingOf({ limits, profile, network, overlays }: CommonOptions): ReadOptions {
  return {
    limits: withLimits(limits),
    profile: profileOf(profile),
    network: network ?? {},
    overlays: overlaysOf(overlays),
  };
}

/**
 * Previews a description.
 * @throws Failure: the description cannot be read, is none, or is over a bound of the whole.
 */
export async function preview(source: Source, options: PreviewOptions = {}): Promise<Preview> {
  const reading = readingOf(options);
  const { limits, profile } = reading;
  const document = await readDescription(source, reading);
  const compilation = compile(document, {
    limits,
    profile,
    ...(options.name_prefix === undefined ? {} : { prefix: options.name_prefix }),
    ...(options.progress === undefined ? {} : { progress: options.progress }),
  });
  const results = selectedResults(compilation, options.select);
  const emissions = results.filter((result) => isEmission(result));
  const unimportable = results.filter((result): result is Refusal => !isEmission(result));
  const { operations, cost } = await shown(emissions, options);
  const heads = compilation.operations.map(({ head }) => head);
  const unmatched = unmatchedOf(options.select ?? {}, heads);
  return {
    kind: compilation.kind,
    title: compilation.title,
    description_version: compilation.version,
    servers: compilation.servers,
    operations,
    unimportable,
    notices: compilation.notices,
    ...(cost === undefined ? {} : { cost }),
    ...(unmatched.length > 0 ? { unmatched } : {}),
  };
}

/** The drafts, within the budget and with what is asked for beside them. */
async function shown(
  emissions: readonly Emission[],
  { budget_tokens, output, cost }: PreviewOptions,
): Promise<Pick<Preview, 'operations' | 'cost'>> {
  const kept = budget_tokens === undefined ? emissions : await withinBudget(emissions, budget_tokens);
  const operations = output === true ? kept.map(withOutput) : kept.map(({ draft }) => draft);
  if (cost !== true) return { operations };
  const { tools, bytes, tokens } = await costOf(operations);
  return {
    operations: operations.map((draft, i): PreviewedOperation => ({ ...draft, cost: tools[i] as Cost })),
    cost: { bytes, tokens },
  };
}

function withOutput({ draft, output }: Emission): PreviewedOperation {
  const { schema, notices } = output();
  return {
    ...draft,
    ...(schema === undefined ? {} : { output_schema: schema }),
    notices: [...draft.notices, ...notices],
  };
}
