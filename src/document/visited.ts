// Which nodes a walk over a whole document has seen: a YAML document may share nodes, and so be a bomb or a loop.

/** Nodes after which sharing is looked for; a tree of fewer is walked without keeping any. */
const UNWATCHED = 1_000_000;

/** Keeps the walk at the size of the document: at most so many nodes are seen twice. */
export class Visited {
  #count = 0;
  #seen: Set<object> | undefined;

  /** True where the node is to be walked. */
  add(node: object): boolean {
    this.#count += 1;
    if (this.#count <= UNWATCHED) return true;
    this.#seen ??= new Set();
    if (this.#seen.has(node)) return false;
    this.#seen.add(node);
    return true;
  }
}
