// A store in one JSON file, made to be committed and reviewed in git.
import { applyChanges, expectRevision } from './change.js';
import { withFailure } from './file-system.js';
import { decode, encode, revisionOf } from './format.js';
import type { ChangeSet, Snapshot, ToolStore } from './store.js';
import { TextFile, type TextFileOptions } from './text-file.js';

export type FileStoreOptions = Pick<TextFileOptions, 'fs' | 'lockSeconds'>;

/**
 * The store in the file at `path`, which need not exist: it is created by the first commit, its folder is not. A relative
 * path is taken from the working directory of now. While writing, `<path>.lock` stands beside it.
 */
export function fileStore(path: string, options: FileStoreOptions = {}): ToolStore {
  return new FileStore(path, options);
}

class FileStore implements ToolStore {
  readonly address: string;
  readonly #file: TextFile;

  constructor(path: string, options: FileStoreOptions) {
    this.address = `file:${path}`;
    this.#file = new TextFile(path, options);
  }

  async read(): Promise<Snapshot> {
    return withFailure('store-unreadable', this.#file.path, () => this.#load());
  }

  async commit(changes: ChangeSet, revision: string): Promise<Snapshot> {
    return withFailure('store-unwritable', this.#file.path, async () => {
      const before = await this.#load();
      expectRevision(this.address, before.revision, revision);
      const tools = applyChanges(before.tools, changes);
      const text = encode(tools);
      if (text === encode(before.tools)) return before;
      await this.#file.replace(text, (bytes) => expectRevision(this.address, revisionOf(bytes), revision));
      return { revision: revisionOf(text), tools };
    });
  }

  async close(): Promise<void> {}

  async #load(): Promise<Snapshot> {
    const bytes = await this.#file.bytes();
    return { revision: revisionOf(bytes), tools: bytes === undefined ? [] : decode(bytes, this.#file.path) };
  }
}
