// What a person set on a tool that the form its API has by now has no place for. It stays as it is, and is told.
import { isObject, own } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { quoted, visible } from '../base/text.js';
import { ownedForm } from '../plan/owned.js';
import type { HttpTool, OwnedForm } from '../tool/tool.js';

export interface Unfit {
  readonly tool: HttpTool;
  /** A name as the person wrote it. */
  readonly parameter: string;
  /** One sentence, which names both. */
  readonly message: string;
}

/** Properties that are to be shown, and that are not: told of a tool whose operation was read with that wish. */
export function unshown(tool: HttpTool): readonly Unfit[] {
  const { shown_parameters = [], name } = tool;
  if (shown_parameters.length === 0) return [];
  const there = bodyNames(formOf(tool));
  return shown_parameters
    .filter((parameter) => !there.includes(parameter))
    .map((parameter) => {
      const near = nearest(parameter, there);
      const hint = near === undefined ? '' : `; did you mean ${quoted(near)}?`;
      const message = `${name} is to show ${quoted(parameter)}, which its body does not hold or has no room for${hint}`;
      return { tool, parameter, message };
    });
}

/**
 * Fixed values that their parameters no longer allow, of the tools that a plan changes, in what waits for approval too. One whose
 * parameter is gone reaches nothing.
 */
export async function unfitValues(
  actions: readonly { readonly kind: string; readonly tool: HttpTool }[],
): Promise<readonly Unfit[]> {
  const tools = actions.flatMap(({ kind, tool }) => (kind === 'keep' ? [] : [tool]));
  if (tools.every(({ fixed_parameters }) => Object.keys(fixed_parameters).length === 0)) return [];
  // Only a fixed value needs the validator, which takes longer to load than all the rest.
  const { valueFault } = await import('../tool/value.js');
  return tools.flatMap((tool) => {
    const { properties } = formOf(tool).input_schema;
    return Object.entries(tool.fixed_parameters).flatMap(([parameter, value]) => {
      const schema = isObject(properties) ? own(properties, parameter) : undefined;
      const fault = isObject(schema) ? valueFault(schema, value) : undefined;
      if (fault === undefined) return [];
      const what = `${tool.name} has ${quoted(parameter)} fixed to ${visible(JSON.stringify(value), 80)}`;
      return [{ tool, parameter, message: `${what}, which its API does not take: ${visible(fault, 300)}` }];
    });
  });
}

function formOf(tool: HttpTool): OwnedForm {
  return tool.pending ?? ownedForm(tool);
}

/** The properties of the body, as the description names them. */
function bodyNames({ locations }: OwnedForm): readonly string[] {
  return Object.entries(locations).flatMap(([argument, place]) => {
    if (place === 'body') return [argument];
    return typeof place === 'object' && place.in === 'body' ? [place.name ?? argument] : [];
  });
}
