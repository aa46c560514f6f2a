// The walk over a whole document, in the order of its text, in memory that grows with its depth alone.
import type { JsonObject } from '../base/json.js';

/** An object, or a list, of a document. */
export type Container = JsonObject | readonly unknown[];

/**
 * Nodes after which those that were met are kept. A YAML document may share nodes, and so be a bomb or a loop; one in JSON is a
 * tree, and 16 MB of it hold no more.
 */
const UNWATCHED = 8 * 1024 * 1024;

/**
 * Enters every object and list of a document, each before what is inside of it.
 * @param start the state for the root
 * @param enter gets the node, the state of the container around it and the key there; answers the state for what is inside, or
 *   undefined where nothing inside is wanted
 */
export function descend<T>(
  root: unknown,
  start: T,
  enter: (node: Container, state: T, key: string | number | undefined) => T | undefined,
): void {
  const stack: { readonly node: Container; readonly keys: readonly string[] | undefined; next: number; state: T }[] =
    [];
  let count = 0;
  const seen = new Set<object>();
  const visit = (value: unknown, state: T, key: string | number | undefined): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Container;
    count += 1;
    if (count > UNWATCHED) {
      if (seen.has(node)) return;
      seen.add(node);
    }
    const inside = enter(node, state, key);
    if (inside === undefined) return;
    const keys = Array.isArray(node) ? undefined : Object.keys(node);
    if ((keys ?? node).length !== 0) stack.push({ node, keys, next: 0, state: inside });
  };
  visit(root, start, undefined);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { node, keys, next, state } = top;
    top.next += 1;
    if (next === (keys ?? node).length) stack.pop();
    else if (keys === undefined) visit((node as readonly unknown[])[next], state, next);
    else visit((node as JsonObject)[keys[next] as string], state, keys[next]);
  }
}
