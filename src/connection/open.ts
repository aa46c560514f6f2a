// From the address of a store of tools to the connections beside it.
import { Failure } from '../base/failure.js';
import type { ConnectionStore } from './connection.js';
import { fileConnections } from './file.js';
import { memoryConnections } from './memory.js';

/** `tools.json` has its connections in `tools.connections.json`. */
export function connectionsPath(storePath: string): string {
  return `${storePath.replace(/\.json$/, '')}.connections.json`;
}

/**
 * Opens the connections beside the store of an address (`file:PATH`, `memory:`). Nothing is read or written yet.
 * @throws Failure `invalid-store`; its message never holds the address.
 */
export function openConnections(address: string): ConnectionStore {
  if (address === 'memory:') return memoryConnections();
  if (address.startsWith('file:') && address.length > 'file:'.length) {
    return fileConnections(connectionsPath(address.slice('file:'.length)));
  }
  throw new Failure('invalid-store', 'the store address has no connections beside it; "file:PATH" and "memory:" have');
}
