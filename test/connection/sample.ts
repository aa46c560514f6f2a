// Connections to store, and keys to seal with.
import { digest } from '../../src/base/canonical.js';
import type { Connection, ConsentedConnection } from '../../src/connection/connection.js';

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
