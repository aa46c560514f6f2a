// Opening a description from every source: bounds, encodings, and a network full of traps.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { DEFAULT_LIMITS, type Limits, withLimits } from '../../src/base/limits.js';
import type { Network, Source } from '../../src/document/document.js';
import { type OpenOptions, open } from '../../src/document/open.js';
import type { Lookup } from '../../src/wire/exchange.js';
import { type Loopback, serve, sink } from '../wire/loopback.js';
import { INWARD_NAMES, REFUSED_HOSTS, REFUSED_PORTS, REFUSED_URLS } from '../wire/ssrf-table.js';

const TEXT = '{"openapi":"3.1.0","info":{"title":"Zoë’s clinic"}}';
const BOUND = DEFAULT_LIMITS.description_bytes;

async function refusal(source: Source, options: Partial<OpenOptions> = {}): Promise<Failure> {
  const error: unknown = await open(source, { limits: DEFAULT_LIMITS, ...options }).catch((thrown) => thrown);
  if (!(error instanceof Failure)) return expect.unreachable(`not a Failure: ${String(error)}`);
  expect(error.message).toMatch(/^[^\n]{1,400}$/);
  return error;
}

describe('the source', () => {
  it.each([
    [{}],
    [{ file: 'a', url: 'b' }],
    [{ file: 'a', url: 'b', document: 'c' }],
    [{ file: undefined }],
    [{ url: 1 }],
  ])('refuses %j', async (source) => {
    expect((await refusal(source as unknown as Source)).code).toBe('bad-request');
  });

  it('takes one source beside undefined ones', async () => {
    const source = { document: TEXT, url: undefined } as unknown as Source;
    expect((await open(source, { limits: DEFAULT_LIMITS })).text).toBe(TEXT);
  });
});

describe('a text', () => {
  const document = (text: string, description_bytes = BOUND) =>
    open({ document: text }, { limits: withLimits({ description_bytes }) });

  it('is itself, without a byte order mark', async () => {
    expect(await document(TEXT)).toEqual({ text: TEXT, name: 'the document' });
    expect((await document(`\ufeff${TEXT}`)).text).toBe(TEXT);
  });

  it('is measured in bytes', async () => {
    expect((await document('ééé', 6)).text).toBe('ééé');
    await expect(document('ééé', 5)).rejects.toMatchObject({
      code: 'source-too-large',
      message: 'the description is 6 bytes; at most 5 are read',
    });
  });
});

describe('a file', () => {
  let folder: string;
  const path = (name: string) => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'open-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function file(name: string, content: string | Uint8Array): Source {
    writeFileSync(path(name), content);
    return { file: path(name) };
  }

  it('is read whole', async () => {
    const opened = await open(file('a.json', TEXT), { limits: DEFAULT_LIMITS });
    expect(opened).toEqual({ text: TEXT, path: join(folder, 'a.json'), name: expect.stringContaining('a.json"') });
  });

  it('is read at the bound and refused one byte past it', async () => {
    const source = file('big.json', '');
    truncateSync(path('big.json'), BOUND);
    expect((await open(source, { limits: DEFAULT_LIMITS })).text.length).toBe(BOUND);
    truncateSync(path('big.json'), BOUND + 1);
    const failure = await refusal(source);
    expect(failure.message).toBe('the description is 16,777,217 bytes; at most 16,777,216 are read');
    expect(failure).toMatchObject({ code: 'source-too-large', data: { limit: 'description_bytes', bytes: BOUND + 1 } });
    truncateSync(path('big.json'), 2 ** 40);
    expect((await refusal(source)).code).toBe('source-too-large');
  });

  it.skipIf(process.platform !== 'linux')('may be one whose size is not told', async () => {
    const { text } = await open({ file: '/proc/self/status' }, { limits: DEFAULT_LIMITS });
    expect(text).toContain('Name:');
  });

  it.skipIf(process.platform === 'win32')('is cut off at the bound where it never ends', async () => {
    const failure = await refusal({ file: '/dev/zero' });
    expect(failure.message).toBe('the description is at least 16,777,217 bytes; at most 16,777,216 are read');
  });

  it.each([
    ['missing', 'nowhere.json', 'there is no file'],
    ['under a file', 'a.json/b', 'there is no file'],
    ['a directory', '.', 'is a directory'],
    ['without a name', '', 'there is no file'],
    ['named with a zero byte', 'a\0b', 'could not be read'],
  ])('%s is one clear sentence', async (_case, name, words) => {
    const failure = await refusal({ file: name === '' ? '' : path(name) });
    expect(failure.code).toBe('source-unreadable');
    expect(failure.message).toContain(words);
    expect(failure.message).not.toContain('\0');
  });

  const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
  const UTF16 = Buffer.from(TEXT, 'utf16le');
  const utf32 = Buffer.from([...TEXT].flatMap((character) => [character.charCodeAt(0) & 0xff, 0, 0, 0]));
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  it('loses a UTF-8 byte order mark', async () => {
    const source = file('bom.json', Buffer.concat([UTF8_BOM, Buffer.from(TEXT)]));
    expect((await open(source, { limits: DEFAULT_LIMITS })).text).toBe(TEXT);
  });

  it.each([
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), UTF16]), 'UTF-16'],
    ['big-endian UTF-16 with a mark', Buffer.concat([Buffer.from([0xfe, 0xff]), swapped(UTF16)]), 'UTF-16'],
    ['UTF-16', UTF16, 'UTF-16'],
    ['big-endian UTF-16', swapped(UTF16), 'UTF-16'],
    ['UTF-32 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf32]), 'UTF-32'],
    ['UTF-32', utf32, 'UTF-32'],
    ['big-endian UTF-32', Buffer.from(utf32).swap32(), 'UTF-32'],
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1'), 'not UTF-8'],
    ['a cut sequence', Buffer.from('{"a":"é"}').subarray(0, 7), 'not UTF-8'],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'not UTF-8'],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'not UTF-8'],
  ])('in %s is refused', async (_case, bytes, words) => {
    const failure = await refusal(file('encoded.json', bytes));
    expect(failure.code).toBe('not-utf8');
    expect(failure.message).toContain(words);
  });

  it.each([
    ['a zip archive', Buffer.from('PK\x03\x04....')],
    ['a gzip file', gzipSync(TEXT)],
    ['a PDF file', Buffer.from('%PDF-1.7\n')],
  ])('is named where it is %s', async (found, bytes) => {
    expect(await refusal(file('packed', bytes))).toMatchObject({ code: 'not-a-description', data: { found } });
  });
});

describe('the standard input', () => {
  const piped = (stdin: AsyncIterable<Uint8Array | string>) => ({ limits: DEFAULT_LIMITS, stdin });

  it('is read to its end', async () => {
    const bytes = Buffer.from(TEXT);
    const stdin = Readable.from([bytes.subarray(0, 41), bytes.subarray(41)]);
    expect(await open({ file: '-' }, piped(stdin))).toEqual({ text: TEXT, name: 'the standard input' });
    expect((await open({ file: '-' }, piped(Readable.from([TEXT])))).text).toBe(TEXT);
    expect((await open({ file: '-' }, piped(Readable.from([])))).text).toBe('');
  });

  it('is cut off at the bound and closed', async () => {
    let given = 0;
    const stdin = new Readable({
      read() {
        given += 64_000;
        this.push(Buffer.alloc(64_000, ' '));
      },
    });
    const failure = await refusal({ file: '-' }, piped(stdin));
    expect(failure.message).toBe('the description is at least 16,777,217 bytes; at most 16,777,216 are read');
    expect(given).toBeLessThan(BOUND + 1_000_000);
    expect(stdin.destroyed).toBe(true);
  });

  it('that breaks is one sentence', async () => {
    const stdin = new Readable({ read: () => stdin.destroy(Object.assign(new Error('x'), { code: 'EIO' })) });
    const failure = await refusal({ file: '-' }, piped(stdin));
    expect(failure).toMatchObject({ code: 'source-unreadable', message: 'the standard input could not be read (EIO)' });
  });
});

describe('a URL', () => {
  const servers: Loopback[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function upstream(listener: RequestListener, host?: string): Promise<Loopback> {
    const server = await serve(listener, host);
    servers.push(server);
    return server;
  }

  const lookup: Lookup = async () => ['127.0.0.1'];
  const options = (limits: Partial<Limits> = {}, network: Network = { allow: ['127.0.0.1'] }): OpenOptions => ({
    limits: withLimits(limits),
    network,
  });

  it('is fetched', async () => {
    let seen: IncomingMessage | undefined;
    const server = await upstream((request, response) => {
      seen = request;
      response.end(TEXT);
    });
    const opened = await open({ url: `${server.origin}/a/b.json?token=s3cret#part` }, options());
    expect(opened).toEqual({
      text: TEXT,
      url: `${server.origin}/a/b.json?token=s3cret`,
      name: `${server.origin}/a/b.json`,
    });
    expect(seen?.url).toBe('/a/b.json?token=s3cret');
    expect(seen?.headers.accept).toBe('application/json, */*;q=0.5');
    expect(seen?.headers['accept-encoding']).toBe('gzip, br');
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
  ])('is unpacked from %s', async (coding, bytes) => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect((await open({ url: server.origin }, options())).text).toBe(TEXT);
  });

  it('may be served under any content type', async () => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(TEXT),
    );
    expect((await open({ url: server.origin }, options())).text).toBe(TEXT);
  });

  describe('past the bound', () => {
    it('is refused by the length it announces', async () => {
      const server = await upstream((_request, response) => {
        response.writeHead(200, { 'content-length': 20_300_112 }).flushHeaders();
      });
      const failure = await refusal({ url: server.origin }, options());
      expect(failure.message).toBe('the description is 20,300,112 bytes; at most 16,777,216 are read');
    });

    it.each([
      ['gzip', gzipSync(Buffer.alloc(200_000_000, ' '))],
      ['br', brotliCompressSync(Buffer.alloc(100_000_000, ' '))],
    ])('is refused where %s unpacks to too much', async (coding, bytes) => {
      const server = await upstream((_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(bytes),
      );
      const failure = await refusal({ url: server.origin }, options());
      expect(failure.code).toBe('source-too-large');
      expect(failure.message).toContain('at least 16,777,217 bytes');
    });

    it('is cut off where it never ends', async () => {
      let closed = false;
      const server = await upstream((_request, response) => {
        response.on('close', () => {
          closed = true;
        });
        const more = () => {
          while (!closed && response.write(' '.repeat(64_000)));
        };
        response.on('drain', more);
        more();
      });
      expect((await refusal({ url: server.origin }, options())).code).toBe('source-too-large');
      await expect.poll(() => closed).toBe(true);
    });

    it('is exact', async () => {
      const server = await upstream((_request, response) => {
        response.write('12345');
        response.end('67890');
      });
      expect((await open({ url: server.origin }, options({ description_bytes: 10 }))).text).toBe('1234567890');
      expect((await refusal({ url: server.origin }, options({ description_bytes: 9 }))).code).toBe('source-too-large');
    });
  });

  describe('that stalls', () => {
    const stalls: readonly (readonly [string, RequestListener])[] = [
      ['before the headers', () => {}],
      ['inside the body', (_request, response) => response.write('{')],
      ['drop by drop', (_request, response) => drip(response)],
      ['in redirects', (_request, response) => setTimeout(() => response.writeHead(302, { location: '/' }).end(), 400)],
    ];
    it.each(stalls)('%s is refused in time', async (_case, listener) => {
      const server = await upstream(listener);
      const started = performance.now();
      const failure = await refusal({ url: `${server.origin}/a?b=c` }, options({ fetch_seconds: 1 }));
      expect(performance.now() - started).toBeLessThan(15_000);
      expect(failure).toMatchObject({
        code: 'fetch-timeout',
        message: `${server.origin}/a was not read within 1 second`,
      });
      await expect.poll(() => server.openSockets()).toBe(0);
    });

    it('in the look-up is refused in time', async () => {
      const hanging: Lookup = () => new Promise(() => {});
      const failure = await refusal(
        { url: 'http://slow.example/' },
        options({ fetch_seconds: 1 }, { lookup: hanging }),
      );
      expect(failure.code).toBe('fetch-timeout');
    });
  });

  describe('that answers something else', () => {
    it.each([401, 403])('of status %i asks for a sign-in', async (status) => {
      const server = await upstream((_request, response) => response.writeHead(status).end('no'));
      const failure = await refusal({ url: `${server.origin}/spec?key=s3cret` }, options());
      expect(failure).toMatchObject({ code: 'fetch-unauthorized', data: { status } });
      expect(failure.message).toContain(`${server.origin}/spec answered ${status}`);
      expect(failure.message).toContain('sign-in');
      expect(failure.message).not.toContain('s3cret');
    });

    it.each([400, 404, 410, 429, 500, 503, 300, 304])('of status %i fails naming it', async (status) => {
      const server = await upstream((_request, response) => response.writeHead(status).end());
      const failure = await refusal({ url: server.origin }, options());
      expect(failure).toMatchObject({ code: 'fetch-failed', data: { status } });
      expect(failure.message).toContain(String(status));
    });

    const page = (title: string) => `<!-- hi -->\n<!DOCTYPE html><html><head><title>${title}</title></head></html>`;
    it.each(['Sign in', 'Log in · Git', 'Login', 'Acme SSO', 'Please sign-in'])(
      'is a sign-in page by its title %s',
      async (title) => {
        const server = await upstream((_request, response) =>
          response.writeHead(200, { 'content-type': 'text/html' }).end(page(title)),
        );
        const failure = await refusal({ url: server.origin }, options());
        expect(failure.code).toBe('fetch-unauthorized');
      },
    );

    it('is a sign-in page on another host', async () => {
      const login = await upstream((_request, response) => response.end(page('Welcome')));
      const server = await upstream((_request, response) => {
        response.writeHead(302, { location: `${login.origin}/go?return=s3cret` }).end();
      });
      const failure = await refusal({ url: `${server.origin}/spec` }, options());
      expect(failure.code).toBe('fetch-unauthorized');
      expect(failure.message).toMatch(
        /\/go answered an HTML page \(content type .*\) to sign in at: a sign-in is needed/,
      );
      expect(failure.message).toContain(`${login.origin}/go`);
      expect(failure.message).not.toContain('s3cret');
    });

    it('is an HTML page', async () => {
      const server = await upstream((_request, response) => {
        response
          .writeHead(200, { 'content-type': 'text/html; charset=latin1' })
          .end(Buffer.from(page('Caf\xe9'), 'latin1'));
      });
      const failure = await refusal({ url: `${server.origin}/docs` }, options());
      expect(failure.code).toBe('not-a-description');
      expect(failure.message).toBe(
        `${server.origin}/docs answered an HTML page (content type "text/html; charset=latin1") instead of a description`,
      );
    });

    it('or refuses the connection', async () => {
      const server = await sink();
      await server.close();
      expect((await refusal({ url: server.origin }, options())).code).toBe('fetch-failed');
    });

    it('or whose host does not exist', async () => {
      const missing: Lookup = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
      const failure = await refusal({ url: 'http://nowhere.example/' }, options({}, { lookup: missing }));
      expect(failure).toMatchObject({ code: 'fetch-failed', message: 'the host nowhere.example could not be found' });
    });
  });

  describe('that redirects', () => {
    const hops =
      (count: number): RequestListener =>
      (request, response) => {
        const hop = Number(request.url?.split('?')[0]?.slice(1));
        if (hop < count) response.writeHead(302, { location: `/${hop + 1}?x=1` }).end('moved');
        else response.end(TEXT);
      };

    it.each([301, 302, 303, 307, 308])('by %i is followed', async (status) => {
      const server = await upstream((request, response) => {
        if (request.url === '/') response.writeHead(status, { location: 'a/b.json?c=d#e' }).end();
        else response.end(TEXT);
      });
      expect((await open({ url: server.origin }, options())).url).toBe(`${server.origin}/a/b.json?c=d`);
    });

    it('three times is followed, four times is not', async () => {
      const three = await upstream(hops(3));
      expect((await open({ url: `${three.origin}/0` }, options())).name).toBe(`${three.origin}/3`);
      const four = await upstream(hops(4));
      const failure = await refusal({ url: `${four.origin}/0` }, options());
      expect(failure).toMatchObject({ code: 'fetch-failed', message: `${four.origin}/0 redirects more than 3 times` });
      expect(four.sockets()).toBe(4);
    });

    it('does not read the body of the redirect', async () => {
      const server = await upstream((request, response) => {
        if (request.url !== '/') response.end(TEXT);
        else response.writeHead(302, { location: '/next' }).write('never ends');
      });
      expect((await open({ url: server.origin }, options())).text).toBe(TEXT);
    });

    it.each(['http://[::1', 'http://', 'http://256.1.1.1/'])('to %j fails', async (location) => {
      const server = await upstream((_request, response) => response.writeHead(302, { location }).end());
      expect((await refusal({ url: server.origin }, options())).code).toBe('fetch-failed');
    });

    it('to nowhere fails by its status', async () => {
      const server = await upstream((_request, response) => response.writeHead(302).end());
      expect(await refusal({ url: server.origin }, options())).toMatchObject({
        code: 'fetch-failed',
        data: { status: 302 },
      });
    });

    it('by a Refresh header is not followed', async () => {
      const server = await upstream((_request, response) => {
        response.writeHead(200, { refresh: '0; url=http://169.254.169.254/' }).end(TEXT);
      });
      expect((await open({ url: server.origin }, options())).text).toBe(TEXT);
      expect(server.sockets()).toBe(1);
    });

    it('to a host with a long name keeps the message short', async () => {
      const location = `http://${'a'.repeat(9_000)}/`;
      const server = await upstream((_request, response) => response.writeHead(302, { location }).end());
      expect((await refusal({ url: server.origin }, options())).code).toBe('address-refused');
    });

    it.each([
      `${'x'.repeat(9_000)}:y`,
      'file:///etc/passwd',
      'data:application/json,{}',
      'ftp://example.com/',
      'http://user@example.com/',
    ])('to %s is refused', async (location) => {
      const server = await upstream((_request, response) => response.writeHead(302, { location }).end());
      expect((await refusal({ url: server.origin }, options())).code).toBe('invalid-url');
    });
  });

  describe('that leads inward', () => {
    const targets = Object.values(REFUSED_HOSTS).flat();
    let traps: Loopback[] = [];
    let port = 0;
    beforeAll(async () => {
      const first = await sink();
      port = first.port;
      traps = [first, await sink('127.0.0.2', port), await sink('::1', port)];
    });
    afterAll(async () => {
      for (const trap of traps) await trap.close();
    });
    const opened = () => traps.reduce((sum, trap) => sum + trap.sockets(), 0);

    it('opens no socket for any host of the table', async () => {
      for (const host of targets) {
        const failure = await refusal({ url: `http://${host}:${port}/a?s3cret` }, options({}, { lookup }));
        expect(failure.code, host).toBe('address-refused');
        expect(failure.message).not.toContain('s3cret');
      }
      expect(opened()).toBe(0);
    });

    it('opens no socket for any host of the table that a redirect names', async () => {
      let location = '';
      const server = await upstream((_request, response) => response.writeHead(302, { location }).end());
      // Node writes a header in Latin-1; a browser's redirect would hold the canonical form anyway.
      for (const host of targets.filter((target) => /^[ -~]+$/.test(target))) {
        for (const written of [`http://${host}:${port}/`, `//${host}:${port}/`, `\\\\${host}:${port}\\`]) {
          location = written;
          const network = { allow: [`127.0.0.1:${server.port}`], lookup };
          expect((await refusal({ url: server.origin }, options({}, network))).code, written).toBe('address-refused');
        }
      }
      for (const status of [301, 302, 303, 307, 308]) {
        const other = await upstream((_request, response) => {
          response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
        });
        const network = { allow: [`127.0.0.1:${other.port}`], lookup };
        expect((await refusal({ url: other.origin }, options({}, network))).code).toBe('address-refused');
      }
      expect(opened()).toBe(0);
    }, 30_000);

    it.each(REFUSED_URLS)('refuses %j', async (url) => {
      const { code } = await refusal({ url }, options({}, { lookup }));
      expect(['address-refused', 'invalid-url']).toContain(code);
    });

    it.each([
      ['http://example.com\\@127.0.0.1/', 'example.com'],
      ['http://example.com#@127.0.0.1/', 'example.com'],
      ['http://exa%6dple.com/', 'example.com'],
      ['http://EXAMPLE.com./', 'example.com'],
    ])('reads the host of %s as %s', async (url, host) => {
      const asked: string[] = [];
      const network: Network = {
        lookup: async (name) => {
          asked.push(name);
          return ['127.0.0.1'];
        },
      };
      expect((await refusal({ url }, options({}, network))).code).toBe('address-refused');
      expect(asked).toEqual([host]);
    });

    it.each(REFUSED_PORTS)('refuses port %i of a public host', async (refused) => {
      expect((await refusal({ url: `http://8.8.8.8:${refused}/` }, options({}, { lookup }))).code).toBe(
        'address-refused',
      );
      expect((await refusal({ url: `https://example.com:${refused}/` }, options({}, { lookup }))).code).toBe(
        'address-refused',
      );
    });

    it.each(Object.entries(INWARD_NAMES))('refuses %s by what it resolves to', async (name, addresses) => {
      const network: Network = { lookup: async () => addresses };
      expect((await refusal({ url: `http://${name}:${port}/` }, options({}, network))).code).toBe('address-refused');
    });

    const many = (last: string) => [...Array.from({ length: 59 }, (_, index) => `8.8.4.${index}`), last];
    it.each([
      ['one private', ['10.0.0.1']],
      ['public, then private', ['8.8.8.8', '10.0.0.1']],
      ['private, then public', ['10.0.0.1', '8.8.8.8']],
      ['public A and loopback AAAA', ['8.8.8.8', '::1']],
      ['public A and unique-local AAAA', ['8.8.8.8', 'fd00:ec2::254']],
      ['public AAAA and private A', ['2606:4700:4700::1111', '192.168.0.1']],
      ['mapped', ['::ffff:127.0.0.1']],
      ['NAT64', ['64:ff9b::7f00:1']],
      ['6to4', ['2002:7f00:1::']],
      ['metadata', ['169.254.169.254']],
      ['the wire server of a cloud', ['168.63.129.16']],
      ['with a zone', ['fe80::1%lo']],
      ['unspecified', ['0.0.0.0']],
      ['unspecified 6', ['::']],
      ['60 addresses of which the last is private', many('127.0.0.1')],
      ['no address but a name', ['localhost']],
      ['an odd spelling', ['0x7f.1']],
      ['an empty text', ['']],
    ])('refuses a resolver that answers %s', async (_case, addresses) => {
      const network: Network = { lookup: async () => addresses };
      expect((await refusal({ url: `http://api.example.com:${port}/` }, options({}, network))).code).toBe(
        'address-refused',
      );
      expect(opened()).toBe(0);
    });

    it.each([
      ['nothing', async () => []],
      ['an error', async () => Promise.reject(Object.assign(new Error('x'), { code: 'EAI_AGAIN' }))],
      ['a timeout of its own', async () => Promise.reject(Object.assign(new Error('x'), { code: 'ETIMEOUT' }))],
      ['no Error', async () => Promise.reject('x')],
    ] as [string, Lookup][])('fails where the resolver answers %s', async (_case, answer) => {
      const failure = await refusal({ url: `http://api.example.com:${port}/` }, options({}, { lookup: answer }));
      expect(failure.code).toBe('fetch-failed');
    });

    it('checks the same name again at a redirect to another port', async () => {
      let asked = 0;
      const server = await upstream((_request, response) => {
        response.writeHead(302, { location: `http://turning.example:${port}/` }).end();
      });
      const counted: Lookup = async () => {
        asked += 1;
        return ['127.0.0.1'];
      };
      const network: Network = { allow: [`turning.example:${server.port}`], lookup: counted };
      const failure = await refusal({ url: `http://turning.example:${server.port}/` }, options({}, network));
      expect(failure.code).toBe('address-refused');
      expect(asked).toBe(2);
      expect(server.sockets()).toBe(1);
      expect(opened()).toBe(0);
    });

    it('connects to what was vetted, not to what a second look-up says', async () => {
      const answers = [['3ffe::1'], ['127.0.0.1']];
      let asked = 0;
      const network: Network = { lookup: async () => answers[asked++] ?? ['127.0.0.1'] };
      await refusal({ url: `http://rebind.example:${port}/` }, options({ fetch_seconds: 1 }, network));
      expect(asked).toBe(1);
      expect(opened()).toBe(0);
    });
  });
});

function drip(response: NodeJS.WritableStream): void {
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}
