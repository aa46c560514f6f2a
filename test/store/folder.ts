// A folder of its own for a test.
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export async function makeFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'toolwright-store-')));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
}

/** Does the work in a fresh folder and removes it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeFolder();
  try {
    return await work(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** The names in the folder of the path, its own among them. */
export async function namesBeside(path: string): Promise<string[]> {
  return readdir(dirname(path));
}
