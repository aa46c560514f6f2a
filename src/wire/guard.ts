// The guard of one exchange: what may be asked of a URL, and the addresses of its host, each of them vetted.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Failure } from '../base/failure.js';
import { cut, quoted } from '../base/text.js';
import { bareHost, isPublicAddress, isRefusedPort, refusedHostname } from './address.js';

/** Resolves a host name to all its addresses, as IP literals. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** A host with the only addresses that may be connected to. */
export interface Vetted {
  readonly url: URL;
  /** As the look-up has them; one of them at least. */
  readonly addresses: readonly string[];
  /** The guard is lifted for the host. */
  readonly lifted: boolean;
}

/** How much of a host a message shows; a redirect may name a longer one. */
export const HOST_CHARACTERS = 100;

/** @throws Failure `invalid-url`. */
export function checkUrl(url: URL, target: string | undefined): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Failure('invalid-url', `a URL of ${quoted(url.protocol, 20)} cannot be called; http and https can`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure(
      'invalid-url',
      `the URL of ${cut(url.host, HOST_CHARACTERS)} holds a user name or a password; neither is allowed`,
    );
  }
  if (target !== undefined && !target.startsWith('/')) {
    throw new Failure(
      'invalid-url',
      `the request target for ${cut(url.host, HOST_CHARACTERS)} does not begin with a slash`,
    );
  }
}

/** True where the guard is lifted for the host of a URL: by `host` or `host:port`. */
export function isLifted(url: URL, allow: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  const forms = [host, shown, `${shown}:${portOf(url)}`];
  return allow.some((entry) => forms.includes(entry.toLowerCase()));
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/**
 * All that can be said without asking the network.
 * @throws Failure `address-refused`.
 */
export function checkHost(url: URL): void {
  const host = bareHost(url.hostname);
  if (isRefusedPort(portOf(url))) throw refused(url, `is asked for on port ${portOf(url)}, which is not one of HTTP`);
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw notPublic(url);
    return;
  }
  const reason = refusedHostname(host);
  if (reason !== null) throw refused(url, reason);
}

function refused(url: URL, reason: string): Failure {
  const host = cut(url.hostname, HOST_CHARACTERS);
  return new Failure('address-refused', `the host ${host} ${reason}`, { host });
}

export function notPublic(url: URL): Failure {
  return refused(url, 'leads to an address that is not on the public internet');
}

/** A host that is an address itself, which `checkHost` has judged; undefined for a name. */
export function literal(url: URL, lifted: boolean): Vetted | undefined {
  const host = bareHost(url.hostname);
  return isIP(host) === 0 ? undefined : { url, addresses: [host], lifted };
}

/**
 * The addresses of a host name; one refused address refuses the host.
 * @throws Failure `address-refused`; the errors of the look-up.
 */
export async function vetted(url: URL, lifted: boolean, lookup: Lookup = systemAddresses): Promise<Vetted> {
  const addresses = await lookup(bareHost(url.hostname));
  if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  if (!lifted && !addresses.every(isPublicAddress)) throw notPublic(url);
  return { url, addresses, lifted };
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
