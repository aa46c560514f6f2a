// OpenAPI Overlay 1.0 applied to a decoded description: what an action changes is copied along its path, the rest is shared.
import { Failure } from '../base/failure.js';
import { isObject, type JsonObject, own, ownString, put } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count, quoted } from '../base/text.js';
import { type Found, QueryError, type Spend, select } from './jsonpath.js';

/** An overlay, decoded. */
export interface Overlay {
  readonly value: unknown;
  /** What messages call it. */
  readonly name: string;
}

/** The description after the overlays, and a sentence for each action whose target selects nothing. */
export interface Overlaid {
  readonly value: unknown;
  readonly unmatched: readonly string[];
}

type Container = Record<string, unknown> | unknown[];

/**
 * Applies overlays in their order. The given values are not changed.
 * @throws Failure `invalid-overlay`, naming the action.
 */
export function overlay(description: unknown, overlays: readonly Overlay[]): Overlaid {
  const spend = stepsOf();
  const unmatched: string[] = [];
  let value = description;
  for (const { value: document, name } of overlays) {
    for (const [index, action] of actionsOf(document, name).entries()) {
      const label = `action ${index} of ${name}`;
      try {
        const found = select(value, targetOf(action), spend);
        if (found.length === 0) unmatched.push(`the target of ${label} selects nothing`);
        else value = new Change(value, spend).apply(action, found);
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        throw new Failure('invalid-overlay', `${label} cannot be applied: ${error.message}`, { action: index });
      }
    }
  }
  return { value, unmatched };
}

function stepsOf(): Spend {
  let left = FIXED_LIMITS.overlay_steps;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new QueryError(`the overlays take more than ${count(FIXED_LIMITS.overlay_steps)} steps`);
  };
}

function actionsOf(document: unknown, name: string): readonly unknown[] {
  const refuse = (what: string) => new Failure('invalid-overlay', `${name} ${what}`);
  const version = isObject(document) ? ownString(document, 'overlay') : undefined;
  if (!isObject(document) || version === undefined)
    throw refuse('is no overlay: it has no "overlay" that names a version');
  if (!/^1\.\d/.test(version)) throw refuse(`is an overlay of the version ${quoted(version, 20)}; 1.0 is read`);
  const actions = own(document, 'actions');
  if (!Array.isArray(actions) || actions.length === 0) throw refuse('has no list of actions');
  return actions;
}

function targetOf(action: unknown): string {
  const target = isObject(action) ? ownString(action, 'target') : undefined;
  if (target === undefined) throw new QueryError('it has no target');
  if (target.length > FIXED_LIMITS.target_chars) {
    throw new QueryError(`its target is longer than ${count(FIXED_LIMITS.target_chars)} characters`);
  }
  return target;
}

/** One action on a value. What it has copied is its own, and changed in place. */
class Change {
  readonly #owned = new Set<unknown>();
  readonly #spend: Spend;
  readonly #top: { root: unknown };

  constructor(root: unknown, spend: Spend) {
    this.#top = { root };
    this.#spend = spend;
  }

  apply(action: unknown, found: readonly Found[]): unknown {
    if (!isObject(action)) throw new QueryError('it is no object');
    if (own(action, 'remove') === true) this.#remove(found);
    else if (Object.hasOwn(action, 'update')) this.#update(found, action.update);
    else throw new QueryError('it has neither "update" nor "remove": true');
    return this.#top.root;
  }

  #remove(found: readonly Found[]): void {
    const gone = new Map<Container, Set<string | number>>();
    for (const { parent, key } of found) {
      if (parent === null) throw new QueryError('it removes the whole description');
      const holder = this.#own(parent);
      const keys = gone.get(holder);
      if (keys === undefined) gone.set(holder, new Set([key]));
      else keys.add(key);
    }
    for (const [holder, keys] of gone) {
      if (Array.isArray(holder)) {
        let kept = 0;
        for (const [index, item] of holder.entries()) if (!keys.has(index)) holder[kept++] = item;
        holder.length = kept;
      } else for (const key of keys) delete holder[key];
    }
  }

  #update(found: readonly Found[], update: unknown): void {
    const size = sizeOf(update, this.#spend);
    const targets = new Set<Container>();
    for (const node of found) {
      if (typeof node.value !== 'object' || node.value === null) {
        throw new QueryError('its target selects what is neither an object nor an array');
      }
      targets.add(this.#own(node));
    }
    for (const target of targets) {
      this.#spend(size);
      if (Array.isArray(target)) target.push(update);
      else if (isObject(update)) this.#merge(target, update, 0);
      else throw new QueryError('its update of an object is no object');
    }
  }

  /** Objects are merged, arrays concatenated, everything else replaced; null leaves an object or an array as it is. */
  #merge(target: Record<string, unknown>, update: JsonObject, depth: number): void {
    if (depth > FIXED_LIMITS.schema_depth) throw new QueryError('its update is nested too deep');
    for (const [key, value] of Object.entries(update)) {
      const before = own(target, key);
      if (typeof before !== 'object' || before === null) {
        if (before !== undefined && before !== null && typeof value === 'object' && value !== null) {
          throw new QueryError(`its update puts an object or an array in the place of the value of ${quoted(key)}`);
        }
        put(target, key, value);
      } else if (Array.isArray(before) && Array.isArray(value)) {
        const list = this.#copy(before);
        put(target, key, list);
        for (const item of value) (list as unknown[]).push(item);
      } else if (isObject(before) && isObject(value)) {
        const inner = this.#copy(before) as Record<string, unknown>;
        put(target, key, inner);
        this.#merge(inner, value, depth + 1);
      } else if (value !== null) {
        throw new QueryError(
          `its update does not fit the ${Array.isArray(before) ? 'array' : 'object'} ${quoted(key)}`,
        );
      }
    }
  }

  /** What stands at the node now, copied with all that leads to it. */
  #own(node: Found): Container {
    const path: (string | number)[] = [];
    for (let here = node; here.parent !== null; here = here.parent) path.push(here.key);
    this.#spend(path.length + 1);
    let holder: Container = this.#copy(this.#top.root);
    this.#top.root = holder;
    for (const key of path.reverse()) {
      const inner: Container = this.#copy(Array.isArray(holder) ? holder[Number(key)] : own(holder, String(key)));
      if (Array.isArray(holder)) holder[Number(key)] = inner;
      else put(holder, String(key), inner);
      holder = inner;
    }
    return holder;
  }

  #copy(value: unknown): Container {
    if (this.#owned.has(value)) return value as Container;
    let copy: Container;
    if (Array.isArray(value)) {
      this.#spend(value.length);
      copy = [...value];
    } else {
      copy = {};
      for (const [key, part] of Object.entries(value as object)) put(copy, key, part);
      this.#spend(Object.keys(copy).length);
    }
    this.#owned.add(copy);
    return copy;
  }
}

/** Nodes in a value, counted as a tree: what is put in many places may be walked in each. */
function sizeOf(value: unknown, spend: Spend): number {
  let size = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const node = waiting.pop();
    size += 1;
    if (typeof node !== 'object' || node === null) continue;
    const parts: unknown[] = Object.values(node);
    spend(parts.length);
    for (const part of parts) waiting.push(part);
  }
  return size;
}
