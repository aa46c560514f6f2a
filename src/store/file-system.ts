// The few file-system functions a file store needs, so that a test can make any of them fail, and what their errors mean.
import type { FailureCode } from '../base/codes.js';
import { Failure } from '../base/failure.js';

/** An open file. */
export interface StoreFile {
  writeFile(data: string): Promise<void>;
  chmod(mode: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of `node:fs/promises` that are used; that module is one. */
export interface StoreFileSystem {
  readFile(path: string): Promise<Uint8Array>;
  open(path: string, flags: string, mode?: number): Promise<StoreFile>;
  stat(path: string): Promise<{ readonly mode: number }>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  readdir(path: string): Promise<readonly string[]>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
}

const REASONS = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EACCES', 'there is no permission'],
  ['EPERM', 'it is not permitted'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the quota is used up'],
  ['EIO', 'the device failed'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
]);

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True for an error of the system with one of these codes (`ENOENT`, `EEXIST`...). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error) ?? '');
}

/** The value of the promise, or undefined where it fails with one of the codes. */
export async function unless<T>(promise: Promise<T>, ...codes: readonly string[]): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  }
}

/**
 * Does the work; an error of the system becomes a Failure of the given code that names the path and the reason.
 * @throws Failure `code`, and whatever else the work throws.
 */
export async function withFailure<T>(code: FailureCode, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errno = codeOf(error);
    if (errno === undefined || error instanceof Failure) throw error;
    const verb = code === 'store-unreadable' ? 'read' : 'written';
    const reason = `${REASONS.get(errno) ?? 'the system refused'} (${errno})`;
    throw new Failure(code, `the store ${path} could not be ${verb}: ${reason}`, { path, errno }, error);
  }
}
