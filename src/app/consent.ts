// Use cases of a person who lends an account: consent to a new connection, consent again to one that is there.
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { edit, findConnection } from '../connection/change.js';
import type { Connection, ConnectionStore, ConsentedConnection } from '../connection/connection.js';
import { type Consented, consent, type Screen } from '../connection/consent.js';
import { isScope } from '../connection/format.js';
import { type ConsentOptions, partyOf } from '../connection/oauth-client.js';
import type { Sealer } from '../connection/seal.js';
import { isConsented, sealTokens } from '../connection/tokens.js';
import { PROVIDER_NAMES, type ProviderName } from '../tool/provider.js';
import { type ConnectionView, checkedGroup, newId, nextOrder, regrouped, shown } from './connection-record.js';

export interface ConsentRequest {
  readonly provider: ProviderName;
  /** What is asked for; at least one. */
  readonly scopes: readonly string[];
  readonly group?: string;
}

export interface ConsentUpdate {
  /** Asked for beside those that the connection has. */
  readonly scopes?: readonly string[];
  /** null: in no group. */
  readonly group?: string | null;
}

export interface AccountOptions extends ConsentOptions, Screen {
  readonly connections: ConnectionStore;
  readonly sealer: Sealer;
}

/**
 * Creates a connection of an account that a person consents to. `show` is given the address of the consent screen; the
 * answer comes back to a port of this machine.
 * @throws Failure `bad-request` (no such provider, no scope), `no-oauth-client`, `no-seal-key`, `invalid-value`,
 * `consent-failed`; of the exchange `fetch-failed`, `fetch-timeout`, `address-refused`; those of the store.
 */
export async function addAccount(request: ConsentRequest, options: AccountOptions): Promise<ConnectionView> {
  const { provider, scopes } = request;
  if (!PROVIDER_NAMES.includes(provider)) {
    throw new Failure(
      'bad-request',
      `${quoted(String(provider))} has no consent screen here; ${PROVIDER_NAMES.join(', ')} has`,
    );
  }
  const group = request.group === undefined ? {} : { group: checkedGroup(request.group) };
  const id = newId();
  const { consented, secret } = await lent(id, provider, scopes, options);
  return edit(options.connections, (connections) => {
    const order = nextOrder(connections);
    const fixed = { id, provider, scopes: consented.scopes, secret, status: 'healthy', order } as const;
    const connection: ConsentedConnection = { ...fixed, ...group };
    return { put: [connection], result: shown(connection, consented.warnings) };
  });
}

/**
 * Has a person consent again, which heals the connection, and widens what it may where scopes are named.
 * @throws Failure `unknown-connection`, `bad-request` (no consented account), and those of `addAccount`.
 */
export async function renewConsent(
  id: string,
  { scopes = [], group }: ConsentUpdate,
  options: AccountOptions,
): Promise<ConnectionView> {
  if (typeof group === 'string') checkedGroup(group);
  const found = account(findConnection((await options.connections.list()).connections, id));
  const wanted = [...new Set([...found.scopes, ...scopes])];
  const { consented, secret } = await lent(id, found.provider, wanted, options);
  return edit(options.connections, (connections) => {
    const {
      renewing: _renewing,
      reason: _reason,
      broken_by: _by,
      ...before
    } = account(findConnection(connections, id));
    const fresh: ConsentedConnection = { ...before, scopes: consented.scopes, secret, status: 'healthy' };
    const connection = regrouped(fresh, group);
    return { put: [connection], result: shown(connection, consented.warnings) };
  });
}

function account(connection: Connection): ConsentedConnection {
  if (isConsented(connection)) return connection;
  throw new Failure(
    'bad-request',
    `the connection ${connection.id} holds a key, which nobody consents to; a secret heals it`,
  );
}

/** The consent, and its tokens sealed. */
async function lent(
  id: string,
  provider: ProviderName,
  scopes: readonly string[],
  options: AccountOptions,
): Promise<{ readonly consented: Consented; readonly secret: ConsentedConnection['secret'] }> {
  const party = partyOf(provider, options);
  if (scopes.length === 0) throw new Failure('bad-request', `no scope is named; ${provider} asks for at least one`);
  const odd = scopes.find((scope) => !isScope(scope));
  if (odd !== undefined)
    throw new Failure('bad-request', `${quoted(odd)} is not a scope: a scope has no spaces or quotes`);
  // Before a person is asked: without a key the answer could not be kept.
  await options.sealer.seal(id, 'nothing yet');
  const consented = await consent(party, scopes, options);
  return { consented, secret: await sealTokens(options.sealer, id, consented.tokens) };
}
