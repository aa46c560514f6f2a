// What becomes of the tokens of a connection that was removed: they are taken back at the provider, as far as that goes.
import { Failure } from '../base/failure.js';
import type { Connection } from './connection.js';
import { type ConsentOptions, partyOf } from './oauth-client.js';
import type { Sealer } from './seal.js';
import { isConsented, openTokens } from './tokens.js';

/** Revokes the tokens of a consented account (RFC 7009); answers why they still stand, where they do. */
export async function revokeTokens(
  connection: Connection,
  options: ConsentOptions & { readonly sealer: Sealer },
): Promise<string | undefined> {
  if (!isConsented(connection)) return undefined;
  const stands = (why: string) => `the account was not signed out at ${connection.provider}: ${why}`;
  try {
    const party = partyOf(connection.provider, options);
    const tokens = await openTokens(options.sealer, connection);
    const { revoke } = await import('./oauth.js');
    const fault = await revoke(party, tokens);
    return fault === undefined ? undefined : stands(fault);
  } catch (error) {
    if (error instanceof Failure) return stands(error.message);
    throw error;
  }
}
