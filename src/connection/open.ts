// From the address of a store of tools to the connections beside it.
import { Failure } from '../base/failure.js';
import { databaseAt } from '../store/database/open.js';
import { DEFAULT_SCOPE, expectDefaultScope, type Scope } from '../store/scope.js';
import type { ConnectionStore } from './connection.js';
import { databaseConnections } from './database.js';
import { fileConnections } from './file.js';
import { memoryConnections } from './memory.js';

/** `tools.json` has its connections in `tools.connections.json`. */
export function connectionsPath(storePath: string): string {
  return `${storePath.replace(/\.json$/, '')}.connections.json`;
}

/**
 * The connections beside the store of an address: a file has them in another one, a database in itself. Nothing is opened
 * yet; a database is when it is first used.
 * @throws Failure `invalid-store`; its message never holds the address.
 */
export function openConnections(address: string, scope: Scope = DEFAULT_SCOPE): ConnectionStore {
  if (address === 'memory:') return memoryConnections();
  if (address.startsWith('file:') && address.length > 'file:'.length) {
    expectDefaultScope(scope);
    return fileConnections(connectionsPath(address.slice('file:'.length)));
  }
  const database = databaseAt(address);
  if (database !== undefined) return databaseConnections(database, scope);
  throw new Failure('invalid-store', 'the store address is none that can be opened, and has no connections');
}
