// A store of tools in a database.

import { under } from '../../base/pointer.js';
import type { HttpTool, Origin } from '../../tool/tool.js';
import { clashes, conflict, firstClash, gone, inOrder, storable } from '../change.js';
import { stemOf } from '../part.js';
import { type Fault, toolFault } from '../record.js';
import type { Scope } from '../scope.js';
import type { ChangeSet, Committed, Part, Snapshot, ToolStore } from '../store.js';
import type { Watch } from '../watch.js';
import type { Database } from './database.js';
import { keyOf } from './key.js';
import { type Columns, type Kind, type Lookup, ScopedRows } from './rows.js';

/** The tools of a scope in a database, which is closed with it. */
export function databaseStore(database: Database, scope: Scope): ToolStore {
  return new DatabaseStore(database, scope);
}

class DatabaseStore implements ToolStore {
  readonly #database: Database;
  readonly #rows: ScopedRows<HttpTool>;

  constructor(database: Database, scope: Scope) {
    this.#database = database;
    this.#rows = new ScopedRows(database, scope, TOOLS);
  }

  get address(): string {
    return this.#database.address;
  }

  async read(part?: Part): Promise<Snapshot> {
    const { revision, records } = await this.#rows.read(part && lookupsOf(part));
    return { revision, tools: inOrder(records) };
  }

  async commit({ put, remove }: ChangeSet, revision: string): Promise<Committed> {
    const records = inOrder(put.map(storable));
    return { revision: await this.#rows.commit(records, remove, revision), put: records };
  }

  async faults(): Promise<readonly Fault[]> {
    const found = await this.#rows.faults();
    if (found.length > 0) return found;
    const { tools } = await this.read();
    return [...clashes(tools)].map(({ field, latter }) => ({
      at: under(under('/tools', latter.id), field),
      message: 'is that of another tool too',
    }));
  }

  watch(onChange: () => void): Promise<Watch> {
    return this.#rows.watch(onChange);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

const NO_SET = '';

const TOOLS: Kind<HttpTool> = {
  table: 'tools',
  check: toolFault,
  gone,
  columns({ id, name, origin, connection_id }): Columns {
    const stem = stemOf(name);
    return {
      id: keyOf(id),
      name,
      stem: stem === undefined ? null : keyOf(stem),
      server: origin === undefined ? null : keyOf(origin.server),
      set: origin === undefined ? null : setKey(origin.set),
      operation: origin === undefined ? null : keyOf(origin.operation),
      connection_id: connection_id === undefined ? null : keyOf(connection_id),
    };
  },
  clash(put, others) {
    const clash = firstClash(inOrder([...others, ...put]));
    return clash && conflict(clash);
  },
  inTheWay: (put) => [{ name: put.map(({ name }) => name) }, ...identities(put.flatMap(({ origin }) => origin ?? []))],
};

/** One lookup for each server and set, with all their operations. */
function identities(origins: readonly Origin[]): readonly Lookup[] {
  const groups = new Map<string, { server: string[]; set: string[]; operation: string[] }>();
  for (const { server, set, operation } of origins) {
    const key = JSON.stringify([server, set ?? null]);
    const group = groups.get(key) ?? { server: [keyOf(server)], set: [setKey(set)], operation: [] };
    groups.set(key, group);
    group.operation.push(keyOf(operation));
  }
  return [...groups.values()];
}

function lookupsOf(part: Part): readonly Lookup[] {
  if ('references' in part) {
    const keys = part.references.map(keyOf);
    return [{ id: keys }, { name: keys }];
  }
  if ('server' in part) return [{ server: [keyOf(part.server)], set: [setKey(part.set)] }];
  if ('connection_id' in part) return [{ connection_id: [keyOf(part.connection_id)] }];
  return [{ name: part.names.map(keyOf) }, { stem: part.stems.map(keyOf) }];
}

/** A set of that name, or none: no name has the key of none. */
function setKey(set: string | undefined): string {
  return set === undefined ? NO_SET : keyOf(set);
}
