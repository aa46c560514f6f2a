// What a manifest states of a tool, laid over the tool as it is: what is not stated stays.
import { canonical } from '../base/canonical.js';
import type { ToolEdit } from '../manifest/manifest.js';
import type { HttpTool } from '../tool/tool.js';
import { changedTool, type ToolChanges, type ValueFault } from './tools.js';

/** The fields of a tool that a manifest can state, as reports name them. */
const STATED = [
  'name',
  'description',
  'fixed_parameters',
  'deadline_seconds',
  'connection_id',
  'connection_group',
  'shown_parameters',
  'hidden_parameters',
] as const;

/**
 * The tool with everything that is stated of it. A value that is fixed already stays though its parameter may be gone by now.
 * @throws Failure `unknown-parameter`, `invalid-value`.
 */
export function withEdit(
  tool: HttpTool,
  edit: ToolEdit,
  connection: ToolChanges['connection'],
  fault: ValueFault,
): HttpTool {
  const { name, description, deadline_seconds, attempts, show, hide, fixed_parameters = {} } = edit;
  const fixed = Object.entries(fixed_parameters).filter(([parameter, value]) => {
    return (
      !Object.hasOwn(tool.fixed_parameters, parameter) ||
      canonical(tool.fixed_parameters[parameter]) !== canonical(value)
    );
  });
  const changes: ToolChanges = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(fixed.length === 0 ? {} : { fixed_parameters: Object.fromEntries(fixed) }),
    ...(deadline_seconds === undefined ? {} : { deadline_seconds }),
    ...(show === undefined ? {} : { shown_parameters: show }),
    ...(hide === undefined ? {} : { hidden_parameters: hide }),
    ...(connection === undefined ? {} : { connection }),
  };
  // Whether a name is free is seen when all tools have theirs.
  const edited = changedTool(tool, changes, [], fault);
  return attempts === undefined ? edited : { ...edited, config: { ...edited.config, attempts } };
}

/** The fields that differ between two states of a tool, of those that a person owns. */
export function editedFields(before: HttpTool, after: HttpTool): readonly string[] {
  const fields: string[] = STATED.filter(
    (field) => canonical(before[field] ?? null) !== canonical(after[field] ?? null),
  );
  // What the API says is no edit, where nobody says something else.
  const own = (tool: HttpTool) => (tool.imported_description === undefined ? null : tool.description);
  const edited = fields.filter((field) => field !== 'description' || own(before) !== own(after));
  return before.config.attempts === after.config.attempts ? edited : [...edited, 'attempts'];
}
