// Connections to store, and keys to seal with.

import { digest } from '../../src/base/canonical.js';
import type { Connection, ConnectionStore, ConsentedConnection } from '../../src/connection/connection.js';
import {
  connectionFor,
  granted,
  type Pointer,
  type Resolved,
  type ResolveOptions,
} from '../../src/connection/resolve.js';

export const KEY_A = `a:${Buffer.alloc(32, 1).toString('base64url')}`;
export const KEY_B = `b:${Buffer.alloc(32, 2).toString('base64url')}`;

export function sampleId(name: string): string {
  return `conn_${digest(name).slice(0, 24)}`;
}

/** A healthy one whose secret is in the variable KEY. */
export function sample(name: string, order: number, changes: Partial<Connection> = {}): Connection {
  return {
    id: sampleId(name),
    provider: 'http_key',
    placement: 'header',
    header: 'X-Key',
    secret: { kind: 'env', name: 'KEY' },
    status: 'healthy',
    order,
    ...changes,
  } as Connection;
}

/** A healthy account; what is sealed in it opens nowhere. */
export function sampleAccount(
  name: string,
  order: number,
  changes: Partial<ConsentedConnection> = {},
): ConsentedConnection {
  return {
    id: sampleId(name),
    provider: 'google',
    scopes: ['https://www.example.com/auth/records'],
    secret: { kind: 'sealed', jwe: 'e30..AA.AA.AA' },
    status: 'healthy',
    order,
    ...changes,
  };
}

/** The connection of a tool with its secret, as a call has it. */
export async function resolve(
  store: ConnectionStore,
  pointer: Pointer,
  options: ResolveOptions,
): Promise<Resolved | undefined> {
  const connection = await connectionFor(store, pointer);
  return connection === undefined ? undefined : granted(store, connection, pointer, options);
}
