// A store that lives as long as its process: for tests, trials and the library.
import { applyChanges, expectRevision } from './change.js';
import { decode, encode, revisionOf } from './format.js';
import type { ChangeSet, Snapshot, ToolStore } from './store.js';

/** An empty store of its own; what it holds is gone with it. */
export function memoryStore(): ToolStore {
  return new MemoryStore();
}

/** Keeps the text, so that no caller shares an object with the store. */
class MemoryStore implements ToolStore {
  readonly address = 'memory:';
  #text = encode([]);

  async read(): Promise<Snapshot> {
    return this.#snapshot();
  }

  async commit(changes: ChangeSet, revision: string): Promise<Snapshot> {
    const before = this.#snapshot();
    expectRevision(this.address, before.revision, revision);
    this.#text = encode(applyChanges(before.tools, changes));
    return this.#snapshot();
  }

  async close(): Promise<void> {}

  #snapshot(): Snapshot {
    return { revision: revisionOf(this.#text), tools: decode(Buffer.from(this.#text), this.address) };
  }
}
