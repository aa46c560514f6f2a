// Other processes that import into a store: child-import.mjs, told what to do and listened to.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { kill } from './children.js';

const PROGRAM = fileURLToPath(new URL('child-import.mjs', import.meta.url));

export class Importer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ready: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #said = '';
  #ended = false;

  constructor() {
    this.#child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
      this.#wake();
    });
    this.#child.once('close', () => {
      this.#ended = true;
      this.#wake();
    });
    this.#ready = this.until((said) => said.startsWith('ready\n'));
  }

  /** What it said since it was ready. */
  get said(): string {
    return this.#said.slice('ready\n'.length);
  }

  /** Its answer, which is one line of JSON. */
  async ask<T>(order: object): Promise<T> {
    await this.#ready;
    const before = this.#said.length;
    await this.begin(order);
    await this.until((said) => said.indexOf('\n', before) !== -1);
    return JSON.parse(this.#said.slice(before)) as T;
  }

  /** Tells it to begin, when everything is loaded. */
  async begin(order: object): Promise<void> {
    await this.#ready;
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  /** Resolves when it has said enough; rejects when it has ended. */
  async until(enough: (said: string) => boolean): Promise<void> {
    while (!enough(this.#said)) {
      if (this.#ended) throw new Error(`the importer has ended; it said ${this.#said.slice(-400)}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** As a crash does. What it wrote before that has all been read afterwards. */
  async kill(): Promise<void> {
    await kill(this.#child);
    while (!this.#ended) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
