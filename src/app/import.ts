// Use case: chosen operations of a description into a store; again after the description changed.
import type { Notice } from '../base/codes.js';
import { Failure } from '../base/failure.js';
import { isObject } from '../base/json.js';
import type { Limits } from '../base/limits.js';
import { count } from '../base/text.js';
import { findConnection } from '../connection/change.js';
import type { ConnectionStore } from '../connection/connection.js';
import type { Source } from '../document/document.js';
import { diff } from '../plan/diff.js';
import { HOLDS, type Missing, type Plan, type PlanRequest, type Renamed, type Stale } from '../plan/plan.js';
import { expectRevision } from '../store/change.js';
import type { Part, Snapshot, ToolStore } from '../store/store.js';
import { normalizeServer } from '../tool/endpoint.js';
import { namesFrom } from '../tool/name.js';
import type { HttpTool, Origin } from '../tool/tool.js';
import { type ChoiceRequest, type Chosen, choose, type Skipped, toPlanRequest } from './choose.js';
import { committed } from './commit.js';
import { compile } from './compile.js';
import { checkedGroup } from './connection-record.js';
import { withinBudget } from './cost.js';
import { type CommonOptions, readingOf } from './preview.js';
import { readDescription } from './read.js';
import { type Unmatched, unmatchedOf } from './select.js';
import { shownNames } from './shown.js';

/** What to import. */
export type ImportRequest = Source &
  ChoiceRequest & {
    /** An absolute http(s) URL; any, not only one that the description lists. */
    readonly server: string;
    readonly name_prefix?: string;
    /** Any number of operations, as one change. */
    readonly batch?: boolean;
    /** false: the tools have no output schema; one that an earlier import wrote is removed, since nobody would refresh it. */
    readonly output?: boolean;
    /** What all chosen operations may cost a model: texts and optional properties are left out until they fit. */
    readonly budget_tokens?: number;
  };

export interface ImportOptions extends CommonOptions {
  readonly store: ToolStore;
  /** Where a connection named by its id has to be; not looked for without it. */
  readonly connections?: ConnectionStore;
  /** Plans and answers, and writes nothing. */
  readonly dry_run?: boolean;
}

/** An operation of which something was left out to fit the budget. */
export interface TrimmedOperation {
  readonly operation: string;
  readonly notices: readonly Notice[];
}

export interface ImportAnswer {
  /** Those created or refreshed. */
  readonly tools: readonly HttpTool[];
  readonly created: number;
  readonly refreshed: number;
  readonly unchanged: number;
  readonly skipped: readonly Skipped[];
  /** Tools whose operation the description no longer holds; left as they are. */
  readonly missing: readonly Missing[];
  /** Tools whose operation can no longer be imported; left as they are. */
  readonly stale: readonly Stale[];
  /** Where a hold was asked for: tools of which something waits for approval, from now on or already. */
  readonly held?: number;
  /** What missing operations may be called by now, where there is such a hint. */
  readonly renamed?: readonly Renamed[];
  /** Where a budget was given. */
  readonly trimmed?: readonly TrimmedOperation[];
  /** Parts of the selection that match nothing, where there are some. */
  readonly unmatched?: readonly Unmatched[];
}

/** An answer, with the plan it came from. */
export interface ImportReport extends ImportAnswer {
  readonly plan: Plan;
}

/**
 * Imports operations, all or nothing. The same import again writes nothing.
 * @throws Failure: the description cannot be read; `unknown-operation`, `unimportable-operation`, `other-server` for one chosen by
 * its key; `unknown-connection`, `too-many-chosen`, `invalid-server`, `bad-request`; those of the store.
 */
export async function importOperations(request: ImportRequest, options: ImportOptions): Promise<ImportReport> {
  checkShape(request, options?.store);
  const reading = readingOf(options);
  const { limits, profile } = reading;
  const server = normalizeServer(request.server);
  if (options.connections !== undefined && request.connection_id !== undefined) {
    findConnection((await options.connections.list()).connections, request.connection_id);
  }
  const document = await readDescription(request, reading);
  const compilation = compile(document, {
    limits,
    profile,
    ...(request.name_prefix === undefined ? {} : { prefix: request.name_prefix }),
    shown: shownNames((await options.store.read(setOf(server, request))).tools, { ...request, server }),
    ...(request.output === undefined ? {} : { output: request.output }),
    ...(options.progress === undefined ? {} : { progress: options.progress }),
  });
  const { chosen: all, skipped } = choose(compilation, request, server);
  checkNumber(all.length, request, limits);
  const { chosen, trimmed } = await affordable(all, request.budget_tokens);
  const planRequest = toPlanRequest(request, server, compilation, chosen, limits);
  const plan = await write(planRequest, options);
  const heads = compilation.operations.map(({ head }) => head);
  const unmatched = unmatchedOf(request.select ?? {}, heads);
  return {
    ...answerOf(plan, request.hold !== undefined),
    skipped,
    ...(trimmed === undefined ? {} : { trimmed }),
    ...(unmatched.length > 0 ? { unmatched } : {}),
    plan,
  };
}

function answerOf(plan: Plan, holds: boolean): Omit<ImportAnswer, 'skipped' | 'trimmed' | 'unmatched'> {
  const { actions, missing, stale, renamed } = plan;
  const tools = actions.flatMap(({ kind, tool }) => (kind === 'create' || kind === 'refresh' ? [tool] : []));
  const created = actions.filter(({ kind }) => kind === 'create').length;
  const held = actions.filter(({ tool }) => tool.pending !== undefined).length;
  return {
    tools,
    created,
    refreshed: tools.length - created,
    unchanged: actions.length - tools.length,
    missing,
    stale,
    ...(holds ? { held } : {}),
    ...(renamed.length > 0 ? { renamed } : {}),
  };
}

/** The chosen operations within the budget, where there is one. */
async function affordable(
  chosen: readonly Chosen[],
  budget: number | undefined,
): Promise<{ readonly chosen: readonly Chosen[]; readonly trimmed?: readonly TrimmedOperation[] }> {
  if (budget === undefined) return { chosen };
  const kept = await withinBudget(
    chosen.map(({ emission }) => emission),
    budget,
  );
  const trimmed = kept.map(({ draft }) => ({
    operation: draft.key,
    notices: draft.notices.filter(({ code }) => code === 'budget-cut'),
  }));
  return {
    chosen: kept.map((emission) => ({ operation: emission.draft.key, emission })),
    trimmed: trimmed.filter(({ notices }) => notices.length > 0),
  };
}

function checkShape(request: ImportRequest, store: ToolStore | undefined): void {
  if (!isObject(request)) throw new Failure('bad-request', 'an import is asked for with an object');
  const { server, operations, select, connection_id, connection_group, set, hold } = request;
  if (typeof server !== 'string') throw new Failure('bad-request', 'an import names its server');
  if (typeof store?.read !== 'function') throw new Failure('bad-request', 'an import names its store, an opened one');
  if (operations !== undefined && !Array.isArray(operations)) {
    throw new Failure('bad-request', 'the operations of an import are a list of keys');
  }
  if ((operations === undefined) === (select === undefined)) {
    throw new Failure('bad-request', 'an import names its operations, or selects them; one of the two');
  }
  if (operations?.length === 0) throw new Failure('bad-request', 'the import names no operation');
  if (connection_group !== undefined) checkedGroup(connection_group);
  if (connection_id !== undefined && connection_group !== undefined) {
    throw new Failure('bad-request', 'an import has a connection or a group, not both');
  }
  if (hold !== undefined && !HOLDS.includes(hold)) {
    throw new Failure('bad-request', `an import holds ${HOLDS.join(', ')}, or nothing`);
  }
  if (set !== undefined && (/\p{C}/u.test(set) || !/\S/.test(set))) {
    throw new Failure('bad-request', 'the label of a set is blank, or holds a character that nobody sees');
  }
}

function checkNumber(chosen: number, { batch, operations }: ImportRequest, limits: Limits): void {
  const most = limits.operations_per_import;
  if (batch === true || chosen <= most) return;
  const what = operations === undefined ? 'selection holds' : 'import names';
  const message = `the ${what} ${count(chosen)} operations; at most ${most} are imported at once, or any number as a batch`;
  throw new Failure('too-many-chosen', message, { operations: chosen, limit: most });
}

function write(request: PlanRequest, { store, dry_run }: ImportOptions): Promise<Plan> {
  const existing = () => readExisting(request, store);
  return committed(store, existing, (tools) => {
    const plan = diff(request, tools);
    const changed = plan.actions.flatMap((action) => (action.kind === 'keep' ? [] : [action.tool]));
    return { changes: { put: dry_run === true ? [] : changed, remove: [] }, result: plan };
  });
}

function setOf(server: string, { set }: Pick<Origin, 'set'>): Part {
  return set === undefined ? { server } : { server, set };
}

/** What the plan of a request looks at: the tools of its server and set, and those with names that new ones could be given. */
async function readExisting(request: PlanRequest, store: ToolStore): Promise<Snapshot> {
  const { server, wanted, tool_name_chars } = request;
  const own = await store.read(setOf(server, request));
  const known = new Set(own.tools.map(({ origin }) => origin?.operation));
  const names = wanted.flatMap(({ operation, name }) => (known.has(operation) ? [] : [name]));
  if (names.length === 0) return own;
  const named = await store.read(namesFrom(names, tool_name_chars));
  expectRevision(store.address, named.revision, own.revision);
  return { revision: own.revision, tools: [...own.tools, ...named.tools] };
}
