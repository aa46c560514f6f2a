// A real authorization server on loopback, an API that takes its tokens, and a browser of a few lines that consents.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { PROVIDERS, type Providers } from '../../src/tool/provider.js';
import { type Loopback, serve } from '../wire/loopback.js';

export const CLIENT_ENV = {
  TOOLWRIGHT_GOOGLE_CLIENT_ID: 'toolwright-tests',
  TOOLWRIGHT_GOOGLE_CLIENT_SECRET: 'client-s3cret-of-the-tests',
};
/** Without `offline_access` this server gives no refresh token. */
export const SCOPES = ['offline_access', 'records.read'];
export const NETWORK = { allow: ['127.0.0.1'] };

export interface AuthorizationServer {
  readonly origin: string;
  readonly provider: Provider;
  /** The table with `google` on this server. */
  readonly providers: Providers;
  /** Seconds that access tokens live from now on. */
  ttl: number;
  /** Whether each renewal gives another refresh token, and takes the second use of one for a theft. */
  rotate: boolean;
  /** What the token endpoint does before it answers; it may answer itself. */
  before: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
  /** How often the token endpoint was asked to renew, and whether it did. */
  readonly renewals: boolean[];
  /** Every token and code that was given out. */
  readonly secrets: string[];
  close(): Promise<void>;
}

export async function authorizationServer(): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: CLIENT_ENV.TOOLWRIGHT_GOOGLE_CLIENT_ID,
        client_secret: CLIENT_ENV.TOOLWRIGHT_GOOGLE_CLIENT_SECRET,
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: ['openid', 'offline_access', 'records.read', 'records.write'],
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    cookies: { keys: ['only of the tests'] },
    ttl: { AccessToken: () => state.ttl, Interaction: 600, Session: 600, Grant: 3600, RefreshToken: 3600 },
    rotateRefreshToken: () => state.rotate,
  });
  const state: AuthorizationServer = {
    origin,
    provider,
    providers: {
      google: {
        ...PROVIDERS.google,
        issuer: origin,
        authorizationEndpoint: `${origin}/auth`,
        tokenEndpoint: `${origin}/token`,
        revocationEndpoint: `${origin}/token/revocation`,
      },
    },
    ttl: 3600,
    rotate: true,
    before: () => {},
    renewals: [],
    secrets: [CLIENT_ENV.TOOLWRIGHT_GOOGLE_CLIENT_SECRET],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  watch(state);
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (request.url === '/token') await state.before(request, response);
    if (!response.writableEnded && !request.socket.destroyed) answer(request, response);
  });
  return state;
}

function watch({ provider, renewals, secrets }: AuthorizationServer): void {
  const isRenewal = (parameters: unknown) =>
    (parameters as { grant_type?: string } | undefined)?.grant_type === 'refresh_token';
  provider.on('grant.success', (context) => {
    const { access_token, refresh_token, id_token } = context.body as Record<string, string>;
    secrets.push(...[access_token, refresh_token, id_token].filter((token) => token !== undefined));
    if (isRenewal(context.oidc.params)) renewals.push(true);
  });
  provider.on('grant.error', (context) => {
    if (isRenewal(context.oidc.params)) renewals.push(false);
  });
  provider.on('authorization_code.saved', (code) => secrets.push(code.jti));
}

/** 200 with a token of that server, on `/closed` 403, else 401; all of them quote the request back. */
export async function protectedApi({ provider }: AuthorizationServer): Promise<Loopback> {
  return serve(async (request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const known = await provider.AccessToken.find(token);
    const said = JSON.stringify({ you_sent: request.headers, token });
    if (known === undefined) response.writeHead(401, { 'www-authenticate': `Bearer error="${token}"` }).end(said);
    else if (request.url === '/closed') response.writeHead(403, { 'content-type': 'application/json' }).end(said);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(said);
  });
}

/** What the person does at the consent screen. */
type Deed = 'consent' | 'refuse';

/** Follows the consent screen as a browser does, cookies included; answers what the last page says. */
export async function browse(address: string, deed: Deed = 'consent'): Promise<string> {
  const cookies = new Map<string, string>();
  const origin = new URL(address).origin;
  const load = async (url: string, form?: Record<string, string>): Promise<string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) return load(new URL(location, url).href);
    const page = await response.text();
    if (new URL(url).origin !== origin) return page;
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`the consent screen says: ${page.replace(/<style.*?<\/style>/gs, '')}`);
    if (deed === 'refuse') return load(`${new URL(action, url).href}/abort`);
    return load(
      new URL(action, url).href,
      page.includes('value="login"') ? { prompt: 'login', login: 'nurse', password: 'x' } : { prompt: 'consent' },
    );
  };
  return load(address);
}
