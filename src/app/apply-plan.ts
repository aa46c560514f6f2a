// Read sources and what the manifest states, against the tools that there are, to one plan. Nothing is read or written.
import { canonical } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import type { ManifestSource, ReadManifest, ToolEdit } from '../manifest/manifest.js';
import { diffTogether, sharedOperations } from '../plan/diff.js';
import type { Action, Difference, Missing, Plan, PlanRequest, Renamed, Stale } from '../plan/plan.js';
import { normalizeServer } from '../tool/endpoint.js';
import type { HttpTool } from '../tool/tool.js';
import type { ConnectionAction, Links } from './apply-connection.js';
import { editedFields, withEdit } from './apply-edit.js';
import type { SourceFault } from './apply-read.js';
import type { ReadSource } from './apply-source.js';
import { knownOperations, type Skipped } from './choose.js';
import type { TrimmedOperation } from './import.js';
import type { ValueFault } from './tools.js';
import { type Unfit, unshown } from './unfit.js';

/** What becomes of one tool. */
export interface ApplyAction {
  /** `edit`: the API says the same, and the manifest states something else than the store. */
  readonly kind: Action['kind'] | 'edit';
  readonly source: string;
  readonly tool: HttpTool;
  /** What of it changes. */
  readonly fields: readonly string[];
  readonly differences: readonly Difference[];
}

/** Of which source a thing is. */
type Of<T> = T & { readonly source: string };

/** How many tools of a source wait for an approval. */
export interface Waiting {
  readonly source: string;
  readonly tools: number;
}

/** What applying a manifest comes to; nothing of it is written. */
export interface ApplyPlan {
  /** The revision of the store that it was made for. */
  readonly revision: string;
  readonly sources: readonly { readonly name: string; readonly digests: readonly string[] }[];
  /** One for each chosen operation, and for each other tool that the manifest changes. */
  readonly actions: readonly ApplyAction[];
  readonly skipped: readonly Of<Skipped>[];
  readonly missing: readonly Of<Missing>[];
  readonly stale: readonly Of<Stale>[];
  readonly renamed: readonly Of<Renamed>[];
  /** What was left out of operations to fit a budget. */
  readonly trimmed: readonly Of<TrimmedOperation>[];
  /** Of the selections' `exclude`, what is not there. */
  readonly unmatched: readonly { readonly source: string; readonly what: string }[];
  /** Properties that chosen operations are to show, and do not hold. */
  readonly unshown: readonly Unfit[];
  /** Sources whose selection holds no operation, not even one that cannot be imported. */
  readonly empty: readonly string[];
  /** By source, how many tools of its server and set wait for an approval once the plan is written; only where some do. */
  readonly waiting: readonly Waiting[];
  /** Names of tools of the store that an import or a manifest made and no source chooses by now; they are left as they are. */
  readonly unchosen: readonly string[];
  /** How many tools stay as they are for which there is no action: those of a saved plan, which holds only what is written. */
  readonly unchanged?: number;
  /** While there is one, nothing can be written. */
  readonly faults: readonly SourceFault[];
  readonly connections: readonly ConnectionAction[];
}

/** One pass from read sources to a plan. */
export class Planning {
  readonly #sources: readonly (readonly [name: string, source: ManifestSource])[];
  readonly #before: ReadonlyMap<string, HttpTool>;
  readonly #links: Links;
  readonly #fault: ValueFault;
  readonly #faults: SourceFault[] = [];

  constructor({ manifest }: ReadManifest, tools: readonly HttpTool[], links: Links, fault: ValueFault) {
    this.#sources = Object.entries(manifest.sources);
    this.#before = new Map(tools.map((tool) => [tool.id, tool]));
    this.#links = links;
    this.#fault = fault;
  }

  plan(
    read: readonly ReadSource[],
    faults: readonly SourceFault[],
    rest: Pick<ApplyPlan, 'revision' | 'connections' | 'trimmed'>,
  ): ApplyPlan {
    this.#faults.push(...faults, ...read.flatMap(statedFaults));
    const sources = this.#apart(read);
    // What is stated comes first: a plan leaves out what is hidden, and knows which names are taken.
    const edited = this.#editedTools();
    const plans = diffTogether(
      sources.map(requestOf),
      [...this.#before.values()].map((tool) => edited.get(tool.id)?.tool ?? tool).concat(this.#stated()),
    );
    const named = sources.map(({ name, request }, i) => ({ name, request, plan: plans[i] as Plan }));
    const actions = named.flatMap(({ name, plan }) => plan.actions.map((action) => this.#action(name, action)));
    const absent = actions.flatMap(({ tool }) => unshown(tool));
    const chosen = new Set(actions.map(({ tool }) => tool.id));
    for (const { source, tool } of edited.values()) {
      if (!chosen.has(tool.id)) actions.push(this.#compared(source, { kind: 'keep', tool }, tool));
    }
    this.#checkNames(actions);
    const unread = this.#unread(sources);
    const of = <K extends 'missing' | 'stale' | 'renamed'>(key: K) =>
      named
        .filter(({ request }) => key === 'stale' || !unread.has(groupOf(request)))
        .flatMap(({ name, plan }) => plan[key].map((one) => ({ ...one, source: name })));
    return {
      ...rest,
      sources: sources.map(({ name, digests }) => ({ name, digests })),
      actions,
      skipped: sources.flatMap(({ name, skipped }) => skipped.map((one) => ({ ...one, source: name }))),
      missing: of('missing') as Of<Missing>[],
      stale: of('stale') as Of<Stale>[],
      renamed: of('renamed') as Of<Renamed>[],
      unmatched: sources.flatMap(({ name, unmatched }) => unmatched.map((what) => ({ source: name, what }))),
      unshown: absent,
      empty: sources
        .filter(({ request, skipped }) => request.wanted.length + skipped.length === 0)
        .map(({ name }) => name),
      waiting: this.#waiting(actions),
      unchosen: this.#unchosen(chosen, plans, unread),
      faults: this.#faults,
    };
  }

  /** The tools of the store once the actions are written. */
  #after(actions: readonly ApplyAction[]): Iterable<HttpTool> {
    return new Map([...this.#before, ...actions.map(({ tool }) => [tool.id, tool] as const)]).values();
  }

  #waiting(actions: readonly ApplyAction[]): readonly Waiting[] {
    const planned = new Map(actions.map(({ tool, source }) => [tool.id, source]));
    // The first of those that share a server and set.
    const sources = new Map(this.#sources.toReversed().map(([name, source]) => [groupOf(source), name]));
    const found = new Map<string, number>();
    for (const { id, origin, pending } of this.#after(actions)) {
      if (pending === undefined) continue;
      const source = planned.get(id) ?? (origin && sources.get(groupOf(origin)));
      if (source !== undefined) found.set(source, (found.get(source) ?? 0) + 1);
    }
    return [...found].map(([source, tools]) => ({ source, tools }));
  }

  /** Those of a source that could not be read are not known, and what is missing or stale is told as that. */
  #unchosen(chosen: ReadonlySet<string>, plans: readonly Plan[], unread: ReadonlySet<string>): readonly string[] {
    const told = new Set(plans.flatMap(({ missing, stale }) => [...missing, ...stale].map(({ tool_id: id }) => id)));
    return [...this.#before.values()]
      .filter(({ id, origin }) => origin && !chosen.has(id) && !told.has(id) && !unread.has(groupOf(origin)))
      .map(({ name }) => name);
  }

  /** The sources that share no operation with another; of the others each is a fault, since one identity would be two tools. */
  #apart(sources: readonly ReadSource[]): readonly ReadSource[] {
    const together = new Set<string>();
    for (const { failure, between } of sharedOperations(sources.map(({ request }) => request))) {
      for (const { name } of between.flatMap((at) => sources[at] ?? [])) {
        together.add(name);
        this.#faults.push({ source: name, failure, at: under('/sources', name) });
      }
    }
    return sources.filter(({ name }) => !together.has(name));
  }

  /** The stored tools of which the manifest states something, by id. */
  #editedTools(): ReadonlyMap<string, { readonly source: string; readonly tool: HttpTool }> {
    const found = new Map<string, { readonly source: string; readonly tool: HttpTool }>();
    const key = (group: string, operation: string) => JSON.stringify([group, operation]);
    // The first of two that state something of one operation.
    const stating = new Map(
      this.#sources.toReversed().flatMap((named) => {
        const group = groupOf(named[1]);
        return Object.keys(named[1].tools ?? {}).map((operation) => [key(group, operation), named] as const);
      }),
    );
    for (const tool of this.#before.values()) {
      const { origin } = tool;
      const source = origin && stating.get(key(groupOf(origin), origin.operation));
      if (source !== undefined) found.set(tool.id, { source: source[0], tool: this.#edited(source, tool) });
    }
    return found;
  }

  /** Bearers of the names that are stated, so that no other tool that is created takes one of them. */
  #stated(): readonly HttpTool[] {
    const names = this.#sources.flatMap(([, { tools = {} }]) => Object.values(tools).map(({ name }) => name));
    return names.flatMap((name) => {
      if (name === undefined) return [];
      const config = { endpoint: '', method: '' };
      return [{ id: '', name, description: '', input_schema: {}, config, fixed_parameters: {}, deadline_seconds: 1 }];
    });
  }

  /** A tool with what is stated of it; as it is where that is not possible, which is a fault. */
  #edited([name, source]: readonly [string, ManifestSource], tool: HttpTool): HttpTool {
    const operation = tool.origin?.operation ?? '';
    const stated: ToolEdit | undefined = Object.hasOwn(source.tools ?? {}, operation)
      ? source.tools?.[operation]
      : undefined;
    if (stated === undefined) return tool;
    try {
      return withEdit(tool, stated, this.#links.of(stated), this.#fault);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#faults.push({ source: name, failure, at: under(`${under('/sources', name)}/tools`, operation) });
      return tool;
    }
  }

  #action(name: string, action: Action): ApplyAction {
    if (action.kind !== 'create') return this.#compared(name, action, action.tool);
    const source = this.#sources.find(([one]) => one === name);
    const tool = source === undefined ? action.tool : this.#edited(source, action.tool);
    return { kind: 'create', source: name, tool, fields: [], differences: [] };
  }

  #compared(source: string, action: Exclude<Action, { kind: 'create' }>, tool: HttpTool): ApplyAction {
    const before = this.#before.get(tool.id) ?? tool;
    const edited = editedFields(before, tool);
    if (action.kind !== 'keep') {
      const { kind, fields, differences } = action;
      return { kind, source, tool, fields: [...fields, ...edited], differences };
    }
    const kind = before === tool || canonical(before) === canonical(tool) ? 'keep' : 'edit';
    return { kind, source, tool, fields: edited, differences: [] };
  }

  /** A name that the manifest states may be that of another tool. */
  #checkNames(actions: readonly ApplyAction[]): void {
    const owners = new Map<string, HttpTool>();
    const stated = new Map(actions.map(({ source, tool }) => [tool.id, source]));
    for (const tool of this.#after(actions)) {
      const other = owners.get(tool.name);
      owners.set(tool.name, tool);
      if (other === undefined) continue;
      const [one, source] = [tool, other]
        .map((each) => [each, stated.get(each.id)] as const)
        .find(([each, name]) => this.#names(name, each)) ?? [tool, stated.get(tool.id)];
      if (source === undefined) continue;
      const operation = one.origin?.operation ?? '';
      const failure = new Failure('name-taken', `another tool is already called ${quoted(tool.name)}`, {
        name: tool.name,
      });
      this.#faults.push({ source, failure, at: `${under(`${under('/sources', source)}/tools`, operation)}/name` });
    }
  }

  #names(source: string | undefined, { origin }: HttpTool): boolean {
    const tools = this.#sources.find(([name]) => name === source)?.[1].tools ?? {};
    const operation = origin?.operation ?? '';
    return Object.hasOwn(tools, operation) && tools[operation]?.name !== undefined;
  }

  /** The servers and sets of sources that could not be read: what is missing there is not known. */
  #unread(sources: readonly ReadSource[]): ReadonlySet<string> {
    const read = new Set(sources.map(({ name }) => name));
    return new Set(this.#sources.filter(([name]) => !read.has(name)).map(([, source]) => groupOf(source)));
  }
}

function statedFaults({ name, faults }: ReadSource): SourceFault[] {
  return faults.map(({ at, code, message, data }) => ({ source: name, failure: new Failure(code, message, data), at }));
}

function requestOf({ request, heads }: ReadSource): PlanRequest {
  return { ...request, known: () => knownOperations(heads, request.server) };
}

/** A server and set, in one text; a server that is none has a group of its own. */
function groupOf({ server, set }: { readonly server: string; readonly set?: string }): string {
  try {
    return JSON.stringify([normalizeServer(server), set ?? null]);
  } catch {
    return JSON.stringify([server, set ?? null]);
  }
}
