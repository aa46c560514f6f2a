// From the address of a store of tools to the call records beside it.
import { databaseAt } from '../store/database/open.js';
import { DEFAULT_SCOPE, expectDefaultScope, type Scope } from '../store/scope.js';
import { type CallRecords, memoryRecords } from './record.js';
import { databaseRecords } from './record-database.js';
import { fileRecords } from './record-file.js';

/** `tools.json` has its records in `tools.calls.jsonl`. */
export function recordsPath(storePath: string): string {
  return `${storePath.replace(/\.json$/, '')}.calls.jsonl`;
}

/**
 * The records beside the store of an address: a file has them in another one, a database in itself, and `memory:`
 * in memory. Nothing is opened yet.
 */
export function openRecords(address: string, scope: Scope = DEFAULT_SCOPE): CallRecords {
  const database = databaseAt(address);
  if (database !== undefined) return databaseRecords(database, scope);
  if (!address.startsWith('file:')) return memoryRecords();
  expectDefaultScope(scope);
  return fileRecords(recordsPath(address.slice('file:'.length)));
}
