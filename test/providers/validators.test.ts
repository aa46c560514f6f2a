// The validators themselves: a good tool passes, and for each rule there is a tool that is refused for it alone.
import { describe, expect, it } from 'vitest';
import { isObject, type Json } from './faults.js';
import { VALIDATORS } from './validators.js';

type Case = readonly [fault: string, path: string, value: unknown];

/** The tool with another value at a path (`a/b`); undefined removes what is there. */
function changed(tool: Json, path: string, value: unknown): Json {
  const [key = '', ...rest] = path.split('/');
  const inside = isObject(tool[key]) ? tool[key] : {};
  const { [key]: _, ...others } = tool;
  const next = rest.length > 0 ? changed(inside, rest.join('/'), value) : value;
  return next === undefined ? others : { ...tool, [key]: next };
}

function suite(consumer: keyof typeof VALIDATORS, good: Json, cases: readonly Case[], method = 'GET'): void {
  describe(`the validator of ${consumer}`, () => {
    it('passes a good tool', () => {
      expect(VALIDATORS[consumer](good, method)).toEqual([]);
    });
    it.each(cases)('refuses: %s (%s)', (fault, path, value) => {
      expect(VALIDATORS[consumer](path === '' ? value : changed(good, path, value), method)).toEqual([fault]);
    });
  });
}

const TEXT = { type: 'string' };
const times = (count: number, part: (index: number) => unknown): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, part(index)]));
const nested = (levels: number, wrap: (inside: Json) => Json): Json =>
  Array.from({ length: levels }).reduce<Json>((inside) => wrap(inside), TEXT);

const OPENAI = {
  type: 'function',
  function: { name: 'get_it', description: 'Gets it.', parameters: { type: 'object', properties: { a: TEXT } } },
};
const P = 'function/parameters';
suite('openai', OPENAI, [
  ['/: a tool is { type: "function", function }', 'type', 'tool'],
  ['/function: no keyword title', 'function/title', 'x'],
  ['/name: a name of [a-zA-Z0-9_-]{1,64}', 'function/name', 'a.b'],
  ['/name: a name of [a-zA-Z0-9_-]{1,64}', 'function/name', 'x'.repeat(65)],
  ['/description: at most 1024', 'function/description', 'x'.repeat(1025)],
  ['/parameters: type is object', `${P}/type`, 'string'],
  ['/parameters: has properties', `${P}/properties`, undefined],
  ...['oneOf', 'anyOf', 'allOf', 'enum', 'not', 'const'].map((key): Case => {
    return [`/parameters: no ${key} at top`, `${P}/${key}`, []];
  }),
  ['/properties/a: a list has items', `${P}/properties/a/type`, 'array'],
  ['/properties/a: a list has items', `${P}/properties/a/type`, ['array', 'null']],
]);

const object = (properties: Json): Json => {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
};
const STRICT = changed(changed(OPENAI, 'function/strict', true), P, object({ a: TEXT }));
const AT = '/parameters/properties/a';
const a = (schema: unknown): readonly [string, unknown] => [P, object({ a: schema })];
suite('openai-strict', STRICT, [
  [`${AT}: a schema is an object`, ...a(true)],
  [`${AT}: no keyword default`, ...a({ ...TEXT, default: 'x' })],
  [`${AT}: no keyword allOf`, ...a({ ...TEXT, allOf: [] })],
  [`${AT}: has a type`, ...a({})],
  [`${AT}: anyOf lists schemas`, ...a({ anyOf: [] })],
  [`${AT}: no type beside anyOf`, ...a({ ...TEXT, anyOf: [TEXT] })],
  [`${AT}/anyOf/0: has a type`, ...a({ anyOf: [{}] })],
  [`${AT}/items: a schema is an object`, ...a({ type: 'array' })],
  [`${AT}: additionalProperties is false`, ...a({ type: 'object', properties: {}, required: [] })],
  [`${AT}: has properties`, ...a({ type: 'object', required: [], additionalProperties: false })],
  ['/parameters: every one is required', `${P}/required`, []],
  ['/parameters: required names properties', `${P}/required`, ['b']],
  [`${AT}: an enum lists values`, ...a({ ...TEXT, enum: [] })],
  [`${AT}: values of an enum are plain`, ...a({ ...TEXT, enum: [{}] })],
  [`${AT}: over 250 values at most 15,000 characters`, ...a({ ...TEXT, enum: Array(251).fill('x'.repeat(60)) })],
  [`${AT}: no format uri`, ...a({ ...TEXT, format: 'uri' })],
  [`${AT}: no pattern (?=x)`, ...a({ ...TEXT, pattern: '(?=x)' })],
  [`${AT}: no pattern \\b`, ...a({ ...TEXT, pattern: '\\b' })],
  ['/parameters: at most 5,000 properties', P, object(times(5_001, () => TEXT))],
  ['/parameters: at most 1,000 values of enums', P, object(times(5, () => ({ ...TEXT, enum: Array(201).fill('x') })))],
  ['/parameters: at most 120,000 characters', P, object({ ['x'.repeat(120_001)]: TEXT })],
  [`/parameters${'/properties/a'.repeat(10)}: at most 10 levels`, P, nested(11, (one) => object({ a: one }))],
  [
    `/parameters/properties/a${'/items'.repeat(9)}: at most 10 levels`,
    ...a(nested(10, (items) => ({ type: 'array', items }))),
  ],
]);

const ANTHROPIC = {
  name: 'get_it',
  description: 'Gets it.',
  input_schema: { type: 'object', properties: { a: TEXT }, required: ['a'] },
};
suite('anthropic', ANTHROPIC, [
  ['/: a tool is an object', '', []],
  ['/: no keyword strict', 'strict', true],
  ['/name: of [a-zA-Z0-9_-]{1,128}', 'name', 'a.b'],
  ['/description: is a text', 'description', undefined],
  ['/input_schema: type is object', 'input_schema/type', undefined],
  ['/input_schema: no oneOf at top', 'input_schema/oneOf', [TEXT]],
  ['/input_schema: no allOf at top', 'input_schema/allOf', [TEXT]],
  ['/input_schema: no anyOf at top', 'input_schema/anyOf', [TEXT]],
  ['/input_schema: no $ref at top', 'input_schema/$ref', '#/$defs/a'],
  ['/input_schema: a schema of JSON Schema 2020-12', 'input_schema/properties/a', { type: 'text' }],
  ['/input_schema/properties: no key "a b"', 'input_schema/properties/a b', TEXT],
  [
    '/input_schema/properties/a/items/properties: no key "@x"',
    'input_schema/properties/a',
    {
      items: { properties: { '@x': TEXT } },
    },
  ],
  ['/input_schema: required names properties', 'input_schema/required', ['b']],
]);

const GEMINI = {
  name: 'get_it',
  description: 'Gets it.',
  parameters: { type: 'object', properties: { a: TEXT }, required: ['a'] },
};
const g = (schema: unknown): readonly [string, unknown] => ['parameters/properties/a', schema];
suite('gemini', GEMINI, [
  ['/: a tool is an object', '', 'tool'],
  ['/: no keyword strict', 'strict', true],
  ['/name: a legal name', 'name', '1st'],
  ['/name: a legal name', 'name', 'x'.repeat(65)],
  ['/description: is a text', 'description', ''],
  ['/parameters: type is object', 'parameters/type', 'string'],
  [`${AT}: a schema is an object`, ...g(false)],
  ...['$ref', 'additionalProperties', 'oneOf', 'const', 'uniqueItems'].map((key): Case => {
    return [`${AT}: no keyword ${key}`, ...g({ ...TEXT, [key]: 'x' })];
  }),
  [`${AT}: nothing beside anyOf`, ...g({ description: 'x', anyOf: [TEXT] })],
  [`${AT}: anyOf lists schemas`, ...g({ anyOf: [] })],
  [`${AT}: no type null`, ...g({ type: 'null' })],
  [`${AT}: no type string,null`, ...g({ type: ['string', 'null'] })],
  [`${AT}: nullable is a boolean`, ...g({ ...TEXT, nullable: 'yes' })],
  [`${AT}: no format uuid of string`, ...g({ ...TEXT, format: 'uuid' })],
  [`${AT}: an enum is of strings`, ...g({ type: 'integer', enum: ['1'] })],
  [`${AT}: no empty value in an enum`, ...g({ ...TEXT, enum: [''] })],
  [`${AT}: no pattern (?!x)`, ...g({ ...TEXT, pattern: '(?!x)' })],
  [`${AT}: maxLength is a number`, ...g({ ...TEXT, maxLength: '3' })],
  [`${AT}/items: a schema is an object`, ...g({ type: 'array' })],
  [`${AT}: an object has properties`, ...g({ type: 'object', properties: {} })],
  ['/parameters: required names properties', 'parameters/required', ['b']],
  ['/parameters: no key "a-b"', 'parameters/properties/a-b', TEXT],
]);

const MCP = {
  name: 'get_it',
  title: 'Gets it',
  description: 'Gets it.',
  inputSchema: { type: 'object', properties: { a: TEXT } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: true },
};
const SHARED: readonly Case[] = [
  ['/: a tool is an object', '', null],
  ['/: no keyword strict', 'strict', true],
  ['/title: is a text', 'title', ''],
  ['/description: is a text', 'description', undefined],
  ['/inputSchema: type is object', 'inputSchema/type', undefined],
  ['/inputSchema: a schema of JSON Schema 2020-12', 'inputSchema/properties/a/type', 'text'],
  ['/outputSchema: a JSON Schema 2020-12', 'outputSchema/required', 'a'],
  ['/annotations: no keyword readOnly', 'annotations/readOnly', true],
  ['/annotations: idempotentHint is a boolean', 'annotations/idempotentHint', 'yes'],
  ['/annotations: what reads is read-only', 'annotations/readOnlyHint', false],
  ['/annotations: the world is open', 'annotations/openWorldHint', false],
];
const NAME: Case = ['/name: a legal name', 'name', 'a b'];
const LIST: Case = ['/outputSchema: type is object', 'outputSchema', { type: 'array' }];
suite('mcp-2025-06-18', MCP, [...SHARED, LIST, ['/: no keyword icons', 'icons', []]]);
suite('mcp-2025-11-25', MCP, [...SHARED, LIST, NAME]);
suite('mcp-2026-07-28', MCP, [
  ...SHARED,
  NAME,
  ['/inputSchema: no x-mcp-header', 'inputSchema/properties/a/x-mcp-header', 'X-A'],
]);
const WRITES = changed(MCP, 'annotations', { readOnlyHint: false, destructiveHint: true, idempotentHint: true });
suite(
  'mcp',
  WRITES,
  [
    ['/annotations: what reads is read-only', 'annotations/readOnlyHint', true],
    ['/annotations: DELETE is destructive', 'annotations/destructiveHint', false],
    ['/annotations: PUT and DELETE are idempotent', 'annotations/idempotentHint', false],
  ],
  'DELETE',
);
