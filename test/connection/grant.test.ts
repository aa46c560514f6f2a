// What a grant_secret may look like.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { FIXED_LIMITS } from '../../src/base/limits.js';
import { grantOf, parseGrant, secretWarning, split } from '../../src/connection/grant.js';

const KEY = 's3cr3t-s3cr3t';
const MOST = FIXED_LIMITS.secret_chars;

describe('a grant', () => {
  it.each<[unknown, unknown?]>([
    [
      { key: KEY, header: 'X-Key' },
      { key: KEY, header: 'X-Key', placement: 'header' },
    ],
    [{ key: KEY, placement: 'header', header: 'X-Key' }],
    [{ key: KEY, placement: 'header', header: 'Authorization', prefix: 'Bearer ' }],
    [{ key: KEY, placement: 'header', header: 'Authorization', prefix: '' }],
    [{ key: 'clé\tà-part', placement: 'header', header: "!#$%&'*+-.^_`|~09az" }],
    [{ key: 'x'.repeat(MOST), placement: 'header', header: 'K' }],
    [{ key: KEY, placement: 'query', parameter: 'api key' }],
    [{ key: 'ключ 🔑', placement: 'query', parameter: 'k' }],
    [{ placement: 'basic', username: 'me', password: 'a:b:ключ' }],
    [{ placement: 'basic', username: KEY, password: '' }],
    [{ placement: 'basic', username: '', password: KEY }],
  ])('is read: %j', (value, expected = value) => {
    const grant = parseGrant(JSON.stringify(value));
    expect(grant).toEqual(expected);
    const { placement, secret } = split(grant);
    expect(grantOf(placement, secret)).toEqual(grant);
    expect(JSON.stringify(placement)).not.toContain(secret);
  });

  it.each<[unknown, RegExp]>([
    [{ key: KEY }, /no header/],
    [{ key: KEY, header: '' }, /name of the header/],
    [{ key: KEY, header: 'X Key' }, /name of the header/],
    [{ key: KEY, header: 'X-Key:' }, /name of the header/],
    [{ key: KEY, header: 'Ключ' }, /name of the header/],
    [{ key: KEY, header: 'X-Key\r\nHost' }, /name of the header/],
    [{ key: KEY, header: 'Content-Length' }, /belongs to the request itself/],
    [{ key: KEY, header: 'HOST' }, /belongs to the request itself/],
    [{ key: '', header: 'X-Key' }, /key is empty/],
    [{ key: `${KEY}\n`, header: 'X-Key' }, /line break/],
    [{ key: `${KEY}\r\nX: y`, header: 'X-Key' }, /line break/],
    [{ key: `${KEY}\0`, header: 'X-Key' }, /line break/],
    [{ key: `${KEY}ключ`, header: 'X-Key' }, /outside Latin-1/],
    [{ key: KEY, header: 'X-Key', prefix: 'A\nB' }, /prefix holds a line break/],
    [{ key: KEY, header: 'X-Key', prefix: 'ключ ' }, /outside Latin-1/],
    [{ key: KEY, header: 'X-Key', prefix: null }, /prefix of the secret is not a string/],
    [{ key: 5, header: 'X-Key' }, /key of the secret is not a string/],
    [{ header: 'X-Key' }, /has no key/],
    [{ key: KEY, header: 'X-Key', parameter: 'k' }, /field that is not known/],
    [{ key: KEY, header: 'X-Key', [KEY]: 1 }, /field that is not known/],
    [{ key: 'x'.repeat(MOST + 1), header: 'X-Key' }, /longer than 16,384/],
    [{ key: KEY, placement: KEY }, /not header, query or basic/],
    [{ key: KEY, placement: 'query' }, /no parameter/],
    [{ key: KEY, placement: 'query', parameter: '' }, /parameter is empty/],
    [{ key: KEY, placement: 'query', parameter: 'k', prefix: 'Bearer ' }, /takes no prefix/],
    [{ key: `${KEY}\n`, placement: 'query', parameter: 'k' }, /line break/],
    [{ key: `${KEY}\ud800`, placement: 'query', parameter: 'k' }, /cannot be sent/],
    [{ placement: 'basic', username: 'a:b', password: KEY }, /colon/],
    [{ placement: 'basic', username: '', password: '' }, /are empty/],
    [{ placement: 'basic', username: 'a', password: `${KEY}\n` }, /control character/],
    [{ placement: 'basic', username: 'a' }, /no password/],
    [{ placement: 'basic', username: 'a', password: KEY, header: 'X' }, /not known/],
    [[KEY], /not a JSON object/],
    [KEY, /not a JSON object/],
    [null, /not a JSON object/],
  ])('is refused: %j', (value, message) => refusedWith(JSON.stringify(value), message));

  it.each(['', KEY, `{"key":"${KEY}"`, `{"key":"${KEY}",}`])('is refused: text %j', (text) =>
    refusedWith(text, /not JSON/),
  );

  it('of basic text needs a colon', () => {
    expect(() => grantOf({ placement: 'basic' }, KEY)).toThrow(/no colon/);
  });

  it('under 8 characters is warned of', () => {
    expect(secretWarning({ placement: 'query', parameter: 'k', key: '1234567' })).toMatch(/the key is under 8/);
    expect(secretWarning({ placement: 'query', parameter: 'k', key: '12345678' })).toBeUndefined();
    expect(secretWarning({ placement: 'basic', username: 'administrator', password: 'pw' })).toMatch(/the password/);
    expect(secretWarning({ placement: 'basic', username: 'pw', password: '' })).toMatch(/the username/);
  });
});

function refusedWith(text: string, message: RegExp): void {
  let failure: unknown;
  try {
    parseGrant(text);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(Failure);
  const { code, message: said, cause } = failure as Failure;
  expect(code).toBe('invalid-secret');
  expect(said).toMatch(message);
  expect(said).not.toContain(KEY);
  expect(cause).toBeUndefined();
}
