// Replacing a file as a whole: whoever looks, and whatever fails, finds the old content or the new.
import { basename, dirname, join, resolve } from 'node:path';
import type { StoreFile, StoreFileSystem } from './file-system.js';
import { unless } from './file-system.js';
import { discard, temporaryName, writeNew } from './temporary.js';

/** Systems on which a folder cannot be opened or flushed answer one of these. */
const NO_FOLDER_SYNC = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'];

/**
 * The file behind an absolute path, links followed, also where the file or its folder is not there yet.
 * @throws errors of the system, such as ELOOP.
 */
export async function targetOf(path: string, fs: StoreFileSystem): Promise<string> {
  const target = await unless(fs.realpath(path), 'ENOENT');
  if (target !== undefined) return target;
  const folder = await unless(fs.realpath(dirname(path)), 'ENOENT');
  if (folder === undefined) return path;
  const file = join(folder, basename(path));
  const link = await unless(fs.readlink(file), 'ENOENT', 'EINVAL');
  return link === undefined ? file : targetOf(resolve(folder, link), fs);
}

/**
 * Replaces the content of a file, or creates it. For the holder of its lock. `mode`: its permission bits afterwards; by
 * default those of an existing file stay. `path` is no link. On the device when the promise resolves; the old content when it rejects.
 * @throws errors of the system.
 */
export async function replaceFile(path: string, text: string, fs: StoreFileSystem, mode?: number): Promise<void> {
  const [temporary, former] = [temporaryName(path), temporaryName(path)];
  const existing = await unless(fs.stat(path), 'ENOENT');
  // Opened before the rename: afterwards nothing but the flush can fail.
  const folder = await unless(fs.open(dirname(path), 'r'), ...NO_FOLDER_SYNC);
  try {
    await writeNew(temporary, text, fs, mode ?? (existing && existing.mode & 0o777));
    if (existing !== undefined) await fs.link(path, former);
    await fs.rename(temporary, path);
    await flush(folder).catch(async (error: unknown) => {
      await (existing === undefined ? fs.unlink(path) : fs.rename(former, path));
      throw error;
    });
  } finally {
    await discard(temporary, fs);
    if (existing !== undefined) await discard(former, fs);
    await folder?.close().catch(() => undefined);
  }
}

async function flush(folder: StoreFile | undefined): Promise<void> {
  if (folder !== undefined) await unless(folder.sync(), ...NO_FOLDER_SYNC);
}
