// The tokens of a consented account: sealed as one secret, and when they have to be renewed.
import { Failure } from '../base/failure.js';
import { isObject, own, ownString } from '../base/json.js';
import { CONSENT_LIMITS, FIXED_LIMITS } from '../base/limits.js';
import type { Connection, ConsentedConnection, SealedSecret } from './connection.js';
import type { Sealer } from './seal.js';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Seconds since 1970; absent where the provider did not say. */
  readonly expires_at?: number;
}

export function isConsented(connection: Connection): connection is ConsentedConnection {
  return connection.provider !== 'http_key';
}

/** True of what may stand in a header as a token (RFC 6750, section 2.1, and what is met beyond it). */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= FIXED_LIMITS.secret_chars && /^[\x21-\x7e]+$/.test(value);
}

/** Whether the access token can be used as it is. */
export function isFresh({ expires_at }: Tokens): boolean {
  return expires_at === undefined || expires_at - CONSENT_LIMITS.margin > Date.now() / 1000;
}

/** @throws Failure `no-seal-key`. */
export async function sealTokens(sealer: Sealer, connectionId: string, tokens: Tokens): Promise<SealedSecret> {
  return { kind: 'sealed', jwe: await sealer.seal(connectionId, JSON.stringify(tokens)) };
}

/** @throws Failure `no-seal-key`, `unopened-secret`. */
export async function openTokens(sealer: Sealer, { id, secret }: ConsentedConnection): Promise<Tokens> {
  const tokens = read(await sealer.open(id, secret.jwe));
  if (tokens === undefined) throw new Failure('unopened-secret', `what is sealed for ${id} are no tokens`);
  return tokens;
}

function read(text: string): Tokens | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const [access_token, refresh_token] = [ownString(value, 'access_token'), ownString(value, 'refresh_token')];
    const expires_at = own(value, 'expires_at');
    if (!isToken(access_token) || !isToken(refresh_token)) return undefined;
    return { access_token, refresh_token, ...(typeof expires_at === 'number' ? { expires_at } : {}) };
  } catch {
    return undefined;
  }
}
