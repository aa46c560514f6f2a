// Connections in the database of a store of tools.
import type { Database } from '../store/database/database.js';
import { type Kind, ScopedRows } from '../store/database/rows.js';
import type { Fault } from '../store/record.js';
import type { Scope } from '../store/scope.js';
import type { Watch } from '../store/watch.js';
import { gone, putTwice, storable } from './change.js';
import type { Connection, ConnectionChanges, ConnectionStore, Connections } from './connection.js';
import { connectionFault, inOrder } from './format.js';

/** The connections of a scope in a database, which is closed with them. */
export function databaseConnections(database: Database, scope: Scope): ConnectionStore {
  return new DatabaseConnections(database, scope);
}

class DatabaseConnections implements ConnectionStore {
  readonly #database: Database;
  readonly #rows: ScopedRows<Connection>;

  constructor(database: Database, scope: Scope) {
    this.#database = database;
    this.#rows = new ScopedRows(database, scope, CONNECTIONS);
  }

  get address(): string {
    return this.#database.address;
  }

  async list(): Promise<Connections> {
    const { revision, records } = await this.#rows.read();
    return { revision, connections: inOrder(records) };
  }

  async commit({ put, remove }: ConnectionChanges, revision: string): Promise<Connections> {
    await this.#rows.commit(put.map(storable), remove, revision);
    return this.list();
  }

  faults(): Promise<readonly Fault[]> {
    return this.#rows.faults();
  }

  watch(onChange: () => void): Promise<Watch> {
    return this.#rows.watch(onChange);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

const CONNECTIONS: Kind<Connection> = {
  table: 'connections',
  check: connectionFault,
  columns: ({ id }) => ({ id }),
  gone,
  clash: (put) => (new Set(put.map(({ id }) => id)).size < put.length ? putTwice() : undefined),
  inTheWay: () => [],
};
