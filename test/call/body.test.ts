// Bodies of every kind: form fields, parts, text and files, to their bytes; what has no form is refused, naming the argument.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALL_LIMITS } from '../../src/base/limits.js';
import { bind } from '../../src/call/bind.js';
import { callTool } from '../../src/index.js';
import type { HttpTool, PartEncoding, ToolBody } from '../../src/tool/tool.js';
import { sampleTool } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';

const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data';

function tool(body: Partial<ToolBody>, names: readonly string[], endpoint = 'https://a.example/b'): HttpTool {
  const locations = Object.fromEntries(names.map((name) => [name, 'body' as const]));
  return sampleTool('b', {
    input_schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) },
    config: { endpoint, method: 'POST', locations, body: { content_type: FORM, required: true, ...body } },
  });
}

function bound(body: Partial<ToolBody>, values: Record<string, unknown>) {
  const request = bind(tool(body, Object.keys(values)), values);
  if (!('method' in request)) return { problems: request };
  const { body: sent, headers } = request;
  const text = typeof sent === 'object' ? Buffer.concat([...sent.chunks()]).toString() : sent;
  if (typeof sent === 'object') expect(sent.bytes).toBe(Buffer.concat([...sent.chunks()]).length);
  return { text, type: headers['Content-Type'] };
}

const encoded = (encoding: PartEncoding) => ({ encoding: { v: encoding } });

describe('a form', () => {
  it.each<[unknown, PartEncoding, string | undefined]>([
    ['x y&=+%é*~', {}, 'v=x+y%26%3D%2B%25%C3%A9%2A~'],
    ['', {}, 'v='],
    [false, {}, 'v=false'],
    [null, {}, ''],
    [[], {}, ''],
    [['a', 'b c', null], {}, 'v=a&v=b+c'],
    [{ a: 1 }, {}, 'v=%7B%22a%22%3A1%7D'],
    [[{ a: 1 }, [2]], {}, 'v=%7B%22a%22%3A1%7D&v=%5B2%5D'],
    ['abc', { content_type: 'application/json' }, 'v=%22abc%22'],
    [[1, 2], { content_type: 'application/json' }, 'v=1&v=2'],
    ['abc', { content_type: 'text/csv' }, 'v=abc'],
    [['a', 'b'], { explode: false }, 'v=a,b'],
    [['a', 'b'], { style: 'spaceDelimited' }, 'v=a+b'],
    [['a', 'b'], { style: 'pipeDelimited', explode: false }, 'v=a%7Cb'],
    [['a', 'b'], { style: 'tabDelimited', explode: false }, 'v=a%09b'],
    [{ R: 1, 'G g': 2 }, { style: 'form' }, 'R=1&G+g=2'],
    [{ R: 1, G: 2 }, { style: 'form', explode: false }, 'v=R,1,G,2'],
    [{ a: { b: 1 }, c: [1, 2] }, { style: 'deepObject' }, 'v%5Ba%5D%5Bb%5D=1&v%5Bc%5D=1&v%5Bc%5D=2'],
    ['http://a.test/b?c&d+e', { allow_reserved: true }, 'v=http://a.test/b?c%26d%2Be'],
  ])('writes %j by %j', (v, encoding, expected) => {
    expect(bound(encoded(encoding), { v })).toEqual({ text: expected, type: FORM });
  });

  it('joins fields in the order of their values', () => {
    expect(bound({}, { b: 1, a: 'x', c: [true] }).text).toBe('b=1&a=x&c=true');
  });

  it('sends the entries of a whole object', () => {
    expect(bound({ whole: 'body' }, { body: { 'a b': 1, c: ['x', 'y'] } }).text).toBe('a+b=1&c=x&c=y');
  });

  it.each<[unknown, PartEncoding]>([
    ['\ud800', {}],
    [{ a: 1 }, { content_type: 'text/plain' }],
    [{ a: 1 }, { style: 'spaceDelimited' }],
    [[[1]], { style: 'form' }],
  ])('refuses %j by %j', (v, encoding) => {
    expect(bound(encoded(encoding), { v }).problems).toMatchObject([{ argument: 'v' }]);
  });
});

describe('text and bytes', () => {
  it.each<[string, unknown, string]>([
    ['text/plain', 'héllo "q"\nx', 'héllo "q"\nx'],
    ['text/plain', 0, '0'],
    ['application/xml', '<a/>', '<a/>'],
    ['application/octet-stream', 'aGk=', 'hi'],
    ['application/octet-stream', 'aGk', 'hi'],
    ['application/octet-stream', 'a G\nk=', 'hi'],
    ['application/octet-stream', 'data:;base64,aGk=', 'hi'],
    ['application/octet-stream', 'data:text/plain,h%69%20é', 'hi é'],
    ['application/octet-stream', '', ''],
    ['application/json', [1, null], '[1,null]'],
  ])('%s of %j', (type, body, text) => {
    expect(bound({ content_type: type, whole: 'body' }, { body })).toEqual({ text, type });
  });

  it('takes the type of a range from the data', () => {
    expect(bound({ content_type: 'image/*', whole: 'body' }, { body: 'data:image/png;base64,aGk=' }).type).toBe(
      'image/png',
    );
    expect(bound({ content_type: 'image/*', whole: 'body' }, { body: 'aGk=' }).type).toBe('application/octet-stream');
  });

  it.each<[string, unknown]>([
    ['text/plain', { a: 1 }],
    ['text/plain', '\udc00'],
    ['application/octet-stream', 'no base64!'],
    ['application/octet-stream', 'aGkaG'],
    ['application/octet-stream', 7],
    [FORM, 'a=1'],
    [PARTS, ['a']],
  ])('%s refuses %j', (type, body) => {
    expect(bound({ content_type: type, whole: 'body' }, { body }).problems).toMatchObject([{ argument: 'body' }]);
  });

  it('is refused over its bound', () => {
    const body = 'A'.repeat(Math.ceil((CALL_LIMITS.request_bytes * 4) / 3) + 8);
    const request = bind(tool({ content_type: 'application/octet-stream', whole: 'body' }, ['body']), { body });
    expect(request).toMatchObject([{ argument: 'body', expected: 'a body of at most 134,217,728 bytes' }]);
  });
});

interface Received {
  readonly headers: string;
  readonly body: string;
}

/** The parts of a multipart body, read by RFC 2046 from its bytes (as Latin-1). */
function partsIn(bytes: Buffer, type: string): Received[] {
  const boundary = /boundary=([^;]+)/.exec(type)?.[1] ?? '';
  const all = `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`);
  expect(all.shift()).toBe('');
  expect(all.pop()).toBe('--\r\n');
  return all.map((part) => {
    const end = part.indexOf('\r\n\r\n');
    return { headers: Buffer.from(part.slice(2, end), 'latin1').toString(), body: part.slice(end + 4) };
  });
}

describe('several parts', () => {
  let upstream: Loopback;
  let seen: { readonly request: IncomingMessage; readonly bytes: Buffer }[] = [];
  let fail = 0;
  beforeAll(async () => {
    upstream = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ request, bytes: Buffer.concat(chunks) });
        fail -= 1;
        response.writeHead(fail >= 0 ? 503 : 200, { 'Retry-After': '0' }).end();
      });
    });
  });
  afterAll(() => upstream.close());

  async function parts(
    values: Record<string, unknown>,
    encoding: NonNullable<ToolBody['encoding']> = {},
    failures = 0,
  ) {
    seen = [];
    fail = failures;
    const one = tool({ content_type: PARTS, encoding }, Object.keys(values), `${upstream.origin}/b`);
    const result = await callTool({ tool: one, arguments: values }, { network: { allow: ['127.0.0.1'] } });
    expect(result).toMatchObject({ kind: 'answer', status: 200 });
    expect(seen.length).toBe(failures + 1);
    const last = seen.at(-1);
    expect(last?.request.headers['content-length']).toBe(String(last?.bytes.length));
    expect(last?.request.headers['transfer-encoding']).toBeUndefined();
    return partsIn(last?.bytes ?? Buffer.alloc(0), last?.request.headers['content-type'] ?? '');
  }

  const head = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}`;

  it('are fields, lists item by item, objects as JSON, nothing for null', async () => {
    const all = await parts({ n: 0, ok: false, s: '', tags: ['a', 'b'], meta: { x: 1 }, list: [{ a: 1 }], none: null });
    const json = '\r\nContent-Type: application/json';
    expect(all).toEqual([
      { headers: head('n'), body: '0' },
      { headers: head('ok'), body: 'false' },
      { headers: head('s'), body: '' },
      { headers: head('tags'), body: 'a' },
      { headers: head('tags'), body: 'b' },
      { headers: head('meta', json), body: '{"x":1}' },
      { headers: head('list', json), body: '[{"a":1}]'.slice(1, -1) },
    ]);
  });

  it('follow the encoding', async () => {
    const all = await parts(
      { a: 'x', b: ['1', '2'], c: { d: { e: 1 } }, f: 'y' },
      {
        a: { content_type: 'application/json' },
        b: { explode: false },
        c: { style: 'deepObject' },
        f: { content_type: 'text/csv' },
      },
    );
    expect(all).toEqual([
      { headers: head('a', '\r\nContent-Type: application/json'), body: '"x"' },
      { headers: head('b'), body: '1,2' },
      { headers: head('c[d][e]'), body: '1' },
      { headers: head('f', '\r\nContent-Type: text/csv'), body: 'y' },
    ]);
  });

  it('hold files, each with its name and type', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45]);
    const all = await parts(
      {
        one: { data: bytes.toString('base64') },
        two: [
          { data: `data:image/png;base64,${bytes.toString('base64')}`, filename: 'a "b".png' },
          { data: bytes.toString('base64url'), filename: 'é.txt', content_type: 'text/plain; charset=utf-8' },
        ],
      },
      { one: { file: true, content_type: 'image/jpeg' }, two: { file: true } },
    );
    const body = bytes.toString('latin1');
    expect(all).toEqual([
      { headers: head('one', '; filename="one"\r\nContent-Type: image/jpeg'), body },
      { headers: head('two', '; filename="a %22b%22.png"\r\nContent-Type: image/png'), body },
      { headers: head('two', '; filename="é.txt"\r\nContent-Type: text/plain; charset=utf-8'), body },
    ]);
  });

  it('keep names and file names on their line', async () => {
    const name = 'a"\r\nX-Evil: 1\r\n\r\nb';
    const all = await parts({ [name]: { data: '', filename: name } }, { [name]: { file: true } });
    const safe = 'a%22%0D%0AX-Evil: 1%0D%0A%0D%0Ab';
    const file = `; filename="${safe}"\r\nContent-Type: application/octet-stream`;
    expect(all).toEqual([{ headers: head(safe, file), body: '' }]);
  });

  it('are written again for another attempt, byte for byte', async () => {
    await parts({ file: { data: Buffer.alloc(200_000, 7).toString('base64') } }, { file: { file: true } }, 2);
    expect(seen.map(({ bytes }) => bytes.equals(seen[0]?.bytes ?? Buffer.alloc(0)))).toEqual([true, true, true]);
  });

  it.each([
    [{ data: 'x y !' }],
    [{ filename: 'a' }],
    [{ data: '', content_type: 'text/plain\r\nX: 1' }],
    [{ data: 'data:a\r\nb;base64,aGk=' }],
    [7],
  ])('refuse the file %j', (v) => {
    const { problems } = bound({ content_type: PARTS, encoding: { v: { file: true } } }, { v });
    expect(problems).toMatchObject([{ argument: 'v' }]);
  });

  it('of no values are none', async () => {
    expect(await parts({})).toEqual([]);
  });
});

describe('a gap {+name}', () => {
  const endpoint = 'https://a.example/v1/{+name}:cancel';
  const request = (name: unknown) =>
    bind(sampleTool('b', { config: { endpoint, method: 'GET', locations: {} } }), { name });

  it.each([
    ['projects/p 1/topics/t', 'projects/p%201/topics/t'],
    ["a@b,c;d=e&f!$'()*+[]", "a@b,c;d=e&f!$'()*+[]"],
    ['a%2Fb%41 100%', 'a%2Fb%41%20100%25'],
    ['é\\', '%C3%A9%5C'],
  ])('keeps the slashes of %j', (name, path) => {
    expect(request(name)).toMatchObject({ target: `/v1/${path}:cancel` });
  });

  it.each([
    '',
    'a/../b',
    '../a',
    'a/./b',
    './a',
    'a//b',
    '/a',
    'a/%2e%2E/b',
    'a/.%2e/b',
    'a?b',
    'a#b',
    'a%3Fb',
    'a%23b',
    'a\nb',
    'a\0',
    'a%0a',
    'a%00',
    '\ud800',
  ])('refuses %j', (name) => {
    expect(
      name === ''
        ? bind(sampleTool('b', { config: { endpoint: 'https://a.example/v1/{+name}', method: 'GET' } }), { name })
        : request(name),
    ).toMatchObject([{ argument: 'name' }]);
  });

  it('refuses one that ends in a step', () => {
    const config = { endpoint: 'https://a.example/v1/{+name}', method: 'GET' };
    expect(bind(sampleTool('b', { config }), { name: 'a/..' })).toMatchObject([{ argument: 'name' }]);
  });
});
