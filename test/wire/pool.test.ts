// Sockets that are kept between exchanges: when they are used again, when they must not be, and that none outlives its owner.
import { execFile } from 'node:child_process';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type ExchangeOptions, type ExchangeRequest, exchange } from '../../src/wire/exchange.js';
import { Pool } from '../../src/wire/pool.js';
import { type Loopback, serve, sink } from './loopback.js';

const servers: Loopback[] = [];
const pools: Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) pool.close();
  for (const server of servers.splice(0)) await server.close();
});

async function upstream(listener: RequestListener, host?: string, port?: number): Promise<Loopback> {
  const server = await serve(listener, host, port);
  servers.push(server);
  return server;
}

function pooled(bounds: ConstructorParameters<typeof Pool>[0] = {}): Pool {
  const pool = new Pool(bounds);
  pools.push(pool);
  return pool;
}

function call(
  url: string,
  pool: Pool,
  options: Partial<ExchangeOptions> = {},
  request: Partial<ExchangeRequest> = {},
): Promise<Answer> {
  return exchange(
    { url: new URL(url), method: 'GET', ...request },
    { allow: ['127.0.0.1', 'api.example'], signal: AbortSignal.timeout(5_000), maxBytes: 1_000, pool, ...options },
  );
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error) => error.data?.reason ?? error.code ?? error,
  );

describe('a socket is used again', () => {
  it('for calls one after another, with any kind of answer that was read whole', async () => {
    const server = await upstream(({ url }, response) => {
      if (url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped'));
      else if (url === '/empty') response.writeHead(204).end();
      else response.writeHead(url === '/missing' ? 404 : 200).end('x');
    });
    const pool = pooled();
    const bodies: string[] = [];
    for (const path of ['/', '/gzip', '/empty', '/missing', '/']) {
      bodies.push((await call(server.origin + path, pool)).body.toString());
    }
    expect(bodies).toEqual(['x', 'zipped', '', 'x', 'x']);
    expect(server.sockets()).toBe(1);
  });

  it('not without a pool', async () => {
    const server = await upstream((_request, response) => response.end('x'));
    const options = { allow: ['127.0.0.1'], signal: AbortSignal.timeout(5_000), maxBytes: 10 };
    for (let i = 0; i < 3; i += 1) await exchange({ url: new URL(server.origin), method: 'GET' }, options);
    expect(server.sockets()).toBe(3);
  });

  it.each([
    ['a body that was cut', { maxBytes: 5 }, (response: ServerResponse) => response.end('0123456789')],
    ['a body that was not read', { maxBytes: 0 }, (response: ServerResponse) => response.end('0123456789')],
    [
      'a server that closes',
      {},
      (response: ServerResponse) => response.writeHead(200, { connection: 'close' }).end('x'),
    ],
  ])('not after %s', async (_name, options, answer) => {
    const server = await upstream((_request, response) => answer(response));
    const pool = pooled();
    await call(server.origin, pool, options);
    await expect.poll(() => server.openSockets()).toBe(0);
    await call(server.origin, pool, options);
    expect(server.sockets()).toBe(2);
  });

  it('not after an exchange that was ended, whose late answer nobody else gets', async () => {
    const late: ServerResponse[] = [];
    const server = await upstream(({ url }, response) => {
      if (url === '/slow') late.push(response);
      else response.end('mine');
    });
    const pool = pooled();
    await call(server.origin, pool);
    const controller = new AbortController();
    const slow = codeOf(call(`${server.origin}/slow`, pool, { signal: controller.signal }));
    await expect.poll(() => late.length).toBe(1);
    controller.abort('ended');
    expect(await slow).toBe('ended');
    late[0]?.end('not yours');
    expect((await call(server.origin, pool)).body.toString()).toBe('mine');
    expect(server.sockets()).toBe(2);
  });

  it('not with bytes on it that nobody asked for', async () => {
    let socket: Socket | undefined;
    const server = await upstream((request, response) => {
      socket = request.socket;
      response.end('mine');
    });
    const pool = pooled();
    await call(server.origin, pool);
    socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged');
    await expect.poll(() => server.openSockets()).toBe(0);
    expect((await call(server.origin, pool)).body.toString()).toBe('mine');
  });

  it('not once the server closed it, and the next exchange does not see that', async () => {
    const open: Socket[] = [];
    const server = await upstream((request, response) => {
      open.push(request.socket);
      response.end('x');
    });
    const pool = pooled();
    for (let i = 0; i < 5; i += 1) {
      await call(server.origin, pool);
      open.at(-1)?.destroy();
      await expect.poll(() => server.openSockets()).toBe(0);
    }
    expect(server.sockets()).toBe(5);
  });

  it('lost while it is used: the failure is one that is retried, and the other idle ones go with it', async () => {
    let deaf = false;
    const server = await upstream((request, response) => {
      if (deaf) request.socket.resetAndDestroy();
      else setTimeout(() => response.end('x'), 20);
    });
    const pool = pooled();
    await Promise.all(Array.from({ length: 5 }, () => call(server.origin, pool)));
    expect(server.openSockets()).toBe(5);
    deaf = true;
    expect(await codeOf(call(server.origin, pool))).toMatch(/^(?:ECONNRESET|UND_ERR_SOCKET)$/);
    await expect.poll(() => server.openSockets()).toBe(0);
  });
});

describe('what a name resolves to', () => {
  it('decides anew for every exchange which sockets may be used', async () => {
    const first = await upstream((_request, response) => response.end('first'));
    const second = await upstream((_request, response) => response.end('second'), '127.0.0.2', first.port);
    const pool = pooled();
    const url = `http://api.example:${first.port}/`;
    const to = async (...addresses: string[]) =>
      (await call(url, pool, { lookup: async () => addresses })).body.toString();
    expect([await to('127.0.0.1'), await to('127.0.0.2'), await to('127.0.0.1')]).toEqual(['first', 'second', 'first']);
    expect([first.sockets(), second.sockets()]).toEqual([1, 1]);
    // The order says nothing; a set that only grew is another one.
    expect(await to('127.0.0.1', '127.0.0.2')).toBe('first');
    expect(await to('127.0.0.2', '127.0.0.1')).toBe('first');
    expect(first.sockets()).toBe(2);
  });

  it('refuses where it is inside now, though a socket is open', async () => {
    const server = await upstream((_request, response) => response.end('x'));
    const pool = pooled();
    const url = `http://api.example:${server.port}/`;
    const lookup = async () => ['127.0.0.1'];
    await call(url, pool, { lookup });
    expect(await codeOf(call(url, pool, { lookup, allow: [] }))).toBe('address-refused');
    expect(server.sockets()).toBe(1);
  });

  it('keeps schemes, names and ports apart', async () => {
    let requests = 0;
    const server = await upstream((_request, response) => {
      requests += 1;
      response.end('x');
    });
    const pool = pooled();
    const lookup = async () => ['127.0.0.1'];
    const options = { lookup, allow: ['a.example', 'b.example'] };
    await call(`http://a.example:${server.port}/`, pool, options);
    await call(`http://b.example:${server.port}/`, pool, options);
    await codeOf(call(`https://a.example:${server.port}/`, pool, options));
    expect([requests, server.sockets()]).toEqual([2, 3]);
  });
});

describe('bounds', () => {
  it('opens no more sockets to one origin than it may; the others wait their turn', async () => {
    let now = 0;
    let most = 0;
    const server = await upstream((_request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end('x');
      }, 10);
    });
    const pool = pooled({ sockets: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(server.origin, pool)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect([most, server.sockets()]).toEqual([3, 3]);
  });

  it('ends an exchange that waits its turn, and gives that turn to nobody twice', async () => {
    const held: ServerResponse[] = [];
    const server = await upstream((_request, response) => held.push(response));
    const pool = pooled({ sockets: 1 });
    const reason = new Error('enough');
    const first = call(server.origin, pool);
    await expect.poll(() => held.length).toBe(1);
    const controller = new AbortController();
    const ended = codeOf(call(server.origin, pool, { signal: controller.signal }));
    const third = call(server.origin, pool);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    held[0]?.end('1');
    await first;
    await expect.poll(() => held.length).toBe(2);
    held[1]?.end('3');
    expect((await third).body.toString()).toBe('3');
    expect(server.sockets()).toBe(1);
  });

  it('forgets the origin that was used longest ago', async () => {
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => upstream((_request, response) => response.end('x'))));
    if (a === undefined || b === undefined || c === undefined) expect.unreachable();
    const pool = pooled({ origins: 2 });
    for (const server of [a, b, a, c]) await call(server.origin, pool);
    await expect.poll(() => [a, b, c].map((server) => server.openSockets())).toEqual([1, 0, 1]);
  });

  it('closes an idle socket after some seconds, whatever the server allows', async () => {
    const server = await upstream((_request, response) =>
      response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('x'),
    );
    await call(server.origin, pooled());
    expect(server.openSockets()).toBe(1);
    await expect.poll(() => server.openSockets(), { timeout: 10_000 }).toBe(0);
  });

  it('keeps nothing once it is closed', async () => {
    const server = await upstream((_request, response) => response.end('x'));
    const pool = pooled();
    await call(server.origin, pool);
    pool.close();
    await expect.poll(() => server.openSockets()).toBe(0);
    expect((await call(server.origin, pool)).status).toBe(200);
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it('closes a connection that is still opening when its exchange ends', async () => {
    const silent = await sink();
    servers.push(silent);
    const url = silent.origin.replace('http:', 'https:');
    await codeOf(call(url, pooled(), { signal: AbortSignal.timeout(200) }));
    expect(silent.sockets()).toBe(1);
    await expect.poll(() => silent.openSockets()).toBe(0);
  });

  it('never keeps the process alive', async () => {
    const server = await upstream((_request, response) => response.end('x'));
    const script = `import { callTool } from './dist/index.js';
      const tool = { id: 'tool_1', name: 'a', description: '', input_schema: { type: 'object' }, fixed_parameters: {},
        config: { endpoint: '${server.origin}/', method: 'GET' }, deadline_seconds: 30 };
      const result = await callTool({ tool, arguments: {} }, { network: { allow: ['127.0.0.1'] } });
      const idle = performance.now();
      process.on('exit', () => console.log(result.kind, performance.now() - idle < 3500));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('answer true\n');
  });
});

describe('a body in chunks', () => {
  function body(bytes: number, chunk = 64 * 1024) {
    const counts = { begun: 0, taken: 0 };
    function* chunks() {
      counts.begun += 1;
      for (let left = bytes; left > 0; left -= chunk) {
        counts.taken += 1;
        yield Buffer.alloc(Math.min(chunk, left), counts.taken % 256);
      }
    }
    return { counts, bytes, chunks };
  }

  it('is sent with its length, and begins anew for each exchange', async () => {
    const seen: unknown[] = [];
    const server = await upstream(async (request, response) => {
      let size = 0;
      for await (const chunk of request) size += (chunk as Buffer).length;
      seen.push([request.headers['content-length'], request.headers['transfer-encoding'], size]);
      response.end('x');
    });
    const sent = body(200_000);
    const pool = pooled();
    for (let i = 0; i < 2; i += 1) await call(server.origin, pool, {}, { method: 'POST', body: sent });
    await call(server.origin, pool, {}, { method: 'POST', body: body(0) });
    expect(seen).toEqual([
      ['200000', undefined, 200_000],
      ['200000', undefined, 200_000],
      ['0', undefined, 0],
    ]);
    expect(sent.counts.begun).toBe(2);
    expect(server.sockets()).toBe(1);
  });

  it('of 100 MB takes little memory, and waits for a server that is slow', async () => {
    let read = 0;
    const server = await upstream((request, response) => {
      request.pause();
      setTimeout(() => request.resume(), 300);
      request.on('data', (chunk) => {
        read += chunk.length;
      });
      request.on('end', () => response.end('x'));
    });
    const sent = body(100_000_000);
    const before = process.memoryUsage().rss;
    const done = call(server.origin, pooled(), { signal: AbortSignal.timeout(50_000) }, { method: 'PUT', body: sent });
    await new Promise((go) => setTimeout(go, 200));
    // What the kernel holds for both ends, and no more.
    expect(sent.counts.taken * 64 * 1024).toBeLessThan(30_000_000);
    expect((await done).status).toBe(200);
    expect(read).toBe(100_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  it.each([
    ['fewer', 1_001],
    ['more', 999],
  ])('that has %s bytes than it says ends the exchange', async (_name, bytes) => {
    const server = await upstream((request) => request.resume());
    const request = { method: 'POST', body: { ...body(1_000), bytes } };
    expect(await codeOf(call(server.origin, pooled(), {}, request))).toBe('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH');
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it('that fails in the middle ends the exchange, and says nothing of what it holds', async () => {
    const server = await upstream((request) => request.resume());
    function* chunks() {
      yield Buffer.from('abc');
      throw new Error('a secret');
    }
    const failed = call(server.origin, pooled(), {}, { method: 'POST', body: { bytes: 10, chunks } });
    await expect(failed).rejects.toMatchObject({
      code: 'fetch-failed',
      message: expect.not.stringContaining('secret'),
    });
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it('is dropped where the server answers before it is sent', async () => {
    const server = await upstream((_request, response) => response.writeHead(413).end('too large'));
    const sent = body(50_000_000);
    const pool = pooled();
    const answer = await call(server.origin, pool, {}, { method: 'POST', body: sent });
    expect(answer.status).toBe(413);
    await expect.poll(() => server.openSockets()).toBe(0);
    expect(sent.counts.taken * 64 * 1024).toBeLessThan(50_000_000);
    expect((await call(server.origin, pool)).status).toBe(413);
  });
});
