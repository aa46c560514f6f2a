// Which media type of a body is sent, what it is sent as, and how its value is written.
import { describe, expect, it } from 'vitest';
import { carriedMediaType, jsonMediaType } from '../../src/operation/media.js';

describe('the JSON media type', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON', 'application/json'],
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['text/json', 'text/json'],
    ['application/vnd.example+json', 'application/vnd.example+json'],
    ['application/vnd.example+json; version=1', 'application/vnd.example+json; version=1'],
    ['application/merge-patch+json', 'application/merge-patch+json'],
    ['*/*', 'application/json'],
    ['*/json', 'application/json'],
    [' application/json ', 'application/json'],
  ])('%j is sent as %j', (key, content_type) => {
    expect(jsonMediaType([key])).toEqual({ key, content_type });
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/jsonl',
    'application/x-json-stream',
    'json',
    '',
    'application/',
    'multipart/form-data',
    'application/json\r\nX: y',
    '__proto__',
  ])('%j is none', (key) => {
    expect(jsonMediaType([key])).toBeUndefined();
  });

  it('is JSON itself before any other, then the first', () => {
    expect(jsonMediaType(['text/plain', 'a/b+json', 'application/json'])?.key).toBe('application/json');
    expect(jsonMediaType(['a/b+json', 'c/d+json', '*/*'])?.key).toBe('a/b+json');
    expect(jsonMediaType([])).toBeUndefined();
  });

  it.each([
    [['application/json-patch+json', 'application/merge-patch+json'], 'application/merge-patch+json'],
    [['application/merge-patch+json', 'application/json-patch+json'], 'application/merge-patch+json'],
    [['application/json-patch+json', 'application/vnd.example+json'], 'application/vnd.example+json'],
    [['application/json-patch+json', '*/*'], '*/*'],
    [['application/JSON-Patch+json; charset=utf-8', 'text/json'], 'text/json'],
    [['application/json-patch+json', 'text/plain'], 'application/json-patch+json'],
    [['application/json-patch+json'], 'application/json-patch+json'],
  ])('of %j is %j: a JSON Patch is a list of steps', (keys, key) => {
    expect(jsonMediaType(keys)?.key).toBe(key);
  });
});

describe('the media type that the extended profile sends', () => {
  it.each([
    ['application/json; v=1', 'application/json; v=1', 'json'],
    ['*/*', 'application/json', 'json'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'form'],
    ['Application/X-WWW-Form-Urlencoded', 'application/x-www-form-urlencoded', 'form'],
    ['application/x-www-form-urlencoded; charset=utf-8', 'application/x-www-form-urlencoded; charset=utf-8', 'form'],
    ['multipart/form-data', 'multipart/form-data', 'multipart'],
    ['multipart/form-data; boundary=x', 'multipart/form-data', 'multipart'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8', 'text'],
    ['text/*', 'text/plain', 'text'],
    ['text/csv', 'text/csv', 'text'],
    ['application/x-ndjson', 'application/x-ndjson', 'text'],
    ['application/yaml', 'application/yaml', 'text'],
    ['application/octet-stream', 'application/octet-stream', 'binary'],
    ['image/png', 'image/png', 'binary'],
    ['image/*', 'application/octet-stream', 'binary'],
    ['audio/mpeg', 'audio/mpeg', 'binary'],
    ['application/pdf', 'application/pdf', 'binary'],
    ['application/zip', 'application/zip', 'binary'],
    ['application/vnd.example', 'application/vnd.example', 'binary'],
  ])('%j is sent as %j, as %s', (key, content_type, form) => {
    expect(carriedMediaType([key])).toEqual({ key, content_type, form });
  });

  it.each([
    'application/xml',
    'text/xml',
    'application/atom+xml; charset=utf-8',
    'image/svg+xml',
    'application/xml-dtd',
    'multipart/mixed',
    'multipart/related',
    'application/*',
    'json',
    '',
    'a/b',
    'text/plain\r\nX: y',
    `text/${'x'.repeat(300)}`,
    '__proto__',
  ])('%j is none', (key) => {
    expect(carriedMediaType([key])).toBeUndefined();
  });

  it('is JSON, a form, several parts, plain text, other text, octets, other bytes, in this order', () => {
    const order = [
      'a/b+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain; charset=utf-8',
      'text/csv',
      'application/octet-stream',
      'image/png',
    ];
    for (let i = 0; i < order.length; i += 1) {
      const rest = order.slice(i);
      expect(carriedMediaType(rest)?.key).toBe(order[i]);
      expect(carriedMediaType(['text/xml', ...rest.toReversed()])?.key).toBe(order[i]);
    }
    expect(carriedMediaType(['image/png', 'image/jpeg'])?.key).toBe('image/png');
  });
});
