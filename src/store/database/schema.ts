// The tables of a database store, as kysely is told of them.
import type { Kysely } from 'kysely';

interface Scoped {
  readonly organization: string;
  readonly project: string;
}

/** A record as canonical JSON, and what it is looked up by, each as its `keyOf`. */
export interface RecordRow extends Scoped {
  readonly id: string;
  /** Unique in its scope; of a tool. */
  readonly name?: string | null | undefined;
  /** The name without its number. */
  readonly stem?: string | null | undefined;
  /** The three are unique in their scope; of an imported tool. `set` is empty where there is none. */
  readonly server?: string | null | undefined;
  readonly set?: string | null | undefined;
  readonly operation?: string | null | undefined;
  readonly connection_id?: string | null | undefined;
  readonly record: string;
}

/** How often the records of a kind were changed; without a row never. */
interface RevisionRow extends Scoped {
  readonly kind: 'tools' | 'connections' | 'calls';
  readonly number: number;
}

interface CallRow extends Scoped {
  /** 1 is the first of the scope. */
  readonly number: number;
  readonly record: string;
}

export interface Tables {
  readonly tools: RecordRow;
  /** With `id` and `record` alone. */
  readonly connections: RecordRow;
  readonly revisions: RevisionRow;
  readonly calls: CallRow;
}

export type Queries = Kysely<Tables>;
