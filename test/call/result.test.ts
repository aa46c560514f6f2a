// What a body is taken for, which headers are kept, and the text a model reads.
import { describe, expect, it } from 'vitest';
import type { CallResult } from '../../src/call/call.js';
import { answerOf, renderResult } from '../../src/call/result.js';
import type { Answer } from '../../src/wire/exchange.js';

function answer(type: string | undefined, body: string | Buffer, part: Partial<Answer> = {}): Answer {
  const headers = type === undefined ? {} : { 'content-type': type };
  return { status: 200, headers, body: Buffer.from(body), cut: false, ...part };
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const json = (text: string) => ({ kind: 'json', value: JSON.parse(text), text });
const text = (text: string) => ({ kind: 'text', text });
const binary = (hex: string, content_type: string) => ({
  kind: 'binary',
  base64: bytes(hex).toString('base64'),
  content_type,
});

describe('what a body is', () => {
  it.each<[string, string | undefined, string | Buffer, object]>([
    ['JSON', 'application/json', '{"a":1}', json('{"a":1}')],
    ['JSON, with parameters and in capitals', 'Application/JSON; charset=UTF-8', '[1]', json('[1]')],
    ['a structured suffix', 'application/vnd.api+json; v=1', '{}', json('{}')],
    ['problem details', 'application/problem+json', '{}', json('{}')],
    ['text/json', 'text/json', 'null', json('null')],
    ['JSON after a byte order mark', 'application/json', '\ufeff{}', json('{}')],
    ['JSON in UTF-16', 'application/json', Buffer.from('\ufeff{}', 'utf16le'), json('{}')],
    ['JSON in Latin-1', 'application/json; charset=latin1', Buffer.from('"é"', 'latin1'), json('"é"')],
    ['a key called __proto__', 'application/json', '{"__proto__":1}', json('{"__proto__":1}')],
    ['no type, an object', undefined, ' {"a":1}', json(' {"a":1}')],
    ['no type, half an object', undefined, '{"a":', text('{"a":')],
    ['no type, text', undefined, 'hello', text('hello')],
    ['no type, a number', undefined, '12', text('12')],
    ['no type, bytes', undefined, bytes('ff00'), binary('ff00', 'application/octet-stream')],
    ['no type, a NUL', undefined, bytes('6100'), binary('6100', 'application/octet-stream')],
    ['a type that is none', 'json', '{}', json('{}')],
    ['an empty type', '', '[]', json('[]')],
    ['text', 'text/plain', 'é', text('é')],
    ['CSV', 'text/csv; header=present', 'a,b', text('a,b')],
    ['HTML', 'text/html', '<p>', text('<p>')],
    ['XML', 'application/xml', '<a/>', text('<a/>')],
    ['SVG', 'image/svg+xml', '<svg/>', text('<svg/>')],
    ['a form', 'application/x-www-form-urlencoded', 'a=1', text('a=1')],
    ['JavaScript', 'application/javascript', 'f()', text('f()')],
    ['lines of JSON', 'application/x-ndjson', '{}\n{}', text('{}\n{}')],
    ['windows-1252', 'text/plain; charset="windows-1252"', bytes('80e9'), text('€é')],
    ['Shift_JIS', 'text/plain; charset=Shift_JIS', bytes('93fa'), text('日')],
    ['a byte order mark over the charset', 'text/plain; charset=latin1', '\ufeffé', text('é')],
    ['an image', 'image/png', bytes('8950'), binary('8950', 'image/png')],
    ['a PDF that names a charset', 'application/pdf; charset=utf-8', bytes('2550'), binary('2550', 'application/pdf')],
    ['octets that are text', 'application/octet-stream', 'text', binary('74657874', 'application/octet-stream')],
    ['JSON that is empty', 'application/json', '', { kind: 'empty' }],
  ])('%s', (_name, type, body, expected) => {
    const result = answerOf(answer(type, body), 1);
    expect(result.body).toEqual(expected);
    expect(result.notes).toEqual([]);
  });

  it.each([204, 304])('%i has none', (status) => {
    expect(answerOf(answer('text/plain', 'x', { status, cut: true }), 1)).toMatchObject({
      body: { kind: 'empty' },
      notes: [],
    });
  });

  it.each<[string, string, string | Buffer, object, RegExp]>([
    ['JSON that is none', 'application/json', '{"a"', text('{"a"'), /not valid JSON.*"application\/json".*as it came/],
    ['HTML called JSON', 'application/json', '<html>', text('<html>'), /not valid JSON.*an HTML page/],
    ['an unknown charset', 'text/plain; charset=x-none', 'é', text('é'), /"x-none" is not known.*UTF-8/],
    ['bytes that are no UTF-8', 'text/plain', bytes('61ff'), text('a\ufffd'), /U\+FFFD/],
  ])('notes %s', (_name, type, body, expected, note) => {
    const result = answerOf(answer(type, body), 1);
    expect(result.body).toEqual(expected);
    expect(result.notes).toEqual([expect.stringMatching(note)]);
  });

  it('keeps the digits of large numbers in the text', () => {
    const body = '{"id":12345678901234567890,"x":0.10000000000000000001}';
    expect(answerOf(answer('application/json', body), 1).body).toMatchObject({ kind: 'json', text: body });
  });

  it.each([
    [512, 'json'],
    [513, 'text'],
    [400_000, 'text'],
  ])('takes JSON that nests %i deep for %s', (depth, kind) => {
    const body = `${'['.repeat(depth)}"]\\"["${']'.repeat(depth)}`;
    for (const type of ['application/json', undefined]) expect(answerOf(answer(type, body), 1).body.kind).toBe(kind);
  });
});

describe('what is cut', () => {
  const cut = (type: string | undefined, body: Buffer) => answerOf(answer(type, body, { cut: true }), 1);

  it.each<[string, string, object, number]>([
    ['a whole character of two', 'c3a9', text('é'), 2],
    ['half a character of two', '61c3', text('a'), 1],
    ['a third of a character of three', '61e2', text('a'), 1],
    ['two thirds of a character of three', '61e282', text('a'), 1],
    ['three quarters of a character of four', '61f09f98', text('a'), 1],
    ['a whole character of four', 'f09f9880', text('😀'), 4],
  ])('cuts UTF-8 after %s at a character', (_name, hex, expected, shown) => {
    for (const type of ['text/plain', 'application/json', undefined]) {
      const result = cut(type, bytes(hex));
      expect(result.body).toEqual(expected);
      expect(result.notes).toEqual([expect.stringContaining(`first ${shown} byte`)]);
    }
  });

  it('cuts UTF-16 at a character', () => {
    expect(cut('text/plain; charset=utf-16le', bytes('61003dd8')).body).toEqual(text('a'));
  });

  it('does not parse JSON that is cut, even where its beginning is JSON', () => {
    expect(cut('application/json', Buffer.from('123')).body).toEqual(text('123'));
    expect(cut(undefined, Buffer.from('[1]')).body).toEqual(text('[1]'));
  });

  it('says so of bytes, of HTML called JSON, and of a body that was not read', () => {
    expect(cut('image/png', bytes('8950')).notes).toEqual([expect.stringContaining('first 2 bytes are shown')]);
    expect(cut('application/json', Buffer.from('<html>')).notes.length).toBe(2);
    expect(cut('text/plain', bytes(''))).toMatchObject({ body: { kind: 'empty' }, notes: ['the body was not read'] });
  });
});

describe('headers', () => {
  it('keeps those worth showing, and joins one that came twice', () => {
    const kept = {
      'content-type': 'text/plain',
      'content-length': '1',
      location: '/a',
      'retry-after': '1',
      etag: '"a"',
      'last-modified': 'x',
      'www-authenticate': 'Bearer',
      'x-ratelimit-limit': '1',
      'x-rate-limit-reset': '1',
      'ratelimit-policy': 'x',
      'x-request-id': 'r',
      'x-amzn-requestid': 'r',
    };
    const headers = { ...kept, link: ['<a>', '<b>'], 'set-cookie': 'secret', server: 'x', date: 'x' };
    expect(answerOf(answer(undefined, 'x', { headers }), 1).headers).toEqual({ ...kept, link: '<a>, <b>' });
  });
});

describe('the text for a model', () => {
  const rendered = (type: string | undefined, body: string | Buffer, part?: Partial<Answer>, attempts = 1) =>
    renderResult(answerOf(answer(type, body, part), attempts));

  it('says the status in words, then notes, then headers that matter, then the body as it came', () => {
    expect(rendered('application/json', '{"id": 12345678901234567890}')).toBe(
      'The API answered 200 OK\n\n{"id": 12345678901234567890}',
    );
    const headers = { location: '/b', 'content-type': 'text/plain' };
    expect(rendered(undefined, 'moved', { status: 302, headers }, 2)).toBe(
      'The API answered 302 Found (after 2 attempts)\nNote: the redirect was not followed\nlocation: /b\n\nmoved',
    );
  });

  it('says of an empty body and of bytes what they are', () => {
    expect(rendered(undefined, '', { status: 204 })).toBe('The API answered 204 No Content\nThe body is empty.');
    expect(rendered('image/png', bytes('8950'))).toBe('The API answered 200 OK\nimage/png, 2 bytes as base64:\n\niVA=');
  });

  it.each([
    [299, 'success'],
    [399, 'redirection'],
    [499, 'client error'],
    [599, 'server error'],
  ])('names a status of no name by its class: %i', (status, words) => {
    expect(rendered(undefined, 'x', { status })).toContain(`${status} (${words})`);
  });

  it.each<[CallResult, string]>([
    [
      { kind: 'refused', reason: 'no', problems: [{ argument: 'a', expected: 'a number', received: '"x"' }] },
      'The call was refused and nothing was sent: no\n- a: expected a number, got "x"',
    ],
    [{ kind: 'timeout', reason: 'late', attempts: 1 }, 'The call ended without an answer: late'],
    [{ kind: 'unreachable', reason: 'gone', attempts: 3 }, 'The API could not be reached (after 3 attempts): gone'],
  ])('renders %o', (result, expected) => {
    expect(renderResult(result)).toBe(expected);
  });
});
