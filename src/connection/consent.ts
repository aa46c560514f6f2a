// The consent of a person: the screen of the provider, the redirect back to this machine, the tokens for it.
import { Failure } from '../base/failure.js';
import { CONSENT_LIMITS } from '../base/limits.js';
import { counted } from '../base/text.js';
import { redirected } from './loopback.js';
import type { Asked } from './oauth.js';
import type { Party } from './oauth-client.js';
import type { Tokens } from './tokens.js';

export interface Screen {
  /** Shows the person where to consent. */
  readonly show: (url: string) => void | Promise<void>;
  /** How long the person may take; 300 by default. */
  readonly seconds?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

export interface Consented {
  readonly tokens: Tokens;
  /** Those that were granted. */
  readonly scopes: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Asks a person for these scopes, and waits.
 * @throws Failure `consent-failed`; of the exchange of the code `fetch-failed`, `fetch-timeout`, `address-refused`.
 */
export async function consent(party: Party, scopes: readonly string[], screen: Screen): Promise<Consented> {
  const { ask } = await import('./oauth.js');
  let asked: Asked | undefined;
  const parameters = await inTime(screen, (signal) =>
    redirected(async (redirectUri) => {
      asked = await ask(party, scopes, redirectUri);
      await screen.show(asked.url);
    }, signal),
  );
  // `redirected` has called back before it answers.
  const granted = await (asked as unknown as Asked).redeem(parameters);
  return { ...granted, warnings: withheld(party, scopes, granted.scopes) };
}

async function inTime<T>(
  { seconds = CONSENT_LIMITS.consent, signal }: Screen,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const endWith = (message: string) => end.abort(new Failure('consent-failed', message));
  const cancel = () => endWith('the consent was cancelled');
  const timer = setTimeout(() => endWith(`nobody consented within ${counted(seconds, 'second')}`), seconds * 1000);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted === true) cancel();
  try {
    return await work(end.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** A person may grant less than was asked. */
function withheld({ provider }: Party, asked: readonly string[], granted: readonly string[]): readonly string[] {
  const missing = asked.filter(
    (scope) =>
      !granted.includes(scope) &&
      !(Object.hasOwn(provider.aliases, scope) && granted.includes(provider.aliases[scope] ?? '')),
  );
  return missing.map((scope) => `the scope ${scope} was not granted`);
}
