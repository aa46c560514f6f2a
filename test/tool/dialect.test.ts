// Renderings: what each consumer is told instead of what it cannot take, the way back, and that nothing makes them fail.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHANGE_CODES,
  CONSUMERS,
  type Consumer,
  exportTools,
  type HttpTool,
  LINT_CODES,
  preview,
  render,
  requestOf,
  type Schema,
} from '../../src/index.js';
import { handTool, toolOf } from '../providers/draft.js';
import { VALIDATORS } from '../providers/validators.js';

type Json = { readonly [key: string]: unknown };

function root(properties: Json, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function parameters(consumer: Consumer, schema: Schema): Json {
  const { tool } = render(handTool(schema), consumer);
  return ((tool.function as Json | undefined)?.parameters ?? tool.parameters ?? tool.input_schema) as Json;
}

function property(consumer: Consumer, schema: Json, required = false): unknown {
  return (parameters(consumer, root({ a: schema }, required ? ['a'] : [])).properties as Json).a;
}

function codes(consumer: Consumer, tool: HttpTool): readonly string[] {
  return [...new Set(render(tool, consumer).changes.map(({ code }) => code))].sort();
}

const SCHEMAS: readonly Schema[] = [
  root({}),
  { type: 'object' },
  { type: 'object', properties: { a: true, b: false } },
  { type: 'object', properties: {}, anyOf: [{ required: ['a'] }], additionalProperties: { type: 'string' } },
  root({ a: { type: 'array' }, b: { type: ['array', 'null'] }, c: { type: 'object' }, d: {} }),
  root({ a: { allOf: [{ type: 'object', properties: { b: { type: 'string' } } }] }, b: { not: {} }, c: { $ref: '#' } }),
  root({ a: { oneOf: [{ type: 'string' }, { type: 'integer', enum: [1, 1, 2] }] }, b: { type: 'null' } }),
  root({ a: { type: 'array', prefixItems: [{ type: 'string' }] }, b: { enum: [1.5, 'x'] } }),
  root({ a: { type: 'object', properties: { 'b c': { type: 'string' } }, required: ['b c', 'd'] } }),
  root({
    a: { type: 'string', pattern: '(?=x)', 'x-mcp-header': 'A', format: 'uri' },
    b: { enum: [{}, [], 1, '', null] },
  }),
  root({ a: Array.from({ length: 90 }).reduce<Json>((inner) => ({ type: 'array', items: inner }), {}) }),
  root(Object.fromEntries(Array.from({ length: 5_200 }, (_, index) => [`p${index}`, { type: 'string' }]))),
  root({ a: { enum: Array.from({ length: 1_200 }, (_, index) => `value ${index}`) } }),
];

describe('a rendering', () => {
  const tools = SCHEMAS.map((schema) => handTool(schema));

  it.each(CONSUMERS.filter((consumer) => consumer !== 'json'))(
    'of any schema passes for %s, and is stable',
    (consumer) => {
      for (const tool of tools) {
        const { tool: rendered } = render(tool, consumer);
        expect([tool.input_schema, VALIDATORS[consumer](rendered, 'POST')]).toEqual([tool.input_schema, []]);
        expect(JSON.stringify(render(JSON.parse(JSON.stringify(tool)), consumer).tool)).toBe(JSON.stringify(rendered));
      }
    },
  );

  it('never throws, whatever the schema is', () => {
    const schemas = fc.oneof(
      fc.object(),
      fc.jsonValue(),
      fc.constant(root({ a: { type: 5, properties: 3, items: [] } })),
    );
    const property = fc.property(schemas, (schema) => {
      const tool = handTool(root({ a: schema, b: { anyOf: [schema, schema], properties: schema } }));
      for (const consumer of CONSUMERS) expect(() => render(tool, consumer).arguments({ a: 1, b: '{' })).not.toThrow();
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('does not run away where alternatives multiply', () => {
    const inside = (depth: number): Json =>
      depth === 0
        ? { type: 'string' }
        : {
            type: 'object',
            properties: { a: inside(depth - 1) },
            anyOf: [{ required: ['a'] }, { title: 'b' }, {}, {}],
          };
    const tool = handTool(root({ a: inside(40) }));
    for (const consumer of CONSUMERS)
      expect(JSON.stringify(render(tool, consumer).tool).length).toBeLessThan(5_000_000);
  });

  it('is without what is fixed, and lists what it changed by its place', () => {
    const tool = handTool(root({ a: { type: 'string' }, b: { type: 'integer', format: 'int64' } }, ['a', 'b']), {
      fixed_parameters: { a: 'x' },
    });
    expect(parameters('openai-strict', tool.input_schema).required).toEqual(['a', 'b']);
    const { tool: rendered, changes } = render(tool, 'openai-strict');
    expect((rendered.function as Json).parameters).toEqual({
      type: 'object',
      properties: { b: { type: 'integer', description: 'Format: int64.' } },
      required: ['b'],
      additionalProperties: false,
    });
    expect(changes).toEqual([
      { code: 'told-in-text', at: '/input_schema/properties/b/format', message: 'it is told in the description' },
    ]);
  });

  it('of a fixture is what it was', async () => {
    const document = readFileSync(new URL('../../fixtures/clinic/description.json', import.meta.url), 'utf8');
    for (const draft of (await preview({ document })).operations) {
      expect(VALIDATORS['openai-strict'](render(toolOf(draft), 'openai-strict').tool, draft.method)).toEqual([]);
      expect(render(toolOf(draft), 'json').tool.input_schema).toEqual(draft.input_schema);
    }
  });
});

describe('OpenAI, strict', () => {
  it('writes an optional value as one that may be null', () => {
    expect(property('openai-strict', { type: 'string' })).toEqual({ type: ['string', 'null'] });
    expect(property('openai-strict', { type: 'string', enum: ['x'] })).toEqual({
      anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }],
    });
    expect(property('openai-strict', { type: 'string' }, true)).toEqual({ type: 'string' });
  });

  it('has a form that leaves out what may be null itself, so that null is never sent by accident', () => {
    const tool = handTool(
      root({ a: { type: 'object', properties: { b: { type: ['string', 'null'] } }, required: [] } }),
    );
    const sent = (b: unknown) => requestOf({ tool, arguments: { a: { b } }, consumer: 'openai-strict' });
    expect(sent({})).toMatchObject({ body: '{"a":{}}' });
    expect(sent(null)).toMatchObject({ body: '{"a":{"b":null}}' });
    expect(codes('openai-strict', tool)).toContain('empty-for-absent');
  });

  it('gives free entries as JSON text', () => {
    const tool = handTool(root({ a: { type: 'object', additionalProperties: { type: 'string' } } }));
    expect(property('openai-strict', { type: 'object', additionalProperties: { type: 'string' } })).toEqual({
      type: ['string', 'null'],
      description: 'JSON text of: { [name]: string }',
    });
    expect(requestOf({ tool, arguments: { a: '{"k":"v"}' }, consumer: 'openai-strict' })).toMatchObject({
      body: '{"a":{"k":"v"}}',
    });
  });

  it('gives alternatives that could not be told apart as JSON text, all of them', () => {
    expect(property('openai-strict', { anyOf: [{ type: 'string' }, { type: 'object' }] }, true)).toEqual({
      type: 'string',
      description: 'JSON text of: string | { [name]: any }',
    });
  });

  it('says where a tool has no strict form', () => {
    const free = handTool({ type: 'object', properties: {}, additionalProperties: { type: 'string' } });
    expect(codes('openai-strict', free)).toEqual(['not-strict']);
    expect((render(free, 'openai-strict').tool.function as Json).strict).toBe(false);
    expect(codes('openai-strict', handTool(SCHEMAS[11] as Schema))).toEqual(['not-strict']);
  });
});

describe('Anthropic', () => {
  const text = { type: 'string' };
  const spoken = { type: 'object', properties: { 'a b': text }, additionalProperties: false };
  const sent = (schema: Json, value: unknown): unknown => {
    const tool = handTool(root({ value: schema }));
    const request = requestOf({ tool, arguments: { value } as Json, consumer: 'anthropic' });
    return 'body' in request ? JSON.parse(String(request.body)).value : request;
  };

  it('turns keys back in an entry that is called as a property of another alternative', () => {
    const named = { type: 'object', properties: { a: text }, additionalProperties: false };
    const free = { type: 'object', additionalProperties: spoken };
    for (const anyOf of [
      [named, free],
      [free, named],
    ])
      expect(sent({ anyOf }, { a: { a_b: 'x' }, c: { a_b: 'y' } })).toEqual({ a: { 'a b': 'x' }, c: { 'a b': 'y' } });
  });

  it('turns keys back at each place of a list, and in entries by a pattern', () => {
    expect(sent({ type: 'array', prefixItems: [text, spoken] }, ['x', { a_b: 'x' }])).toEqual(['x', { 'a b': 'x' }]);
    expect(sent({ type: 'object', patternProperties: { '^c': spoken } }, { c: { a_b: 'x' } })).toEqual({
      c: { 'a b': 'x' },
    });
  });

  it('requires in an alternative what is renamed beside it', () => {
    const schema = { type: 'object', properties: { 'a b': text, c: text }, anyOf: [{ required: ['a b'] }, {}] };
    expect(parameters('anthropic', root({ value: schema })).properties).toEqual({
      value: { type: 'object', properties: { a_b: text, c: text }, anyOf: [{ required: ['a_b'] }, {}] },
    });
    expect(sent(schema, { a_b: 'x' })).toEqual({ 'a b': 'x' });
  });
});

describe('Gemini', () => {
  it('renames keys and turns them back', () => {
    const tool = handTool(root({ 'X-Trace': { type: 'string' }, X_Trace: { type: 'string' } }));
    const keys = Object.keys(parameters('gemini', tool.input_schema).properties as Json);
    expect(keys).toEqual(['X_Trace_2', 'X_Trace']);
    const request = requestOf({ tool, arguments: { X_Trace_2: 'a', X_Trace: 'b' }, consumer: 'gemini' });
    expect(request).toMatchObject({ body: '{"X-Trace":"a","X_Trace":"b"}' });
  });

  it('tells enums it does not take, and has nothing beside anyOf', () => {
    expect(property('gemini', { type: 'integer', enum: [1, 2] })).toEqual({
      type: 'integer',
      description: 'One of: 1, 2.',
    });
    expect(
      property('gemini', { description: 'D.', anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }),
    ).toEqual({
      anyOf: [{ type: 'string', description: 'D.', nullable: true }, { type: 'integer' }],
    });
  });

  it('has no parameters where there are none, and a name that begins with a letter', () => {
    const { tool } = render(handTool(root({}), { name: '2fa' }), 'gemini');
    expect(tool).toEqual({ name: 'tool_2fa', description: 'Stores a value.' });
  });
});

describe('MCP', () => {
  it('takes annotations from the method', () => {
    const hints = (method: string) =>
      render(handTool(root({}), { config: { endpoint: 'https://api.example.com/a', method } }), 'mcp').tool.annotations;
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'QUERY'])
      expect(hints(method)).toEqual({ readOnlyHint: true, openWorldHint: true });
    const write = { readOnlyHint: false, openWorldHint: true };
    expect(hints('POST')).toEqual({ ...write, destructiveHint: false, idempotentHint: false });
    expect(hints('PATCH')).toEqual({ ...write, destructiveHint: false, idempotentHint: false });
    expect(hints('PUT')).toEqual({ ...write, destructiveHint: false, idempotentHint: true });
    expect(hints('DELETE')).toEqual({ ...write, destructiveHint: true, idempotentHint: true });
  });

  it('has an output schema, of any root only in the last revision', () => {
    const object = handTool(root({}), { output_schema: { type: 'object' } });
    const list = handTool(root({}), { output_schema: { type: 'array', items: {} } });
    for (const consumer of ['mcp', 'mcp-2025-11-25', 'mcp-2025-06-18'] as const)
      expect(render(object, consumer).tool.outputSchema).toEqual({ type: 'object' });
    expect(render(list, 'mcp').tool.outputSchema).toEqual({ type: 'array', items: {} });
    expect(render(list, 'mcp-2025-11-25').tool.outputSchema).toBeUndefined();
    expect(codes('mcp-2025-06-18', list)).toEqual(['output-schema-left-out']);
  });

  it('has the first sentence as its title', () => {
    const title = (description: string) => render(handTool(root({}), { description }), 'mcp').tool.title;
    expect(title('Books a visit. It costs.')).toBe('Books a visit');
    expect(title('GET /v1.2/things')).toBe('GET /v1.2/things');
  });
});

describe('several tools', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => handTool(root({}), { name: `tool_${i}` }));

  it('are warned of where one request would not take them', () => {
    expect(exportTools(many(128), 'openai').warnings).toEqual([]);
    expect(exportTools(many(129), 'openai-strict').warnings.length).toBe(1);
    expect(exportTools(many(64), 'gemini').warnings).toEqual([]);
    expect(exportTools(many(65), 'gemini').warnings.length).toBe(1);
    expect(exportTools(many(20), 'anthropic').warnings).toEqual([]);
    expect(exportTools(many(21), 'anthropic').warnings.length).toBe(1);
    expect(
      exportTools([handTool(root({}), { name: '1' }), handTool(root({}), { name: 'tool_1' })], 'gemini').warnings,
    ).toEqual(['2 tools are called "tool_1" in this form']);
  });
});

describe('the documentation', () => {
  it.each([
    ['renderings', CHANGE_CODES],
    ['lint', LINT_CODES],
  ])('of %s has every code in the words of the code, and no other', (name, table) => {
    const text = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
    const section = text.split(/^## /m).find((part) => part.startsWith('Codes\n')) ?? '';
    const rows = [...section.matchAll(/^\| `([^`]+)` \| (.*?) \|/gm)].map(([, code = '', meaning = '']) => [
      code,
      meaning,
    ]);
    expect(Object.fromEntries(rows)).toEqual(table);
    expect(rows.map(([code]) => code)).toEqual(Object.keys(table));
  });

  it('names every consumer', () => {
    const text = readFileSync(new URL('../../docs/renderings.md', import.meta.url), 'utf8');
    expect(CONSUMERS.filter((consumer) => !text.includes(`\`${consumer}\``))).toEqual([]);
  });
});
