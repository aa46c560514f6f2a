// A store in one JSON file, made to be committed and reviewed in git.
import { applyChanges, expectRevision, inOrder, storable } from './change.js';
import { withFailure } from './file-system.js';
import { decode, encode, faultsOf, revisionOf } from './format.js';
import { partOf } from './part.js';
import type { Fault } from './record.js';
import type { ChangeSet, Committed, Part, Snapshot, ToolStore } from './store.js';
import { TextFile, type TextFileOptions } from './text-file.js';
import type { Watch } from './watch.js';

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

  async read(part?: Part): Promise<Snapshot> {
    return withFailure('store-unreadable', this.#file.path, async () => {
      const { revision, tools } = await this.#load();
      return { revision, tools: partOf(tools, part) };
    });
  }

  async commit(changes: ChangeSet, revision: string): Promise<Committed> {
    return withFailure('store-unwritable', this.#file.path, async () => {
      const before = await this.#load();
      expectRevision(this.address, before.revision, revision);
      const text = encode(applyChanges(before.tools, changes));
      const put = inOrder(changes.put.map(storable));
      if (text === encode(before.tools)) return { revision, put };
      await this.#file.replace(text, (bytes) => expectRevision(this.address, revisionOf(bytes), revision));
      return { revision: revisionOf(text), put };
    });
  }

  async faults(): Promise<readonly Fault[]> {
    const bytes = await withFailure('store-unreadable', this.#file.path, () => this.#file.bytes());
    return bytes === undefined ? [] : faultsOf(bytes, this.#file.path);
  }

  async watch(onChange: () => void): Promise<Watch> {
    return this.#file.watch(onChange);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #load(): Promise<Snapshot> {
    const bytes = await this.#file.bytes();
    return { revision: revisionOf(bytes), tools: bytes === undefined ? [] : decode(bytes, this.#file.path) };
  }
}
