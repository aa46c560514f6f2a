// A store that lives as long as its process: for tests, trials and the library.
import { applyChanges, expectRevision, inOrder, storable } from './change.js';
import { decode, encode, faultsOf, revisionOf } from './format.js';
import { partOf } from './part.js';
import type { Fault } from './record.js';
import type { ChangeSet, Committed, Part, Snapshot, ToolStore } from './store.js';
import { Listeners, type Watch } from './watch.js';

/** An empty store of its own; what it holds is gone with it. */
export function memoryStore(): ToolStore {
  return new MemoryStore();
}

/** Keeps the text, so that no caller shares an object with the store. */
class MemoryStore implements ToolStore {
  readonly address = 'memory:';
  #text = encode([]);
  readonly #listeners = new Listeners();

  async read(part?: Part): Promise<Snapshot> {
    const { revision, tools } = this.#snapshot();
    return { revision, tools: partOf(tools, part) };
  }

  async commit(changes: ChangeSet, revision: string): Promise<Committed> {
    const before = this.#snapshot();
    expectRevision(this.address, before.revision, revision);
    const text = encode(applyChanges(before.tools, changes));
    if (text !== this.#text) this.#listeners.tell();
    this.#text = text;
    return { revision: revisionOf(text), put: inOrder(changes.put.map(storable)) };
  }

  async faults(): Promise<readonly Fault[]> {
    return faultsOf(Buffer.from(this.#text), this.address);
  }

  async watch(onChange: () => void): Promise<Watch> {
    return this.#listeners.add(onChange);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #snapshot(): Snapshot {
    return { revision: revisionOf(this.#text), tools: decode(Buffer.from(this.#text), this.address) };
  }
}
