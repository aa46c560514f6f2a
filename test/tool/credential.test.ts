// Which headers, query values and cookies are left to the connection.
import { describe, expect, it } from 'vitest';
import type { Parameter, ParameterPlace, SecurityScheme } from '../../src/operation/operation.js';
import { credentialsOf, isCredentialHeader, isWithheldHeader, judge } from '../../src/tool/credential.js';

function parameter(place: ParameterPlace, name: string, required = false): Parameter {
  const schema = { node: {}, at: '', resource: { root: {}, at: '', uri: undefined } };
  const rest = {
    description: undefined,
    schema,
    style: 'form',
    explode: true,
    allow_reserved: false,
    content_type: undefined,
    shared: false,
    at: '',
  };
  return { name, in: place, required, ...rest };
}

const SCHEMES: readonly SecurityScheme[] = [
  { kind: 'key', in: 'header', name: 'X-Shop' },
  { kind: 'key', in: 'query', name: 'signature' },
  { kind: 'key', in: 'cookie', name: 'session' },
];
const KEYS = credentialsOf(SCHEMES);
const NONE = credentialsOf([]);
const BEARER = credentialsOf([{ kind: 'bearer' }]);

describe('a parameter', () => {
  it.each<readonly [ParameterPlace, string, string]>([
    ['header', 'X-Trace', 'argument'],
    ['header', 'Accept-Language', 'argument'],
    ['header', 'ACCEPT', 'left-out'],
    ['header', 'content-type', 'left-out'],
    ['header', 'Idempotency-Key', 'left-out'],
    ['header', 'X-SHOP', 'left-out'],
    ['header', 'Authorization', 'left-out'],
    ['header', 'Proxy-Authorization', 'left-out'],
    ['header', 'Cookie', 'left-out'],
    ['header', 'X-Api-Key', 'left-out'],
    ['header', 'X-Monkey', 'left-out'],
    ['header', 'X-CSRF-TOKEN', 'left-out'],
    ['header', 'Client-Secret', 'left-out'],
    ['header', 'X-Author', 'left-out'],
    ['query', 'signature', 'left-out'],
    ['query', 'Signature', 'argument'],
    ['query', 'page_token', 'argument'],
    ['query', 'X-Shop', 'argument'],
  ])('in %s called %s: %s', (place, name, verdict) => {
    expect(judge(parameter(place, name), KEYS)).toBe(verdict);
  });

  it('that is a required header and carries a credential is unsupplied, unless a scheme supplies it', () => {
    const required = parameter('header', 'Authorization', true);
    expect(judge(required, NONE)).toBe('unsupplied');
    expect(judge(required, KEYS)).toBe('unsupplied');
    expect(judge(required, BEARER)).toBe('left-out');
    expect(judge(required, credentialsOf([{ kind: 'basic' }]))).toBe('left-out');
    expect(judge(required, credentialsOf([{ kind: 'consent', type: 'oauth2' }]))).toBe('left-out');
    expect(judge(parameter('header', 'X-Token', true), BEARER)).toBe('unsupplied');
    expect(judge(parameter('header', 'X-Shop', true), KEYS)).toBe('left-out');
    expect(judge(parameter('header', 'Accept', true), NONE)).toBe('left-out');
  });

  it('is a cookie that is the key, by its very name', () => {
    expect(KEYS.cookies.has('session')).toBe(true);
    expect(KEYS.cookies.has('Session')).toBe(false);
  });
});

it.each([
  ['Authorization', true],
  ['x-KEY', true],
  ['accept', false],
  ['X-Request-Id', false],
])('%s carries a credential: %j', (name, carries) => {
  expect(isCredentialHeader(name)).toBe(carries);
});

it.each([
  ['Authorization', true],
  ['proxy-authorization', true],
  ['COOKIE', true],
  ['X-Monkey', true],
  ['Client-Secret', true],
  ['Idempotency-Key', true],
  ['X-Author', false],
  ['X-Authorization-Mode', false],
  ['Cookie-Policy', false],
  ['Accept', false],
])('the header %s is withheld from what a person writes: %s', (name, withheld) => {
  expect(isWithheldHeader(name)).toBe(withheld);
});
