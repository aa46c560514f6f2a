// The schema that a model is shown of a tool, for those who show it or check against it.
import { isObject, put } from '../base/json.js';
import type { HttpTool, Schema } from '../tool/tool.js';

/** What a call lays over the arguments of a model. */
export interface Overlay {
  readonly fixed_parameters: HttpTool['fixed_parameters'];
  readonly param_overrides?: { readonly [name: string]: unknown };
}

/** The schema a model is shown: without the names that are fixed or overridden. */
export function shownSchema(tool: HttpTool, overrides: Overlay['param_overrides'] = {}): Schema {
  const { properties, required } = tool.input_schema;
  const all = Object.keys(tool.fixed_parameters).length + Object.keys(overrides).length === 0;
  if (all && isObject(properties) && Array.isArray(required)) return tool.input_schema;
  const hidden = (name: string) => Object.hasOwn(tool.fixed_parameters, name) || Object.hasOwn(overrides, name);
  const shown: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    if (!hidden(name)) put(shown, name, schema);
  }
  const names = Array.isArray(required) ? required.filter((name) => !hidden(name)) : [];
  return { ...tool.input_schema, properties: shown, required: names };
}
