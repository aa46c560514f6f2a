// The schema of a tool's arguments as a model is shown it. Apart from what checks them, which takes long to load.
import { isObject, put } from '../base/json.js';
import type { HttpTool, Schema } from '../tool/tool.js';

/** The schema a model is shown: without the names that are fixed or overridden. */
export function shownSchema(tool: HttpTool, overrides: { readonly [name: string]: unknown } = {}): Schema {
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
