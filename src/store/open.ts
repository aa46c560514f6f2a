// From the address of a store to the store.
import { stat } from 'node:fs/promises';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { fileStore } from './file.js';
import { memoryStore } from './memory.js';
import type { ToolStore } from './store.js';

const FORMS = '"file:PATH" and "memory:"';

/**
 * Opens the store of an address: `file:PATH` (absolute or relative) or `memory:`. Nothing of it is read or written yet.
 * @throws Failure `invalid-store`; its message never holds the address, which may carry a password.
 */
export async function openStore(address: string): Promise<ToolStore> {
  if (address === 'memory:') return memoryStore();
  if (address?.startsWith('file:') && address.length > 'file:'.length) {
    const path = address.slice('file:'.length);
    await refuseDevice(path);
    return fileStore(path);
  }
  throw new Failure('invalid-store', `${fault(String(address))}; the addresses that can be opened are ${FORMS}`);
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
  return `the store address with the scheme "${scheme.slice(0, 40)}:" cannot be opened`;
}
