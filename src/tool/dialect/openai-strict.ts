// OpenAI function calling, strict: every property is required, every object closed, few keywords, bounded in all.
import { isObject, type JsonObject } from '../../base/json.js';
import { count } from '../../base/text.js';
import type { Schema } from '../tool.js';
import { headOf } from './head.js';
import { restoredArguments } from './inverse.js';
import type { Rules, Texts } from './narrow.js';
import { sentences } from './narrow.js';
import { OPENAI_HEAD, renderPlain, warnOpenAi } from './openai.js';
import { isPlainPattern } from './pattern.js';
import type { Dialect, Rendering, ShownTool } from './rendering.js';
import { INPUT, narrowed } from './root.js';

/** Characters are those of all property names and values of enums. */
const MOST = { levels: 10, properties: 5_000, characters: 120_000, values: 1_000, listed: 250, listed_chars: 15_000 };
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const ITEMS = new Set(['minItems', 'maxItems']);

export const openaiStrict: Dialect = { render, warn: warnOpenAi };

function render(tool: ShownTool): Rendering {
  const free = freeArguments(tool.input_schema);
  if (free !== undefined) return notStrict(tool, free);
  const { schema, changes, inverse } = narrowed(tool.input_schema, rules());
  const over = excess(schema);
  if (over !== undefined) return notStrict(tool, over);
  const { name, description, changes: head } = headOf(tool, OPENAI_HEAD);
  return {
    tool: { type: 'function', function: { name, description, parameters: schema, strict: true } },
    changes: [...head, ...changes],
    arguments: (given) => restoredArguments(inverse, given),
  };
}

function notStrict(tool: ShownTool, message: string): Rendering {
  return renderPlain(tool, [{ code: 'not-strict', at: INPUT, message }]);
}

/** Arguments of any name, which a closed object has no place for. */
function freeArguments({ additionalProperties, patternProperties }: Schema): string | undefined {
  const open = additionalProperties !== undefined && additionalProperties !== false;
  return open || patternProperties !== undefined ? 'it takes arguments of any name' : undefined;
}

/** Rules of one tool: its enums are counted together. */
function rules(): Rules {
  let values = 0;
  return {
    keeps(type, keyword, value) {
      if (keyword === 'pattern') return isPlainPattern(value);
      if (keyword === 'format') return type === 'string' && typeof value === 'string' && FORMATS.has(value);
      if (type === 'array') return ITEMS.has(keyword) && typeof value === 'number';
      return BOUNDS.has(keyword) && typeof value === 'number';
    },
    lists(listed) {
      const long = listed.length > MOST.listed && characters(listed) > MOST.listed_chars;
      if (long || values + listed.length > MOST.values) return false;
      values += listed.length;
      return true;
    },
    keys: (names) => names,
    levels: MOST.levels,
    everyRequired: true,
    closed: true,
    object: (properties, required) => ({ type: 'object', properties, required, additionalProperties: false }),
    union,
  };
}

function union(branches: readonly Schema[], nullable: boolean, { title, description: about }: Texts): Schema {
  const [only] = branches;
  const titled = title === undefined ? {} : { title };
  if (branches.length > 1 || (nullable && (only === undefined || !isScalar(only)))) {
    const anyOf = nullable ? [...branches, { type: 'null' }] : branches;
    return anyOf.length === 1
      ? { ...anyOf[0], ...titled, ...(about && { description: about }) }
      : { anyOf, ...titled, ...(about && { description: about }) };
  }
  const description = sentences(about, only?.description);
  const type = nullable ? { type: [only?.type, 'null'] } : {};
  return { ...only, ...type, ...titled, ...(description === '' ? {} : { description }) };
}

/** null can be written beside its type; not beside an enum, which would have to hold it. */
function isScalar({ type, enum: values }: Schema): boolean {
  return type !== 'object' && type !== 'array' && values === undefined;
}

function characters(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + String(value).length, 0);
}

/** The bound that a schema is over in all; undefined where there is none. */
function excess(schema: Schema): string | undefined {
  const sum = { properties: 0, characters: 0 };
  measure(schema, sum);
  const over = (['properties', 'characters'] as const).find((name) => sum[name] > MOST[name]);
  if (over === undefined) return undefined;
  return `it takes ${count(sum[over])} ${over}; at most ${count(MOST[over])} are allowed`;
}

function measure(node: unknown, sum: { properties: number; characters: number }): void {
  if (!isObject(node)) return;
  const properties: JsonObject = isObject(node.properties) ? node.properties : {};
  const names = Object.keys(properties);
  sum.properties += names.length;
  sum.characters += characters(names) + characters(Array.isArray(node.enum) ? node.enum : []);
  for (const part of Object.values(properties)) measure(part, sum);
  measure(node.items, sum);
  if (Array.isArray(node.anyOf)) for (const part of node.anyOf) measure(part, sum);
}
