// YAML read in the extended profile: what becomes of its scalars, keys, aliases and tags, and where a fault is placed.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { decode } from '../../src/document/decode.js';

const read = (text: string) => decode({ text, name: 'the document' });

async function refusal(text: string): Promise<Failure> {
  const error: unknown = await read(text).catch((thrown) => thrown);
  if (!(error instanceof Failure)) return expect.unreachable(`not a Failure: ${JSON.stringify(error)}`);
  expect(error.message).toMatch(/^[^\n]{1,500}$/);
  return error;
}

describe('scalars', () => {
  it.each<[string, unknown]>([
    ['2024-05-01', '2024-05-01'],
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00Z'],
    ['no', 'no'],
    ['On', 'On'],
    ['y', 'y'],
    ['NO', 'NO'],
    ['true', true],
    ['False', false],
    ['~', null],
    ['', null],
    ['null', null],
    ['1.10', 1.1],
    ['"1.10"', '1.10'],
    ['0o17', 15],
    ['0x1F', 31],
    ['017', 17],
    ['0b11', '0b11'],
    ['1_000', '1_000'],
    ['12:30:45', '12:30:45'],
    ['1e3', 1000],
    ['.5', 0.5],
    ['+1', 1],
    ['1.2.3', '1.2.3'],
    ['9007199254740993', 9007199254740992],
    ['12345678901234567890123', JSON.parse('12345678901234567890123')],
    ['!!str 12', '12'],
    ['!!float 3', 3],
    ['! 12', '12'],
    ["'it''s'", "it's"],
    ['"\\u00e9\\t\\x41"', 'é\tA'],
    ['a # note', 'a'],
    ['a#b', 'a#b'],
    ['http://a.example/b?c', 'http://a.example/b?c'],
    ['|\n  one\n  two', 'one\ntwo\n'],
    ['>-\n  one\n  two', 'one two'],
    ['one\n  two', 'one two'],
  ])('%j is %j', async (text, value) => expect(await read(`v: ${text}\n`)).toEqual({ v: value }));

  it('keep a next-line character and other odd white space', async () => {
    expect(await read('v: a\u0085b\u2028c\u00a0d\n')).toEqual({ v: 'a\u0085b\u2028c\u00a0d' });
  });
});

describe('keys', () => {
  it('are the text that is written', async () => {
    const value = await read(
      '200: a\n1.10: b\n0x10: c\nnull: d\nTrue: e\n~: f\n2024-01-01: g\n"q": h\n-1: i\nno: j\n? k\n: l\n404 : m\n',
    );
    expect(value).toEqual({
      200: 'a',
      '1.10': 'b',
      '0x10': 'c',
      null: 'd',
      True: 'e',
      '~': 'f',
      '2024-01-01': 'g',
      q: 'h',
      '-1': 'i',
      no: 'j',
      k: 'l',
      404: 'm',
    });
    expect(await read('{200: a, 1.10: b, : c}')).toEqual({ 200: 'a', '1.10': 'b', '': 'c' });
  });

  it('may be named as a prototype is, and are plain', async () => {
    const value = await read('__proto__: {polluted: true}\nconstructor: 1\na: &a {__proto__: x}\nb: {<<: *a}\n');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'a', 'b']);
    expect(Object.keys((value as { b: object }).b)).toEqual(['__proto__']);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect((value as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each(['? [a, b]\n: c\n', '? {a: b}\n: c\n', 'x: &x [1]\n*x : c\n', '[{[a]: b}]'])(
    'are no lists and no objects: %j',
    async (text) => expect((await refusal(`v: 1\nw:\n  ${text.replaceAll('\n', '\n  ')}`)).code).toBe('not-yaml'),
  );

  it.each([
    ['a: 1\nb:\n  c: 1\n  c: 2\n', 4, 3, '"c: 2"'],
    ['200: a\n"200": b\n', 2, 2, '"200": b"'],
    ['a: {b: 1, b: 2}\n', 1, 11, '"b: 2}"'],
  ])('stand once: %j', async (text, line, column, found) => {
    const failure = await refusal(text);
    expect(failure).toMatchObject({ code: 'not-yaml', data: { line, column } });
    expect(failure.message).toContain(`line ${line}, column ${column} duplicated mapping key, at ${found}`);
  });

  it('of a version have a text as their value, at the root alone', async () => {
    expect(await read('openapi: 3.1\ninfo: {version: 1.10, openapi: 3.1}\n')).toEqual({
      openapi: '3.1',
      info: { version: 1.1, openapi: 3.1 },
    });
    expect(await read('swagger: 2.0\nx: 2.0\n')).toEqual({ swagger: '2.0', x: 2 });
    expect(await read('- openapi: 3.1\n')).toEqual([{ openapi: 3.1 }]);
    expect(await read('openapi: [3.1]\n')).toEqual({ openapi: [3.1] });
  });
});

describe('aliases', () => {
  it('are what their anchor names, and shared', async () => {
    const value = (await read('a: &a {x: 1}\nb: *a\nc: [*a, &s text, *s]\n')) as Record<string, unknown>;
    expect(value).toEqual({ a: { x: 1 }, b: { x: 1 }, c: [{ x: 1 }, 'text', 'text'] });
    expect(value.b).toBe(value.a);
  });

  it('are merged by <<, where what is written wins', async () => {
    const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: *a, x: 3}\nd: {<<: [*a, *b], w: 4}\n';
    expect(await read(text)).toMatchObject({ c: { x: 3, y: 1 }, d: { x: 1, y: 1, z: 2, w: 4 } });
    expect(await read('a: {"<<": 1}\n')).toEqual({ a: { '<<': 1 } });
  });

  it.each([
    ['a: *b\n', 'unidentified alias'],
    ['a: &a [*a]\n', 'recursive alias'],
    ['a: &a\n  b:\n    c: *a\n', 'recursive alias'],
    ['a: &a 1\nb:\n  <<: *a\n', 'cannot merge'],
  ])('are refused where they name nothing, or themselves: %j', async (text, words) => {
    const failure = await refusal(text);
    expect(failure).toMatchObject({ code: 'not-yaml', data: { line: expect.any(Number) } });
    expect(failure.message).toContain(words);
  });

  it('may be hundreds of thousands', async () => {
    const items = '- *a\n'.repeat(200_000);
    expect(await read(`x: &a {b: c}\ny:\n${items}`)).toMatchObject({ x: { b: 'c' } });
  });
});

describe('a text', () => {
  it('may have carriage returns, comments, tabs after content, and marks of its beginning and end', async () => {
    expect(await read('%YAML 1.2\r\n---\r\n# note\r\na:\t1 # x\r\nb:\r\n- c\r\n...\r\n')).toEqual({ a: 1, b: ['c'] });
  });

  it('may be JSON but for comments and a last comma', async () => {
    expect(await read('{"a": 1, # note\n "b": [1, 2,],}')).toEqual({ a: 1, b: [1, 2] });
  });

  it.each([
    ['a: 1\n---\nb: 2\n', 3, 'a second document begins'],
    ['a: 1\n\tb: 2\n', 2, ''],
    ['a: [1, 2\nb: 3\n', 2, ''],
    ['a: "x\n', 2, ''],
    ['a: b: c\n', 1, ''],
    ['a: 1\nb: \u0001\n', 2, ''],
    ['a: @x\n', 1, ''],
    ['x:\n  a: !!js/function "x"\n', 2, 'js/function'],
    ['a: 1\nb: !custom {c: d}\n', 2, 'custom'],
    ['a: !!binary aGk=\n', 1, 'binary'],
    ['a: !!set {b, c}\n', 1, 'set'],
    ['a: !!timestamp 2024-01-01\n', 1, 'timestamp'],
    ['a: !!int x\n', 1, 'int'],
  ])('is refused with its line: %j', async (text, line, words) => {
    const failure = await refusal(text);
    expect(failure).toMatchObject({ code: 'not-yaml', data: { line } });
    expect(failure.message).toMatch(/^the document is not YAML: at line \d+, column \d+ \S/);
    expect(failure.message).toContain(words);
  });

  it('that begins as JSON is told of as JSON', async () => {
    expect(await refusal('{"a": 1')).toMatchObject({ code: 'not-json', data: { line: 1, column: 8 } });
    expect(await refusal('{"a": 1]')).toMatchObject({ code: 'not-json', data: { line: 1, column: 8 } });
  });

  it.each(['hello world', 'Sign in to go on', '"a', '# only a note\n', '\0\0'])('is only no JSON: %j', async (text) =>
    expect((await refusal(text)).code).toBe('not-json'),
  );

  it.each(['<!doctype html><p>a: b', '', '#%RAML 1.0\ntitle: x\n', 'FORMAT: 1A\n'])(
    'of another format is named: %j',
    async (text) => expect((await refusal(text)).message).toMatch(/; a description in JSON or YAML is read$/),
  );
});
