// Foreign literals of a schema (enum, const, default): copied within a depth, with the bytes they take as compact JSON.
import { canonical } from '../../base/canonical.js';
import { isObject, put } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import { invisibleCodePoints, jsonBytes } from '../../base/text.js';

/** A value that goes into an emitted schema as it is. */
export interface Literal {
  readonly value: unknown;
  /** UTF-8 bytes of its compact JSON. */
  readonly bytes: number;
  /** Entries of lists and objects inside it. */
  readonly entries: number;
  /** Invisible code points of the strings in it; they stay, since the value goes on the wire. */
  readonly invisible: readonly string[];
}

const NONE: readonly string[] = [];

/**
 * A copy of a JSON value, or undefined where JSON cannot hold it (1e400 reads as Infinity) or it is nested over 16 levels.
 */
export function literal(value: unknown, depth = 0): Literal | undefined {
  if (typeof value === 'string') {
    return { value, bytes: jsonBytes(value), entries: 0, invisible: invisibleCodePoints(value) };
  }
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? { value, bytes: JSON.stringify(value).length, entries: 0, invisible: NONE }
      : undefined;
  }
  if (typeof value === 'boolean') return { value, bytes: value ? 4 : 5, entries: 0, invisible: NONE };
  if (value === null) return { value, bytes: 4, entries: 0, invisible: NONE };
  if (depth >= FIXED_LIMITS.literal_depth) return undefined;
  if (Array.isArray(value)) return listLiteral(value, depth);
  return isObject(value) ? objectLiteral(value, depth) : undefined;
}

function listLiteral(list: readonly unknown[], depth: number): Literal | undefined {
  const out: unknown[] = [];
  let bytes = 2 + Math.max(0, list.length - 1);
  let entries = list.length;
  let invisible = NONE;
  for (const item of list) {
    const part = literal(item, depth + 1);
    if (part === undefined) return undefined;
    out.push(part.value);
    bytes += part.bytes;
    entries += part.entries;
    if (part.invisible.length > 0) invisible = [...invisible, ...part.invisible].slice(0, 8);
  }
  return { value: out, bytes, entries, invisible };
}

function objectLiteral(object: { readonly [key: string]: unknown }, depth: number): Literal | undefined {
  const out: Record<string, unknown> = {};
  const keys = Object.keys(object);
  let bytes = 2 + Math.max(0, keys.length - 1);
  let entries = keys.length;
  let invisible = NONE;
  for (const key of keys) {
    const part = literal(object[key], depth + 1);
    if (part === undefined) return undefined;
    put(out, key, part.value);
    bytes += jsonBytes(key) + 1 + part.bytes;
    entries += part.entries;
    if (part.invisible.length > 0) invisible = [...invisible, ...part.invisible].slice(0, 8);
  }
  return { value: out, bytes, entries, invisible };
}

/** Equal for equal JSON values: a primitive is its own key, a list or object its text; one that is nested too deep only itself. */
export function literalKey(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = literal(value);
  return copy === undefined ? value : `json ${canonical(copy.value)}`;
}
