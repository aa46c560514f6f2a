// The stage of this room: wanted tools against those that exist, to a plan. Pure: nothing is read or written.
import { isDeepStrictEqual } from 'node:util';
import { canonical, digest } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { UniqueNames } from '../tool/name.js';
import type { HttpTool, Origin, OwnedForm } from '../tool/tool.js';
import { compareTool } from './compare.js';
import { approved, ownedForm, withForm, withoutHidden } from './owned.js';
import {
  type Action,
  type Difference,
  type Hold,
  type Missing,
  type Plan,
  type PlanRequest,
  REFRESHED_FIELDS,
  type RefreshedField,
  type Stale,
  type WantedTool,
} from './plan.js';
import { renamedOf } from './renamed.js';

/** Plans one import. Equality is that of canonical JSON: reordered keys are no change. */
export function diff(request: PlanRequest, existing: readonly HttpTool[]): Plan {
  const [plan] = planGroups([request], existing);
  return plan ?? { actions: [], missing: [], stale: [], renamed: [] };
}

/**
 * Plans several sources as one import: a plan for each, in their order. A tool is missing where no source of its server and set
 * holds its operation, and stands in the plan of the first of these; names are unique over all plans.
 * @throws Failure `shared-operation`.
 */
export function diffTogether(requests: readonly PlanRequest[], existing: readonly HttpTool[]): readonly Plan[] {
  const [shared] = sharedOperations(requests);
  if (shared !== undefined) throw shared.failure;
  return planGroups(requests, existing);
}

/** The id of an imported tool: the same identity has the same id anywhere. */
export function importedId({ server, operation, set }: Origin): string {
  return `tool_${digest([server, operation, set ?? null]).slice(0, 24)}`;
}

function groupKey({ server, set }: Pick<Origin, 'server' | 'set'>): string {
  return JSON.stringify([server, set ?? null]);
}

/** The requests of one server and set. */
type Group = readonly [PlanRequest, ...PlanRequest[]];

function groupsOf(requests: readonly PlanRequest[]): Iterable<Group> {
  const groups = new Map<string, [PlanRequest, ...PlanRequest[]]>();
  for (const request of requests) {
    const key = groupKey(request);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [request]);
    else group.push(request);
  }
  return groups.values();
}

/** Two sources that cannot be planned together, by where they stand. */
interface Shared {
  readonly between: readonly [number, number];
  /** `shared-operation`. */
  readonly failure: Failure;
}

/** Each two sources of one server and set of which one wants an operation that the other bears too: one identity would be two tools. */
export function sharedOperations(requests: readonly PlanRequest[]): readonly Shared[] {
  return requests.flatMap((request, i) =>
    requests.slice(i + 1).flatMap((other, k): Shared[] => {
      if (groupKey(request) !== groupKey(other)) return [];
      const shared =
        request.wanted.find(({ operation }) => other.keys.has(operation)) ??
        other.wanted.find(({ operation }) => request.keys.has(operation));
      if (shared === undefined) return [];
      const between = [i, i + 1 + k] as const;
      const names = between.map((at) => quoted(requests[at]?.source ?? `source ${at + 1}`, 120));
      const message = `${names.join(' and ')} both bear ${quoted(shared.operation, 120)} on ${quoted(request.server, 120)}; a "set" label for one of them keeps them apart`;
      const data = { operation: shared.operation, server: request.server };
      return [{ between, failure: new Failure('shared-operation', message, data) }];
    }),
  );
}

/** The tools of one server and set, by operation. */
type Ours = ReadonlyMap<string, HttpTool>;

function planGroups(requests: readonly PlanRequest[], existing: readonly HttpTool[]): readonly Plan[] {
  const sets = new Map<string, Map<string, HttpTool>>();
  for (const tool of existing) {
    if (tool.origin === undefined) continue;
    const key = groupKey(tool.origin);
    const ours = sets.get(key) ?? new Map<string, HttpTool>();
    sets.set(key, ours.set(tool.origin.operation, tool));
  }
  const oursOf = (request: PlanRequest): Ours => sets.get(groupKey(request)) ?? new Map<string, HttpTool>();
  const names = new UniqueNames(
    Math.min(...requests.map(({ tool_name_chars }) => tool_name_chars)),
    existing.map(({ name }) => name),
  );
  const actions = requests.map((request) => {
    const ours = oursOf(request);
    return request.wanted.map((wanted) => actionOf(request, wanted, ours.get(wanted.operation), names));
  });
  const left = new Map<PlanRequest, Omit<Plan, 'actions'>>();
  for (const group of groupsOf(requests)) {
    const [first] = group;
    const ours = oursOf(first);
    const { missing, stale } = leftOf(group, ours);
    const renamed = missing.length === 0 ? [] : renamedOf(missing, group, ours);
    for (const request of group) left.set(request, { missing: [], renamed: [], stale: stale.get(request) ?? [] });
    left.set(first, { missing, renamed, stale: stale.get(first) ?? [] });
  }
  const nothing = { missing: [], stale: [], renamed: [] };
  return requests.map((request, i) => ({ actions: actions[i] ?? [], ...(left.get(request) ?? nothing) }));
}

interface Left {
  readonly missing: readonly Missing[];
  readonly stale: ReadonlyMap<PlanRequest, readonly Stale[]>;
}

/** The tools that no source chose: missing where none holds the operation, stale where none that does can import it. */
function leftOf(group: Group, ours: Ours): Left {
  const chosen = new Set(group.flatMap(({ wanted }) => wanted.map(({ operation }) => operation)));
  const missing: Missing[] = [];
  const stale = new Map<PlanRequest, Stale[]>();
  for (const [operation, { id, name }] of ours) {
    if (chosen.has(operation)) continue;
    const left = { operation, tool_id: id, name };
    const bearers = group.filter(({ keys }) => keys.has(operation));
    const [bearer] = bearers;
    if (bearer === undefined) missing.push(left);
    const codes = bearers.map(({ keys }) => keys.get(operation));
    const [code] = codes;
    if (bearer === undefined || code === undefined || codes.includes(undefined)) continue;
    stale.set(bearer, [...(stale.get(bearer) ?? []), { ...left, code }]);
  }
  return { missing, stale };
}

function actionOf(request: PlanRequest, wanted: WantedTool, before: HttpTool | undefined, names: UniqueNames): Action {
  if (before === undefined) return { kind: 'create', tool: create(request, wanted, names) };
  const form = withoutHidden(formOf(wanted), before);
  const current = ownedForm(before);
  const fields = REFRESHED_FIELDS.filter((field) => !isSame(current[field], form[field]));
  if (fields.length === 0) {
    if (before.pending === undefined) return { kind: 'keep', tool: before };
    return { kind: 'refresh', tool: withForm(before, form), before, fields, differences: [] };
  }
  if (request.hold === undefined) {
    const tool = withForm(before, form);
    const differences = compareTool(before, form);
    return {
      kind: 'refresh',
      tool: before.approved === undefined ? tool : approved(tool),
      before,
      fields,
      differences,
    };
  }
  return held(request.hold, before, form, fields);
}

/** A change under a hold: it waits, or is written and counts as approved. */
function held(hold: Hold, before: HttpTool, form: OwnedForm, fields: readonly RefreshedField[]): Action {
  const differences = compareTool(before, form);
  if (!waits(hold, differences)) {
    return { kind: 'refresh', tool: approved(withForm(before, form)), before, fields, differences };
  }
  if (isSame(before.pending, form)) return { kind: 'keep', tool: before };
  return { kind: 'hold', tool: { ...before, pending: form }, before, fields, differences };
}

function waits(hold: Hold, differences: readonly Difference[]): boolean {
  if (hold === 'all') return true;
  return differences.some((one) => one.class === 'breaking' || (hold === 'text' && one.class === 'text'));
}

function create(request: PlanRequest, wanted: WantedTool, names: UniqueNames): HttpTool {
  const { server, set, connection_id, connection_group, hold } = request;
  const { operation, endpoint, method, locations, body, input_schema, output_schema, description } = wanted;
  const origin: Origin = { server, operation, ...(set === undefined ? {} : { set }) };
  const tool: HttpTool = {
    id: importedId(origin),
    name: names.claim(wanted.name),
    description,
    input_schema,
    ...(output_schema === undefined ? {} : { output_schema }),
    config: { endpoint, method, locations, ...(body === undefined ? {} : { body }) },
    fixed_parameters: {},
    deadline_seconds: 30,
    ...(connection_id === undefined ? {} : { connection_id }),
    ...(connection_group === undefined ? {} : { connection_group }),
    origin,
  };
  return hold === undefined ? tool : approved(tool);
}

function formOf({ operation: _key, name: _name, ...form }: WantedTool): OwnedForm {
  return form;
}

function isSame(one: unknown, other: unknown): boolean {
  // Most are: and to see that they are takes less than to write both.
  return isDeepStrictEqual(one, other) || canonical(one) === canonical(other);
}
