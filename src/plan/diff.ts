// The stage of this room: wanted tools against those that exist, to a plan. Pure: nothing is read or written.
import { canonical, digest } from '../base/canonical.js';
import { UniqueNames } from '../tool/name.js';
import type { HttpTool, Origin } from '../tool/tool.js';
import {
  type Action,
  type Missing,
  type Plan,
  type PlanRequest,
  REFRESHED_FIELDS,
  type RefreshedField,
  type Stale,
  type WantedTool,
} from './plan.js';

/** Plans one import. Equality is that of canonical JSON: reordered keys are no change. */
export function diff(request: PlanRequest, existing: readonly HttpTool[]): Plan {
  const ours = new Map<string, HttpTool>();
  for (const tool of existing) {
    const { origin } = tool;
    if (origin?.server === request.server && origin.set === request.set) ours.set(origin.operation, tool);
  }
  const names = new UniqueNames(
    request.tool_name_chars,
    existing.map(({ name }) => name),
  );
  const actions = request.wanted.map((wanted): Action => {
    const before = ours.get(wanted.operation);
    return before === undefined ? { kind: 'create', tool: create(request, wanted, names) } : refresh(before, wanted);
  });
  const chosen = new Set(request.wanted.map(({ operation }) => operation));
  const missing: Missing[] = [];
  const stale: Stale[] = [];
  for (const [operation, { id, name }] of ours) {
    if (chosen.has(operation)) continue;
    const left = { operation, tool_id: id, name };
    const code = request.keys.get(operation);
    if (!request.keys.has(operation)) missing.push(left);
    else if (code !== undefined) stale.push({ ...left, code });
  }
  return { actions, missing, stale };
}

/** The id of an imported tool: the same identity has the same id anywhere. */
export function importedId({ server, operation, set }: Origin): string {
  return `tool_${digest([server, operation, set ?? null]).slice(0, 24)}`;
}

function create(request: PlanRequest, wanted: WantedTool, names: UniqueNames): HttpTool {
  const { server, set, connection_id, connection_group } = request;
  const origin: Origin = { server, operation: wanted.operation, ...(set === undefined ? {} : { set }) };
  return {
    id: importedId(origin),
    name: names.claim(wanted.name),
    description: wanted.description,
    input_schema: wanted.input_schema,
    ...outputOf(wanted),
    config: config({}, wanted),
    fixed_parameters: {},
    deadline_seconds: 30,
    ...(connection_id === undefined ? {} : { connection_id }),
    ...(connection_group === undefined ? {} : { connection_group }),
    origin,
  };
}

/** What a person set stays; a description of their own stays in front of the refreshed one. */
function refresh(before: HttpTool, wanted: WantedTool): Action {
  const fields = REFRESHED_FIELDS.filter((field) => canonical(fieldOf(before, field)) !== canonical(wanted[field]));
  if (fields.length === 0) return { kind: 'keep', tool: before };
  const described =
    before.imported_description === undefined
      ? { description: wanted.description }
      : { imported_description: wanted.description };
  const { output_schema: _replaced, ...kept } = before;
  const tool = {
    ...kept,
    ...described,
    input_schema: wanted.input_schema,
    ...outputOf(wanted),
    config: config(before.config, wanted),
  };
  return { kind: 'refresh', tool, before, fields };
}

function outputOf({ output_schema }: WantedTool): Pick<HttpTool, 'output_schema'> {
  return output_schema === undefined ? {} : { output_schema };
}

function config(before: Partial<HttpTool['config']>, wanted: WantedTool): HttpTool['config'] {
  const { body: _replaced, ...kept } = before;
  const { endpoint, method, locations, body } = wanted;
  return { ...kept, endpoint, method, locations, ...(body === undefined ? {} : { body }) };
}

function fieldOf(tool: HttpTool, field: RefreshedField): unknown {
  if (field === 'description') return tool.imported_description ?? tool.description;
  if (field === 'input_schema' || field === 'output_schema') return tool[field];
  return tool.config[field];
}
