// Connections that live as long as their process.
import { expectRevision } from '../store/change.js';
import { revisionOf } from '../store/format.js';
import { applyChanges } from './change.js';
import type { ConnectionChanges, ConnectionStore, Connections } from './connection.js';
import { decode, encode } from './format.js';

export function memoryConnections(): ConnectionStore {
  return new MemoryConnections();
}

/** Keeps the text, so that no caller shares an object with the store. */
class MemoryConnections implements ConnectionStore {
  readonly address = 'memory:';
  #text = encode([]);
  #revision = revisionOf(this.#text);

  async list(): Promise<Connections> {
    return this.#now();
  }

  async commit(changes: ConnectionChanges, revision: string): Promise<Connections> {
    const { connections, revision: found } = this.#now();
    expectRevision(this.address, found, revision);
    this.#text = encode(applyChanges(connections, changes));
    this.#revision = revisionOf(this.#text);
    return this.#now();
  }

  #now(): Connections {
    return { revision: this.#revision, connections: decode(Buffer.from(this.#text), this.address) };
  }
}
