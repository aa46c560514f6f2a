// The way back from arguments in a consumer's form: keys to their names, null to nothing, JSON text to its value.
import { isObject, put } from '../../base/json.js';
import type { Values } from './rendering.js';

/** What a value of each JSON type stands for; a type that is not named stands for itself. */
export interface Inverse {
  /** What a string is; undefined where there is none. */
  readonly text?: 'plain' | 'json';
  readonly keys?: ReadonlyMap<string, Key>;
  readonly items?: Inverse;
  /** Of entries under any other key. */
  readonly entries?: Inverse;
}

/** One property in the consumer's form. */
export interface Key {
  readonly name: string;
  readonly inverse: Inverse;
  /** What null is; undefined where it does not occur. */
  readonly null?: 'absent' | 'null';
  /** `{}` leaves the property out. */
  readonly empty?: true;
}

/** One way back for two alternatives; undefined where a value of one would be read as another of the other. */
export function joined(a: Inverse, b: Inverse): Inverse | undefined {
  if (a.text !== undefined && b.text !== undefined && a.text !== b.text) return undefined;
  const text = a.text ?? b.text;
  const items = both(a.items, b.items, joined);
  const entries = both(a.entries, b.entries, joined);
  const keys = both(withEntries(a, b), withEntries(b, a), joinedKeys);
  if (items === null || keys === null || entries === null) return undefined;
  return { ...(text && { text }), ...(items && { items }), ...(keys && { keys }), ...(entries && { entries }) };
}

/** The keys of one where the other has entries as well: what is a property here may be an entry there. */
function withEntries({ keys }: Inverse, { keys: theirs, entries }: Inverse): ReadonlyMap<string, Key> | undefined {
  if (keys === undefined || entries === undefined) return keys;
  return new Map(
    [...keys].map(([rendered, key]) => {
      if (theirs?.has(rendered) === true) return [rendered, key];
      return [rendered, { ...key, inverse: joined(key.inverse, entries) ?? key.inverse }];
    }),
  );
}

/** null: they do not go together. */
function both<T>(a: T | undefined, b: T | undefined, join: (a: T, b: T) => T | undefined): T | undefined | null {
  return a === undefined || b === undefined ? (a ?? b) : (join(a, b) ?? null);
}

function joinedKeys(a: ReadonlyMap<string, Key>, b: ReadonlyMap<string, Key>): Map<string, Key> | undefined {
  const keys = new Map(a);
  for (const [rendered, key] of b) {
    const other = keys.get(rendered) ?? key;
    const inverse = joined(other.inverse, key.inverse);
    const nothing = other.null ?? key.null;
    if (inverse === undefined || other.name !== key.name || nothing !== (key.null ?? nothing)) return undefined;
    const empty = other.empty ?? key.empty;
    keys.set(rendered, { name: key.name, inverse, ...(nothing && { null: nothing }), ...(empty && { empty }) });
  }
  return keys;
}

/** Arguments of the stored tool. What was not declared stays as it came. */
export function restoredArguments(inverse: Inverse, given: Values): Values {
  return restored(inverse, given) as Values;
}

function restored(inverse: Inverse, value: unknown): unknown {
  if (typeof value === 'string') return inverse.text === 'json' ? parsed(value) : value;
  const { items, keys, entries } = inverse;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => restored(items, item));
  if (!isObject(value) || (keys === undefined && entries === undefined)) return value;
  const out: Record<string, unknown> = {};
  for (const [rendered, part] of Object.entries(value)) {
    const key = keys?.get(rendered);
    if (key === undefined) put(out, rendered, entries === undefined ? part : restored(entries, part));
    else if (!leavesOut(key, part)) put(out, key.name, restored(key.inverse, part));
  }
  return out;
}

function leavesOut(key: Key, value: unknown): boolean {
  if (value === null) return key.null === 'absent';
  return key.empty === true && isObject(value) && Object.keys(value).length === 0;
}

/** What is no JSON after all is the text itself: where a text is allowed it is sent, and else the check names it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
