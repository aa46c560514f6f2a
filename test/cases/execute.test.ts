// Cases of the area execute: what is sent, how often, and what comes of an answer.
import { expect, it } from 'vitest';
import { renderResult } from '../../src/index.js';
import { answerText, serve } from '../wire/loopback.js';
import { body, list, object, openapi, operation, parameter, TEXT, WHOLE } from './build.js';
import { atDesk } from './command.js';
import { called } from './wire.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const GET = openapi({ '/a': { get: operation('a') } });
const POST = openapi({ '/a': { post: operation('a', body(object({ n: WHOLE }))) } });
const at = (path: string, method: string, ...parameters: unknown[]) =>
  openapi({ [path]: { [method]: operation('a', { parameters }) } });

it('execute-path-value-encoded', async () => {
  const description = at('/records/{id}/detail', 'get', parameter('path', 'id'));
  const { line } = await called(description, 'a', { id: '../../admin/config?x=1#f' }, { base: '/api' });
  expect(line).toBe('GET /api/records/..%2F..%2Fadmin%2Fconfig%3Fx%3D1%23f/detail');
});

it('execute-dot-segment-path-value', async () => {
  const description = at('/books/{cat}/', 'delete', parameter('path', 'cat'));
  for (const cat of ['..', '.']) {
    const { result, requests } = await called(description, 'a', { cat }, { base: '/v1' });
    expect(requests).toEqual([]);
    expect(result).toMatchObject({ kind: 'refused', problems: [{ argument: 'cat' }] });
  }
  expect((await called(description, 'a', { cat: '%2e%2e' }, { base: '/v1' })).line).toBe(
    'DELETE /v1/books/%252e%252e/',
  );
});

it('execute-missing-required-path-value', async () => {
  const description = at('/order/{orderId}', 'get', parameter('path', 'orderId'));
  for (const args of [{ orderId: null }, {}, { orderId: '' }]) {
    const { result, requests } = await called(description, 'a', args);
    expect(requests).toEqual([]);
    expect(result).toMatchObject({ kind: 'refused', problems: [{ argument: 'orderId' }] });
  }
});

it('execute-204-and-empty-200', async () => {
  const description = openapi({ '/d': { delete: operation('d') }, '/e': { post: operation('e') } });
  const gone = await called(description, 'd', {}, { answering: () => answerText(204) });
  expect(gone.result).toMatchObject({ kind: 'answer', status: 204, body: { kind: 'empty' }, notes: [] });
  const empty = await called(description, 'e', {}, { answering: () => answerText(200, JSON_TYPE) });
  expect(empty.result).toMatchObject({ kind: 'answer', status: 200, body: { kind: 'empty' }, notes: [] });
});

it('execute-error-body-reaches-the-model', async () => {
  const problem = '{"title":"Bad n","detail":"n must be even"}';
  const answering = () => answerText(422, { 'content-type': 'application/problem+json' }, problem);
  const { result, requests } = await called(POST, 'a', { n: 1 }, { answering });
  expect(requests.length).toBe(1);
  expect(renderResult(result)).toMatch(/422[\s\S]*n must be even/);
});

it('execute-non-json-under-json-type', async () => {
  const answering = () => answerText(200, JSON_TYPE, '<html>maintenance</html>');
  const text = renderResult((await called(GET, 'a', {}, { answering })).result);
  expect(text).toContain('<html>maintenance</html>');
  expect(text).toMatch(/not valid JSON/);
});

it('execute-deadline-covers-the-body', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  const started = performance.now();
  const { result, requests } = await called(GET, 'a', {}, { answering: () => head, deadline_seconds: 1 });
  expect(result.kind).toBe('timeout');
  expect(requests.length).toBe(1);
  expect(performance.now() - started).toBeGreaterThanOrEqual(999);
});

it('execute-deadline-covers-retries', async () => {
  const answering = () => answerText(429, { 'retry-after': '3600' }, 'slow down');
  const { result, requests } = await called(GET, 'a', {}, { answering, deadline_seconds: 2 });
  expect(requests.length).toBe(1);
  expect(result).toMatchObject({ kind: 'answer', status: 429, headers: { 'retry-after': '3600' } });
});

it('execute-retry-after-honoured', async () => {
  const times: number[] = [];
  // A date has whole seconds: two from now is one and something.
  const answers = [
    () => answerText(503, { 'retry-after': '1' }),
    () => answerText(429, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }),
    () => answerText(200, JSON_TYPE, '{"ok":true}'),
  ];
  const answering = (_socket: unknown, nth: number) => {
    times.push(performance.now());
    return answers[nth - 1]?.() ?? '';
  };
  const { result } = await called(GET, 'a', {}, { answering });
  expect(result).toMatchObject({ kind: 'answer', attempts: 3, body: { value: { ok: true } } });
  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(990);
  expect(third - second).toBeGreaterThanOrEqual(900);
});

it('execute-post-not-repeated-after-500', async () => {
  const { result, requests } = await called(POST, 'a', { n: 1 }, { answering: () => answerText(500, {}, 'oops') });
  expect(requests.length).toBe(1);
  expect(result).toMatchObject({ kind: 'answer', status: 500 });
});

it('execute-cross-origin-redirect-drops-credentials', async () => {
  const other = await serve((_request, response) => response.end());
  const location = `${other.origin}/x`;
  const { result, requests, header } = await called(
    GET,
    'a',
    {},
    {
      answering: () => answerText(302, { location }),
      placement: { placement: 'header', header: 'X-Vendor-Token' },
      secret: 'SECRET-OF-THE-VENDOR',
    },
  );
  expect(header('x-vendor-token')).toEqual(['SECRET-OF-THE-VENDOR']);
  expect(result).toMatchObject({ kind: 'answer', status: 302, headers: { location } });
  expect([requests.length, other.sockets()]).toEqual([1, 0]);
  await other.close();
});

it('execute-same-origin-redirect-keeps-credentials', async () => {
  const { result, requests } = await called(
    POST,
    'a',
    { n: 1 },
    {
      answering: () => answerText(308, { location: '/a/' }),
      placement: { placement: 'header', header: 'Authorization', prefix: 'Bearer ' },
      secret: 'TOKEN-OF-THE-CASE',
    },
  );
  expect(result).toMatchObject({ kind: 'answer', status: 308, headers: { location: '/a/' } });
  expect(requests.length).toBe(1);
});

it('execute-header-value-with-line-break', async () => {
  const description = at('/a', 'get', parameter('header', 'X-Note'));
  const { result, requests } = await called(description, 'a', { 'X-Note': 'hi\r\nX-Admin: 1' });
  expect(requests).toEqual([]);
  expect(result).toMatchObject({ kind: 'refused', problems: [{ argument: 'X-Note' }] });
});

it('execute-binary-and-oversized-responses', async () => {
  const png = Buffer.from('iVBORw0KGgo=', 'base64');
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 8\r\n\r\n');
  const image = await called(GET, 'a', {}, { answering: () => Buffer.concat([head, png]) });
  expect(image.result).toMatchObject({ body: { kind: 'binary', base64: 'iVBORw0KGgo=', content_type: 'image/png' } });
  const big = await called(
    GET,
    'a',
    {},
    {
      answering: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 200000000\r\n\r\n');
        const chunk = Buffer.alloc(1_000_000, 'a');
        const more = () => {
          while (!socket.destroyed && socket.write(chunk));
        };
        socket.on('drain', more).on('error', () => {});
        more();
        return undefined;
      },
    },
  );
  expect(renderResult(big.result)).toMatch(/longer than what is read/);
  expect(renderResult(big.result).length).toBeLessThan(1_100_000);
});

it('execute-query-with-existing-credential-and-parameters', async () => {
  const description = at('/a', 'get', parameter('query', 'q'), parameter('query', 'ids', list(WHOLE)));
  const options = { placement: { placement: 'query', parameter: 'key' }, secret: 'p+q/=' } as const;
  const { line } = await called(description, 'a', { q: 'a&b', ids: [1, 2] }, options);
  expect(line).toBe('GET /a?q=a%26b&ids=1&ids=2&key=p%2Bq%2F%3D');
});

it('cli-secrets-stay-out-of-output', async () => {
  const secret = 'S3CRET/of+the=desk';
  const echo = await serve((request, response) => response.writeHead(401).end(`key ${request.headers['x-key']}`));
  process.env.KEY_OF_THE_DESK = secret;
  await atDesk(async ({ run, write }) => {
    await write(
      'doc.json',
      openapi({ '/a': { get: operation('a', { parameters: [parameter('query', 'q', TEXT)] }) } }),
    );
    const added = await run('connections', 'add', '--header', 'X-Key', '--secret', 'env:KEY_OF_THE_DESK', '--json');
    const { id } = JSON.parse(added.stdout) as { id: string };
    await run('import', 'doc.json', '--server', echo.origin, '--all', '--connection', id);
    for (const more of [['--dry-run'], [], ['--json']]) {
      const { stdout, stderr } = await run('call', 'a', 'q=x', ...more, '--allow-private', '127.0.0.1');
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
        expect(stdout + stderr).not.toContain(form);
    }
    expect((await run('connections', 'list')).stdout).not.toContain(secret);
  });
  await echo.close();
});
