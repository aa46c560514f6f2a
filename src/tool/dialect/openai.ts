// OpenAI function calling, not strict: any JSON Schema of an object, without alternatives at its root.
import type { Change } from '../../base/codes.js';
import { isObject, own } from '../../base/json.js';
import { count } from '../../base/text.js';
import type { Schema } from '../tool.js';
import { headOf } from './head.js';
import { mapped } from './mapped.js';
import type { Dialect, Rendering, ShownTool } from './rendering.js';
import { INPUT, withoutComposition } from './root.js';

export const OPENAI_HEAD = { illegal: /[^A-Za-z0-9_-]/, name_chars: 64, description_chars: 1_024 };
const COMPOSITION = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'];
const TOOLS = 128;

export const openai: Dialect = { render: renderPlain, warn: warnOpenAi };

/** `changes`: why it is not strict, where that was asked for. */
export function renderPlain(tool: ShownTool, changes: readonly Change[] = []): Rendering {
  const head = headOf(tool, OPENAI_HEAD);
  const { rest, changes: composition } = withoutComposition(tool.input_schema, COMPOSITION);
  const noted: Change[] = [];
  const parameters = mapped(objectOf(rest), INPUT, (node, at) => {
    if (![own(node, 'type')].flat().includes('array') || own(node, 'items') !== undefined) return node;
    noted.push({ code: 'restated', at, message: 'it is said that its items are of any shape' });
    return { ...node, items: {} };
  });
  const { name, description } = head;
  return {
    tool: { type: 'function', function: { name, description, parameters, strict: false } },
    changes: [...changes, ...head.changes, ...composition, ...noted],
    arguments: (given) => given,
  };
}

/** With `type` and `properties`, which are asked for. */
export function objectOf(schema: Schema): Schema {
  if (schema.type === 'object' && isObject(schema.properties)) return schema;
  return { ...schema, type: 'object', properties: isObject(schema.properties) ? schema.properties : {} };
}

export function warnOpenAi(tools: readonly Rendering[]): readonly string[] {
  if (tools.length <= TOOLS) return [];
  return [`OpenAI takes at most ${TOOLS} tools in one request; these are ${count(tools.length)}`];
}
