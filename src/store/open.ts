// From the address of a store to the store.
import { stat } from 'node:fs/promises';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { databaseAt } from './database/open.js';
import { databaseStore } from './database/tools.js';
import { fileStore } from './file.js';
import { memoryStore } from './memory.js';
import { DEFAULT_SCOPE, expectDefaultScope, type Scope } from './scope.js';
import type { ToolStore } from './store.js';

const FORMS = '"file:PATH", "sqlite:PATH", "postgres://HOST/DATABASE" and "memory:"';

/**
 * Opens the store of an address: `file:PATH`, `sqlite:PATH` (absolute or relative), `postgres://...` or `memory:`. Of a file
 * nothing is read or written yet; a database that is there is opened, and its schema brought up to date. A file that is not there
 * is an empty store, and is created by the first commit. Who opens it says in which scope its tools are; nothing of another scope
 * can be reached through it.
 * @throws Failure `invalid-store`; its message never holds the address, which may carry a password. Of a database
 * `store-unreadable`, `store-locked`, `store-foreign`.
 */
export async function openStore(address: string, scope: Scope = DEFAULT_SCOPE): Promise<ToolStore> {
  if (address === 'memory:') return memoryStore();
  if (address?.startsWith('file:') && address.length > 'file:'.length) {
    expectDefaultScope(scope);
    const path = address.slice('file:'.length);
    await refuseDevice(path);
    return fileStore(path);
  }
  const database = databaseAt(String(address));
  if (database === undefined) {
    throw new Failure('invalid-store', `${fault(String(address))}; the addresses that can be opened are ${FORMS}`);
  }
  if (address.startsWith('sqlite:')) await refuseDevice(address.slice('sqlite:'.length));
  await database.open();
  return databaseStore(database, scope);
}

/**
 * @throws Failure `store-unreadable` where the file of a store is not there: to who looks at what is stored, a mistyped path
 * would be an empty store.
 */
export async function expectThere(address: string): Promise<void> {
  const path = /^(?:file|sqlite):(.+)$/s.exec(address)?.[1];
  if (path === undefined || (await stat(path).catch(() => undefined)) !== undefined) return;
  throw new Failure('store-unreadable', `there is no store ${quoted(address, 120)}`, { address });
}

/** A device or a pipe may have no end. */
async function refuseDevice(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw new Failure('invalid-store', `the store ${quoted(path, 120)} is a device or a pipe, not a file`);
}

function fault(address: string): string {
  // One letter before the colon is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1];
  if (scheme === undefined) return 'the store address has no scheme ("file:" is missing before the path of a file)';
  if (/^(file|sqlite):$/.test(address)) return `the store address ${quoted(address)} has no path`;
  return `the store address with the scheme "${scheme.slice(0, 40)}:" cannot be opened`;
}
