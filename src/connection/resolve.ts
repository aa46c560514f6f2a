// From what a tool says of its connection to the secret, and what becomes of a connection that an API refused.
import { Failure } from '../base/failure.js';
import { quoted, visible } from '../base/text.js';
import { edit, findConnection } from './change.js';
import type { Connection, ConnectionStore, SecretReference } from './connection.js';
import { type Grant, grantOf } from './grant.js';
import type { Sealer } from './seal.js';

/** What a tool says of its connection. */
export interface Pointer {
  readonly connection_id?: string;
  readonly connection_group?: string;
}

export interface ResolveOptions {
  readonly sealer: Sealer;
  /** `process.env` by default. */
  readonly env?: { readonly [name: string]: string | undefined };
}

export interface Resolved {
  readonly connection: Connection;
  readonly grant: Grant;
}

/**
 * The connection of a tool with its secret; undefined where the tool has none. Of a group it is the oldest healthy one.
 * @throws Failure `unknown-connection`, `no-connection`, `connection-broken`, `secret-missing`, `invalid-secret` (of a
 * variable), `no-seal-key`, `unopened-secret`; those of the store.
 */
export async function resolve(
  store: ConnectionStore,
  pointer: Pointer,
  { sealer, env = process.env }: ResolveOptions,
): Promise<Resolved | undefined> {
  if (pointer.connection_id === undefined && pointer.connection_group === undefined) return undefined;
  const { connections } = await store.list();
  const connection = chosen(connections, pointer);
  if (connection.status === 'broken') throw broken(connection);
  return { connection, grant: await opened(connection, sealer, env) };
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

function broken({ id, reason, broken_by }: Connection): Failure {
  const why = [reason === undefined ? '' : `: ${reason}`, broken_by === undefined ? '' : ` (met by ${broken_by})`];
  const way = `\`toolwright connections set ${id}\` with a secret heals it`;
  return new Failure('connection-broken', `the connection ${id} is broken${why.join('')}; ${way}`, { id });
}

async function opened(connection: Connection, sealer: Sealer, env: NonNullable<ResolveOptions['env']>): Promise<Grant> {
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

export interface Breakage {
  /** The name of the tool that met it. */
  readonly tool: string;
  /** What the API said; already scrubbed. */
  readonly reason: string;
  /** The secret that was refused: where the connection has another by now, it stays healthy. */
  readonly secret?: SecretReference;
}

/**
 * Marks a connection as refused by its API; the first reason stays. A connection that is gone is no fault.
 * @throws Failure of the store.
 */
export async function markBroken(store: ConnectionStore, id: string, breakage: Breakage): Promise<void> {
  await edit(store, (connections) => {
    const found = connections.find((connection) => connection.id === id);
    const healed = breakage.secret !== undefined && found !== undefined && !isSame(found.secret, breakage.secret);
    if (found === undefined || found.status === 'broken' || healed) return { result: undefined };
    const reason = visible(breakage.reason, 300);
    return { put: [{ ...found, status: 'broken', reason, broken_by: breakage.tool }], result: undefined };
  });
}

function isSame(a: SecretReference, b: SecretReference): boolean {
  if (a.kind === 'env') return b.kind === 'env' && a.name === b.name;
  return b.kind === 'sealed' && a.jwe === b.jwe;
}

/**
 * Gives a connection a secret, also the same `env:NAME`, which heals it.
 * @throws Failure `unknown-connection`; those of the store.
 */
export async function heal(store: ConnectionStore, id: string, secret: SecretReference): Promise<Connection> {
  return edit(store, (connections) => {
    const connection = healed(findConnection(connections, id), secret);
    return { put: [connection], result: connection };
  });
}

/** The connection with another secret: whatever broke it is past. */
export function healed(connection: Connection, secret: SecretReference): Connection {
  const { reason: _reason, broken_by: _by, ...rest } = connection;
  return { ...rest, secret, status: 'healthy' };
}
