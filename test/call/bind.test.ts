// A tool and its values to the bytes of a request: OpenAPI's style tables, RFC 6570, and what is refused.
import { describe, expect, it } from 'vitest';
import { bind } from '../../src/call/bind.js';
import type { HttpConfig, HttpTool, Place } from '../../src/tool/tool.js';

function tool(config: Partial<HttpConfig> & { readonly endpoint: string }): HttpTool {
  return {
    id: 'tool_0',
    name: 'sample',
    description: '',
    input_schema: { type: 'object', properties: {} },
    config: { method: 'GET', locations: {}, ...config },
    fixed_parameters: {},
    deadline_seconds: 30,
  };
}

function sent(config: Partial<HttpConfig> & { readonly endpoint: string }, values: Record<string, unknown>) {
  const request = bind(tool(config), values);
  if (!('method' in request)) throw new Error(JSON.stringify(request));
  return request;
}

const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

describe('a path segment', () => {
  it.each<[Partial<Place>, unknown, string]>([
    [{}, LIST, 'blue,black,brown'],
    [{}, OBJECT, 'R,100,G,200,B,150'],
    [{ explode: true }, OBJECT, 'R=100,G=200,B=150'],
    [{ style: 'label' }, 'blue', '.blue'],
    [{ style: 'label' }, LIST, '.blue,black,brown'],
    [{ style: 'label', explode: true }, LIST, '.blue.black.brown'],
    [{ style: 'label' }, OBJECT, '.R,100,G,200,B,150'],
    [{ style: 'label', explode: true }, OBJECT, '.R=100.G=200.B=150'],
    [{ style: 'matrix' }, 'blue', ';color=blue'],
    [{ style: 'matrix' }, '', ';color'],
    [{ style: 'matrix' }, LIST, ';color=blue,black,brown'],
    [{ style: 'matrix', explode: true }, LIST, ';color=blue;color=black;color=brown'],
    [{ style: 'matrix' }, OBJECT, ';color=R,100,G,200,B,150'],
    [{ style: 'matrix', explode: true }, OBJECT, ';R=100;G=200;B=150'],
    [{ content_type: 'application/json' }, { a: 'x/y' }, '%7B%22a%22%3A%22x%2Fy%22%7D'],
    [{}, "a/b?c#d%e !'()*~é😀", 'a%2Fb%3Fc%23d%25e%20%21%27%28%29%2A~%C3%A9%F0%9F%98%80'],
    [{ allow_reserved: true }, 'a:b@c/d?e#f', 'a:b@c%2Fd%3Fe%23f'],
    [{}, false, 'false'],
    [{}, 0, '0'],
  ])('%j of %j', (place, value, expected) => {
    const locations = { color: { in: 'path', ...place } } as const;
    expect(sent({ endpoint: 'https://a.example/v1/{color}/end', locations }, { color: value }).target).toBe(
      `/v1/${expected}/end`,
    );
  });

  it.each(['.', '..', '', [], null, undefined])('is refused for %j', (value) => {
    const problems = bind(tool({ endpoint: 'https://a.example/v1/{color}/end' }), { color: value });
    expect(problems).toMatchObject([{ argument: 'color' }]);
  });

  it('keeps what stands around its gap', () => {
    const endpoint = 'https://a.example/v1/{a}.{b}/{a}:cancel/ä b?x={lit}';
    expect(sent({ endpoint: endpoint.replace('?x={lit}', '?x=1') }, { a: '1', b: '..' }).target).toBe(
      '/v1/1.../1:cancel/%C3%A4%20b?x=1',
    );
  });
});

describe('a query', () => {
  it.each<[Partial<Place>, unknown, string]>([
    [{}, LIST, 'color=blue&color=black&color=brown'],
    [{ explode: false }, LIST, 'color=blue,black,brown'],
    [{}, OBJECT, 'R=100&G=200&B=150'],
    [{ explode: false }, OBJECT, 'color=R,100,G,200,B,150'],
    [{ style: 'spaceDelimited' }, LIST, 'color=blue%20black%20brown'],
    [{ style: 'spaceDelimited', explode: true }, LIST, 'color=blue&color=black&color=brown'],
    [{ style: 'pipeDelimited' }, LIST, 'color=blue%7Cblack%7Cbrown'],
    [{ style: 'deepObject', explode: true }, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    [{ style: 'deepObject' }, { a: { b: 1 }, ids: [1, 2] }, 'color%5Ba%5D%5Bb%5D=1&color%5Bids%5D=1&color%5Bids%5D=2'],
    [{}, [{ a: 1 }], 'color=%7B%22a%22%3A1%7D'],
    [{}, '', 'color='],
    [{}, 'a b&c=d', 'color=a%20b%26c%3Dd'],
    [{ allow_reserved: true }, 'a/b:c?d,e%2Ff#g&h%', 'color=a/b:c?d,e%2Ff%23g%26h%25'],
    [{ name: 'filter[day]' }, 'x', 'filter%5Bday%5D=x'],
    [{ content_type: 'application/json' }, 'cat', 'color=%22cat%22'],
  ])('%j of %j', (place, value, expected) => {
    const locations = { color: { in: 'query', ...place } } as const;
    expect(sent({ endpoint: 'https://a.example/v1', locations }, { color: value }).target).toBe(`/v1?${expected}`);
  });

  it.each([[[]], [{}], [null], [undefined], [[null]]])('has nothing for %j', (value) => {
    const locations = { color: 'query' } as const;
    expect(sent({ endpoint: 'https://a.example/v1?b=1', locations }, { color: value }).target).toBe('/v1?b=1');
  });

  it('is whole where one argument is the query string', () => {
    const locations = { q: { in: 'querystring', content_type: 'application/x-www-form-urlencoded' } } as const;
    expect(sent({ endpoint: 'https://a.example/v1', locations }, { q: { a: 'x y', b: [1, 2] } }).target).toBe(
      '/v1?a=x%20y&b=1&b=2',
    );
  });

  it.each<[Partial<Place>, unknown]>([
    [{}, [[1]]],
    [{ style: 'spaceDelimited' }, { a: 1 }],
    [{ style: 'pipeDelimited' }, { a: 1 }],
    [{}, { a: [1] }],
    [{}, 'half \ud800'],
    [{ content_type: 'application/xml' }, 'x'],
  ])('is refused for %j of %j, naming the argument', (place, value) => {
    const locations = { color: { in: 'query', ...place } } as const;
    expect(bind(tool({ endpoint: 'https://a.example/', locations }), { color: value })).toMatchObject([
      { argument: 'color' },
    ]);
  });
});

describe('a header', () => {
  it.each<[Partial<Place>, unknown, string]>([
    [{}, LIST, 'blue,black,brown'],
    [{}, OBJECT, 'R,100,G,200,B,150'],
    [{ explode: true }, OBJECT, 'R=100,G=200,B=150'],
    [{}, 'W/"a b%c"', 'W/"a b%c"'],
    [{}, false, 'false'],
  ])('%j of %j', (place, value, expected) => {
    const locations = { h: { in: 'header', name: 'X-H', ...place } } as const;
    expect(sent({ endpoint: 'https://a.example/', locations }, { h: value }).headers).toEqual({ 'X-H': expected });
  });

  it.each(['a\r\nX-Admin: 1', 'a\0', '日本'])('is refused for %j', (value) => {
    const locations = { h: 'header' } as const;
    expect(bind(tool({ endpoint: 'https://a.example/', locations }), { h: value })).toMatchObject([{ argument: 'h' }]);
  });
});

describe('a body', () => {
  const body = { content_type: 'application/json', required: false };
  const endpoint = 'https://a.example/';

  it('holds what is there, falsy or null', () => {
    const locations = { n: 'body', s: { in: 'body', name: 'string' }, l: 'body', z: 'body' } as const;
    const request = sent({ endpoint, method: 'POST', locations, body }, { n: 0, s: '', l: [], z: null });
    expect(request.body).toBe('{"n":0,"string":"","l":[],"z":null}');
    expect(request.headers).toEqual({ 'Content-Type': 'application/json' });
  });

  it('is {} where it is required and empty, and none where it is optional and empty', () => {
    expect(sent({ endpoint, method: 'POST', body: { ...body, required: true } }, {}).body).toBe('{}');
    const none = sent({ endpoint, method: 'POST', body }, {});
    expect([none.body, none.headers]).toEqual([undefined, {}]);
  });

  it('is one argument, sent whole', () => {
    const locations = { body: 'body' } as const;
    const request = sent(
      { endpoint, method: 'PUT', locations, body: { ...body, whole: 'body' } },
      { body: { env: 'prod' } },
    );
    expect(request.body).toBe('{"env":"prod"}');
  });

  it('is where a tool without locations sends its values, unless its method has the query for them', () => {
    const plain = { endpoint: 'https://a.example/x/{id}?a=1' };
    const { locations: _none, ...config } = tool({ ...plain, method: 'POST' }).config;
    const post = bind({ ...tool(plain), config }, { id: '7', n: 1 });
    expect(post).toMatchObject({ target: '/x/7?a=1', body: '{"n":1}' });
    const get = bind({ ...tool(plain), config: { ...config, method: 'DELETE' } }, { id: '7', n: 1 });
    expect(get).toMatchObject({ target: '/x/7?a=1&n=1' });
    expect(get).not.toHaveProperty('body');
  });
});

it('never moves the host, and drops what has no place', () => {
  const request = sent({ endpoint: 'https://a.example/{p}' }, { p: '/evil.example/x', Authorization: 'Bearer evil' });
  expect([request.origin, request.target, request.headers]).toEqual(['https://a.example', '/%2Fevil.example%2Fx', {}]);
});
