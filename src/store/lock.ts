// An exclusive lock between processes: a file that names its owner, made at once with its content.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../base/failure.js';
import { isObject } from '../base/json.js';
import type { StoreFileSystem } from './file-system.js';
import { unless } from './file-system.js';
import type { ProcessMark } from './process.js';
import { isAlive, ownMark } from './process.js';
import { discard, temporaryName, writeNew } from './temporary.js';

export interface LockOptions {
  readonly fs: StoreFileSystem;
  /** How long to wait for another owner, in seconds. */
  readonly seconds: number;
}

/** The content of a lock file. */
interface Owner extends ProcessMark {
  /** One per acquisition: it alone says whose lock it is. */
  readonly token: string;
  readonly host: string;
}

interface Attempt extends LockOptions {
  /** In milliseconds of `performance.now()`. */
  readonly until: number;
}

/** Locks of this process that could not be removed; nobody holds them. */
const abandoned = new Set<string>();

/**
 * Does the work while holding the lock file `path`. Stores of one process exclude each other like those of several.
 * The lock of a dead process of this host is taken over at once; one of another host is never judged.
 * @throws Failure `store-locked` when a live owner, one of another host or an unreadable file is still there after
 * `seconds`; errors of the system as they are; whatever the work throws.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  return holding(path, { ...options, until: performance.now() + options.seconds * 1000 }, work);
}

async function holding<T>(path: string, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const token = await acquire(path, attempt);
  try {
    return await work();
  } finally {
    await release(path, token, attempt.fs);
  }
}

async function acquire(path: string, attempt: Attempt): Promise<string> {
  const token = randomBytes(8).toString('hex');
  for (;;) {
    const owner = await readOwner(path, attempt.fs);
    if (owner === undefined && (await claim(path, token, attempt.fs))) return token;
    if (isDead(owner)) {
      await takeOver(path, owner.token, attempt);
    } else {
      if (performance.now() > attempt.until) throw locked(path, owner, attempt.seconds);
      await sleep(3 + Math.random() * 17);
    }
  }
}

/** link(2) fails where the lock exists, and never shows a lock without its content. */
async function claim(path: string, token: string, fs: StoreFileSystem): Promise<boolean> {
  const owner: Owner = { token, host: hostname(), ...ownMark() };
  const temporary = temporaryName(path);
  try {
    await writeNew(temporary, `${JSON.stringify(owner)}\n`, fs);
    // ENOENT: a writer on another host, which cannot know that we live, has swept our file.
    const linked = fs.link(temporary, path).then(() => true);
    return (await unless(linked, 'EEXIST', 'ENOENT')) ?? false;
  } finally {
    await discard(temporary, fs);
  }
}

/**
 * Removes the lock of a dead owner. Two waiters must not both do it, or the second would remove the fresh lock of the
 * first: whoever holds the lock named after the dead token may, and only while the file still holds that token.
 */
async function takeOver(path: string, token: string, attempt: Attempt): Promise<void> {
  await holding(`${path}.${token}`, attempt, async () => {
    if (await isHeldBy(path, token, attempt.fs)) await attempt.fs.unlink(path);
  });
}

async function release(path: string, token: string, fs: StoreFileSystem): Promise<void> {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      if (await isHeldBy(path, token, fs)) await fs.unlink(path);
      return;
    } catch {
      // What was done under the lock stands; that the lock stays is no reason to call it failed.
    }
  }
  abandoned.add(token);
}

async function isHeldBy(path: string, token: string, fs: StoreFileSystem): Promise<boolean> {
  const owner = await readOwner(path, fs);
  return typeof owner === 'object' && owner.token === token;
}

async function readOwner(path: string, fs: StoreFileSystem): Promise<Owner | 'unreadable' | undefined> {
  const bytes = await unless(fs.readFile(path), 'ENOENT');
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isOwner(value) ? value : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isOwner(value: unknown): value is Owner {
  if (!isObject(value)) return false;
  const { token, pid, host, started } = value;
  if (typeof token !== 'string' || !/^[0-9a-f]{16}$/.test(token) || typeof host !== 'string') return false;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && (started === null || typeof started === 'string');
}

function isDead(owner: Owner | 'unreadable' | undefined): owner is Owner {
  if (typeof owner !== 'object') return false;
  return abandoned.has(owner.token) || (owner.host === hostname() && !isAlive(owner));
}

function locked(path: string, owner: Owner | 'unreadable' | undefined, seconds: number): Failure {
  if (typeof owner === 'object') {
    const { pid, host } = owner;
    const held = `the store is held by process ${pid} on ${host}, for more than ${seconds} s`;
    return new Failure('store-locked', `${held}; if that process is gone, remove ${path}`, { path, pid, host });
  }
  const found = owner === undefined ? 'is taken by others again and again' : 'does not say who holds the store';
  return new Failure('store-locked', `the lock ${path} ${found}, for more than ${seconds} s`, { path });
}
