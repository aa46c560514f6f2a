// Temporary files beside a file: their names, their writing, and the removal of what dead writers left.
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { StoreFileSystem } from './file-system.js';
import { hasCode } from './file-system.js';
import { isAlive } from './process.js';

/** What a writer of `<file>` leaves when it dies, as the part of the name after `<file>.` */
const FILE_TEMPORARY = /^\d+\.[0-9a-f]{12}\.tmp$/;
const TAKE_OVER_LOCK = /^lock(\.[0-9a-f]{16})+$/;
const LOCK_TEMPORARY = /^lock(?:\.[0-9a-f]{16})*\.(\d+)\.[0-9a-f]{12}\.tmp$/;

/** A name in the same folder, so that it can be renamed to the path; it holds the number of this process. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Writes a new file to the device. `mode`: permission bits whatever the umask; by default what the umask leaves. */
export async function writeNew(path: string, text: string, fs: StoreFileSystem, mode?: number): Promise<void> {
  const file = await fs.open(path, 'wx', mode);
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes a file that may be gone already. A second try, since leaving it behind is worse than the wait; never throws. */
export async function discard(path: string, fs: StoreFileSystem): Promise<void> {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      return await fs.unlink(path);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
    }
  }
}

/**
 * Removes what dead writers of the file left; only for the holder of its lock, under which nobody else writes. The
 * locks for a take-over guard only locks of former holders; a temporary lock may be that of one who waits. Never throws.
 */
export async function sweep(path: string, fs: StoreFileSystem): Promise<void> {
  const [folder, prefix] = [dirname(path), `${basename(path)}.`];
  const names = await fs.readdir(folder).catch(() => []);
  for (const name of names) {
    if (name.startsWith(prefix) && isStale(name.slice(prefix.length))) await discard(join(folder, name), fs);
  }
}

function isStale(rest: string): boolean {
  if (FILE_TEMPORARY.test(rest) || TAKE_OVER_LOCK.test(rest)) return true;
  const pid = LOCK_TEMPORARY.exec(rest)?.[1];
  return pid !== undefined && !isAlive({ pid: Number(pid), started: null });
}
