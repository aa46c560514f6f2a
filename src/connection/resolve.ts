// From what a tool says of its connection to the secret, as it is at the moment of a call.
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { findConnection } from './change.js';
import type { Connection, ConnectionStore, KeyConnection } from './connection.js';
import { type Grant, grantOf } from './grant.js';
import { broken } from './health.js';
import type { ConsentOptions } from './oauth-client.js';
import { bearerOf } from './renew.js';
import type { Sealer } from './seal.js';
import { isConsented } from './tokens.js';

/** What a tool says of its connection. */
export interface Pointer {
  /** The tool's own name, for what is said of a connection that breaks. */
  readonly name?: string;
  readonly connection_id?: string;
  readonly connection_group?: string;
}

export interface ResolveOptions extends ConsentOptions {
  readonly sealer: Sealer;
  /** Ends the waiting for a renewal. */
  readonly signal?: AbortSignal;
}

export interface Resolved {
  readonly connection: Connection;
  readonly grant: Grant;
}

/**
 * A healthy connection with its secret, renewed first where that is due.
 * @throws Failure `secret-missing`, `invalid-secret` (of a variable), `no-seal-key`, `unopened-secret`, `no-oauth-client`,
 * `renewal-failed`; those of the store; the reason of the signal.
 */
export async function granted(
  store: ConnectionStore,
  connection: Connection,
  pointer: Pointer,
  options: ResolveOptions,
): Promise<Resolved> {
  if (!isConsented(connection)) return { connection, grant: await opened(connection, options) };
  const bearer = await bearerOf(store, connection, {
    ...options,
    ...(pointer.name === undefined ? {} : { tool: pointer.name }),
  });
  const { access_token, refresh_token } = bearer.tokens;
  return { connection: bearer.connection, grant: { placement: 'bearer', key: access_token, refresh_token } };
}

/**
 * The connection of a tool; undefined where the tool has none. Of a group it is the oldest healthy one.
 * @throws Failure `unknown-connection`, `no-connection`, `connection-broken`; those of the store.
 */
export async function connectionFor(store: ConnectionStore, pointer: Pointer): Promise<Connection | undefined> {
  if (pointer.connection_id === undefined && pointer.connection_group === undefined) return undefined;
  const connection = chosen((await store.list()).connections, pointer);
  if (connection.status === 'broken') throw broken(connection);
  return connection;
}

function chosen(connections: readonly Connection[], { connection_id, connection_group }: Pointer): Connection {
  if (connection_id !== undefined) return findConnection(connections, connection_id);
  const label = connection_group ?? '';
  const members = connections.filter(({ group }) => group === label);
  const found = members.find(({ status }) => status === 'healthy');
  if (found !== undefined) return found;
  const what = members.length === 0 ? 'no connection has' : 'no healthy connection has';
  throw new Failure('no-connection', `${what} the group ${quoted(label)}`, { group: label, broken: members.length });
}

async function opened(connection: KeyConnection, { sealer, env = process.env }: ResolveOptions): Promise<Grant> {
  const { id, secret } = connection;
  if (secret.kind === 'sealed') return grantOf(connection, await sealer.open(id, secret.jwe));
  const text = Object.hasOwn(env, secret.name) ? env[secret.name] : undefined;
  if (text === undefined || text === '') {
    const what = text === undefined ? 'not set' : 'empty';
    const message = `the variable ${secret.name}, which holds the secret of ${id}, is ${what}`;
    throw new Failure('secret-missing', message, { id, variable: secret.name });
  }
  try {
    return grantOf(connection, text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `the variable ${secret.name} does not hold a secret of ${id}: ${error.message}`, {
      id,
    });
  }
}
