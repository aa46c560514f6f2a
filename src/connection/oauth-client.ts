// The OAuth client of a provider: what the deployment registered there, from the environment.
import { Failure } from '../base/failure.js';
import { type ConsentProvider, PROVIDERS, type ProviderName, type Providers } from '../tool/provider.js';
import type { ExchangeOptions } from '../wire/exchange.js';

export interface ConsentOptions {
  /** Where the consent screens are; those of the table by default. */
  readonly providers?: Providers;
  /** `process.env` by default. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Hosts for which the guard against private addresses is lifted. */
  readonly network?: Pick<ExchangeOptions, 'allow' | 'lookup'>;
}

/** A provider, and who asks it. */
export interface Party {
  readonly name: ProviderName;
  readonly provider: ConsentProvider;
  readonly client: { readonly id: string; readonly secret: string };
  readonly network: Pick<ExchangeOptions, 'allow' | 'lookup'>;
}

/** @throws Failure `no-oauth-client`. */
export function partyOf(
  name: ProviderName,
  { providers = PROVIDERS, env = process.env, network = {} }: ConsentOptions,
): Party {
  const provider = providers[name];
  const value = (variable: string): string => {
    const found = Object.hasOwn(env, variable) ? env[variable] : undefined;
    if (found !== undefined && found !== '') return found;
    const { id, secret } = provider.clientVariables;
    const message = `no OAuth client of ${name} is configured: ${variable} is not set (${id} and ${secret} hold it)`;
    throw new Failure('no-oauth-client', message, { provider: name, variable });
  };
  const client = { id: value(provider.clientVariables.id), secret: value(provider.clientVariables.secret) };
  return { name, provider, client, network };
}
