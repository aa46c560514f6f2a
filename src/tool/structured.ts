// How an answer is shaped to fit the output schema of its tool: an object as it is, anything else under `result`; what does not fit, with its reason.
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

const UNLIKE: Schema = {
  type: 'object',
  required: ['unlike_described', 'answer'],
  properties: {
    unlike_described: { type: 'string', description: 'Why this answer is not as the API describes it.' },
    answer: { description: 'The answer as it came: JSON or text; null where it is neither.' },
  },
};

/**
 * The output schema that a server can keep: APIs answer otherwise than they describe, and a strict client drops what does not fit.
 * Still of an object.
 */
export function kept(schema: Schema): Schema {
  return { type: 'object', anyOf: [schema, UNLIKE] };
}

/** The structured form of an answer that does not fit, which `kept` allows. */
export function unlikeDescribed(why: string, answer: unknown): JsonObject {
  return { unlike_described: why, answer };
}
