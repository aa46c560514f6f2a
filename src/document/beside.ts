// Reads another file of a description from its folder: never outside of it, never anything but a plain file.
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../base/failure.js';
import { tooLarge } from './bytes.js';
import { readHandle, unreadable } from './open.js';

/** The bytes of a file, and its real path. */
interface Read {
  readonly bytes: Buffer;
  readonly real: string;
}

/** A pipe that nobody writes to must not hold the opening, and what became a link since the look is not followed. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * @param folder the real path of the folder of the description
 * @param name what messages call the file
 * @throws Failure `source-unreadable`, `source-too-large`.
 */
export async function readBeside(uri: string, folder: string, name: string, bound: number): Promise<Read> {
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(fileURLToPath(uri));
    checkInside(real, folder, name);
    checkPlain(await stat(real), name);
    handle = await open(real, FLAGS);
    const { size, dev, ino } = checkPlain(await handle.stat(), name);
    // A folder on the way may have been exchanged between the look and the opening.
    const now = await stat(real);
    if ((await realpath(real)) !== real || now.dev !== dev || now.ino !== ino) throw moved(name);
    if (size > bound) throw tooLarge('', size, bound);
    return { bytes: await readHandle(handle, size, bound), real };
  } catch (error) {
    throw unreadable(error, name);
  } finally {
    await handle?.close();
  }
}

function checkInside(real: string, folder: string, name: string): void {
  if (real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return;
  const message = `${name} is a link out of the folder of the description`;
  throw new Failure('source-unreadable', message, { reason: 'outside' });
}

function checkPlain<T extends { isFile(): boolean; isDirectory(): boolean }>(found: T, name: string): T {
  if (found.isFile()) return found;
  const what = found.isDirectory() ? 'a directory, not a file' : 'no plain file';
  throw new Failure('source-unreadable', `${name} is ${what}`, { reason: 'no-file' });
}

function moved(name: string): Failure {
  return new Failure('source-unreadable', `${name} was exchanged while it was read`, { reason: 'moved' });
}
