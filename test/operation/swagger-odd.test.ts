// Swagger 2.0 with any one of its fields replaced by a value of another type: data or a Failure, never a crash.
import { describe, expect, it } from 'vitest';
import { Failure, preview, type ToolDraft } from '../../src/index.js';
import { checkTool, type Json, operation, properties } from '../cases/build.js';
import { swagger, withParameters } from './swagger.js';

const ODD: readonly unknown[] = [
  null,
  true,
  -1.5,
  '',
  'odd',
  '\ud800',
  [],
  [[]],
  [null],
  {},
  { __proto__x: [] },
  { $ref: 3 },
];

const pet = { type: 'object', required: ['id'], properties: { id: { type: 'integer', 'x-nullable': true } } };
const listOf = (name: string, place: string, collectionFormat: string): Json => ({
  name,
  in: place,
  required: true,
  description: 'D',
  type: 'array',
  items: { type: 'array', collectionFormat: 'csv', items: { type: 'string' } },
  collectionFormat,
  default: [],
  minItems: 0,
});
const WHOLE = swagger(
  {
    '/a/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }, { $ref: '#/parameters/Limit' }],
      get: operation('get', {
        parameters: [listOf('q', 'query', 'tsv')],
        security: [{ key: ['s'] }],
        schemes: ['http'],
      }),
      put: operation('put', {
        consumes: ['application/json'],
        produces: ['application/json'],
        parameters: [{ name: 'b', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
      }),
      post: operation('post', {
        tags: ['t'],
        summary: 'S',
        deprecated: true,
        consumes: ['multipart/form-data'],
        parameters: [listOf('f', 'formData', 'multi'), { name: 'scan', in: 'formData', type: 'file' }],
      }),
    },
    '/b': { $ref: '#/paths/~1a~1{id}' },
    '/fine': { get: operation('fine') },
  },
  {
    basePath: '/v1',
    consumes: ['application/json'],
    definitions: { Pet: { allOf: [pet, { discriminator: 'id', additionalProperties: { type: 'string' } }] } },
    parameters: { Limit: { name: 'limit', in: 'query', type: 'integer', maximum: 9, exclusiveMaximum: true } },
    securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, o: { type: 'oauth2', scopes: {} } },
    security: [{ key: [] }],
    tags: [{ name: 't' }],
  },
);

/** The path of every value inside. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((one, i) => (String(i) === key ? replaced(one, rest, by) : one));
  return { ...(value as Json), [key]: replaced((value as Json)[key], rest, by) };
}

describe('one field of another type', () => {
  const paths = pathsOf(WHOLE);
  const sections = [...new Set(paths.map(([first = '']) => first))];

  it('is tried wherever there is one', () => {
    expect(paths.length).toBeGreaterThan(120);
  });

  it.each(sections)('in %s', async (section) => {
    const tools = new Map<string, ToolDraft>();
    for (const path of paths.filter(([first]) => first === section)) {
      for (const odd of ODD) {
        const description = replaced(WHOLE, path, odd);
        const outcome = await preview({ document: JSON.stringify(description) }).catch((error: unknown) => error);
        if (outcome instanceof Failure) {
          expect([outcome.code, path], path.join('/')).toEqual(['not-a-description', ['swagger']]);
          continue;
        }
        const { operations, unimportable } = outcome as Awaited<ReturnType<typeof preview>>;
        for (const tool of operations) tools.set(JSON.stringify([tool.name, tool.input_schema, tool.locations]), tool);
        if (path.length < 3 && section === 'paths') continue;
        const keys = [...operations, ...unimportable].map(({ key }) => key);
        expect(keys, path.join('/')).toContain(path[1] === '/fine' ? 'GET /a/{id}' : 'fine');
      }
    }
    // Most are the same: each is compiled once.
    for (const tool of tools.values()) checkTool(tool);
  });
});

describe('an odd name', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is one like any other', async (name) => {
    const definitions = JSON.parse(`{"${name}":{"type":"integer"}}`) as Json;
    const field = { name, in: 'formData', type: 'string', required: true };
    const query = { name, in: 'query', type: 'string' };
    const { operations } = await preview({
      document: JSON.stringify(withParameters([query, field], { consumes: [name] })),
    });
    const [tool] = operations;
    expect(Object.keys(properties(tool ?? expect.unreachable('no tool')))).toEqual([name, `body_${name}`]);
    const schema = { type: 'object', properties: { a: { $ref: `#/definitions/${name}` } } };
    const body = withParameters([{ name: 'b', in: 'body', schema }]);
    const answer = await preview({ document: JSON.stringify({ ...body, definitions }) });
    expect(answer.operations.map(properties)).toEqual([{ a: { type: 'integer' } }]);
  });
});

describe('what many operations share', () => {
  it('is paid for in steps: 1,000 form parameters of 3,000 operations', async () => {
    const parameters = Array.from({ length: 1_000 }, (_, i) => ({ name: `n${i}`, in: 'formData', type: 'string' }));
    const paths = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`/p${i}`, { $ref: '#/x-items/A' }]));
    const item = { parameters, post: {} };
    const failure = await preview({ document: JSON.stringify(swagger(paths, { 'x-items': { A: item } })) }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'description-too-large' });
  });

  it('is looked through once: 100,000 media types and schemes, long texts of both', async () => {
    const many = Array.from({ length: 100_000 }, (_, i) => `application/x${i}+xml`);
    const long = 'x'.repeat(1_000_000);
    const body = { name: 'b', in: 'body', schema: { type: 'object' } };
    const paths = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [`/p${i}`, { post: { parameters: [body] } }]),
    );
    const rest = {
      consumes: [...many, long],
      schemes: [...many, long],
      host: `${'/'.repeat(1_000_000)}h`,
      basePath: `/${long}`,
    };
    const { operations, unimportable, servers } = await preview({ document: JSON.stringify(swagger(paths, rest)) });
    expect(operations).toEqual([]);
    expect(new Set(unimportable.map(({ code }) => code))).toEqual(new Set(['body-media']));
    expect(servers).toMatchObject([{ url: null }]);
  });
});
