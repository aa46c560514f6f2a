// Server URLs in one form, and endpoints joined from them.
import { describe, expect, it } from 'vitest';
import { isSameServer, joinEndpoint, normalizeServer } from '../../src/tool/endpoint.js';

describe('a server', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['HTTPS://API.Example.COM/V1/', 'https://api.example.com/V1'],
    ['https://api.example.com:443/v1', 'https://api.example.com/v1'],
    ['http://api.example.com:80', 'http://api.example.com'],
    ['http://api.example.com:443', 'http://api.example.com:443'],
    ['https://api.example.com/v1//', 'https://api.example.com/v1/'],
    ['https://api.example.com/v1?key=1', 'https://api.example.com/v1?key=1'],
    ['https://api.example.com/v1#part', 'https://api.example.com/v1'],
    [' https://api.example.com ', 'https://api.example.com'],
    ['https://[2001:DB8::1]/', 'https://[2001:db8::1]'],
  ])('%j is %j', (server, normalized) => {
    expect(normalizeServer(server)).toBe(normalized);
    expect(normalizeServer(normalized)).toBe(normalized.replace(/\/$/, ''));
    expect(isSameServer(normalized, server)).toBe(true);
  });

  it.each([
    '',
    'api.example.com',
    '/v1',
    '//api.example.com',
    'ftp://api.example.com',
    'https://',
    'https://user@api.example.com',
    'https://user:pass@api.example.com',
    'https://{region}.example.com',
    'https://api.example.com/{v',
    'https:api.example.com',
    'javascript:alert(1)',
  ])('%j is none', (server) => {
    expect(() => normalizeServer(server)).toThrow(expect.objectContaining({ code: 'invalid-server' }));
    expect(() => normalizeServer(server)).not.toThrow('pass');
    expect(isSameServer('https://api.example.com', server)).toBe(false);
  });

  it('shows no query in a message', () => {
    expect(() => normalizeServer('ftp://api.example.com/?key=hidden')).not.toThrow('hidden');
  });
});

describe('an endpoint', () => {
  it.each([
    ['https://api.example.com', '/a/{id}', 'https://api.example.com/a/{id}'],
    ['https://api.example.com/v1', '/a', 'https://api.example.com/v1/a'],
    ['https://api.example.com/v1', 'a', 'https://api.example.com/v1/a'],
    ['https://api.example.com/v1?k=1', '/a?x=2', 'https://api.example.com/v1/a?k=1&x=2'],
    ['https://api.example.com?k=1', '/a', 'https://api.example.com/a?k=1'],
    ['https://api.example.com', '/a?', 'https://api.example.com/a'],
    ['https://api.example.com', '/', 'https://api.example.com/'],
  ])('of %j and %j is %j', (server, template, endpoint) => {
    expect(joinEndpoint(server, template)).toBe(endpoint);
  });
});
