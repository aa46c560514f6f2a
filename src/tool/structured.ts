// How an answer is shaped to fit the output schema of its tool: an object as it is, anything else under `result`.
import { isObject, type JsonObject } from '../base/json.js';
import type { Schema } from './tool.js';

/** The one property of an answer that is no object. */
export const RESULT = 'result';

/**
 * The structured form of a JSON answer, as MCP's `structuredContent` has it; undefined where the schema is of an object and the
 * answer is none. Only schemas that stand round a value are closed: what an API describes is open.
 */
export function structuredAnswer(schema: Schema, value: unknown): JsonObject | undefined {
  if (schema.additionalProperties === false) return { [RESULT]: value };
  return isObject(value) ? value : undefined;
}
