// What a person wants shown and hidden of an imported tool: hiding acts at once, showing at the next import.
import { Failure } from '../base/failure.js';
import { isObject } from '../base/json.js';
import { quoted } from '../base/text.js';
import { approved, ownedForm, withForm, withoutHidden } from '../plan/owned.js';
import type { HttpTool, Origin } from '../tool/tool.js';
import { unknownParameter } from './parameter.js';

/** Names of arguments; `shown_parameters` are named as the description names the properties of the body. */
export interface ShownChanges {
  /** Optional properties of the body to show beside the first ones, from the next import on. */
  readonly shown_parameters?: readonly string[];
  /** Those to leave out again where they are not among the first, from the next import on. */
  readonly unshown?: readonly string[];
  /** Optional arguments that nobody is shown, from now on. */
  readonly hidden_parameters?: readonly string[];
  /** Those to show again, from the next import on. */
  readonly unhidden?: readonly string[];
}

/** @throws Failure `invalid-value`, `unknown-parameter`, `bad-request`. */
export function withShown(tool: HttpTool, changes: ShownChanges): HttpTool {
  const { shown_parameters: show = [], unshown = [], hidden_parameters: hide = [], unhidden = [] } = changes;
  const names = [...show, ...unshown, ...hide, ...unhidden];
  if (names.length === 0) return tool;
  if (tool.origin === undefined) {
    throw new Failure('invalid-value', `${tool.name} was written by hand: its own schema says what is shown`);
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Failure('bad-request', `${quoted(twice)} is named twice`);
  for (const name of hide) checkHidable(tool, name);
  checkSet(tool, unshown, tool.shown_parameters, 'is asked to be shown');
  checkSet(tool, unhidden, tool.hidden_parameters, 'is hidden');
  const { shown_parameters, hidden_parameters, ...rest } = tool;
  const shown = merged(shown_parameters, show, [...unshown, ...hide]);
  const hidden = merged(hidden_parameters, hide, [...unhidden, ...show]);
  const marked: HttpTool = {
    ...rest,
    ...(shown.length === 0 ? {} : { shown_parameters: shown }),
    ...(hidden.length === 0 ? {} : { hidden_parameters: hidden }),
  };
  return hide.length === 0 ? marked : withHidden(marked);
}

/** Takes out what is hidden, of what waits as well. What a person did themselves is approved. */
function withHidden(tool: HttpTool): HttpTool {
  const formed = withForm(tool, withoutHidden(ownedForm(tool), tool));
  const settled = tool.approved === undefined ? formed : approved(formed);
  return tool.pending === undefined ? settled : { ...settled, pending: withoutHidden(tool.pending, tool) };
}

function checkHidable(tool: HttpTool, name: string): void {
  if (tool.hidden_parameters?.includes(name)) return;
  const { properties, required } = tool.input_schema;
  const known = isObject(properties) ? Object.keys(properties) : [];
  if (!known.includes(name)) throw unknownParameter(tool, name, known);
  const refuse = (why: string) =>
    new Failure('invalid-value', `${quoted(name)} of ${tool.name} cannot be hidden: ${why}`, { parameter: name });
  if (Object.hasOwn(tool.fixed_parameters, name)) throw refuse('it is fixed, and the model does not see it already');
  if (Array.isArray(required) && required.includes(name)) {
    throw refuse('it is required; with a fixed value the model no longer sees it');
  }
}

function checkSet(tool: HttpTool, names: readonly string[], set: readonly string[] = [], what: string): void {
  const stranger = names.find((name) => !set.includes(name));
  if (stranger === undefined) return;
  throw new Failure('unknown-parameter', `nothing called ${quoted(stranger)} of ${tool.name} ${what}`, {
    parameter: stranger,
  });
}

function merged(before: readonly string[] = [], more: readonly string[], less: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])].filter((name) => !less.includes(name)).sort();
}

/** By key, what a person wants shown of the tools of one server and set. */
export function shownNames(
  tools: readonly HttpTool[],
  { server, set }: Pick<Origin, 'server' | 'set'>,
): ReadonlyMap<string, readonly string[]> {
  const shown = new Map<string, readonly string[]>();
  for (const { origin, shown_parameters } of tools) {
    if (shown_parameters === undefined || origin?.server !== server || origin.set !== set) continue;
    shown.set(origin.operation, shown_parameters);
  }
  return shown;
}
