// What differs between the databases: how one is opened, what its errors mean, how it tells of a change.
import type { Watch } from '../watch.js';
import type { Queries } from './schema.js';

/** An opened database, its schema up to date. */
export interface Engine {
  readonly queries: Queries;
  /** Bounds how long a transaction waits for others, and others for it. */
  begin(transaction: Queries): Promise<void>;
  /** Tells those that listen to the channel, when the transaction is committed. */
  announce(transaction: Queries, channel: string): Promise<void>;
  /** Hints at what was announced on the channel, and maybe at more. */
  listen(channel: string, hint: () => void): Promise<Watch>;
  close(): Promise<void>;
}

/** What there is of a database that nobody made yet: it is listened to until somebody does. */
export type Absent = Pick<Engine, 'listen' | 'close'>;

/** How a database is opened, and what its errors mean, also those of opening. */
export interface Driver {
  /** For messages: without user, password and options. */
  readonly address: string;
  /**
   * `make`: one that is not there is made.
   * @throws errors of the database; Failure.
   */
  open(make: boolean): Promise<Engine | Absent>;
  /** What an error means. */
  meaning(error: unknown): Meaning | undefined;
}

export type Meaning =
  /** Others are at work; the same again may succeed. */
  | { readonly kind: 'busy' }
  /** Two rows would share what only one may have. */
  | { readonly kind: 'clash' }
  /** It is not what a store can be in; continues "the store ... cannot be used:". */
  | { readonly kind: 'foreign'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };
