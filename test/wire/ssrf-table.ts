// Hosts as an attacker writes them, by group; each is the host of a URL. Shared by the tests of every entry point.

export const REFUSED_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'IPv4 loopback forms': [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '017700000001', '0177.0.0.1', '0x7f000001', '0x7f.0.0.1'],
    ...['0x7f.1', '127.0.0.1.', '127.000.000.001', '①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1'],
    ...['127.127.127.127', '127.255.255.254', '127.0.0.2', '0177.1', '127.0.0.1..', '%31%32%37.0.0.1', '127.0.0.%31'],
  ],
  unspecified: ['0', '0.0.0.0', '0.1.2.3', '[::]'],
  'loopback names': [
    ...['localhost', 'localhost.', 'LOCALHOST', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'foo.localhost', 'FOO.LocalHost.', 'ip6-localhost'],
    ...['ip6-loopback', 'localhost.localdomain', 'db.localdomain', 'host.docker.internal', 'gateway.docker.internal'],
    ...['kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'api.internal', 'printer.local'],
    ...['metadata.platformequinix.com', 'x.localhost.', 'router.home.arpa', 'intranet', 'kubernetes', 'a', 'xn--a-0ga'],
  ],
  'IPv6 loopback and mapped': [
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]'],
    ...['[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]', '[0:0:0:0:0:ffff:7f00:1]'],
  ],
  'IPv6 that carries IPv4': [
    ...['[::127.0.0.1]', '[::7f00:1]', '[::a9fe:a9fe]', '[::8.8.8.8]', '[::ffff:0:7f00:1]', '[::ffff:0:808:808]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::808:808]', '[64:ff9b:1::a9fe:a9fe]', '[64:ff9b:1:ffff::1]'],
    ...['[2002:7f00:1::]', '[2002:a9fe:a9fe::]', '[2002:808:808::1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
    ...['[2001:4860::5efe:7f00:1]', '[2001:4860::200:5efe:7f00:1]', '[2a00:1450:4001:80b:0:5efe:a00:1]'],
  ],
  'IPv6 special': [
    ...['[fe80::1]', '[febf::1]', '[fec0::1]', '[feff::1]', '[fc00::1]', '[fdff::1]', '[ff02::1]', '[ff0e::1]'],
    ...['[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]', '[100::1]', '[5f00::1]', '[2001:10::1]', '[2001:20::1]'],
    ...['[2001:2::1]', '[2001:3::1]', '[2001:30::1]', '[4000::1]', '[1::1]', '[2620:4f:8000::1]', '[200::1]'],
  ],
  metadata: [
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.170.2', '169.254.170.23'],
    ...['[fd00:ec2::254]', '100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd20:ce::254]', '169.254.0.1'],
    ...['metadata.google.internal', 'metadata', 'metadata.azure.internal', 'metadata.packet.net', 'instance-data'],
  ],
  'IPv4 private and special': [
    ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', '100.64.0.1'],
    ...['100.127.255.254', '192.0.0.1', '192.0.0.255', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
    ...['203.0.113.1', '192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...['2886729729', '0xc0a80001', '0xa.0.0.1', '012.0.0.1', '167772161', '3232235521', '0300.0250.0.1'],
  ],
};

export const PUBLIC_HOSTS: readonly string[] = [
  ...['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.1', '192.167.255.255', '192.169.0.1', '100.63.255.255'],
  ...['100.128.0.1', '126.255.255.255', '128.0.0.1', '8.8.8.8', '1.1.1.1', '168.63.129.15', '168.63.129.17'],
  ...['169.253.255.255', '169.255.0.1', '198.17.255.255', '198.20.0.1', '223.255.255.255', '192.0.1.1', '192.0.3.1'],
  ...['[2001:4860:4860::8888]', '[2606:4700:4700::1111]', '[2a00:1450:4001:80b::200e]', '[2600::]', '[2001:200::1]'],
  ...['[2001:db7::1]', '[2003::1]', '[2001:4860::5eff:7f00:1]'],
];

/** Names on public DNS that resolve inward, and what they resolve to. */
export const INWARD_NAMES: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1.nip.example': ['127.0.0.1'],
  '7f000001.nip.example': ['127.0.0.1'],
  'localtest.example': ['127.0.0.1', '::1'],
  '169.254.169.254.nip.example': ['169.254.169.254'],
  'make-1.2.3.4-rebind-169.254-169.254-rr.example': ['1.2.3.4', '169.254.169.254'],
};

/** Names that resolve to a public address, in spellings that another parser might read otherwise. */
const PUBLIC_NAMES: readonly string[] = ['example.com', 'exa%6dple.com', 'EXAMPLE.com.'];

/** Whole URLs that another parser might read otherwise, and ones that are no http(s) URL. */
export const REFUSED_URLS: readonly string[] = [
  ...['http:127.0.0.1', 'http:///127.0.0.1', 'http://127.0.0.1\t', ' http://127.0.0.1', 'http:\\\\127.0.0.1\\'],
  ...[
    'http://1.1.1.1@127.0.0.1/',
    'http://127.0.0.1@1.1.1.1/',
    'http://127.1.1.1:80\\@127.2.2.2:80/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1?@example.com/',
  ],
  ...['http://127.0.0.1%2f@example.com/', 'http://1.1.1.1 &@2.2.2.2# @3.3.3.3/', '//127.0.0.1/', '/\\127.0.0.1'],
  ...['http://256.0.0.1/', 'http://1.2.3.4.5/', 'http://127.0.0.1%00.example.com/', 'http://example.com:65536/'],
  ...[
    'http://[::1%25lo]/',
    'http://[fe80::1%25eth0]/',
    'http://',
    'http://?',
    '///127.0.0.1/',
    'example.com',
    '',
    'http://user@example.com/',
  ],
  ...[
    'https://:secret@example.com/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1/',
    'dict://127.0.0.1/',
  ],
  ...['ldap://127.0.0.1/', 'sftp://127.0.0.1/', 'tftp://127.0.0.1/', 'data:application/json,{}', 'javascript:alert(1)'],
  ...['blob:http://example.com/1', 'ws://example.com/', 'wss://example.com/', 'unix:/run/docker.sock'],
  ...['jar:http://example.com!/a', 'view-source:http://example.com', 'http+unix://%2Frun%2Fdocker.sock/'],
];

export const REFUSED_PORTS: readonly number[] = [
  0, 22, 23, 25, 110, 143, 445, 2375, 2379, 3306, 5432, 6379, 10250, 11211, 27017,
];

/** One URL that an entry point is given. */
export interface SsrfRow {
  readonly group: string;
  readonly url: string;
  /** What its name resolves to. */
  readonly addresses: readonly string[];
  readonly allowed: boolean;
}

/** The whole table; `port` is where the sinks listen. */
export function ssrfRows(port: number): readonly SsrfRow[] {
  const row = (group: string, url: string, allowed = false, addresses: readonly string[] = ['127.0.0.1']): SsrfRow => {
    return { group, url, addresses, allowed };
  };
  const outside = ['8.8.8.8'];
  return [
    ...Object.entries(REFUSED_HOSTS).flatMap(([group, hosts]) =>
      hosts.map((host) => row(group, `http://${host}:${port}/`)),
    ),
    ...Object.entries(INWARD_NAMES).map(([name, addresses]) =>
      row('names resolving inward', `http://${name}:${port}/`, false, addresses),
    ),
    ...REFUSED_URLS.map((url) => row('parser tricks and schemes', url)),
    ...REFUSED_PORTS.map((other) => row('ports', `http://example.com:${other}/`, false, outside)),
    ...PUBLIC_HOSTS.map((host) => row('neighbours', `http://${host}:8080/`, true)),
    ...PUBLIC_NAMES.map((name) => row('public names', `http://${name}:8080/`, true, outside)),
  ];
}
