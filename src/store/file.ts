// A store in one JSON file, made to be committed and reviewed in git.
import * as nodeFileSystem from 'node:fs/promises';
import { resolve } from 'node:path';
import { applyChanges, expectRevision } from './change.js';
import type { StoreFileSystem } from './file-system.js';
import { unless, withFailure } from './file-system.js';
import { decode, encode, revisionOf } from './format.js';
import { withLock } from './lock.js';
import { replaceFile, targetOf } from './replace.js';
import type { ChangeSet, Snapshot, ToolStore } from './store.js';
import { sweep } from './temporary.js';

export interface FileStoreOptions {
  /** `node:fs/promises` by default. */
  readonly fs?: StoreFileSystem;
  /** How long a commit waits for another writer, in seconds; 30 by default. */
  readonly lockSeconds?: number;
}

/**
 * The store in the file at `path`, which need not exist: it is created by the first commit, its folder is not. A relative
 * path is taken from the working directory of now. While writing, `<path>.lock` stands beside it.
 */
export function fileStore(path: string, options: FileStoreOptions = {}): ToolStore {
  return new FileStore(path, options);
}

class FileStore implements ToolStore {
  readonly address: string;
  readonly #path: string;
  readonly #fs: StoreFileSystem;
  readonly #lockSeconds: number;

  constructor(path: string, { fs = nodeFileSystem, lockSeconds = 30 }: FileStoreOptions) {
    this.address = `file:${path}`;
    this.#path = resolve(path);
    this.#fs = fs;
    this.#lockSeconds = lockSeconds;
  }

  async read(): Promise<Snapshot> {
    return withFailure('store-unreadable', this.#path, () => this.#load());
  }

  async commit(changes: ChangeSet, revision: string): Promise<Snapshot> {
    return withFailure('store-unwritable', this.#path, async () => {
      const before = await this.#load();
      expectRevision(this.address, before.revision, revision);
      const tools = applyChanges(before.tools, changes);
      const text = encode(tools);
      if (text === encode(before.tools)) return before;
      await this.#write(text, revision);
      return { revision: revisionOf(text), tools };
    });
  }

  async close(): Promise<void> {}

  async #load(): Promise<Snapshot> {
    const bytes = await this.#bytes(this.#path);
    return { revision: revisionOf(bytes), tools: bytes === undefined ? [] : decode(bytes, this.#path) };
  }

  /** The text follows from the content at the revision: under the lock it is enough that the revision still holds. */
  async #write(text: string, revision: string): Promise<void> {
    const path = await targetOf(this.#path, this.#fs);
    await withLock(`${path}.lock`, { fs: this.#fs, seconds: this.#lockSeconds }, async () => {
      expectRevision(this.address, revisionOf(await this.#bytes(path)), revision);
      await sweep(path, this.#fs);
      await replaceFile(path, text, this.#fs);
    });
  }

  async #bytes(path: string): Promise<Uint8Array | undefined> {
    return unless(this.#fs.readFile(path), 'ENOENT');
  }
}
