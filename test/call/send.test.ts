// A call against a real upstream that misbehaves in every way we know: what came of it, how often it was asked, and when it ended.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { BoundRequest, CallResult } from '../../src/call/call.js';
import { type Pacing, type SendOptions, send } from '../../src/call/send.js';
import { type Loopback, serve, sink } from '../wire/loopback.js';

const NETWORK = { allow: ['127.0.0.1'] };
const ZEROS = Buffer.alloc(50_000_000);
const BOMBS = { gzip: gzipSync(ZEROS), br: brotliCompressSync(ZEROS) };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** From 1. */
  readonly nth: number;
}

interface Fault {
  readonly name: string;
  readonly answers: (exchange: Exchange) => unknown;
  readonly kind: CallResult['kind'];
  readonly status?: number;
  readonly body?: object;
  readonly note?: RegExp;
  readonly header?: readonly [name: string, value: string];
  /** How many requests the upstream sees; 1 by default. */
  readonly requests?: number;
  /** 2 by default. */
  readonly seconds?: number;
}

/** Writes to the socket as it is, past everything node does right. */
function raw({ request }: Exchange, text: string, then: 'keep' | 'end' | 'reset' = 'end'): void {
  request.socket.write(text, () => {
    if (then === 'end') request.socket.end();
    if (then === 'reset') request.socket.resetAndDestroy();
  });
}

function says(status: number, headers: Record<string, string | string[]> = {}, body: string | Buffer = '') {
  return ({ response }: Exchange) => response.writeHead(status, headers).end(body);
}

/** One answer for each attempt; the last for all after it. */
function inTurn(...turns: readonly Fault['answers'][]): Fault['answers'] {
  return (exchange) => turns[Math.min(exchange.nth, turns.length) - 1]?.(exchange);
}

async function pours({ response }: Exchange, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const block = Buffer.alloc(1_000_000, 'x');
  for (let sent = 0; sent < bytes && !response.destroyed; sent += block.length) {
    if (!response.write(block)) {
      await Promise.race([
        new Promise((go) => response.once('drain', go)),
        new Promise((go) => response.once('close', go)),
      ]);
    }
  }
  response.end();
}

function drips({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
}

const JSON_TYPE = { 'content-type': 'application/json' };
const OK = says(200, JSON_TYPE, '{"ok":true}');
const IS_OK = { kind: 'json', value: { ok: true } };
const soon = () => new Date(Date.now() + 1000).toUTCString();

const FAULTS: readonly Fault[] = [
  // The connection
  {
    name: 'reset at once',
    answers: ({ request }) => request.socket.resetAndDestroy(),
    kind: 'unreachable',
    requests: 3,
  },
  { name: 'closed at once', answers: ({ request }) => request.socket.end(), kind: 'unreachable', requests: 3 },
  {
    name: 'reset, then good',
    answers: inTurn(({ request }) => request.socket.resetAndDestroy(), OK),
    kind: 'answer',
    body: IS_OK,
    requests: 2,
  },
  {
    name: 'reset after half the headers',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ncontent-', 'reset'),
    kind: 'unreachable',
    requests: 3,
  },
  {
    name: 'reset after the headers',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'reset'),
    kind: 'unreachable',
    requests: 3,
  },
  {
    name: 'closed after half the body',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    kind: 'unreachable',
    requests: 3,
  },
  {
    name: 'closed in the middle of the chunks',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'),
    kind: 'unreachable',
    requests: 3,
  },
  // Stalls
  { name: 'no headers', answers: () => {}, kind: 'timeout', seconds: 1 },
  {
    name: 'half the headers, then nothing',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ncontent-', 'keep'),
    kind: 'timeout',
    seconds: 1,
  },
  { name: 'headers, no body', answers: ({ response }) => response.flushHeaders(), kind: 'timeout', seconds: 1 },
  { name: 'a body that drips', answers: drips, kind: 'timeout', seconds: 1 },
  {
    name: 'half a body, then nothing',
    answers: ({ response }) => response.writeHead(200, { 'content-length': '10' }).write('half'),
    kind: 'timeout',
    seconds: 1,
  },
  {
    name: 'half a gzip body, then nothing',
    answers: ({ response }) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('x').subarray(0, 12)),
    kind: 'timeout',
    seconds: 1,
  },
  {
    name: '503, then nothing',
    answers: inTurn(says(503), () => {}),
    kind: 'timeout',
    requests: 2,
    seconds: 1,
  },
  // Broken HTTP
  { name: 'no HTTP', answers: (e) => raw(e, 'SSH-2.0-OpenSSH_9.6\r\n'), kind: 'unreachable' },
  {
    name: 'a length that is too long',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nshort'),
    kind: 'unreachable',
    requests: 3,
  },
  {
    name: 'a length that is no number',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ncontent-length: ten\r\n\r\n0123456789'),
    kind: 'unreachable',
  },
  {
    name: 'a bad chunk',
    answers: (e) => raw(e, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'),
    kind: 'unreachable',
  },
  {
    name: 'headers that are too long',
    answers: (e) => raw(e, `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`),
    kind: 'unreachable',
  },
  {
    name: 'a gzip body that is none',
    answers: says(200, { 'content-encoding': 'gzip' }, 'plain'),
    kind: 'unreachable',
  },
  { name: 'an unknown coding', answers: says(200, { 'content-encoding': 'zstd' }, 'plain'), kind: 'unreachable' },
  // Size
  {
    name: 'a gzip bomb',
    answers: says(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, BOMBS.gzip),
    kind: 'answer',
    note: /first 1,048,576 bytes/,
  },
  {
    name: 'a br bomb',
    answers: says(200, { 'content-type': 'text/plain', 'content-encoding': 'br' }, BOMBS.br),
    kind: 'answer',
    note: /first 1,048,576 bytes/,
  },
  {
    name: 'a stream of 200 MB',
    answers: (e) => pours(e, 200_000_000),
    kind: 'answer',
    body: { kind: 'text' },
    note: /first 1,048,576 bytes/,
  },
  { name: 'a body that never ends', answers: (e) => pours(e, Infinity), kind: 'answer', note: /first 1,048,576 bytes/ },
  {
    name: 'JSON over the bound',
    answers: says(200, JSON_TYPE, `["${'é'.repeat(700_000)}"]`),
    kind: 'answer',
    body: { kind: 'text' },
    note: /first 1,048,576 bytes/,
  },
  // Answers that are answers
  { name: '204', answers: says(204), kind: 'answer', status: 204, body: { kind: 'empty' } },
  { name: '304', answers: says(304, { etag: '"a"' }), kind: 'answer', status: 304, header: ['etag', '"a"'] },
  { name: '200 with nothing', answers: says(200), kind: 'answer', status: 200, body: { kind: 'empty' } },
  {
    name: '200 with nothing called JSON in gzip',
    answers: says(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
    kind: 'answer',
    body: { kind: 'empty' },
  },
  ...[301, 302, 303, 307, 308].map(
    (status): Fault => ({
      name: `${status} to an address of the inside`,
      answers: says(status, { location: 'http://169.254.169.254/latest' }),
      kind: 'answer',
      status,
      header: ['location', 'http://169.254.169.254/latest'],
      note: /not followed/,
    }),
  ),
  ...[400, 404, 405, 409, 410, 413, 500, 501, 505, 599].map(
    (status): Fault => ({
      name: `${status}`,
      answers: says(status, JSON_TYPE, '{"ok":true}'),
      kind: 'answer',
      status,
      body: IS_OK,
    }),
  ),
  {
    name: '401',
    answers: says(401, { 'www-authenticate': 'Bearer realm="x"' }),
    kind: 'answer',
    status: 401,
    header: ['www-authenticate', 'Bearer realm="x"'],
  },
  { name: '403', answers: says(403, { 'x-ratelimit-remaining': '10' }), kind: 'answer', status: 403 },
  {
    name: '422 with problem details',
    answers: says(422, { 'content-type': 'application/problem+json' }, '{"ok":true}'),
    kind: 'answer',
    status: 422,
    body: IS_OK,
  },
  // Answers that mean "later"
  ...[408, 429, 502, 503, 504].flatMap((status): Fault[] => [
    { name: `${status}, then good`, answers: inTurn(says(status), OK), kind: 'answer', status: 200, requests: 2 },
    { name: `${status} for ever`, answers: says(status), kind: 'answer', status, requests: 3 },
  ]),
  {
    name: '403 with Retry-After, then good',
    answers: inTurn(says(403, { 'retry-after': '0' }), OK),
    kind: 'answer',
    body: IS_OK,
    requests: 2,
  },
  {
    name: '403 with no calls remaining',
    answers: says(403, { 'x-ratelimit-remaining': '0' }),
    kind: 'answer',
    status: 403,
    note: /rate of calls/,
    requests: 3,
  },
  {
    name: '403 with no calls remaining, the newer header',
    answers: inTurn(says(403, { 'ratelimit-remaining': '0' }), OK),
    kind: 'answer',
    status: 200,
    requests: 2,
  },
  {
    name: '429 with Retry-After in seconds',
    answers: inTurn(says(429, { 'retry-after': '1' }), OK),
    kind: 'answer',
    status: 200,
    requests: 2,
  },
  {
    name: '429 with Retry-After as a date',
    answers: inTurn((e) => says(429, { 'retry-after': soon() })(e), OK),
    kind: 'answer',
    status: 200,
    requests: 2,
    seconds: 3,
  },
  {
    name: '429 with a date that is past',
    answers: inTurn(says(429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }), OK),
    kind: 'answer',
    status: 200,
    requests: 2,
  },
  {
    name: '429 with Retry-After past the deadline',
    answers: says(429, { 'retry-after': '3600' }),
    kind: 'answer',
    status: 429,
    header: ['retry-after', '3600'],
  },
  {
    name: '503 with a date past the deadline',
    answers: says(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
    kind: 'answer',
    status: 503,
  },
  {
    name: '429 with a Retry-After that says nothing',
    answers: inTurn(says(429, { 'retry-after': 'soon 1' }), OK),
    kind: 'answer',
    status: 200,
    requests: 2,
  },
  {
    name: 'two failures of different kinds, then good',
    answers: inTurn(({ request }) => request.socket.resetAndDestroy(), says(504), OK),
    kind: 'answer',
    status: 200,
    requests: 3,
  },
  // Bodies
  {
    name: 'HTML under JSON',
    answers: says(200, JSON_TYPE, '<!doctype html><title>Sign in</title>'),
    kind: 'answer',
    body: { kind: 'text' },
    note: /not valid JSON.*HTML page/,
  },
  {
    name: 'truncated JSON',
    answers: says(200, JSON_TYPE, '{"ok":tr'),
    kind: 'answer',
    body: { kind: 'text', text: '{"ok":tr' },
    note: /not valid JSON/,
  },
  {
    name: 'Latin-1',
    answers: says(200, { 'content-type': 'text/plain; charset=ISO-8859-1' }, Buffer.from('café', 'latin1')),
    kind: 'answer',
    body: { kind: 'text', text: 'café' },
  },
  {
    name: 'an unknown charset',
    answers: says(200, { 'content-type': 'text/plain; charset=klingon' }, 'café'),
    kind: 'answer',
    body: { kind: 'text', text: 'café' },
    note: /klingon/,
  },
  {
    name: 'large integers',
    answers: says(200, JSON_TYPE, '{"id":12345678901234567890}'),
    kind: 'answer',
    body: { kind: 'json', text: '{"id":12345678901234567890}' },
  },
  {
    name: 'bytes of an image',
    answers: says(200, { 'content-type': 'image/png' }, PNG),
    kind: 'answer',
    body: { kind: 'binary', base64: PNG.toString('base64'), content_type: 'image/png' },
  },
];

const servers: Loopback[] = [];
let calls = 0;
let requestsSeen = 0;
afterAll(async () => {
  for (const server of servers) await server.close();
  console.log(`${FAULTS.length} faults, ${calls} calls, ${requestsSeen} requests seen`);
});

interface Upstream extends Loopback {
  /** What it was asked, headers included. */
  readonly seen: readonly IncomingMessage[];
}

async function upstream(answers: Fault['answers']): Promise<Upstream> {
  const seen: IncomingMessage[] = [];
  const server = await serve((request, response) => {
    seen.push(request);
    requestsSeen += 1;
    const nth = seen.length;
    request.on('error', () => {});
    request.resume().on('end', () => answers({ request, response, nth }));
  });
  servers.push(server);
  return { ...server, seen };
}

function requestTo(origin: string, part: Partial<BoundRequest> = {}): BoundRequest {
  const { method = 'GET' } = part;
  const body = method === 'GET' ? {} : { body: '{"a":1}' };
  return { method, origin, target: '/things?a=%2F', headers: { 'X-Own': 'yes' }, ...body, ...part };
}

async function timed(request: BoundRequest, options: SendOptions, pacing?: Pacing): Promise<CallResult> {
  const start = performance.now();
  calls += 1;
  const result = await send(request, { network: NETWORK, ...options }, pacing);
  expect(performance.now() - start).toBeLessThanOrEqual(options.deadline_seconds * 1000 + 10_000);
  if (result.kind !== 'refused') expect(result.attempts).toBeLessThanOrEqual(3);
  return result;
}

const keyOf = (request: IncomingMessage | undefined) => request?.headers['idempotency-key'];

describe.concurrent.each(['GET', 'POST'])('%s', (method) => {
  it.each(FAULTS)('$name', async (fault) => {
    const server = await upstream(fault.answers);
    const result = await timed(requestTo(server.origin, { method }), { deadline_seconds: fault.seconds ?? 10 });
    const { kind, status, body, header, note, requests = 1 } = fault;
    expect(result).toMatchObject({ kind, attempts: requests });
    expect(server.seen.length).toBe(requests);
    if (status !== undefined) expect(result).toMatchObject({ status });
    if (body !== undefined) expect(result).toMatchObject({ body });
    if (result.kind === 'answer') {
      if (header !== undefined) expect(result.headers[header[0]]).toBe(header[1]);
      if (note === undefined) expect(result.notes).toEqual([]);
      else expect(result.notes.join('\n')).toMatch(note);
    }
    const keys = new Set(server.seen.map(keyOf));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toEqual(method === 'GET' ? undefined : expect.stringMatching(/^[\da-f-]{36}$/));
  });

  it('no port that listens', async () => {
    const server = await sink();
    await server.close();
    const result = await timed(requestTo(server.origin, { method }), { deadline_seconds: 10 });
    expect(result).toMatchObject({
      kind: 'unreachable',
      attempts: 3,
      reason: expect.stringContaining('refused the connection'),
    });
  });
});

describe('what is sent', () => {
  it('sends the bytes of the request and the headers of every call', async () => {
    const server = await upstream(OK);
    await timed(requestTo(server.origin, { method: 'POST' }), { deadline_seconds: 10 });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/things?a=%2F',
      headers: {
        accept: 'application/json, text/*;q=0.9, */*;q=0.8',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'toolwright',
        'x-own': 'yes',
        'content-length': '7',
      },
    });
  });

  it('leaves what the request says itself, in any case', async () => {
    const server = await upstream(OK);
    const headers = { ACCEPT: 'text/csv', 'accept-Encoding': 'br', 'IDEMPOTENCY-key': 'own', 'user-agent': 'own' };
    await timed(requestTo(server.origin, { method: 'POST', headers }), { deadline_seconds: 10 });
    expect(server.seen[0]?.headers).toMatchObject({
      accept: 'text/csv',
      'accept-encoding': 'br',
      'idempotency-key': 'own',
      'user-agent': 'own',
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('gives each call by %s a key of its own', async (method) => {
    const server = await upstream(inTurn(says(503), says(503), OK));
    const request = requestTo(server.origin, { method });
    await timed(request, { deadline_seconds: 10 });
    await timed(request, { deadline_seconds: 10 });
    const [first, second, third, other] = server.seen.map(keyOf);
    expect(first).toBeDefined();
    expect([second, third]).toEqual([first, first]);
    expect(other).toBeDefined();
    expect(other).not.toBe(first);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('gives %s no key, and an empty body is empty', async (method) => {
    const server = await upstream(says(200, { 'content-type': 'application/json' }));
    const { body: _, ...request } = requestTo(server.origin, { method });
    expect(await timed(request, { deadline_seconds: 10 })).toMatchObject({ kind: 'answer', body: { kind: 'empty' } });
    expect(keyOf(server.seen[0])).toBeUndefined();
  });
});

describe('attempts and waits', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [9, 3],
    [0, 1],
  ])('makes of %i attempts %i', async (attempts, made) => {
    const server = await upstream(says(503));
    expect(await timed(requestTo(server.origin), { deadline_seconds: 10, attempts })).toMatchObject({ attempts: made });
    expect(server.seen.length).toBe(made);
  });

  async function waits(answers: Fault['answers'], deadline: number, random: number): Promise<readonly number[]> {
    const slept: number[] = [];
    const server = await upstream(answers);
    const sleep = async (milliseconds: number) => slept.push(milliseconds);
    await timed(requestTo(server.origin), { deadline_seconds: deadline }, { random: () => random, sleep });
    return slept;
  }

  it('backs off exponentially, with full jitter', async () => {
    expect(await waits(says(503), 2, 0.5)).toEqual([100, 200]);
    expect(await waits(says(503), 2, 0)).toEqual([0, 0]);
  });

  it('waits as long as it is asked to', async () => {
    expect(await waits(says(503, { 'retry-after': '7' }), 60, 0.5)).toEqual([7000, 7000]);
    expect(await waits(says(503, { 'retry-after': ['1', '3'] }), 60, 0.5)).toEqual([3000, 3000]);
  });

  it('measures a date on the clock of the API', async () => {
    const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT' };
    for (const until of [
      'Sun, 06 Nov 1994 08:49:42 GMT',
      'Sunday, 06-Nov-94 08:49:42 GMT',
      'Sun Nov  6 08:49:42 1994',
    ]) {
      expect(await waits(says(503, { ...headers, 'retry-after': until }), 60, 0.5)).toEqual([5000, 5000]);
    }
  });

  it('begins no wait that the deadline would cut', async () => {
    expect(await waits(says(503), 0.15, 0.999)).toEqual([]);
  });
});

describe('what ends a call', () => {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  it('leaves no connection open after a timeout', async () => {
    const server = await upstream(() => {});
    expect(await timed(requestTo(server.origin), { deadline_seconds: 0.2 })).toMatchObject({
      kind: 'timeout',
      reason: expect.stringContaining('within 0.2 seconds'),
    });
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it('ends at once when it is cancelled: while it is asking, waiting, or not begun', async () => {
    const silent = await upstream(() => {});
    const busy = await upstream(says(503, { 'retry-after': '30' }));
    for (const { origin } of [silent, busy]) {
      const start = performance.now();
      const signal = AbortSignal.timeout(200);
      const result = await timed(requestTo(origin), { deadline_seconds: 60, signal });
      expect(result).toEqual({ kind: 'timeout', reason: 'the call was cancelled', attempts: 1 });
      expect(performance.now() - start).toBeLessThan(15_000);
    }
    const signal = AbortSignal.abort();
    expect(await timed(requestTo(silent.origin), { deadline_seconds: 1, signal })).toMatchObject({ attempts: 0 });
    expect(silent.seen.length).toBe(1);
  });

  it('ends in time where the look-up hangs', async () => {
    const lookup = () => new Promise<never>(() => {});
    const result = await timed(requestTo('http://api.example.com'), { deadline_seconds: 0.3, network: { lookup } });
    expect(result).toMatchObject({ kind: 'timeout' });
  });

  it('does not ask again for a name that does not exist', async () => {
    let asked = 0;
    const lookup = async () => {
      asked += 1;
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    };
    const result = await timed(requestTo('http://api.example.com'), { deadline_seconds: 1, network: { lookup } });
    expect(result).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('could not be found') });
    expect(asked).toBe(1);
  });

  it.each(['http://127.0.0.1', 'http://169.254.169.254', 'http://localhost', 'http://[::1]', 'http://0x7f.1'])(
    'refuses %s',
    async (origin) => {
      const result = await timed(requestTo(origin), { deadline_seconds: 1, network: {} });
      expect(result).toMatchObject({ kind: 'refused', problems: [] });
    },
  );

  it('refuses a name that leads inside', async () => {
    const network = { lookup: async () => ['10.0.0.1'] };
    expect(await timed(requestTo('https://api.example.com'), { deadline_seconds: 1, network })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('not on the public internet'),
    });
  });

  it.each([
    ['an origin that is none', { origin: '' }],
    ['another scheme', { origin: 'ftp://127.0.0.1' }],
    ['a password in the origin', { origin: 'http://a:b@127.0.0.1' }],
    ['a target without a slash', { target: 'things' }],
    ['a space in the target', { target: '/a b' }],
    ['a line break in a header', { headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['a header name that is none', { headers: { 'X A': 'a' } }],
    ['a header of the connection', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['an expectation', { headers: { Expect: '100-continue' } }],
    ['a method that is none', { method: 'GE T' }],
  ])('refuses %s and sends nothing', async (_name, part) => {
    const server = await upstream(OK);
    const result = await timed(requestTo(server.origin, part), { deadline_seconds: 1 });
    expect(result).toMatchObject({ kind: 'refused', problems: [] });
    expect(server.seen.length).toBe(0);
  });

  it('keeps a bound of its own, and little in memory', async () => {
    const server = await upstream((e) => pours(e, 200_000_000));
    const result = await timed(requestTo(server.origin), { deadline_seconds: 2, maxBytes: 5 });
    expect(result).toMatchObject({ body: { kind: 'text', text: 'xxxxx' } });
    await pause(50);
    expect(server.openSockets()).toBe(0);
  });
});
