// The guard's judgement of addresses, names and ports, over the whole table.
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bareHost, isPublicAddress, isRefusedPort, refusedHostname } from '../../src/wire/address.js';
import { INWARD_NAMES, PUBLIC_HOSTS, REFUSED_HOSTS, REFUSED_PORTS } from './ssrf-table.js';

/** The judgement without DNS: an address by itself, a name by its form. */
function isRefused(written: string): boolean {
  const host = bareHost(new URL(`http://${written}/`).hostname);
  return isIP(host) === 0 ? refusedHostname(host) !== null : !isPublicAddress(host);
}

describe('the table', () => {
  for (const [group, hosts] of Object.entries(REFUSED_HOSTS)) {
    it.each(hosts)(`refuses ${group}: %s`, (host) => expect(isRefused(host)).toBe(true));
  }
  it.each(PUBLIC_HOSTS)('allows the neighbour %s', (host) => expect(isRefused(host)).toBe(false));
  it.each(Object.entries(INWARD_NAMES))('leaves %s to its addresses', (name, addresses) => {
    expect(refusedHostname(name)).toBeNull();
    expect(addresses.every(isPublicAddress)).toBe(false);
  });
});

describe('isPublicAddress', () => {
  it.each([
    '',
    'example.com',
    '8.8.8',
    '0x08.8.8.8',
    '134744072',
    '08.8.8.8',
    ' 8.8.8.8',
    '8.8.8.8:80',
    '[2606:4700:4700::1111]',
    'fe80::1%eth0',
    '2606:4700:4700::1111%eth0',
  ])('refuses %j, which is no plain literal', (text) => expect(isPublicAddress(text)).toBe(false));

  it('refuses every address of the private blocks and none beside them', () => {
    for (let octet = 0; octet < 256; octet += 1) {
      expect(isPublicAddress(`10.${octet}.0.1`)).toBe(false);
      expect(isPublicAddress(`127.${octet}.0.1`)).toBe(false);
      expect(isPublicAddress(`169.254.${octet}.1`)).toBe(false);
      expect(isPublicAddress(`172.${octet}.0.1`)).toBe(octet < 16 || octet > 31);
      expect(isPublicAddress(`100.${octet}.0.1`)).toBe(octet < 64 || octet > 127);
      expect(isPublicAddress(`${octet}.1.1.1`)).toBe(octet > 0 && octet !== 10 && octet !== 127 && octet < 224);
    }
  });
});

describe('refusedHostname', () => {
  it.each(['example.com', 'api.example.com.', 'localhost.example.com', 'notlocal.example', 'mylocalhost.example.net'])(
    'leaves %s to its addresses',
    (name) => expect(refusedHostname(name)).toBeNull(),
  );
  it.each(['', '.', '..', 'a.', 'x.LOCALHOST..', `localhost${'.'.repeat(40)}`, 'deep.name.internal.'])(
    'refuses %j',
    (name) => expect(refusedHostname(name)).not.toBeNull(),
  );
});

describe('isRefusedPort', () => {
  it.each(REFUSED_PORTS)('refuses %i', (port) => expect(isRefusedPort(port)).toBe(true));
  it.each([80, 443, 3000, 8000, 8080, 8443])('allows %i', (port) => expect(isRefusedPort(port)).toBe(false));
});
