// What a change makes of the connections, and the loop that plans again when another writer was faster.
import { sorted } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { replanned } from '../store/replan.js';
import type { Connection, ConnectionChanges, ConnectionStore } from './connection.js';
import { connectionFault, inOrder } from './format.js';

/** @throws Failure `store-moved`, `store-conflict`, `invalid-value` (a record that no store would read back). */
export function applyChanges(before: readonly Connection[], { put, remove }: ConnectionChanges): Connection[] {
  const known = new Set(before.map(({ id }) => id));
  const unknown = remove.find((id) => !known.has(id));
  if (unknown !== undefined) throw gone(unknown);
  const leaving = new Set([...remove, ...put.map(({ id }) => id)]);
  if (new Set(put.map(({ id }) => id)).size < put.length) throw putTwice();
  return inOrder([...before.filter(({ id }) => !leaving.has(id)), ...put.map(storable)]);
}

/** A removed id that is not there. */
export function gone(id: string): Failure {
  return new Failure('store-moved', `the connection ${quoted(id)} is no longer in the store`);
}

export function putTwice(): Failure {
  return new Failure('store-conflict', 'one connection is put twice in one change');
}

/**
 * The connection with sorted keys.
 * @throws Failure `invalid-value` where no store would read it back.
 */
export function storable(connection: Connection): Connection {
  const fault = connectionFault(connection, '');
  if (fault === undefined) return sorted(connection);
  // Neither the record nor a value of it: it may hold what should not be shown.
  throw new Failure('invalid-value', `the connection cannot be stored: ${quoted(fault.at, 200)} ${fault.message}`);
}

/**
 * The connection of that id.
 * @throws Failure `unknown-connection`.
 */
export function findConnection(connections: readonly Connection[], id: string): Connection {
  const found = connections.find((connection) => connection.id === id);
  if (found !== undefined) return found;
  // What is no id may be a secret in the wrong place.
  const named = /^conn_[0-9a-f]{24}$/.test(id) ? `no connection ${id}` : 'no connection of that id';
  throw new Failure('unknown-connection', `there is ${named}; \`toolwright connections list\` shows those there are`);
}

/**
 * Writes what a plan makes of the connections, and answers its result; the plan is asked again after `store-moved`.
 * @throws Failure of the plan or of the store.
 */
export function edit<T>(
  store: ConnectionStore,
  plan: (connections: readonly Connection[]) => Partial<ConnectionChanges> & { readonly result: T },
): Promise<T> {
  return replanned(async () => {
    const { connections, revision } = await store.list();
    const { put = [], remove = [], result } = plan(connections);
    if (put.length + remove.length > 0) await store.commit({ put, remove }, revision);
    return result;
  });
}
