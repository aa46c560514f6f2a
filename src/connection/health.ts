// The health of a connection: what breaks it, and what is said of a broken one.
import { Failure } from '../base/failure.js';
import { visible } from '../base/text.js';
import { edit } from './change.js';
import type { Connection, ConnectionStore, SecretReference } from './connection.js';
import { isConsented } from './tokens.js';

/** What is said of a broken one. */
export function broken(connection: Connection): Failure {
  const { id, reason, broken_by } = connection;
  const why = [reason === undefined ? '' : `: ${reason}`, broken_by === undefined ? '' : ` (met by ${broken_by})`];
  const heals = isConsented(connection) ? `set ${id} --consent\` heals it` : `set ${id}\` with a secret heals it`;
  return new Failure(
    'connection-broken',
    `the connection ${id} is broken${why.join('')}; \`toolwright connections ${heals}`,
    { id },
  );
}

export interface Breakage {
  /** The name of the tool that met it. */
  readonly tool?: string;
  /** What the API or the consent provider said; already scrubbed. */
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
    const met = breakage.tool === undefined ? {} : { broken_by: breakage.tool };
    return { put: [{ ...found, status: 'broken', reason, ...met }], result: undefined };
  });
}

function isSame(a: SecretReference, b: SecretReference): boolean {
  if (a.kind === 'env') return b.kind === 'env' && a.name === b.name;
  return b.kind === 'sealed' && a.jwe === b.jwe;
}
