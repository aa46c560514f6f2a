// A stored tool of an operation that a preview shows, as an import would make it.
import type { HttpTool, Schema, ToolDraft } from '../../src/index.js';

export function toolOf(draft: ToolDraft): HttpTool {
  const { name, description, method, path, input_schema, locations, body } = draft;
  return {
    id: `tool_${'0'.repeat(24)}`,
    name,
    description,
    input_schema,
    config: { endpoint: `https://api.example.com${path}`, method, locations, ...(body === undefined ? {} : { body }) },
    fixed_parameters: {},
    deadline_seconds: 30,
  };
}

/** A tool written by hand, which sends its arguments as a JSON body. */
export function handTool(input_schema: Schema, changes: Partial<HttpTool> = {}): HttpTool {
  return {
    id: `tool_${'0'.repeat(24)}`,
    name: 'store_value',
    description: 'Stores a value.',
    input_schema,
    config: { endpoint: 'https://api.example.com/values', method: 'POST' },
    fixed_parameters: {},
    deadline_seconds: 30,
    ...changes,
  };
}
