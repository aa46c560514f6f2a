// A schema with a change at any of its nodes; what does not change is shared with the original.
import { isObject, type JsonObject, own, put } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import type { Schema } from '../tool.js';

/** Keywords that hold a schema, a list of them, or schemas by name (JSON Schema 2020-12, Core, section 10). */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

/** No schema that is stored is deeper; what is stays as it is. */
const MOST_DEPTH = 200;

/** Visits every object schema, the outer before the inner; `visit` answers the node itself where nothing changes. */
export function mapped(schema: Schema, at: string, visit: (node: JsonObject, at: string) => JsonObject): Schema {
  return mappedNode(schema, at, visit, 0) as Schema;
}

type Visit = Parameters<typeof mapped>[2];

function mappedNode(node: unknown, at: string, visit: Visit, depth: number): unknown {
  if (!isObject(node) || depth > MOST_DEPTH) return node;
  const changed = visit(node, at);
  let out: Record<string, unknown> | undefined;
  const replace = (key: string, before: unknown, after: unknown) => {
    if (before === after) return;
    out ??= { ...changed };
    put(out, key, after);
  };
  const inside = (part: unknown, place: string) => mappedNode(part, place, visit, depth + 1);
  for (const key of ONE) {
    const part = own(changed, key);
    if (isObject(part)) replace(key, part, inside(part, under(at, key)));
  }
  for (const key of LISTS) {
    const list = own(changed, key);
    if (!Array.isArray(list)) continue;
    const next = list.map((part, index) => inside(part, under(under(at, key), index)));
    if (next.some((part, index) => part !== list[index])) replace(key, list, next);
  }
  for (const key of MAPS) {
    const map = own(changed, key);
    if (!isObject(map)) continue;
    const next: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(map)) put(next, name, inside(part, under(under(at, key), name)));
    if (Object.keys(map).some((name) => own(map, name) !== own(next, name))) replace(key, map, next);
  }
  return out ?? changed;
}
