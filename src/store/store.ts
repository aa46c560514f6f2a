// What a store of tools can do. Every implementation passes one conformance suite.
import type { HttpTool } from '../tool/tool.js';
import type { Fault } from './record.js';
import type { Watch } from './watch.js';

/** Tools at one moment, sorted by server, set, operation, then name; keys of every object sorted. */
export interface Snapshot {
  /** Changes with every change of the content of the whole store; equal content may have equal revisions. */
  readonly revision: string;
  readonly tools: readonly HttpTool[];
}

/** Which tools are read: what a plan looks at, so that it does not read them all. */
export type Part =
  /** Those whose id or name is one of these. */
  | { readonly references: readonly string[] }
  /** Those that were imported from a server, without a set where none is named. */
  | { readonly server: string; readonly set?: string }
  /** Those that have one of these names, or one of these stems and a number after it: `stem_12`. */
  | { readonly names: readonly string[]; readonly stems: readonly string[] }
  /** Those that are called through the connection of this id. */
  | { readonly connection_id: string };

/** What to write, all or nothing. */
export interface ChangeSet {
  /** Tools to add, or to put in the place of the tool of the same id. */
  readonly put: readonly HttpTool[];
  /** Ids of tools to remove; an id that is not there is a `store-moved`. */
  readonly remove: readonly string[];
}

/** What a commit came to. */
export interface Committed {
  /** That of the store from now on; the former one where nothing was changed. */
  readonly revision: string;
  /** What was put, as a snapshot has it. */
  readonly put: readonly HttpTool[];
}

export interface ToolStore {
  /** The address it was opened with, for messages; never a secret. */
  readonly address: string;
  /**
   * All tools, or a part of them.
   * @throws Failure `store-unreadable`, `store-foreign`.
   */
  read(part?: Part): Promise<Snapshot>;
  /**
   * Writes the change set if the store is still at the revision it was planned against. An empty change set writes nothing.
   * @throws Failure `store-moved` when it is not; `store-conflict` when two tools would share a name, an id or an identity;
   * `invalid-value` when a tool could not be read back; `store-unwritable`, `store-locked`, `store-foreign`. After any of them nothing of the change set is stored.
   */
  commit(changes: ChangeSet, revision: string): Promise<Committed>;
  /**
   * What is wrong with what is stored: each record against its schema, and what only one may have. `at` is the place in this store.
   * @throws Failure `store-unreadable`.
   */
  faults(): Promise<readonly Fault[]>;
  /**
   * Tells, within a second, when the content has changed, whoever changed it; several changes may be told as one. Keeps no
   * process alive, and ends with the store.
   * @throws Failure `store-unreadable`.
   */
  watch(onChange: () => void): Promise<Watch>;
  close(): Promise<void>;
}
