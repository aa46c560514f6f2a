// Use cases of a person who owns connections: add, list, set, remove. Nothing that leaves here holds a secret.
import { Failure } from '../base/failure.js';
import { edit, findConnection } from '../connection/change.js';
import type {
  Connection,
  ConnectionStore,
  KeyConnection,
  Placement,
  SecretReference,
} from '../connection/connection.js';
import { isVariable } from '../connection/format.js';
import { checkedPlacement, grantOf, type KeyGrant, parseGrant, secretWarning, split } from '../connection/grant.js';
import type { ConsentOptions } from '../connection/oauth-client.js';
import { revokeTokens } from '../connection/revoke.js';
import { type Sealer, sealer as sealerOf } from '../connection/seal.js';
import { isConsented } from '../connection/tokens.js';
import { replanned } from '../store/replan.js';
import type { ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';
import {
  type ConnectionView,
  checkedGroup,
  newId,
  nextOrder,
  placementOf,
  regrouped,
  shown,
} from './connection-record.js';

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
  /** Seals the secret that is there anew, under the first of the deployment's keys; heals nothing. */
  readonly reseal?: boolean;
  /** null: in no group. */
  readonly group?: string | null;
}

export interface ConnectionOptions {
  readonly connections: ConnectionStore;
  readonly sealer: Sealer;
  /** `process.env` by default; a variable need not be set yet. */
  readonly env?: { readonly [name: string]: string | undefined };
}

/**
 * Creates a connection.
 * @throws Failure `invalid-secret`, `no-seal-key`, `invalid-value`; those of the store.
 */
export async function addConnection(request: NewConnection, options: ConnectionOptions): Promise<ConnectionView> {
  const id = newId();
  const group = request.group === undefined ? {} : { group: checkedGroup(request.group) };
  const granted = 'grant_secret' in request ? split(parseGrant(request.grant_secret)) : undefined;
  const placement = granted?.placement ?? checkedPlacement((request as { placement: Placement }).placement);
  const source = granted === undefined ? (request as { secret: SecretSource }).secret : { text: granted.secret };
  const { reference, warnings } = await taken(id, placement, source, options);
  return edit(options.connections, (connections) => {
    const order = nextOrder(connections);
    const fixed = { id, provider: 'http_key', status: 'healthy', secret: reference, order } as const;
    const connection: KeyConnection = { ...placement, ...fixed, ...group };
    return { put: [connection], result: shown(connection, warnings) };
  });
}

/** All connections, the oldest first. */
export async function listConnections(store: ConnectionStore): Promise<readonly ConnectionView[]> {
  return (await store.list()).connections.map((connection) => shown(connection));
}

/**
 * Gives a connection a new secret, which heals it, or another group; or seals its secret anew.
 * @throws Failure `unknown-connection`, `bad-request` (nothing to set, a secret for a consented account, nothing that is
 * sealed), `unopened-secret`, and those of `addConnection`.
 */
export async function setConnection(
  id: string,
  { secret, reseal = false, group }: ConnectionUpdate,
  options: ConnectionOptions,
): Promise<ConnectionView> {
  if (secret === undefined && !reseal && group === undefined) {
    throw new Failure('bad-request', 'nothing is set; a secret or a group can be');
  }
  if (secret !== undefined && reseal) throw new Failure('bad-request', 'a new secret is sealed anyway');
  if (typeof group === 'string') checkedGroup(group);
  if (secret !== undefined) return rekey(id, secret, group, options);
  return replanned(async () => {
    const { connections, revision } = await options.connections.list();
    const before = findConnection(connections, id);
    const connection = regrouped(reseal ? await resealed(before, options.sealer) : before, group);
    await options.connections.commit({ put: [connection], remove: [] }, revision);
    return shown(connection);
  });
}

async function rekey(
  id: string,
  secret: NonNullable<ConnectionUpdate['secret']>,
  group: string | null | undefined,
  options: ConnectionOptions,
): Promise<ConnectionView> {
  const found = keyed(findConnection((await options.connections.list()).connections, id));
  const granted = 'grant_secret' in secret ? split(parseGrant(secret.grant_secret)) : undefined;
  const placement = granted?.placement ?? placementOf(found);
  const source = granted === undefined ? (secret as SecretSource) : { text: granted.secret };
  const { reference, warnings } = await taken(id, placement, source, options);
  return edit(options.connections, (connections) => {
    const before = keyed(findConnection(connections, id));
    const { provider, order } = before;
    const kept = before.group === undefined ? {} : { group: before.group };
    // Whatever broke it is past.
    const fresh: KeyConnection = { ...placement, id, provider, order, ...kept, secret: reference, status: 'healthy' };
    const connection = regrouped(fresh, group);
    return { put: [connection], result: shown(connection, warnings) };
  });
}

function keyed(connection: Connection): KeyConnection {
  if (!isConsented(connection)) return connection;
  const message = `the connection ${connection.id} is an account of ${connection.provider}: a new consent heals it, and it takes no secret`;
  throw new Failure('bad-request', message);
}

async function resealed<C extends Connection>(connection: C, sealer: Sealer): Promise<C> {
  const { id, secret } = connection;
  if (secret.kind === 'env') {
    throw new Failure('bad-request', `the secret of ${id} is in the variable ${secret.name}; nothing of it is sealed`);
  }
  return { ...connection, secret: { kind: 'sealed', jwe: await sealer.seal(id, await sealer.open(id, secret.jwe)) } };
}

export interface RemovalOptions extends ConsentOptions {
  readonly connections: ConnectionStore;
  readonly tools: ToolStore;
  /** Also while tools point at it. */
  readonly force?: boolean;
  /** Opens the tokens of a consented account, which are taken back at its provider; that of the environment by default. */
  readonly sealer?: Sealer;
}

/**
 * Removes a connection; while tools point at it by id only where it is forced. A consented account is signed out at its
 * provider as well, and where that does not go it is a warning.
 * @throws Failure `unknown-connection`, `connection-in-use`; those of the stores.
 */
export async function removeConnection(
  id: string,
  { connections, tools, force = false, sealer, ...consent }: RemovalOptions,
): Promise<ConnectionView> {
  const users = force ? [] : (await tools.read({ connection_id: id })).tools;
  const removed = await edit(connections, (all) => {
    const connection = findConnection(all, id);
    if (users.length > 0) throw inUse(id, users);
    return { remove: [id], result: connection };
  });
  if (!isConsented(removed)) return shown(removed);
  const stands = await revokeTokens(removed, { ...consent, sealer: sealer ?? sealerOf() });
  return shown(removed, stands === undefined ? [] : [stands]);
}

function inUse(id: string, users: readonly HttpTool[]): Failure {
  const names = users.slice(0, 3).map(({ name }) => name);
  const others = users.length > names.length ? ` and ${users.length - names.length} more` : '';
  const message = `the connection ${id} is that of ${names.join(', ')}${others}; point them elsewhere first, or force it`;
  return new Failure('connection-in-use', message, { id, tools: users.map(({ name }) => name) });
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
    const reference = { kind: 'env', name: source.env } as const;
    if (text === undefined || text === '') {
      return { reference, warnings: [`the variable ${source.env} is not set here; a call needs it`] };
    }
    return { reference, warnings: warningsOf(grantOf(placement, text)) };
  }
  const grant = grantOf(placement, source.text);
  return { reference: { kind: 'sealed', jwe: await sealer.seal(id, source.text) }, warnings: warningsOf(grant) };
}

function warningsOf(grant: KeyGrant): readonly string[] {
  const warning = secretWarning(grant);
  return warning === undefined ? [] : [warning];
}
