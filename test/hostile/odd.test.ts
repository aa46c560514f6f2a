// Odd descriptions that are small: prototype names, halves of characters, values of wrong types, and deep alternatives.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import { importOperations } from '../../src/app/import.js';
import { type Preview, preview } from '../../src/app/preview.js';
import { memoryStore } from '../../src/store/memory.js';

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

/** Every NAME in the text becomes the name. */
function withName(name: string): string {
  const text = `{
    "openapi": "3.1.0", "NAME": {"polluted": true}, "info": {"title": "T", "NAME": {"polluted": true}},
    "security": [{"NAME": []}],
    "paths": {
      "NAME": {"get": {"operationId": "pathItem"}},
      "/NAME/{NAME}": {"post": {
        "operationId": "NAME",
        "NAME": {"polluted": true},
        "parameters": [
          {"name": "NAME", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/NAME"}},
          {"$ref": "#/components/parameters/NAME"}
        ],
        "requestBody": {"content": {"application/json": {"schema": {
          "type": "object",
          "required": ["NAME", "inner"],
          "properties": {"NAME": {"type": "integer"}, "inner": {"type": "object", "required": ["NAME"],
            "properties": {"NAME": {"type": "object", "properties": {"polluted": {"const": true}}}}}},
          "NAME": {"polluted": true}
        }}}}
      }}
    },
    "components": {
      "schemas": {"NAME": {"type": "string", "enum": ["NAME"], "default": "NAME"}},
      "parameters": {"NAME": {"name": "NAME", "in": "query", "schema": {"default": {"NAME": {"polluted": true}}}}},
      "securitySchemes": {"NAME": {"type": "apiKey", "in": "header", "name": "X-NAME"}}
    }
  }`;
  return text.replaceAll('NAME', name);
}

function own(object: unknown, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

function ajv(): Ajv2020 {
  return new Ajv2020({ strict: false, logger: false, validateFormats: false });
}

function previewOf(description: object): Promise<Preview> {
  return preview({ document: JSON.stringify({ openapi: '3.1.0', ...description }) });
}

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe.each(NAMES)('the name %s', (name) => {
  it('is one of operations, arguments and properties like any other', async () => {
    const { operations, unimportable, servers } = await preview({ document: withName(name) });
    expect(unimportable).toEqual([]);
    expect(operations.map(({ key }) => key)).toEqual(['pathItem', name]);
    expect(servers[0]?.suggestion).toMatchObject({ header: `X-${name}` });
    const { input_schema, locations } = operations[1] ?? expect.unreachable('no operation');
    const names = [name, `query_${name}`, `body_${name}`, 'inner'];
    expect(Object.keys(input_schema.properties as object)).toEqual(names);
    expect(input_schema.required).toEqual([name, `body_${name}`, 'inner'].sort());
    expect(own(input_schema.properties, name)).toEqual({ type: 'string', enum: [name], default: name });
    const inner = own(input_schema.properties, 'inner');
    expect(Object.keys(own(inner, 'properties') as object)).toEqual([name]);
    expect(Object.keys(own(own(own(input_schema.properties, `query_${name}`), 'default'), name) as object)).toEqual([
      'polluted',
    ]);
    expect(own(locations, `body_${name}`)).toEqual({ in: 'body', name });
    ajv().compile(input_schema);
  });

  it('is stored and kept by the next import', async () => {
    const store = memoryStore();
    const request = { document: withName(name), server: 'https://api.example.com', select: { all: true } };
    expect((await importOperations(request, { store })).created).toBe(2);
    expect((await importOperations(request, { store })).unchanged).toBe(2);
    const { tools } = await store.read();
    const tool = tools.find(({ origin }) => origin?.operation === name);
    expect(Object.keys((tool?.input_schema.properties ?? {}) as object)).toContain(name);
    expect(tool?.config.endpoint).toBe(`https://api.example.com/${name}/{${name}}`);
  });
});

describe('one operation that is wrong', () => {
  const body = (schema: unknown) => ({ requestBody: { content: { 'application/json': { schema } } } });

  it.each<readonly [string, object, string]>([
    ['parameters that are an object', { parameters: {} }, 'malformed'],
    ['parameters that are a text', { parameters: 'q' }, 'malformed'],
    ['a parameter that is a number', { parameters: [3] }, 'malformed'],
    ['a parameter without a name', { parameters: [{ in: 'query' }] }, 'malformed'],
    ['a parameter in no place', { parameters: [{ name: 'q', in: 'nowhere' }] }, 'malformed'],
    ['a schema that is a number', body(3), 'malformed'],
    ['a schema that is a text', body('object'), 'malformed'],
    ['a schema that is a list', body([]), 'malformed'],
    ['a property that is a number', body({ type: 'object', properties: { a: 3 } }), 'malformed'],
    ['a parameter whose schema is a number', { parameters: [{ name: 'q', in: 'query', schema: 3 }] }, 'malformed'],
    ['a body that is a list', { requestBody: [] }, 'malformed'],
    ['a body without content', { requestBody: {} }, 'malformed'],
    ['a body that is nothing', body(false), 'body-not-object'],
    ['a reference to nothing', body({ $ref: '#/none' }), 'unresolved-reference'],
    ['a reference with half an escape', body({ $ref: '#/%' }), 'unresolved-reference'],
  ])('is refused alone: %s', async (_, operation, code) => {
    const { operations, unimportable } = await previewOf({
      paths: { '/a': { post: operation }, '/fine': { get: {} } },
    });
    expect(operations.map(({ key }) => key)).toEqual(['GET /fine']);
    expect(unimportable).toMatchObject([{ key: 'POST /a', code }]);
  });
});

it('a body that only refers to itself is any value', async () => {
  const schema = { $ref: '#/paths/~1a/post/requestBody/content/application~1json/schema' };
  const operation = { requestBody: { content: { 'application/json': { schema } } } };
  const { operations } = await previewOf({ paths: { '/a': { post: operation } } });
  expect(operations[0]?.input_schema.properties).toEqual({ body: {} });
  expect(operations[0]?.notices).toMatchObject([{ code: 'recursion-cut' }]);
});

describe('half of a surrogate pair', () => {
  it.each(['\ud800', '\udfff', 'a\ud83d', '\udc00\ud800'])('is carried where it goes on the wire: %j', async (half) => {
    const schema = { type: 'object', properties: { [half]: { type: 'string', enum: [half], description: half } } };
    const post = { operationId: half, summary: half, requestBody: { content: { 'application/json': { schema } } } };
    const { operations } = await previewOf({ info: { title: half }, paths: { [`/${half}`]: { post } } });
    const text = JSON.stringify(operations[0]);
    expect(operations[0]?.description).not.toContain(half);
    expect(JSON.parse(text)).toEqual(operations[0]);
    expect(Object.values(operations[0]?.input_schema.properties as object)).toMatchObject([{ enum: [half] }]);
  });
});

describe('1e400', () => {
  it('is in nothing that is emitted', async () => {
    const schema =
      '{"type":"object","properties":{"a":{"type":"number","minimum":1e400,"default":1e400,"enum":[1e400,1],"const":-1e400},"b":{"default":{"c":[1e400]}}}}';
    const document = `{"openapi":"3.1.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":${schema}}}}}}}}`;
    const { operations } = await preview({ document });
    expect(operations[0]?.input_schema.properties).toEqual({ a: { type: 'number', enum: [1] }, b: {} });
  });
});

describe('alternatives inside alternatives', () => {
  it.each([10, 40, 60, 200, 400])('%i deep compile and are stored where a preview offers them', async (depth) => {
    let schema: object = { type: 'string' };
    for (let i = 0; i < depth; i += 1) schema = { anyOf: [schema, { type: 'integer', maximum: i }] };
    const body = { content: { 'application/json': { schema: { type: 'object', properties: { value: schema } } } } };
    const description = { openapi: '3.1.0', paths: { '/a': { post: { operationId: 'a', requestBody: body } } } };
    const [operation] = (await previewOf(description)).operations;
    if (operation === undefined) return;
    ajv().compile(operation.input_schema);
    const request = { document: JSON.stringify(description), server: 'https://api.example.com', operations: ['a'] };
    expect((await importOperations(request, { store: memoryStore() })).created).toBe(1);
  });
});
