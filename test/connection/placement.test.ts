// Where a secret goes on the wire.
import { describe, expect, it } from 'vitest';
import { place, secretsOf } from '../../src/connection/placement.js';

const REQUEST = { method: 'GET', origin: 'https://api.example', target: '/a', headers: { Accept: '*/*' } };

describe('a key in a header', () => {
  it('is joined with its prefix verbatim, and takes the place of the same header in any case', () => {
    const request = { ...REQUEST, headers: { 'x-KEY': 'model', Accept: '*/*' } };
    const placed = place(request, { placement: 'header', header: 'X-Key', prefix: 'Token token=', key: 'abc' });
    expect(placed.request).toEqual({ ...REQUEST, headers: { Accept: '*/*', 'X-Key': 'Token token=abc' } });
    expect(request.headers['x-KEY']).toBe('model');
    expect(placed.secrets).toEqual(['abc']);
  });

  it('that is a basic pair in base64 is known inside too', () => {
    const key = Buffer.from('me:pass:word').toString('base64');
    const secrets = secretsOf({ placement: 'header', header: 'Authorization', prefix: 'Basic ', key });
    expect(secrets).toEqual([key, key, 'me:pass:word', 'pass:word']);
  });
});

it('a basic pair goes as UTF-8', () => {
  const placed = place(REQUEST, { placement: 'basic', username: 'tëst', password: 'пароль:x' });
  const coded = Buffer.from('tëst:пароль:x', 'utf8').toString('base64');
  expect(placed.request.headers).toEqual({ Accept: '*/*', Authorization: `Basic ${coded}` });
  expect(placed.secrets).toEqual(['tëst:пароль:x', coded, 'пароль:x']);
});

describe('a key in the query', () => {
  it.each([
    ['/a', '/a?api%20key=K%2B%261'],
    ['/a?', '/a?api%20key=K%2B%261'],
    ['/a?b=1&c', '/a?b=1&c&api%20key=K%2B%261'],
    ['/a?b=%2f&&c=+', '/a?b=%2f&&c=+&api%20key=K%2B%261'],
    ['/a?api%20key=model', '/a?api%20key=K%2B%261'],
    ['/a?api+key=1&b=2&%61pi%20key&api key=3', '/a?b=2&api%20key=K%2B%261'],
    ['/a?API%20key=1&api%20keys=2', '/a?API%20key=1&api%20keys=2&api%20key=K%2B%261'],
    ['/a?%=1&%ff=2', '/a?%=1&%ff=2&api%20key=K%2B%261'],
  ])('is added to %s beside the others, and outranks its own name', (target, expected) => {
    const placed = place({ ...REQUEST, target }, { placement: 'query', parameter: 'api key', key: 'K+&1' });
    expect(placed.request).toEqual({ ...REQUEST, target: expected });
    expect(placed.secrets).toEqual(['K+&1']);
  });

  it('is the same when it is placed again', () => {
    const grant = { placement: 'query', parameter: "k'(*)é", key: "!'()*é🔑" } as const;
    const once = place({ ...REQUEST, target: '/a?b=1' }, grant).request;
    expect(place(once, grant).request).toEqual(once);
    expect(new URLSearchParams(once.target.slice(3)).get(grant.parameter)).toBe(grant.key);
  });

  it('may be called like the mark itself', () => {
    const grant = { placement: 'query', parameter: '?k', key: 'v' } as const;
    expect(place({ ...REQUEST, target: '/a??k=1&k=2' }, grant).request.target).toBe('/a?k=2&%3Fk=v');
  });
});
