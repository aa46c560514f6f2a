// Small descriptions for the cases, and short ways to look at what becomes of them.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import {
  type HttpTool,
  importOperations,
  memoryStore,
  type Preview,
  type PreviewOptions,
  preview,
  type Refusal,
  type Schema,
  type ToolDraft,
} from '../../src/index.js';

export type Json = { readonly [key: string]: unknown };

export const SERVER = 'https://api.example.com';
export const TEXT = { type: 'string' } as const;
export const WHOLE = { type: 'integer' } as const;

export function openapi(paths: Json, rest: Json = {}): Json {
  return { openapi: '3.0.4', info: { title: 'Demo', version: '1' }, servers: [{ url: SERVER }], paths, ...rest };
}

/** A Google Discovery document of one resource, `demo.<resource>`, with these methods. */
export function discovery(resource: string, methods: Json, rest: Json = {}): Json {
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: 'demo:v1',
    name: 'demo',
    version: 'v1',
    protocol: 'rest',
    rootUrl: 'https://demo.googleapis.com/',
    servicePath: '',
    resources: { [resource]: { methods } },
    ...rest,
  };
}

/** An operation that answers; without an identifier where none is given. */
export function operation(operationId: string | undefined, rest: Json = {}): Json {
  return {
    ...(operationId === undefined ? {} : { operationId }),
    responses: { 200: { description: 'ok' } },
    ...rest,
  };
}

export function parameter(place: string, name: string, schema: Json = TEXT, rest: Json = {}): Json {
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema, ...rest };
}

/** `requestBody` of one media type. */
export function body(schema: unknown, { type = 'application/json', required = true, media = {} } = {}): Json {
  return { requestBody: { required, content: { [type]: { schema, ...media } } } };
}

export function object(properties: Json, ...required: string[]): Json {
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

export function list(items: Json): Json {
  return { type: 'array', items };
}

/** What a preview came to, with every promise of a schema checked. */
export interface Seen {
  readonly answer: Preview;
  /** The keys that can be imported, in order. */
  readonly keys: readonly string[];
  tool(key: string): ToolDraft;
  refusal(key: string): Refusal;
}

/** Previews under the core profile; what it can import has to be the same under the extended one. */
export async function see(description: Json | string, options: PreviewOptions = {}): Promise<Seen> {
  const document = typeof description === 'string' ? description : JSON.stringify(description);
  const answer = await preview({ document }, { profile: 'core', ...options });
  const extended = await preview({ document }, { ...options, profile: 'extended' });
  const byKey = new Map(extended.operations.map((tool) => [tool.key, tool]));
  for (const tool of answer.operations) {
    checkTool(tool);
    expect(byKey.get(tool.key)).toEqual(tool);
  }
  return seen(answer);
}

/** Previews under the extended profile alone. */
export async function seeExtended(description: Json): Promise<Seen> {
  const answer = await preview({ document: JSON.stringify(description) }, { profile: 'extended' });
  answer.operations.forEach(checkTool);
  return seen(answer);
}

export function seen(answer: Preview): Seen {
  return {
    answer,
    keys: answer.operations.map(({ key }) => key),
    tool: (key) => found(answer.operations, key, answer),
    refusal: (key) => found(answer.unimportable, key, answer),
  };
}

function found<T extends { readonly key: string }>(among: readonly T[], key: string, answer: Preview): T {
  const one = among.find((candidate) => candidate.key === key);
  if (one !== undefined) return one;
  const all = [...answer.operations, ...answer.unimportable].map((other) => `${other.key} ${'reason' in other}`);
  return expect.unreachable(`${key} is not there; there are ${all.join(', ')} (true: cannot be imported)`);
}

/** The one tool of a description of one operation. */
export async function only(description: Json | string, options: PreviewOptions = {}): Promise<ToolDraft> {
  const { answer } = await see(description, options);
  expect(answer.unimportable).toEqual([]);
  const [tool, ...others] = answer.operations;
  expect(others).toEqual([]);
  return tool ?? expect.unreachable('no tool');
}

/** The operation alone, at `/a`, as a POST with this JSON body. */
export async function posted(schema: unknown, rest: Json = {}): Promise<ToolDraft> {
  return only(openapi({ '/a': { post: operation('a', body(schema)) } }, rest));
}

/** Imports these operations and gives their tools in that order. */
export async function imported(
  description: Json | string,
  operations: readonly string[],
  server = SERVER,
): Promise<HttpTool[]> {
  const document = typeof description === 'string' ? description : JSON.stringify(description);
  const { tools } = await importOperations({ document, server, operations }, { store: memoryStore() });
  return operations.map(
    (key) => tools.find(({ origin }) => origin?.operation === key) ?? expect.unreachable(`${key} was not imported`),
  );
}

export async function endpoint(description: Json | string, key: string, server = SERVER): Promise<string | undefined> {
  return (await imported(description, [key], server))[0]?.config.endpoint;
}

export function properties({ input_schema }: ToolDraft): Record<string, Schema> {
  return input_schema.properties as Record<string, Schema>;
}

export function names(tool: ToolDraft): string[] {
  return Object.keys(properties(tool));
}

export function required({ input_schema }: ToolDraft): readonly string[] {
  return (input_schema.required ?? []) as readonly string[];
}

/** What lies under these keys. */
export function dig(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((inside, key) => (inside as Json | undefined)?.[key], value);
}

export function noticeCodes({ notices }: ToolDraft): string[] {
  return notices.map(({ code }) => code);
}

/** The body of `a`: its media type, its properties in order, those required, and nothing beside them. */
export function expectBody({ tool }: Seen, type: string, all: Json, ...needed: readonly string[]): void {
  expect(tool('a').body?.content_type.startsWith(type)).toBe(true);
  expect(properties(tool('a'))).toMatchObject(all);
  expect(names(tool('a'))).toEqual(Object.keys(all));
  expect(required(tool('a'))).toEqual(needed);
  for (const place of Object.values(tool('a').locations)) {
    expect(typeof place === 'string' ? place : place.in).toBe('body');
  }
}

/** The required body of `a` is one argument of this schema. */
export function expectWhole({ tool }: Seen, type: string, schema: Json): void {
  expect(tool('a').input_schema).toMatchObject({ required: ['body'], properties: { body: schema } });
  expect(names(tool('a'))).toEqual(['body']);
  expect(tool('a').body).toMatchObject({ content_type: type, required: true, whole: 'body' });
}

/** Whether a schema takes a value. */
export function accepts(schema: unknown, value: unknown): boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema as Schema)(value);
}

const KEPT = new Set(
  (
    'type properties required items prefixItems additionalProperties anyOf enum const default format title description ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems pattern'
  ).split(' '),
);

/** What holds of every tool: a legal name, arguments and locations that agree, a closed schema of kept keywords alone. */
export function checkTool(tool: ToolDraft): void {
  const { name, input_schema, locations } = tool;
  expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(Object.keys(input_schema).sort()).toEqual(['additionalProperties', 'properties', 'required', 'type']);
  expect(input_schema).toMatchObject({ type: 'object', additionalProperties: false });
  for (const argument of names(tool)) expect(argument).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
  expect(names(tool)).toEqual(expect.arrayContaining([...Object.keys(locations), ...required(tool)]));
  checkSchema(input_schema);
  new Ajv2020({ strict: false, validateFormats: false }).compile(input_schema);
}

function checkSchema(schema: unknown): void {
  if (typeof schema === 'boolean') return;
  const node = schema as Schema;
  expect(Object.keys(node).filter((keyword) => !KEPT.has(keyword))).toEqual([]);
  for (const bound of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
    if (bound in node) expect(typeof node[bound]).toBe('number');
  }
  if ([node.type].flat().includes('array')) expect(node).toHaveProperty('items');
  for (const part of Object.values(node.properties ?? {})) checkSchema(part);
  for (const part of [node.anyOf ?? [], node.prefixItems ?? []].flat()) checkSchema(part);
  for (const keyword of ['items', 'additionalProperties']) if (keyword in node) checkSchema(node[keyword]);
}
