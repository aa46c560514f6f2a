// Connections in a file of their own, which only its owner may read; not for git.
import { expectRevision } from '../store/change.js';
import { withFailure } from '../store/file-system.js';
import { revisionOf } from '../store/format.js';
import type { Fault } from '../store/record.js';
import { TextFile, type TextFileOptions } from '../store/text-file.js';
import type { Watch } from '../store/watch.js';
import { applyChanges } from './change.js';
import type { ConnectionChanges, ConnectionStore, Connections } from './connection.js';
import { decode, encode, faultsOf } from './format.js';

/** Read and written by the owner alone, whatever the umask and whatever it was. */
const MODE = 0o600;

/** The connections in the file at `path`, which need not exist: it is created by the first commit, its folder is not. */
export function fileConnections(
  path: string,
  options: Pick<TextFileOptions, 'fs' | 'lockSeconds'> = {},
): ConnectionStore {
  return new FileConnections(path, options);
}

class FileConnections implements ConnectionStore {
  readonly address: string;
  readonly #file: TextFile;

  constructor(path: string, options: Pick<TextFileOptions, 'fs' | 'lockSeconds'>) {
    this.address = `file:${path}`;
    this.#file = new TextFile(path, { ...options, mode: MODE });
  }

  async list(): Promise<Connections> {
    return withFailure('store-unreadable', this.#file.path, () => this.#load());
  }

  async commit(changes: ConnectionChanges, revision: string): Promise<Connections> {
    return withFailure('store-unwritable', this.#file.path, async () => {
      const before = await this.#load();
      expectRevision(this.address, before.revision, revision);
      const connections = applyChanges(before.connections, changes);
      const text = encode(connections);
      if (text === encode(before.connections)) return before;
      await this.#file.replace(text, (bytes) => expectRevision(this.address, revisionOf(bytes), revision));
      return { revision: revisionOf(text), connections };
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

  async #load(): Promise<Connections> {
    const bytes = await this.#file.bytes();
    return { revision: revisionOf(bytes), connections: bytes === undefined ? [] : decode(bytes, this.#file.path) };
  }
}
