// What the use cases of connections share: what a request makes of a record, and the record as it may be shown.
import { randomBytes } from 'node:crypto';
import { Failure } from '../base/failure.js';
import type { Connection, KeyConnection, Placement } from '../connection/connection.js';
import { isConsented } from '../connection/tokens.js';
import type { ProviderName } from '../tool/provider.js';

interface CommonView {
  readonly id: string;
  readonly status: Connection['status'];
  readonly group?: string;
  /** `env:NAME` or `sealed`. */
  readonly secret: string;
  readonly reason?: string;
  readonly broken_by?: string;
  /** What the owner should know. */
  readonly warnings?: readonly string[];
}

/** A connection as it may be shown. */
export type ConnectionView =
  | (CommonView & Placement & { readonly provider: 'http_key' })
  | (CommonView & { readonly provider: ProviderName; readonly scopes: readonly string[] });

export function shown(connection: Connection, warnings: readonly string[] = []): ConnectionView {
  const { id, status, group, secret, reason, broken_by } = connection;
  const rest = {
    ...(group === undefined ? {} : { group }),
    secret: secret.kind === 'env' ? `env:${secret.name}` : 'sealed',
    ...(reason === undefined ? {} : { reason }),
    ...(broken_by === undefined ? {} : { broken_by }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  if (isConsented(connection)) {
    return { id, status, provider: connection.provider, scopes: connection.scopes, ...rest };
  }
  return { id, status, provider: connection.provider, ...placementOf(connection), ...rest };
}

export function placementOf(connection: KeyConnection): Placement {
  if (connection.placement === 'basic') return { placement: 'basic' };
  if (connection.placement === 'query') return { placement: 'query', parameter: connection.parameter };
  const prefix = connection.prefix === undefined ? {} : { prefix: connection.prefix };
  return { placement: 'header', header: connection.header, ...prefix };
}

export function newId(): string {
  return `conn_${randomBytes(12).toString('hex')}`;
}

/** Of a connection that comes after all of these. */
export function nextOrder(connections: readonly Connection[]): number {
  return Math.max(0, ...connections.map(({ order }) => order)) + 1;
}

/** @throws Failure `invalid-value`. */
export function checkedGroup(group: string): string {
  if (/\p{C}/u.test(group) || !/\S/.test(group)) {
    throw new Failure('invalid-value', 'the label of a group is blank, or holds a character that nobody sees');
  }
  return group;
}

/** null: in no group; undefined: in that where it is. */
export function regrouped<C extends Connection>(connection: C, group: string | null | undefined): C {
  if (group === undefined) return connection;
  const { group: _group, ...rest } = connection;
  return (group === null ? rest : { ...rest, group }) as C;
}
