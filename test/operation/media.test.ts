// Which media type of a body is JSON, and what it is sent as.
import { describe, expect, it } from 'vitest';
import { jsonMediaType } from '../../src/operation/media.js';

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
