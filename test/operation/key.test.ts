// The keys of operations: unique, and an identifier only where it is one operation's alone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignKeys, claim, identifierOf, type Keyed } from '../../src/operation/key.js';

function keyed(...pairs: readonly (readonly [string | undefined, string])[]): Keyed[] {
  return pairs.map(([identifier, route]) => ({ identifier, route }));
}

describe('assignKeys', () => {
  it.each<readonly [string, Keyed[], string[]]>([
    ['an identifier', keyed(['a', 'GET /a']), ['a']],
    ['none', keyed([undefined, 'GET /a']), ['GET /a']],
    ['one borne twice', keyed(['a', 'GET /a'], ['a', 'GET /b'], ['c', 'GET /c']), ['GET /a', 'GET /b', 'c']],
    ['one that is the route of another', keyed(['GET /b', 'GET /a'], [undefined, 'GET /b']), ['GET /a', 'GET /b']],
    ['one that is its own route', keyed(['GET /a', 'GET /a']), ['GET /a']],
    [
      'two equal routes',
      keyed([undefined, 'GET /a'], [undefined, 'GET /a'], [undefined, 'GET /a']),
      ['GET /a', 'GET /a (2)', 'GET /a (3)'],
    ],
    ['a prototype', keyed(['__proto__', 'GET /a'], ['constructor', 'GET /b']), ['__proto__', 'constructor']],
  ])('gives of %s', (_, operations, keys) => {
    expect(assignKeys(operations)).toEqual(keys);
  });

  it('gives no key twice', () => {
    const name = fc.constantFrom('a', 'b', 'GET /a', 'GET /b', 'GET /a (2)', '__proto__');
    const property = fc.property(
      fc.array(fc.record({ identifier: fc.option(name, { nil: undefined }), route: name })),
      (operations) => {
        const keys = assignKeys(operations);
        expect(new Set(keys).size).toBe(operations.length);
      },
    );
    fc.assert(property);
  });
});

it('claims the next free number', () => {
  const taken = new Set(['a', 'a (2)']);
  expect([claim('a', taken), claim('a', taken), claim('b', taken)]).toEqual(['a (3)', 'a (4)', 'b']);
});

it.each([
  ['a', 'a'],
  [' a ', ' a '],
  ['', undefined],
  [' \t', undefined],
  [1, undefined],
  [null, undefined],
])('identifies by %j: %j', (value, identifier) => {
  expect(identifierOf(value)).toBe(identifier);
});
