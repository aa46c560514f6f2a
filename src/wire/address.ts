// Which addresses, host names and ports are on the public internet. Pure: nothing here asks the network.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only block of IPv6 from which public addresses are given (RFC 4291, section 2.4; IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses that the tables of special ranges call public, and that serve the machine or its cloud. */
const NOT_PUBLIC = new Set(['168.63.129.16', '100.100.100.200']);

/** Names that stand for this machine, a private network or the metadata service of a cloud, with all names below them. */
const REFUSED_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'home.arpa',
  'svc',
  'metadata.packet.net',
  'metadata.platformequinix.com',
];

/** Ports of other protocols: the bad ports of the Fetch standard, and services that would act on a line of HTTP. */
const REFUSED_PORTS = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[
    110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526,
  ],
  ...[530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723],
  ...[2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 6000, 6379, 6380, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 10080, 10250, 10255, 10256, 11211, 27017],
]);

/**
 * True for an IP literal (4 or 6, without brackets) that is public unicast. Every form of IPv6 that carries an IPv4
 * address (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) is refused, whatever it carries.
 */
export function isPublicAddress(address: string): boolean {
  // The parser of ipaddr.js also reads `127.1` and `0x7f000001`; a resolver never answers those.
  if (isIP(address) === 0 || address.includes('%') || NOT_PUBLIC.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed));
}

/** An interface identifier `0000:5efe` or `0200:5efe` (RFC 5214, section 6.1). */
function isIsatap(address: ipaddr.IPv6): boolean {
  return ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
}

/** A host as one writes it in a list: lower case, no brackets, no dot at the end. */
export function bareHost(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end -= 1;
  return host
    .slice(0, end)
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
}

/**
 * Why a host name (not an IP literal) is refused by its name alone, as the end of a sentence that begins with the host;
 * null where the addresses it resolves to decide.
 */
export function refusedHostname(hostname: string): string | null {
  const name = bareHost(hostname);
  if (REFUSED_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) {
    return 'is a name of this machine or of a private network';
  }
  return name.includes('.') ? null : 'is a name without a domain';
}

/** True for a port that no HTTP server on the public internet answers on. */
export function isRefusedPort(port: number): boolean {
  return REFUSED_PORTS.has(port);
}
