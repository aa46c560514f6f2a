// Use cases of a person who owns connections: add, list, set, remove. Nothing that leaves here holds a secret.
import { randomBytes } from 'node:crypto';
import { Failure } from '../base/failure.js';
import { edit, findConnection } from '../connection/change.js';
import type { Connection, ConnectionStore, Placement, SecretReference } from '../connection/connection.js';
import { isVariable } from '../connection/format.js';
import { checkedPlacement, type Grant, grantOf, parseGrant, secretWarning, split } from '../connection/grant.js';
import { healed } from '../connection/resolve.js';
import type { Sealer } from '../connection/seal.js';
import type { ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';

/** Where a secret comes from: a variable that stays where it is, or the secret itself, which is sealed. */
export type SecretSource = { readonly env: string } | { readonly text: string };

export type NewConnection = {
  readonly provider: 'http_key';
  readonly group?: string;
} & (
  | { readonly grant_secret: string }
  /** The text of a basic secret is `username:password`. */
  | { readonly placement: Placement; readonly secret: SecretSource }
);

export interface ConnectionUpdate {
  /** Heals the connection. Of a `grant_secret` the placement is taken too. */
  readonly secret?: SecretSource | { readonly grant_secret: string };
  /** null: in no group. */
  readonly group?: string | null;
}

export interface ConnectionOptions {
  readonly connections: ConnectionStore;
  readonly sealer: Sealer;
  /** `process.env` by default; a variable need not be set yet. */
  readonly env?: { readonly [name: string]: string | undefined };
}

/** A connection as it may be shown. */
export interface ConnectionView {
  readonly id: string;
  readonly status: Connection['status'];
  readonly provider: 'http_key';
  readonly placement: Placement['placement'];
  readonly header?: string;
  readonly prefix?: string;
  readonly parameter?: string;
  readonly group?: string;
  /** `env:NAME` or `sealed`. */
  readonly secret: string;
  readonly reason?: string;
  readonly broken_by?: string;
  /** What the owner of the secret should know of it. */
  readonly warnings?: readonly string[];
}

/**
 * Creates a connection.
 * @throws Failure `invalid-secret`, `no-seal-key`, `invalid-value`; those of the store.
 */
export async function addConnection(request: NewConnection, options: ConnectionOptions): Promise<ConnectionView> {
  const id = `conn_${randomBytes(12).toString('hex')}`;
  const group = request.group === undefined ? {} : { group: checkedGroup(request.group) };
  const granted = 'grant_secret' in request ? split(parseGrant(request.grant_secret)) : undefined;
  const placement = granted?.placement ?? checkedPlacement((request as { placement: Placement }).placement);
  const source = granted === undefined ? (request as { secret: SecretSource }).secret : { text: granted.secret };
  const { reference, warnings } = await taken(id, placement, source, options);
  return edit(options.connections, (connections) => {
    const order = Math.max(0, ...connections.map((connection) => connection.order)) + 1;
    const fixed = { id, provider: 'http_key', status: 'healthy', secret: reference, order } as const;
    const connection: Connection = { ...placement, ...fixed, ...group };
    return { put: [connection], result: shown(connection, warnings) };
  });
}

/** All connections, the oldest first. */
export async function listConnections(store: ConnectionStore): Promise<readonly ConnectionView[]> {
  return (await store.list()).connections.map((connection) => shown(connection));
}

/**
 * Gives a connection a new secret, which heals it, or another group.
 * @throws Failure `unknown-connection`, `bad-request` (nothing to set), and those of `addConnection`.
 */
export async function setConnection(
  id: string,
  { secret, group }: ConnectionUpdate,
  options: ConnectionOptions,
): Promise<ConnectionView> {
  if (secret === undefined && group === undefined) {
    throw new Failure('bad-request', 'nothing is set; a secret or a group can be');
  }
  if (typeof group === 'string') checkedGroup(group);
  const found = findConnection((await options.connections.list()).connections, id);
  const granted = secret !== undefined && 'grant_secret' in secret ? split(parseGrant(secret.grant_secret)) : undefined;
  const placement = granted?.placement ?? placementOf(found);
  const source = granted === undefined ? (secret as SecretSource | undefined) : { text: granted.secret };
  const given = source === undefined ? undefined : await taken(id, placement, source, options);
  return edit(options.connections, (connections) => {
    const before = findConnection(connections, id);
    const connection = regrouped(
      given === undefined ? before : { ...healed(unplaced(before), given.reference), ...placement },
      group,
    );
    return { put: [connection], result: shown(connection, given?.warnings) };
  });
}

/**
 * Removes a connection; while tools point at it by id only where it is forced.
 * @throws Failure `unknown-connection`, `connection-in-use`; those of the stores.
 */
export async function removeConnection(
  id: string,
  { connections, tools, force = false }: { connections: ConnectionStore; tools: ToolStore; force?: boolean },
): Promise<ConnectionView> {
  const users = force ? [] : (await tools.read()).tools.filter(({ connection_id }) => connection_id === id);
  return edit(connections, (all) => {
    const connection = findConnection(all, id);
    if (users.length > 0) throw inUse(id, users);
    return { remove: [id], result: shown(connection) };
  });
}

function inUse(id: string, users: readonly HttpTool[]): Failure {
  const names = users.slice(0, 3).map(({ name }) => name);
  const others = users.length > names.length ? ` and ${users.length - names.length} more` : '';
  const message = `the connection ${id} is that of ${names.join(', ')}${others}; point them elsewhere first, or force it`;
  return new Failure('connection-in-use', message, { id, tools: users.map(({ name }) => name) });
}

function checkedGroup(group: string): string {
  if (group.trim() === '') throw new Failure('invalid-value', 'the group is blank');
  return group;
}

function regrouped(connection: Connection, group: string | null | undefined): Connection {
  if (group === undefined) return connection;
  const { group: _group, ...rest } = connection;
  return group === null ? rest : { ...rest, group };
}

/** The reference that is stored in the place of the secret. */
async function taken(
  id: string,
  placement: Placement,
  source: SecretSource,
  { sealer, env = process.env }: ConnectionOptions,
): Promise<{ readonly reference: SecretReference; readonly warnings: readonly string[] }> {
  if ('env' in source) {
    if (!isVariable(source.env)) throw new Failure('invalid-secret', 'that is no name of an environment variable');
    const text = Object.hasOwn(env, source.env) ? env[source.env] : undefined;
    const grant = text === undefined || text === '' ? undefined : grantOf(placement, text);
    return { reference: { kind: 'env', name: source.env }, warnings: grant === undefined ? [] : warningsOf(grant) };
  }
  const grant = grantOf(placement, source.text);
  return { reference: { kind: 'sealed', jwe: await sealer.seal(id, source.text) }, warnings: warningsOf(grant) };
}

function warningsOf(grant: Grant): readonly string[] {
  const warning = secretWarning(grant);
  return warning === undefined ? [] : [warning];
}

function placementOf(connection: Connection): Placement {
  if (connection.placement === 'basic') return { placement: 'basic' };
  if (connection.placement === 'query') return { placement: 'query', parameter: connection.parameter };
  const prefix = connection.prefix === undefined ? {} : { prefix: connection.prefix };
  return { placement: 'header', header: connection.header, ...prefix };
}

/** Without what a former placement had. */
function unplaced(connection: Connection): Connection {
  const { id, provider, group, secret, status, order } = connection;
  return { placement: 'basic', id, provider, secret, status, order, ...(group === undefined ? {} : { group }) };
}

function shown(connection: Connection, warnings: readonly string[] = []): ConnectionView {
  const { id, status, provider, group, secret, reason, broken_by } = connection;
  return {
    id,
    status,
    provider,
    ...placementOf(connection),
    ...(group === undefined ? {} : { group }),
    secret: secret.kind === 'env' ? `env:${secret.name}` : 'sealed',
    ...(reason === undefined ? {} : { reason }),
    ...(broken_by === undefined ? {} : { broken_by }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
