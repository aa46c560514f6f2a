// The tools that are offered, as the store has them now: by name, rendered for each revision, and searched.
import type { Tool } from '@modelcontextprotocol/server';
import { Failure } from '../base/failure.js';
import type { ToolStore } from '../store/store.js';
import type { Watch } from '../store/watch.js';
import type { HttpTool } from '../tool/tool.js';
import { type Log, placeOf } from './log.js';
import { isReadOnly, renderTool } from './render.js';
import type { Revision } from './revision.js';

interface CatalogueOptions {
  readonly readOnly: boolean;
  readonly log: Log;
}

export class Catalogue {
  readonly #store: ToolStore;
  readonly #options: CatalogueOptions;
  #revision = '';
  /** In the order of the store. */
  #tools: readonly HttpTool[] = [];
  #names: ReadonlyMap<string, HttpTool> = new Map();
  readonly #listeners = new Set<() => void>();
  #watch: Watch | undefined;
  #reading = Promise.resolve();

  private constructor(store: ToolStore, options: CatalogueOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * The tools of a store, kept as new as it is.
   * @throws Failure `store-unreadable`, `store-foreign`.
   */
  static async open(store: ToolStore, options: CatalogueOptions): Promise<Catalogue> {
    const catalogue = new Catalogue(store, options);
    // Watched first: what changes while it is read is then told.
    catalogue.#watch = await store.watch(() => {
      catalogue.#reading = catalogue.#reading.then(() => catalogue.#refresh());
    });
    await catalogue.#read();
    return catalogue;
  }

  /** In the order of the store; the same list until it changes. */
  get tools(): readonly HttpTool[] {
    return this.#tools;
  }

  find(name: string): HttpTool | undefined {
    return this.#names.get(name);
  }

  rendered(revision: Revision): readonly Tool[] {
    return this.#tools.map((tool) => renderTool(tool, revision));
  }

  /** @returns what ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#watch?.close();
    await this.#store.close();
  }

  async #read(): Promise<boolean> {
    const { revision, tools } = await this.#store.read();
    if (revision === this.#revision) return false;
    this.#revision = revision;
    this.#tools = this.#options.readOnly ? tools.filter(isReadOnly) : tools;
    this.#names = new Map(this.#tools.map((tool) => [tool.name, tool]));
    return true;
  }

  /** A store that cannot be read for now leaves the tools as they were; nothing that goes wrong here ends the server. */
  async #refresh(): Promise<void> {
    try {
      if (!(await this.#read())) return;
      this.#options.log.info(`the store changed: ${this.#tools.length} tools`);
      for (const listener of this.#listeners) listener();
    } catch (error) {
      const { log } = this.#options;
      if (error instanceof Failure) log.warning(error.message);
      else log.error(`the tools could not be read anew: ${placeOf(error)}`);
    }
  }
}
