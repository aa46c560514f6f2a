// What the tests of plans plan: wanted tools, requests, and the tools that are there after a plan on nothing.
import { diff } from '../../src/plan/diff.js';
import type { PlanRequest, WantedTool } from '../../src/plan/plan.js';
import type { HttpTool } from '../../src/tool/tool.js';

export const SERVER = 'https://api.example.com';

export function wanted(operation: string, changes: Partial<WantedTool> = {}): WantedTool {
  return {
    operation,
    name: operation,
    endpoint: `${SERVER}/${operation}`,
    method: 'POST',
    locations: { a: 'body' },
    body: { content_type: 'application/json', required: true },
    input_schema: { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false },
    description: `Does ${operation}.`,
    ...changes,
  };
}

export function request(list: readonly WantedTool[], changes: Partial<PlanRequest> = {}): PlanRequest {
  const keys = new Map(list.map(({ operation }) => [operation, undefined]));
  return { server: SERVER, wanted: list, keys, tool_name_chars: 64, ...changes };
}

/** The tools after a plan on nothing. */
export function created(list: readonly WantedTool[], changes: Partial<PlanRequest> = {}): HttpTool[] {
  return diff(request(list, changes), []).actions.map(({ tool }) => tool);
}
