// One exchange against real loopback servers: what is sent, what is kept, what is refused, and that nothing stays open.
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/base/failure.js';
import {
  type Answer,
  type ExchangeOptions,
  type ExchangeRequest,
  exchange,
  type Lookup,
} from '../../src/wire/exchange.js';
import { type Loopback, serve, sink } from './loopback.js';

const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function upstream(listener: RequestListener, host?: string): Promise<Loopback> {
  const server = await serve(listener, host);
  servers.push(server);
  return server;
}

function call(
  url: string,
  options: Partial<ExchangeOptions> = {},
  request: Partial<ExchangeRequest> = {},
): Promise<Answer> {
  return exchange(
    { url: new URL(url), method: 'GET', ...request },
    { allow: ['127.0.0.1'], signal: AbortSignal.timeout(5_000), maxBytes: 1_000_000, ...options },
  );
}

async function refusal(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(
    () => expect.unreachable('it was not refused'),
    (error) => error,
  );
}

describe('what is sent', () => {
  it('sends method, headers, body and the path as written', async () => {
    const seen: unknown[] = [];
    const server = await upstream((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        seen.push(
          request.method,
          request.url,
          request.headers['x-a'],
          request.headers.host,
          Buffer.concat(chunks).toString(),
        );
        response.end('done');
      });
    });
    const target = "/a/../%2e%2e/b'c//d?x=%7E&y='";
    const answer = await call(server.origin, {}, { method: 'QUERY', headers: { 'X-A': '1' }, body: 'héllo', target });
    expect(seen).toEqual(['QUERY', target, '1', `127.0.0.1:${server.port}`, 'héllo']);
    expect(answer).toMatchObject({ status: 200, cut: false, body: Buffer.from('done') });
  });

  it('adds no header that names the sender', async () => {
    let names: string[] = [];
    const server = await upstream((request, response) => {
      names = Object.keys(request.headers);
      response.end();
    });
    await call(server.origin);
    expect(names.sort()).toEqual(['connection', 'host']);
  });

  it('uses no proxy of the environment', async () => {
    const proxy = await sink();
    servers.push(proxy);
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: proxy.origin, http_proxy: proxy.origin, ALL_PROXY: proxy.origin });
    try {
      const server = await upstream((_request, response) => response.end('direct'));
      expect((await call(server.origin)).body.toString()).toBe('direct');
      expect(proxy.sockets()).toBe(0);
    } finally {
      process.env = before;
    }
  });

  it.each(['http://evil.example/', 'relative', ''])('refuses the target %j', async (target) => {
    const server = await upstream((_request, response) => response.end());
    expect((await refusal(call(server.origin, {}, { target }))).code).toBe('invalid-url');
    expect(server.sockets()).toBe(0);
  });

  it('refuses a header value with a line break before anything is sent', async () => {
    const server = await upstream((_request, response) => response.end());
    expect((await refusal(call(server.origin, {}, { headers: { 'X-A': 'a\r\nX-B: b' } }))).code).toBe('fetch-failed');
    expect((await refusal(call(server.origin, {}, { target: '/a\r\nX-B: b' }))).code).toBe('fetch-failed');
    expect(server.sockets()).toBe(0);
  });
});

describe('what comes back', () => {
  it('does not follow a redirect', async () => {
    const server = await upstream((_request, response) => response.writeHead(302, { location: '/next' }).end());
    const answer = await call(server.origin);
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/next');
    expect(server.sockets()).toBe(1);
  });

  const text = 'wörds '.repeat(5_000);
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('undoes %s', async (coding, bytes) => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    const answer = await call(server.origin);
    expect(answer.body.toString()).toBe(text);
    expect(answer.cut).toBe(false);
  });

  it.each(['zstd', 'gzip, gzip, gzip, gzip', 'compress'])('names the coding %s as not read', async (coding) => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end('x'),
    );
    const failure = await refusal(call(server.origin));
    expect(failure).toMatchObject({ code: 'fetch-failed', data: { reason: 'CONTENT_ENCODING' } });
  });

  it.each(['gzip', 'br'])('reports a %s body that is none', async (coding) => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end('not compressed at all'),
    );
    expect((await refusal(call(server.origin))).code).toBe('fetch-failed');
  });

  it('reports a gzip body that ends too early', async () => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text).subarray(0, 60)),
    );
    expect((await refusal(call(server.origin))).code).toBe('fetch-failed');
  });

  it.each([204, 200, 304])('takes an empty body of %i that is called gzip', async (status) => {
    const server = await upstream((_request, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).flushHeaders();
      response.end();
    });
    expect(await call(server.origin)).toMatchObject({ status, cut: false, body: Buffer.alloc(0) });
    expect((await call(server.origin, {}, { method: 'HEAD' })).body.length).toBe(0);
  });

  it.each([
    [0, 0, true],
    [9, 9, true],
    [10, 10, false],
    [11, 10, false],
  ])('keeps at most %i bytes', async (maxBytes, kept, cut) => {
    const server = await upstream((_request, response) => response.end('0123456789'));
    const answer = await call(server.origin, { maxBytes: () => maxBytes });
    expect(answer.body.length).toBe(kept);
    expect(answer.cut).toBe(cut);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ['br, gzip', gzipSync(brotliCompressSync(Buffer.alloc(50_000_000)))],
  ])('counts the bytes that a %s bomb unpacks to', async (coding, bytes) => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    const before = process.memoryUsage.rss();
    const answer = await call(server.origin);
    expect(answer.cut).toBe(true);
    expect(answer.body.length).toBe(1_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000);
  });

  it('cuts the connection under a stream that never ends', async () => {
    let ended = false;
    const server = await upstream((_request, response) => {
      const gzip = createGzip();
      response.writeHead(200, { 'content-encoding': 'gzip' });
      gzip.pipe(response).on('close', () => {
        ended = true;
      });
      const more = () => {
        while (!ended && gzip.write(Buffer.alloc(64_000, 'x')));
      };
      gzip.on('drain', more);
      more();
    });
    expect((await call(server.origin)).cut).toBe(true);
    await expect.poll(() => ended).toBe(true);
  });

  it('holds no more memory for a body of tiny chunks', async () => {
    const server = await upstream((_request, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders();
      response.socket?.write('1\r\nx\r\n'.repeat(300_000));
      response.socket?.end('0\r\n\r\n');
    });
    const answer = await call(server.origin);
    expect(answer.body.length).toBe(300_000);
    expect(answer.body.buffer.byteLength).toBeLessThan(1_100_000);
  });
});

describe('faults', () => {
  it.each([
    ['no answer at all', (socket: NodeJS.WritableStream) => socket.end()],
    ['no HTTP', (socket: NodeJS.WritableStream) => socket.end('SSH-2.0-x\r\n\r\n')],
    [
      'a body that is too short',
      (socket: NodeJS.WritableStream) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    ],
    [
      'a broken chunk',
      (socket: NodeJS.WritableStream) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    ],
    [
      'endless headers',
      (socket: NodeJS.WritableStream) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`),
    ],
    [
      'two lengths',
      (socket: NodeJS.WritableStream) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nabc'),
    ],
  ])('reports %s as one failure that names the host', async (_name, answer) => {
    const server = await upstream((request) => answer(request.socket));
    const failure = await refusal(call(`${server.origin}/p?secret=1`));
    expect(failure.code).toBe('fetch-failed');
    expect(failure.message).toContain(`127.0.0.1:${server.port}`);
    expect(failure.message).not.toContain('secret');
  });

  it.each(['close', 'keep-alive'])('outlives a reset in the middle of a compressed body (%s)', async (connection) => {
    const bytes = gzipSync(randomBytes(3_000_000));
    for (const milliseconds of [0, 1, 3, 10]) {
      const server = await upstream(({ socket }) => {
        socket.write(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nContent-Encoding: gzip\r\n`);
        socket.write(`Content-Length: ${bytes.length + 10}\r\n\r\n`);
        socket.write(bytes);
        setTimeout(() => socket.resetAndDestroy(), milliseconds);
      });
      const failure = await refusal(call(server.origin, { maxBytes: 10_000_000 }));
      expect(failure).toMatchObject({ code: 'fetch-failed' });
    }
  });

  it('reports a refused connection', async () => {
    const server = await sink();
    await server.close();
    const failure = await refusal(call(server.origin));
    expect(failure).toMatchObject({ code: 'fetch-failed', data: { reason: 'ECONNREFUSED' } });
    expect(failure.message).toContain('refused the connection');
  });

  it('ends at once with the reason of the signal, wherever it stands', async () => {
    const reason = new Error('enough');
    const silent = await sink();
    servers.push(silent);
    const stalled = await upstream((_request, response) => response.write('{'));
    const hanging: Lookup = () => new Promise(() => {});
    const cases = [
      call(silent.origin, { signal: soon(reason) }),
      call(stalled.origin, { signal: soon(reason) }),
      call('http://slow.example/', { signal: soon(reason), lookup: hanging }),
      call(silent.origin, { signal: AbortSignal.abort(reason) }),
    ];
    const started = performance.now();
    for (const error of await Promise.all(cases.map(refusal))) expect(error).toBe(reason);
    expect(performance.now() - started).toBeLessThan(15_000);
    await expect.poll(() => silent.openSockets() + stalled.openSockets()).toBe(0);
  });

  it('leaves no socket open, whatever the answer asks for', async () => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('x'),
    );
    const resources = () => process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
    const before = resources();
    await Promise.all(Array.from({ length: 20 }, () => call(server.origin, { signal: new AbortController().signal })));
    await expect.poll(() => server.openSockets()).toBe(0);
    expect(resources().length).toBeLessThanOrEqual(before.length);
  });
});

function soon(reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  return controller.signal;
}

describe('the guard', () => {
  it('is lifted for the named host alone', async () => {
    const server = await upstream((_request, response) => response.end('in'));
    const port = `:${server.port}`;
    const lookup: Lookup = async () => ['127.0.0.1'];
    for (const allow of [['127.0.0.1'], [`127.0.0.1${port}`], ['other.example', '127.0.0.1']]) {
      expect((await call(server.origin, { allow })).status).toBe(200);
    }
    for (const allow of [['dev.example'], [`dev.example${port}`], ['DEV.example']]) {
      expect((await call(`http://dev.example${port}/`, { allow, lookup })).status).toBe(200);
    }
    expect((await call(`http://localhost${port}/`, { allow: ['localhost'], lookup })).status).toBe(200);
    const sockets = server.sockets();
    for (const allow of [
      [],
      [''],
      ['127.0.0.1:1'],
      ['127.0.0'],
      ['*'],
      ['dev.example'],
      ['localhost'],
      ['127.0.0.1.'],
    ]) {
      expect((await refusal(call(server.origin, { allow, lookup }))).code).toBe('address-refused');
    }
    for (const allow of [['127.0.0.1'], ['sub.dev.example'], ['example'], [`dev.example:1`]]) {
      expect((await refusal(call(`http://dev.example${port}/`, { allow, lookup }))).code).toBe('address-refused');
    }
    expect(server.sockets()).toBe(sockets);
  });

  it('is lifted for an IPv6 host, with or without brackets', async () => {
    const server = await upstream((_request, response) => response.end('six'), '::1');
    for (const allow of [['::1'], ['[::1]'], [`[::1]:${server.port}`]]) {
      expect((await call(server.origin, { allow })).body.toString()).toBe('six');
    }
    expect((await refusal(call(server.origin, { allow: [`[::1]:1`] }))).code).toBe('address-refused');
  });

  it('tries each address of an allowed host', async () => {
    const server = await upstream((_request, response) => response.end('four'));
    const lookup: Lookup = async () => ['::1', '127.0.0.1'];
    const answer = await call(`http://dual.example:${server.port}/`, { allow: ['dual.example'], lookup });
    expect(answer.body.toString()).toBe('four');
  });

  it('asks the resolver once, so that no second answer counts', async () => {
    const inner = await sink();
    servers.push(inner);
    const answers = [['3ffe::1'], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const lookup: Lookup = async () => answers[asked++] ?? [];
    // 3ffe::/16 passes for public and is routed nowhere.
    const signal = AbortSignal.timeout(500);
    await refusal(call(`http://rebind.example:${inner.port}/`, { lookup, signal }));
    expect(asked).toBe(1);
    expect(inner.sockets()).toBe(0);
  });

  it('names the host and not the query', async () => {
    const failure = await refusal(call('http://localhost/a?key=s3cret', { allow: [] }));
    expect(failure.code).toBe('address-refused');
    expect(failure.message).toContain('localhost');
    expect(failure.message).not.toContain('s3cret');
  });
});
