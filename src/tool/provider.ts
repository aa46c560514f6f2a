// The accounts that a person consents to: whose APIs they open, and where their consent screen is. A further one is one entry.

/** A consent screen: an authorization server (RFC 6749) whose endpoints and customs are known beforehand. */
export interface ConsentProvider {
  /** What the `iss` of its answers has to be (RFC 9207). */
  readonly issuer: string;
  /** Domains of its APIs: these hosts and all below them. */
  readonly domains: readonly string[];
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** RFC 7009. */
  readonly revocationEndpoint?: string;
  /** What it wants in the address of the consent screen beside what the code flow has. */
  readonly parameters: { readonly [name: string]: string };
  /** Scopes that it grants under another name than they are asked for. */
  readonly aliases: { readonly [scope: string]: string };
  /** The environment variables of the OAuth client. */
  readonly clientVariables: { readonly id: string; readonly secret: string };
}

export const PROVIDERS = {
  google: {
    issuer: 'https://accounts.google.com',
    domains: ['googleapis.com'],
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
    // Without both there is a refresh token the first time at most.
    parameters: { access_type: 'offline', prompt: 'consent' },
    aliases: {
      email: 'https://www.googleapis.com/auth/userinfo.email',
      profile: 'https://www.googleapis.com/auth/userinfo.profile',
    },
    clientVariables: { id: 'TOOLWRIGHT_GOOGLE_CLIENT_ID', secret: 'TOOLWRIGHT_GOOGLE_CLIENT_SECRET' },
  },
} as const satisfies { readonly [name: string]: ConsentProvider };

export type ProviderName = keyof typeof PROVIDERS;
export type Providers = { readonly [name in ProviderName]: ConsentProvider };

/** In the order of the table. */
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

/** The provider whose account opens an API on that host. */
export function providerOf(hostname: string): ProviderName | undefined {
  return PROVIDER_NAMES.find((name) =>
    PROVIDERS[name].domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)),
  );
}
