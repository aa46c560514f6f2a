// What a JSON value is: the kinds that are read, and the name of everything else.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import type { Profile } from '../../src/base/profile.js';
import { identify } from '../../src/document/kind.js';

const opened = { name: 'the document' };

function refusal(value: unknown, profile: Profile = 'core'): Failure {
  try {
    identify(value, opened, profile);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return expect.unreachable('it was identified');
}

describe('a description', () => {
  it.each(['3.0.0', '3.0.3', '3.1.0', '3.1.1', '3.2.0', '3.9.9-rc1'])('of OpenAPI %s', (openapi) => {
    const root = { openapi };
    const document = identify(root, opened);
    expect(document).toEqual({ kind: 'openapi', version: openapi, root });
    expect(document.root).toBe(root);
  });

  it.each([
    [{ kind: 'discovery#restDescription' }, 'v1'],
    [{ kind: 'discovery#restDescription', discoveryVersion: 'v2' }, 'v2'],
    [{ name: 'a', rootUrl: 'https://a.example/', resources: {} }, 'v1'],
    [{ version: 'v3', baseUrl: 'https://a.example/', methods: {} }, 'v1'],
    [{ name: 'a', rootUrl: 'https://a.example/', schemas: {}, discoveryVersion: 'v1' }, 'v1'],
  ])('of Google Discovery: %j', (root, version) => {
    expect(identify(root, opened)).toEqual({ kind: 'discovery', version, root });
  });

  it('of Swagger 2.0, in the extended profile', () => {
    const root = { swagger: '2.0' };
    expect(identify(root, opened)).toEqual({ kind: 'swagger', version: '2.0', root });
    expect(identify(root, opened, 'extended')).toEqual(identify(root, opened));
    expect(identify({ ...root, openapi: '3.0.0' }, opened).kind).toBe('openapi');
  });

  it.each([2, '2', '2.1', '1.2', ' 2.0', null, ['2.0']])('of Swagger is none where its version is %j', (swagger) => {
    const { code, message } = refusal({ swagger }, 'extended');
    expect(code).toBe('not-a-description');
    expect(message).toContain('; OpenAPI 3.x, Swagger 2.0 and Google Discovery are read');
  });

  it('keeps the URL it came from', () => {
    const url = 'https://a.example/spec?x=1';
    expect(identify({ openapi: '3.1.0' }, { name: 'x', url })).toMatchObject({ url });
  });

  it('is told by own properties alone', () => {
    expect(refusal(JSON.parse('{"__proto__":{"openapi":"3.1.0"}}')).data).toEqual({
      found: 'JSON of no known kind with the key "__proto__"',
    });
    expect(refusal(Object.create({ openapi: '3.1.0' })).data).toEqual({ found: 'an empty JSON object' });
    expect(identify(JSON.parse('{"openapi":"3.1.0","__proto__":{"swagger":"2.0"}}'), opened).kind).toBe('openapi');
  });
});

describe('anything else', () => {
  it.each([
    [42, 'JSON, but its top level is a number'],
    ['text', 'JSON, but its top level is a string'],
    [true, 'JSON, but its top level is a boolean'],
    [null, 'JSON, but its top level is null'],
    [[{ openapi: '3.1.0' }], 'JSON, but its top level is an array'],
    [{ swagger: '2.0', info: {}, paths: {} }, 'Swagger 2.0'],
    [{ swagger: 2 }, 'JSON whose "swagger" is the number 2 in place of the text "2.0"'],
    [{ swaggerVersion: '1.2', apis: [] }, 'Swagger 1.2'],
    [{ asyncapi: '2.6.0' }, 'AsyncAPI 2.6.0'],
    [{ asyncapi: '3.0.0-next' }, 'AsyncAPI of the version "3.0.0-next"'],
    [{ arazzo: '1.0.0' }, 'an Arazzo description 1.0.0'],
    [{ overlay: '1.0.0' }, 'an OpenAPI Overlay 1.0.0'],
    [{ openrpc: '1.2.6' }, 'OpenRPC 1.2.6'],
    [{ openapi: '4.0.0' }, 'OpenAPI of the version "4.0.0"'],
    [{ openapi: '3' }, 'OpenAPI of the version "3"'],
    [{ openapi: ' 3.1.0' }, 'OpenAPI of the version " 3.1.0"'],
    [{ openapi: 3.1 }, 'JSON whose "openapi" is the number 3.1 in place of a text such as "3.1.0"'],
    [{ openapi: null }, 'JSON whose "openapi" is null in place of a text such as "3.1.0"'],
    [{ openapi: ['3.1.0'] }, 'JSON whose "openapi" is an array in place of a text such as "3.1.0"'],
    [{ kind: 'discovery#directoryList', items: [] }, 'a list of Google Discovery documents'],
    [{ info: { _postman_id: 'x', name: 'n' }, item: [] }, 'a Postman collection'],
    [
      { info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' } },
      'a Postman collection',
    ],
    [{ collection: { info: { name: 'n' }, item: [] } }, 'a Postman collection'],
    [{ id: 'x', order: [], requests: [] }, 'a Postman collection'],
    [{ _postman_variable_scope: 'environment', values: [] }, 'a Postman environment'],
    [{ _type: 'export', __export_format: 4, resources: [] }, 'an Insomnia export'],
    [{ type: 'collection.insomnia.rest/5.0' }, 'an Insomnia export'],
    [{ log: { version: '1.2', entries: [] } }, 'an HTTP archive (HAR)'],
    [{ data: { __schema: {} } }, 'a GraphQL introspection result'],
    [{ __schema: {} }, 'a GraphQL introspection result'],
    [{ jsonrpc: '2.0', result: {} }, 'a JSON-RPC message'],
    [{ paths: {}, info: {} }, 'like an OpenAPI description, but it has no "openapi" that names a version'],
    [{ components: { schemas: {} } }, 'like an OpenAPI description, but it has no "openapi" that names a version'],
    [{ '/a': {}, '/b': {} }, 'only the paths of an OpenAPI description'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, 'a JSON Schema'],
    [{ type: 'object', properties: {} }, 'a JSON Schema'],
    [{ $defs: {} }, 'a JSON Schema'],
    [{ type: 'about:blank', title: 'Not Found', status: 404 }, 'an error answer: "Not Found"'],
    [
      { error: { code: 404, message: 'Discovery document not found' } },
      'an error answer: "Discovery document not found"',
    ],
    [{ error: 'invalid_token' }, 'an error answer: "invalid_token"'],
    [{ message: 'Bad credentials' }, 'an error answer: "Bad credentials"'],
    [{ errors: [] }, 'an error answer'],
    [{}, 'an empty JSON object'],
    [{ a: 1 }, 'JSON of no known kind with the key "a"'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'JSON of no known kind with the keys "a", "b", "c", "d", "e" and others'],
  ])('%j is named', (value, found) => {
    const failure = refusal(value);
    expect(failure).toMatchObject({ code: 'not-a-description', data: { found } });
    expect(failure.message).toBe(`the document is ${found}; OpenAPI 3.x and Google Discovery are read`);
  });

  it.each([
    { openapi: `4${'\u202e\u200b\u001b[31m\n'}${'x'.repeat(10_000)}` },
    { message: `no\u0000\u2066${'y'.repeat(10_000)}` },
    { [`k\u200b\n${'z'.repeat(10_000)}`]: 1, '\u{e0041}': 2 },
    { swagger: '\u202e'.repeat(10_000) },
  ])('shows little of a foreign text, and nothing invisible', (value) => {
    const { message } = refusal(value);
    expect(message.length).toBeLessThan(250);
    expect(message).toMatch(/^[ -~…]+$/);
  });

  it('is told without a walk over a wide or deep value', () => {
    let deep: unknown = {};
    for (let level = 0; level < 200_000; level += 1) deep = { a: deep };
    expect(refusal(deep).code).toBe('not-a-description');
    const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`key${index}`, index]));
    expect(refusal(wide).code).toBe('not-a-description');
  });
});
