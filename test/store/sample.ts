// Tools to store.
import { digest } from '../../src/base/canonical.js';
import type { HttpTool } from '../../src/tool/tool.js';

export const SERVER = 'https://api.clinic.example/v1';

/** An imported tool of that operation; its id follows from it. */
export function sampleTool(operation: string, changes: Partial<HttpTool> = {}): HttpTool {
  return {
    id: sampleId(operation),
    name: operation,
    description: `Does ${operation}.`,
    input_schema: { type: 'object', properties: { limit: { type: 'integer' } }, additionalProperties: false },
    config: { endpoint: `${SERVER}/${operation}`, method: 'GET', locations: { limit: 'query' } },
    fixed_parameters: {},
    deadline_seconds: 30,
    origin: { server: SERVER, operation },
    ...changes,
  };
}

/** A tool written by hand. */
export function handTool(name: string): HttpTool {
  const { origin: _, ...tool } = sampleTool(name);
  return tool;
}

export function sampleId(operation: string): string {
  return `tool_${digest(operation).slice(0, 24)}`;
}

/** The tool with a number fixed on it. */
export function counted(operation: string, count: number): HttpTool {
  return sampleTool(operation, { fixed_parameters: { count } });
}

/** The number fixed on a tool, 0 where there is no such tool. */
export function countOf(tools: readonly HttpTool[], operation: string): number {
  return Number(tools.find((tool) => tool.id === sampleId(operation))?.fixed_parameters.count ?? 0);
}
