// One file of text that several processes write: read as a whole, replaced as a whole under its lock.
import * as nodeFileSystem from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StoreFileSystem } from './file-system.js';
import { unless, withFailure } from './file-system.js';
import { revisionOf } from './format.js';
import { withLock } from './lock.js';
import { replaceFile, targetOf } from './replace.js';
import { sweep } from './temporary.js';
import { polled, told, type Watch, Watches } from './watch.js';

export interface TextFileOptions {
  /** `node:fs/promises` by default. */
  readonly fs?: StoreFileSystem;
  /** How long a writer waits for another one, in seconds; 30 by default. */
  readonly lockSeconds?: number;
  /** Permission bits of the file, whatever they were; by default those of an existing file stay. */
  readonly mode?: number;
}

export class TextFile {
  /** Absolute. */
  readonly path: string;
  readonly #fs: StoreFileSystem;
  readonly #lockSeconds: number;
  readonly #mode: number | undefined;
  readonly #watches = new Watches();

  constructor(path: string, { fs = nodeFileSystem, lockSeconds = 30, mode }: TextFileOptions = {}) {
    this.path = resolve(path);
    this.#fs = fs;
    this.#lockSeconds = lockSeconds;
    this.#mode = mode;
  }

  /**
   * The bytes as they are now, undefined where there is no file.
   * @throws errors of the system.
   */
  async bytes(): Promise<Uint8Array | undefined> {
    return this.#read(this.path);
  }

  /**
   * Replaces the content. `expect` is shown the bytes under the lock and throws where they are not what the text follows from.
   * @throws Failure `store-locked`; what `expect` throws; errors of the system.
   */
  async replace(text: string, expect: (bytes: Uint8Array | undefined) => void): Promise<void> {
    const path = await targetOf(this.path, this.#fs);
    await withLock(`${path}.lock`, { fs: this.#fs, seconds: this.#lockSeconds }, async () => {
      expect(await this.#read(path));
      await sweep(path, this.#fs);
      await replaceFile(path, text, this.#fs, this.#mode);
    });
  }

  /**
   * Tells when the content is another one.
   * @throws Failure `store-unreadable`.
   */
  watch(onChange: () => void): Promise<Watch> {
    return withFailure('store-unreadable', this.path, async () => {
      const revision = async (): Promise<string> => revisionOf(await this.bytes());
      return this.#watches.keep(await told({ revision, listen: (hint) => this.#listen(hint) }, onChange));
    });
  }

  /** Ends what watches. */
  async close(): Promise<void> {
    await this.#watches.close();
  }

  /** Hints when the file may have changed. By its times and number, so that a file that replaces it is seen as well. */
  #listen(hint: () => void): Promise<Watch> {
    return polled(async () => {
      const found = await unless(nodeFileSystem.stat(this.path, { bigint: true }), 'ENOENT', 'ENOTDIR');
      return found === undefined ? '' : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    }, hint);
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    return unless(this.#fs.readFile(path), 'ENOENT');
  }
}
