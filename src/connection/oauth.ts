// What is said to a consent provider: the code flow with PKCE (RFC 6749, RFC 7636), renewal, revocation. The only user of oauth4webapi.
import * as oauth from 'oauth4webapi';
import { Failure } from '../base/failure.js';
import { CONSENT_LIMITS } from '../base/limits.js';
import { counted, quoted } from '../base/text.js';
import { exchange } from '../wire/exchange.js';
import { isScope } from './format.js';
import type { Party } from './oauth-client.js';
import { scrubber } from './redact.js';
import { isToken, type Tokens } from './tokens.js';

/** A consent that is under way. */
export interface Asked {
  /** Where the person consents. */
  readonly url: string;
  /**
   * The tokens for what the browser brought back to the redirect URI.
   * @throws Failure `consent-failed`, `fetch-failed`, `fetch-timeout`, `address-refused`.
   */
  redeem(parameters: URLSearchParams): Promise<{ readonly tokens: Tokens; readonly scopes: readonly string[] }>;
}

export async function ask(party: Party, scopes: readonly string[], redirectUri: string): Promise<Asked> {
  const { provider, client } = party;
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(provider.authorizationEndpoint);
  const parameters = {
    ...provider.parameters,
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes.join(' '),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return {
    url: url.href,
    redeem: (answer) => redeemed(party, { answer, state, verifier, redirectUri, scopes }),
  };
}

interface Returned {
  readonly answer: URLSearchParams;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

async function redeemed(
  party: Party,
  { answer, state, verifier, redirectUri, scopes }: Returned,
): Promise<{ readonly tokens: Tokens; readonly scopes: readonly string[] }> {
  const { server, client, authentication, options } = spoken(party);
  const secrets = [party.client.secret, verifier, ...answer.getAll('code')];
  try {
    const checked = oauth.validateAuthResponse(server, client, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      checked,
      redirectUri,
      verifier,
      options,
    );
    const granted = await oauth.processAuthorizationCodeResponse(server, client, response);
    const tokens = tokensOf(granted, undefined);
    if (typeof tokens === 'string') throw new Failure('consent-failed', `${party.name} ${tokens}`);
    return { tokens, scopes: granted.scope === undefined ? scopes : granted.scope.split(' ').filter(isScope) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('consent-failed', `${party.name} ${saidBy(error, secrets)}`, reasonOf(error));
  }
}

/** What came of a renewal; refused is for good: the provider no longer takes the refresh token. */
export type Renewal =
  | { readonly kind: 'renewed'; readonly tokens: Tokens }
  | { readonly kind: 'refused'; readonly reason: string };

/** @throws Failure `renewal-failed`: the same may go well another time, or with another client. */
export async function renew(party: Party, tokens: Tokens): Promise<Renewal> {
  const { server, client, authentication, options } = spoken(party);
  const secrets = [party.client.secret, tokens.refresh_token, tokens.access_token];
  const failed = (what: string, data: Record<string, unknown>) =>
    new Failure('renewal-failed', `the token could not be renewed: ${what}`, data);
  try {
    const { refresh_token } = tokens;
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refresh_token, options);
    const renewed = tokensOf(await oauth.processRefreshTokenResponse(server, client, response), refresh_token);
    if (typeof renewed === 'string') throw failed(`${party.name} ${renewed}`, {});
    return { kind: 'renewed', tokens: renewed };
  } catch (error) {
    if (error instanceof Failure) throw error.code === 'renewal-failed' ? error : failed(error.message, error.data);
    const said = `${party.name} ${saidBy(error, secrets)}`;
    if (reasonOf(error).reason === 'invalid_grant') return { kind: 'refused', reason: said };
    throw failed(said, reasonOf(error));
  }
}

/**
 * Takes the tokens back at the provider. Answers why it could not; undefined where it did, or where the provider has no
 * way to.
 */
export async function revoke(party: Party, { refresh_token, access_token }: Tokens): Promise<string | undefined> {
  if (party.provider.revocationEndpoint === undefined) return undefined;
  const { server, client, authentication, options } = spoken(party);
  try {
    const response = await oauth.revocationRequest(server, client, authentication, refresh_token, options);
    await oauth.processRevocationResponse(response);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    // RFC 7009, section 2.2, has 200 for a token that is invalid already; Google says so.
    if (reasonOf(error).reason === 'invalid_token') return undefined;
    return `${party.name} ${saidBy(error, [party.client.secret, refresh_token, access_token])}`;
  }
}

/** The party in the terms of the library. */
function spoken({ provider, client, network }: Party) {
  const server: oauth.AuthorizationServer = {
    issuer: provider.issuer,
    authorization_endpoint: provider.authorizationEndpoint,
    token_endpoint: provider.tokenEndpoint,
    ...(provider.revocationEndpoint === undefined ? {} : { revocation_endpoint: provider.revocationEndpoint }),
  };
  const options = {
    [oauth.customFetch]: (url: string, init: Sent) => guarded(url, init, network),
    // The table has https alone; a provider that a test puts in its place is on loopback.
    [oauth.allowInsecureRequests]: provider.tokenEndpoint.startsWith('http:'),
  };
  return { server, client: { client_id: client.id }, authentication: oauth.ClientSecretPost(client.secret), options };
}

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/**
 * One request through the only door to the network.
 * @throws Failure `fetch-failed`, `fetch-timeout`, `address-refused`, `invalid-url`.
 */
async function guarded(url: string, { method, headers, body }: Sent, network: Party['network']): Promise<Response> {
  const { host } = new URL(url);
  const late = new AbortController();
  const seconds = CONSENT_LIMITS.request;
  // Not AbortSignal.timeout: its timer alone does not keep the process alive.
  const timer = setTimeout(
    () =>
      late.abort(new Failure('fetch-timeout', `the host ${host} did not answer within ${counted(seconds, 'second')}`)),
    seconds * 1000,
  );
  try {
    const request = { url: new URL(url), method, headers, body: String(body) };
    const answer = await exchange(request, { ...network, signal: late.signal, maxBytes: CONSENT_LIMITS.answer_bytes });
    if (answer.cut) throw new Failure('fetch-failed', `the host ${host} answered more than a token takes`);
    const type = answer.headers['content-type'];
    const bodiless = answer.body.length === 0 || [204, 205, 304].includes(answer.status);
    // What no Response can be is no answer of such an endpoint either.
    const status = answer.status < 200 || answer.status > 599 ? 502 : answer.status;
    return new Response(bodiless ? null : new Uint8Array(answer.body), {
      status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The tokens of an answer, or what is wrong with them. */
function tokensOf(answer: oauth.TokenEndpointResponse, former: string | undefined): Tokens | string {
  const { access_token, refresh_token = former, expires_in } = answer;
  if (refresh_token === undefined) return 'gave no refresh token, without which the account is lost within the hour';
  if (answer.token_type !== 'bearer') return 'gave a token that is not a bearer token';
  if (!isToken(access_token) || !isToken(refresh_token)) return 'gave a token that no header carries';
  const expiry = expires_in === undefined ? {} : { expires_at: Math.floor(Date.now() / 1000 + expires_in) };
  return { access_token, refresh_token, ...expiry };
}

/** The code of an error answer (RFC 6749, sections 4.1.2.1 and 5.2), for programs. */
function reasonOf(error: unknown): { readonly reason?: string } {
  const isAnswer = error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
  return isAnswer ? { reason: error.error } : {};
}

/** What went wrong, as the end of a sentence; foreign text only quoted, and without secrets. */
function saidBy(error: unknown, secrets: readonly string[]): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const said = [error.error, error.error_description ?? ''].filter((part) => part !== '').join(': ');
    return `refused: ${quoted(scrubber(secrets).text(said), 200)}`;
  }
  if (error instanceof oauth.OperationProcessingError && error.cause instanceof Response && !error.cause.ok) {
    return `answered with status ${error.cause.status}`;
  }
  // The messages of the library name what is wrong in its own words; the values are in `cause`, which is not shown.
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    return `gave an answer that is not as it should be: ${error.message}`;
  }
  throw error;
}
