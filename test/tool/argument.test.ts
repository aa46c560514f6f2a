// Names of arguments: legal, unique, kept by the first in the order path, query, header, body.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArgumentPlace, nameArguments, type Value } from '../../src/tool/argument.js';

function named(...texts: readonly string[]): string[] {
  const values = texts.map((text): Value => {
    const [place = '', ...name] = text.split(' ');
    return { place: place as ArgumentPlace, name: name.join(' ') };
  });
  return [...nameArguments(values).names];
}

describe('the names of arguments', () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [
      ['path id', 'query q'],
      ['id', 'q'],
    ],
    [['query filter[name]'], ['filter_name']],
    [['query é'], ['query']],
    [['body '], ['body']],
    [['header X Trace'], ['X_Trace']],
    [
      ['body id', 'header id', 'query id', 'path id'],
      ['body_id', 'header_id', 'query_id', 'id'],
    ],
    [
      ['path id', 'query id', 'query query_id'],
      ['id', 'query_id_2', 'query_id'],
    ],
    [
      ['query a[b]', 'query a_b'],
      ['query_a_b', 'a_b'],
    ],
    [
      ['query a[b]', 'query a(b)'],
      ['a_b', 'query_a_b'],
    ],
    [
      ['query a[b]', 'query a(b)', 'query a{b}'],
      ['a_b', 'query_a_b', 'query_a_b_2'],
    ],
    [
      ['query __proto__', 'body constructor'],
      ['__proto__', 'constructor'],
    ],
    [
      ['query a[b]', 'body a_b'],
      ['a_b', 'body_a_b'],
    ],
  ])('%j are %j', (values, names) => {
    expect(named(...values)).toEqual(names);
  });

  it('are cut at 64 characters, and stay distinct', () => {
    const long = `${'a'.repeat(70)}`;
    const [first = '', second = ''] = named(`query ${long}1`, `query ${long}2`);
    expect([first.length, second.length]).toEqual([64, 64]);
    expect(first).not.toBe(second);
  });

  it('tell which of them were taken', () => {
    const { moved } = nameArguments([
      { place: 'path', name: 'id' },
      { place: 'query', name: 'id' },
      { place: 'query', name: 'a[b]' },
    ]);
    expect([...moved]).toEqual([1]);
  });

  it('are legal and unique, whatever the values', () => {
    const value = fc.record({
      place: fc.constantFrom<ArgumentPlace[]>('path', 'query', 'header', 'body'),
      name: fc.oneof(
        fc.constantFrom('a', 'a b', 'query_a', 'query_a_2', '', '__proto__'),
        fc.string({ unit: 'binary' }),
      ),
    });
    const property = fc.property(fc.array(value, { maxLength: 30 }), (values) => {
      const { names } = nameArguments(values);
      expect(new Set(names).size).toBe(values.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    });
    fc.assert(property);
  });
});
