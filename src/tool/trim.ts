// What may be left out of a schema of ours, and the schema without it.
import { isObject, own, put } from '../base/json.js';
import { under } from '../base/pointer.js';
import type { Schema } from './tool.js';

/** Something that may be left out: a text, an optional property, or the tool's own description, which lies in no schema. */
export interface Part {
  readonly kind: 'text' | 'property' | 'description';
  /** A pointer into the schema: of the property, or of what has the text. */
  readonly at: string;
  /** Levels above it; the arguments of a tool have 1. */
  readonly depth: number;
  /** Characters of its JSON. */
  readonly size: number;
  /** Of a property. */
  readonly name?: string;
}

const TEXTS = ['title', 'description'];

/** Every text and every optional property, in the order of the schema. */
export function partsOf(schema: Schema): Part[] {
  const parts: Part[] = [];
  collect(schema, '', 0, parts);
  return parts;
}

/** @returns the characters of the node's JSON. */
function collect(node: unknown, at: string, depth: number, parts: Part[]): number {
  if (!isObject(node)) return JSON.stringify(node)?.length ?? 0;
  let size = 2;
  const text = TEXTS.reduce((sum, key) => sum + textSize(own(node, key)), 0);
  if (text > 0) parts.push({ kind: 'text', at, depth, size: text });
  for (const [key, value] of Object.entries(node)) {
    size += key.length + 4;
    const here = `${at}/${key}`;
    if (key === 'properties' && isObject(value)) size += collectProperties(node, value, here, depth + 1, parts);
    else if ((key === 'anyOf' || key === 'prefixItems') && Array.isArray(value)) {
      const below = key === 'anyOf' ? depth : depth + 1;
      value.forEach((one, i) => {
        size += collect(one, `${here}/${i}`, below, parts) + 1;
      });
    } else if (key === 'items' || key === 'additionalProperties') size += collect(value, here, depth + 1, parts);
    else size += JSON.stringify(value)?.length ?? 0;
  }
  return size;
}

function collectProperties(owner: Schema, properties: Schema, at: string, depth: number, parts: Part[]): number {
  const required = new Set(Array.isArray(owner.required) ? owner.required : []);
  let all = 2;
  for (const [name, value] of Object.entries(properties)) {
    const here = under(at, name);
    const size = collect(value, here, depth, parts) + name.length + 4;
    if (!required.has(name)) parts.push({ kind: 'property', at: here, depth, size, name });
    all += size;
  }
  return all;
}

function textSize(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}

/** A copy of a schema without these of its parts. A cut widens: an object that lost a property below the root is no longer closed. */
export function withoutParts(schema: Schema, parts: readonly Part[]): Schema {
  const texts = new Set<string>();
  const properties = new Set<string>();
  for (const { kind, at } of parts) {
    if (kind === 'text') texts.add(at);
    else if (kind === 'property') properties.add(at);
  }
  return copy(schema, '', { texts, properties });
}

interface LeftOut {
  readonly texts: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

function copy(node: Schema, at: string, leftOut: LeftOut): Schema {
  const below = (value: unknown, key: string) => (isObject(value) ? copy(value, `${at}/${key}`, leftOut) : value);
  const out: Record<string, unknown> = {};
  let opened = false;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' && isObject(value)) {
      const kept = copyProperties(value, `${at}/properties`, leftOut);
      opened = at !== '' && Object.keys(kept).length < Object.keys(value).length;
      if (at === '' || Object.keys(kept).length > 0) out.properties = kept;
    } else if ((key === 'anyOf' || key === 'prefixItems') && Array.isArray(value)) {
      out[key] = value.map((one, i) => below(one, `${key}/${i}`));
    } else if (key === 'items' || key === 'additionalProperties') out[key] = below(value, key);
    else if (!(TEXTS.includes(key) && leftOut.texts.has(at))) out[key] = value;
  }
  if (opened) delete out.additionalProperties;
  return out;
}

function copyProperties(properties: Schema, at: string, leftOut: LeftOut): Schema {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    const here = under(at, name);
    if (leftOut.properties.has(here)) continue;
    put(kept, name, isObject(value) ? copy(value, here, leftOut) : value);
  }
  return kept;
}
