// Call records in the database of a store.
import { Failure } from '../base/failure.js';
import { FIXED_LIMITS } from '../base/limits.js';
import type { Database } from '../store/database/database.js';
import { ScopedLog } from '../store/database/log.js';
import type { Scope } from '../store/scope.js';
import type { CallRecords } from './record.js';
import { readRecord } from './record-file.js';

/** The records of a scope in a database, which is closed with them. */
export function databaseRecords(database: Database, scope: Scope): CallRecords {
  const log = new ScopedLog(database, scope, FIXED_LIMITS.records_kept);
  return {
    add: (record) => log.add(record).catch(failed('record-unwritable')),
    last: async () => (await log.last().catch(failed('record-unreadable'))).flatMap(readRecord),
    close: () => log.close(),
  };
}

/** The sentence of the store says what it is. */
function failed(code: 'record-unwritable' | 'record-unreadable'): (error: unknown) => never {
  return (error) => {
    if (error instanceof Failure) throw new Failure(code, error.message, error.data, error);
    throw error;
  };
}
