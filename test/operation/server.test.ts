// The servers of a description: variables filled, relative ones named, nothing that is no http(s) URL.
import { describe, expect, it } from 'vitest';
import { serverOf, serverUrls } from '../../src/operation/server.js';

const DOCUMENT = 'https://docs.example.com/api/openapi.json?key=secret';

describe('one server', () => {
  it.each([
    [{ url: 'https://api.example.com/v1' }, 'https://api.example.com/v1'],
    [{ url: ' https://api.example.com ' }, 'https://api.example.com'],
    [{ url: 'HTTP://api.example.com' }, 'http://api.example.com'],
    [
      { url: 'https://{region}.example.com/{v}', variables: { region: { default: 'eu' }, v: { default: 2 } } },
      'https://eu.example.com/2',
    ],
    [{ url: 'https://{a}.example.com', variables: { a: { default: '' } } }, 'https://.example.com'],
  ])('%j is %j', (server, url) => {
    const [found] = serverUrls([server], undefined) ?? [];
    // An empty label is no host.
    if (url === 'https://.example.com') expect([url, null]).toContain(found?.url);
    else expect(found).toEqual({ url });
  });

  it.each([
    [{ url: 'https://{region}.example.com' }, 'region'],
    [{ url: 'https://{region}.example.com', variables: { region: {} } }, 'region'],
    [{ url: 'https://{__proto__}.example.com', variables: {} }, '__proto__'],
    [{ url: 'https://api.example.com/{' }, 'brace'],
    [{ url: 'https://{a}.example.com', variables: { a: { default: '{b}' } } }, 'brace'],
    [{ url: 'ws://api.example.com' }, 'not http'],
    [{ url: 'https://user:pass@api.example.com' }, 'user name'],
    [{ url: 'https://' }, 'no URL'],
    [{}, 'without a url'],
    [{ url: 3 }, 'without a url'],
    ['https://api.example.com', 'no object'],
    [null, 'no object'],
  ])('%j has no URL and a note of %j', (server, note) => {
    const [found] = serverUrls([server], undefined) ?? [];
    expect(found).toEqual({ url: null, note: expect.stringContaining(note) });
    expect(found?.note).not.toContain('pass');
  });

  it('is null where it is relative, and resolved where the description has a URL', () => {
    expect(serverOf('/v1/', undefined)).toMatchObject({ url: null, relative: '/v1/' });
    expect(serverOf('/v1/', DOCUMENT)).toMatchObject({
      url: null,
      relative: '/v1/',
      resolved: 'https://docs.example.com/v1',
    });
    expect(serverOf('../v2', DOCUMENT)).toMatchObject({ resolved: 'https://docs.example.com/v2' });
    expect(serverOf('//other.example/v1', DOCUMENT)).toMatchObject({ resolved: 'https://other.example/v1' });
    expect(serverOf('', DOCUMENT).resolved).not.toContain('secret');
  });
});

it.each([[undefined], [[]], [{}], ['https://api.example.com']])('of %j there are none', (list) => {
  expect(serverUrls(list, undefined)).toBeUndefined();
});
