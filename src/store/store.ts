// What a store of tools can do. Every implementation passes one conformance suite.
import type { HttpTool } from '../tool/tool.js';

/** All tools at one moment, sorted by server, set, operation, then name; keys of every object sorted. */
export interface Snapshot {
  /** Changes with every change of the content; equal content may have equal revisions. */
  readonly revision: string;
  readonly tools: readonly HttpTool[];
}

/** What to write, all or nothing. */
export interface ChangeSet {
  /** Tools to add, or to put in the place of the tool of the same id. */
  readonly put: readonly HttpTool[];
  /** Ids of tools to remove; an id that is not there is a `store-moved`. */
  readonly remove: readonly string[];
}

export interface ToolStore {
  /** The address it was opened with, for messages; never a secret. */
  readonly address: string;
  /** @throws Failure `store-unreadable`, `store-foreign`. */
  read(): Promise<Snapshot>;
  /**
   * Writes the change set if the store is still at the revision it was planned against. An empty change set writes nothing.
   * @throws Failure `store-moved` when it is not; `store-conflict` when two tools would share a name, an id or an identity;
   * `invalid-value` when a tool could not be read back; `store-unwritable`, `store-locked`, `store-foreign`. After any of them nothing of the change set is stored.
   */
  commit(changes: ChangeSet, revision: string): Promise<Snapshot>;
  close(): Promise<void>;
}
