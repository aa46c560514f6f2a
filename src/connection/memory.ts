// Connections that live as long as their process.
import { expectRevision } from '../store/change.js';
import { revisionOf } from '../store/format.js';
import type { Fault } from '../store/record.js';
import { Listeners, type Watch } from '../store/watch.js';
import { applyChanges } from './change.js';
import type { ConnectionChanges, ConnectionStore, Connections } from './connection.js';
import { decode, encode, faultsOf } from './format.js';

export function memoryConnections(): ConnectionStore {
  return new MemoryConnections();
}

/** What it hands out is read from its text, and frozen: no caller shares an object that can change. */
class MemoryConnections implements ConnectionStore {
  readonly address = 'memory:';
  readonly #listeners = new Listeners();
  #now = this.#read(encode([]));

  async list(): Promise<Connections> {
    return this.#now;
  }

  async commit(changes: ConnectionChanges, revision: string): Promise<Connections> {
    const { connections, revision: found } = this.#now;
    expectRevision(this.address, found, revision);
    this.#now = this.#read(encode(applyChanges(connections, changes)));
    if (this.#now.revision !== found) this.#listeners.tell();
    return this.#now;
  }

  async faults(): Promise<readonly Fault[]> {
    return faultsOf(Buffer.from(encode(this.#now.connections)), this.address);
  }

  async watch(onChange: () => void): Promise<Watch> {
    return this.#listeners.add(onChange);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #read(text: string): Connections {
    return frozen({ revision: revisionOf(text), connections: decode(Buffer.from(text), this.address) });
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
