// Anthropic tool use: any JSON Schema of an object without alternatives at its root, its keys of few characters.
import type { Change } from '../../base/codes.js';
import { isObject, type JsonObject, own, put } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import { count, quoted } from '../../base/text.js';
import { UniqueNames } from '../name.js';
import type { Schema } from '../tool.js';
import { headOf } from './head.js';
import { type Inverse, joined, type Key, restoredArguments } from './inverse.js';
import { mapped } from './mapped.js';
import { objectOf } from './openai.js';
import type { Dialect, Rendering, ShownTool } from './rendering.js';
import { INPUT, withoutComposition } from './root.js';

const HEAD = { illegal: /[^A-Za-z0-9_-]/, name_chars: 128 };
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;
const KEY_CHARS = 64;
const COMPOSITION = ['anyOf', 'oneOf', 'allOf'];
/** What one request holds of strict tools. */
const STRICT = { tools: 20, optional: 24 };

export const anthropic: Dialect = { render, warn };

function render(tool: ShownTool): Rendering {
  const { name, description, changes: head } = headOf(tool, HEAD);
  const { rest, changes } = withoutComposition(tool.input_schema, COMPOSITION);
  const schema = objectOf(rest);
  const keys = renamedKeys(schema);
  const renamed: Change[] = [];
  const input_schema = keys.size === 0 ? schema : mapped(schema, INPUT, (node, at) => rename(node, at, keys, renamed));
  const inverse = keys.size === 0 ? undefined : inverseOf(schema, keys, 0);
  return {
    tool: { name, description, input_schema },
    changes: [...head, ...changes, ...renamed],
    arguments: (given) => (inverse === undefined ? given : restoredArguments(inverse, given)),
  };
}

/** The keys that are not taken, to those that stand for them: the same one everywhere in a tool, and no other's. */
function renamedKeys(schema: Schema): ReadonlyMap<string, string> {
  const declared = new Set<string>();
  const required = new Set<string>();
  mapped(schema, '', (node) => {
    for (const name of Object.keys(propertiesOf(node))) declared.add(name);
    for (const name of requiredOf(node)) required.add(name);
    return node;
  });
  const illegal = [...declared].filter((name) => !KEY.test(name));
  if (illegal.length === 0) return new Map();
  const unique = new UniqueNames(KEY_CHARS, [...declared, ...required]);
  return new Map(illegal.map((name) => [name, unique.claim(name.replace(/[^A-Za-z0-9_.-]/gu, '_') || '_')]));
}

function rename(node: JsonObject, at: string, keys: ReadonlyMap<string, string>, changes: Change[]): JsonObject {
  const before = propertiesOf(node);
  if (![...Object.keys(before), ...requiredOf(node)].some((name) => keys.has(name))) return node;
  const properties: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(before)) {
    const key = keys.get(name);
    put(properties, key ?? name, schema);
    if (key === undefined) continue;
    const message = `${quoted(name)} is ${quoted(key)} in this form`;
    changes.push({ code: 'property-renamed', at: under(under(at, 'properties'), name), message });
  }
  const names = requiredOf(node);
  return {
    ...node,
    ...(Object.keys(before).length > 0 ? { properties } : {}),
    ...(names.length > 0 ? { required: names.map((name) => keys.get(name) ?? name) } : {}),
  };
}

/** The way back of one node; alternatives always go together, since a key stands for one name in all of them. */
function inverseOf(node: unknown, keys: ReadonlyMap<string, string>, depth: number): Inverse {
  if (!isObject(node) || depth > 200) return {};
  const inside = (part: unknown) => inverseOf(part, keys, depth + 1);
  const all = (parts: readonly unknown[]) => parts.map(inside).reduce((one, other) => joined(one, other) ?? one, {});
  const items = partsOf(node, ['items', 'contains', 'prefixItems']);
  const entries = [...partsOf(node, ['additionalProperties']), ...partsBy(node, 'patternProperties')];
  const named = new Map<string, Key>();
  for (const name of requiredOf(node)) named.set(keys.get(name) ?? name, { name, inverse: all(entries) });
  for (const [name, part] of Object.entries(propertiesOf(node)))
    named.set(keys.get(name) ?? name, { name, inverse: inside(part) });
  const whole: Inverse = {
    ...(named.size > 0 ? { keys: named } : {}),
    ...(items.length > 0 ? { items: all(items) } : {}),
    ...(entries.length > 0 ? { entries: all(entries) } : {}),
  };
  const others = partsOf(node, ['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else']);
  return [...others, ...partsBy(node, 'dependentSchemas')].reduce<Inverse>(
    (one, other) => joined(one, inside(other)) ?? one,
    whole,
  );
}

/** The schemas under these keywords, which hold one or a list of them. */
function partsOf(node: JsonObject, keywords: readonly string[]): readonly unknown[] {
  return keywords.flatMap((keyword) => own(node, keyword) ?? []);
}

/** The schemas under a keyword that holds them by name. */
function partsBy(node: JsonObject, keyword: string): readonly unknown[] {
  const parts = own(node, keyword);
  return isObject(parts) ? Object.values(parts) : [];
}

function requiredOf(node: JsonObject): readonly string[] {
  const required = own(node, 'required');
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function propertiesOf(node: JsonObject): JsonObject {
  const properties = own(node, 'properties');
  return isObject(properties) ? properties : {};
}

function warn(tools: readonly Rendering[]): readonly string[] {
  const optional = tools.reduce((sum, { tool }) => sum + optionalOf(tool.input_schema), 0);
  const found: string[] = [];
  if (tools.length > STRICT.tools) found.push(`${STRICT.tools} strict tools; these are ${count(tools.length)}`);
  if (optional > STRICT.optional)
    found.push(`${STRICT.optional} optional arguments of strict tools; these have ${count(optional)}`);
  return found.map((one) => `Anthropic takes at most ${one} (as they are rendered, none is strict)`);
}

function optionalOf(schema: unknown): number {
  if (!isObject(schema)) return 0;
  const required = own(schema, 'required');
  return Object.keys(propertiesOf(schema)).length - (Array.isArray(required) ? required.length : 0);
}
