// What authorizes calls: the record of a connection, and what a store of them can do.
import type { Fault } from '../store/record.js';
import type { Watch } from '../store/watch.js';
import type { ProviderName } from '../tool/provider.js';

/** Where the secret goes on the wire. A basic secret is `username:password`, any other the key alone. */
export type Placement =
  | {
      readonly placement: 'header';
      readonly header: string;
      /** Stands before the key, verbatim: `Bearer `. */
      readonly prefix?: string;
    }
  | { readonly placement: 'query'; readonly parameter: string }
  | { readonly placement: 'basic' };

/** A compact JWE that only the deployment's keys open. */
export interface SealedSecret {
  readonly kind: 'sealed';
  readonly jwe: string;
}

/** Where the secret is; never the secret. */
export type SecretReference =
  /** An environment variable, read at call time. */
  { readonly kind: 'env'; readonly name: string } | SealedSecret;

interface CommonFields {
  /** `conn_` and 24 hexadecimal digits. */
  readonly id: string;
  /** A label; tools that name it take the oldest healthy connection of it. */
  readonly group?: string;
  readonly status: 'healthy' | 'broken';
  /** Of a broken one: what the API said, without a secret. */
  readonly reason?: string;
  /** Of a broken one: the name of the tool that met it. */
  readonly broken_by?: string;
  /** The lower, the older. */
  readonly order: number;
}

/** A key that a person pasted or that a variable holds. */
export type KeyConnection = Placement &
  CommonFields & { readonly provider: 'http_key'; readonly secret: SecretReference };

/** An account that a person consented to; the secret is the JSON of its tokens. */
export interface ConsentedConnection extends CommonFields {
  readonly provider: ProviderName;
  /** Those that were granted. */
  readonly scopes: readonly string[];
  readonly secret: SealedSecret;
  /** While one process renews the tokens: until when it alone may, in seconds since 1970. */
  readonly renewing?: number;
}

export type Connection = KeyConnection | ConsentedConnection;

/** All connections at one moment, the oldest first; keys of every object sorted. */
export interface Connections {
  /** Changes with every change of the content. */
  readonly revision: string;
  readonly connections: readonly Connection[];
}

/** What to write, all or nothing. */
export interface ConnectionChanges {
  /** Connections to add, or to put in the place of that of the same id. */
  readonly put: readonly Connection[];
  /** Ids of connections to remove; an id that is not there is a `store-moved`. */
  readonly remove: readonly string[];
}

export interface ConnectionStore {
  /** For messages; never a secret. */
  readonly address: string;
  /** @throws Failure `store-unreadable`, `store-foreign`. */
  list(): Promise<Connections>;
  /**
   * Writes the changes if the store is still at the revision they were planned against. No changes write nothing.
   * @throws Failure `store-moved` when it is not; `store-conflict` when an id is put twice; `invalid-value` when a record
   * could not be read back; `store-unwritable`, `store-locked`, `store-foreign`. After any of them nothing is stored.
   */
  commit(changes: ConnectionChanges, revision: string): Promise<Connections>;
  /**
   * What is wrong with what is stored, as in a store of tools; no part of a secret is in it.
   * @throws Failure `store-unreadable`.
   */
  faults(): Promise<readonly Fault[]>;
  /** As that of a store of tools. */
  watch(onChange: () => void): Promise<Watch>;
  close(): Promise<void>;
}
