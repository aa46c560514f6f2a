// The bearer of a consented account: as it is, or renewed, one renewal at a time in this process and among all that share the store.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../base/failure.js';
import { CONSENT_LIMITS } from '../base/limits.js';
import { edit, findConnection } from './change.js';
import type { ConnectionStore, ConsentedConnection } from './connection.js';
import { broken, markBroken } from './health.js';
import { type ConsentOptions, type Party, partyOf } from './oauth-client.js';
import type { Sealer } from './seal.js';
import { isConsented, isFresh, openTokens, sealTokens, type Tokens } from './tokens.js';

export interface BearerOptions extends ConsentOptions {
  readonly sealer: Sealer;
  /** The name of the tool that asks, for what a breakage says. */
  readonly tool?: string;
  /** Ends the waiting of this caller; a renewal that others wait for goes on. */
  readonly signal?: AbortSignal;
}

export interface Bearer {
  readonly connection: ConsentedConnection;
  readonly tokens: Tokens;
}

/** The renewals under way in this process, by store and connection. */
const underWay = new WeakMap<ConnectionStore, Map<string, Promise<Bearer>>>();

/**
 * A connection with tokens that can be used now.
 * @throws Failure `no-oauth-client`, `no-seal-key`, `unopened-secret`, `connection-broken` (the renewal was refused),
 * `renewal-failed`, `unknown-connection`; those of the store; the reason of the signal.
 */
export async function bearerOf(
  store: ConnectionStore,
  connection: ConsentedConnection,
  options: BearerOptions,
): Promise<Bearer> {
  // Also where the token would still do: what works for an hour and then no longer is worse than what is refused.
  const party = partyOf(connection.provider, options);
  const tokens = await openTokens(options.sealer, connection);
  if (isFresh(tokens)) return { connection, tokens };
  const renewals = underWay.get(store) ?? new Map<string, Promise<Bearer>>();
  underWay.set(store, renewals);
  const { id } = connection;
  let renewal = renewals.get(id);
  if (renewal === undefined) {
    renewal = new Renewing(store, id, party, options).result().finally(() => renewals.delete(id));
    renewals.set(id, renewal);
  }
  return unlessAborted(renewal, options.signal);
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  promise.catch(() => {});
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Between looks at a renewal of another process, in milliseconds. */
const LOOK = 100;

/**
 * One renewal. The record carries the claim of who renews, so that no refresh token is sent twice: a provider that
 * rotates them takes the second use for a theft (RFC 9700, section 4.14.2), and ends the account.
 */
class Renewing {
  readonly #store: ConnectionStore;
  readonly #id: string;
  readonly #party: Party;
  readonly #options: BearerOptions;

  constructor(store: ConnectionStore, id: string, party: Party, options: BearerOptions) {
    this.#store = store;
    this.#id = id;
    this.#party = party;
    this.#options = options;
  }

  async result(): Promise<Bearer> {
    for (;;) {
      const found = this.#found((await this.#store.list()).connections);
      const tokens = await openTokens(this.#options.sealer, found);
      if (isFresh(tokens)) return { connection: found, tokens };
      const done = (await this.#claim(found)) ? await this.#renewed(found, tokens) : await pause(LOOK);
      if (done !== undefined) return done;
    }
  }

  /** Whether the connection is ours to renew: nobody else's claim is in force, and its secret is the one that was seen. */
  async #claim({ secret }: ConsentedConnection): Promise<boolean> {
    return edit(this.#store, (connections) => {
      const before = this.#found(connections);
      const now = Math.floor(Date.now() / 1000);
      const { renewing = 0 } = before;
      // A claim further off than one can be made is that of a clock that was wrong.
      const isHeld = renewing > now && renewing <= now + CONSENT_LIMITS.claim;
      if (isHeld || before.secret.jwe !== secret.jwe) return { result: false };
      return { put: [{ ...before, renewing: now + CONSENT_LIMITS.claim }], result: true };
    });
  }

  #found(connections: Parameters<typeof findConnection>[0]): ConsentedConnection {
    const found = findConnection(connections, this.#id);
    if (found.status === 'broken') throw broken(found);
    if (isConsented(found)) return found;
    throw new Failure('unknown-connection', `the connection ${this.#id} is no longer a consented account`);
  }

  /** The renewed connection; undefined where it changed meanwhile, and what it is now has to be looked at. */
  async #renewed(claimed: ConsentedConnection, tokens: Tokens): Promise<Bearer | undefined> {
    const { renew } = await import('./oauth.js');
    const renewal = await renew(this.#party, tokens).catch(async (error: unknown) => {
      await this.#settle(claimed, {});
      throw error;
    });
    if (renewal.kind === 'refused') {
      const { tool } = this.#options;
      const breakage = { ...(tool === undefined ? {} : { tool }), reason: renewal.reason, secret: claimed.secret };
      await markBroken(this.#store, this.#id, breakage);
      // Thrown by the next look where it is broken now, and not where a new consent was faster.
      return undefined;
    }
    const secret = await sealTokens(this.#options.sealer, this.#id, renewal.tokens);
    const connection = await this.#settle(claimed, { secret });
    return connection === undefined ? undefined : { connection, tokens: renewal.tokens };
  }

  /** Ends the claim; undefined where the secret is another one by now, which stays. */
  async #settle(
    { secret }: ConsentedConnection,
    changes: Partial<Pick<ConsentedConnection, 'secret'>>,
  ): Promise<ConsentedConnection | undefined> {
    return edit(this.#store, (connections) => {
      const { renewing: _, ...before } = this.#found(connections);
      if (before.secret.jwe !== secret.jwe) return { result: undefined };
      const connection = { ...before, ...changes };
      return { put: [connection], result: connection };
    });
  }
}
