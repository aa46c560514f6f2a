// Hostile descriptions, made on the spot: each is small or shared, and would be large, deep or slow to a naive reader.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Node = { readonly [key: string]: Json };

const OK: Node = { 200: { description: 'Done.' } };

function jsonBody(schema: Json): Node {
  return { content: { 'application/json': { schema } } };
}

export function openApi(paths: Node, components: Node = {}, more: Node = {}): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Hostile', version: '1' }, paths, components, ...more });
}

export function reference(name: string, kind = 'schemas'): Node {
  return { $ref: `#/components/${kind}/${name}` };
}

export function post(schema: Json, more: Node = {}): Node {
  return { post: { requestBody: jsonBody(schema), responses: OK, ...more } };
}

export function objectOf(properties: Node, more: Node = {}): Node {
  return { type: 'object', properties, ...more };
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function entries(count: number, make: (index: number) => Json, name = 'n'): Node {
  return Object.fromEntries(times(count, (index) => [`${name}${index}`, make(index)]));
}

/** Many paths whose operation is the same. */
export function paths(count: number, item: (index: number) => Json): Node {
  return Object.fromEntries(times(count, (index) => [`/p${index}`, item(index)]));
}

/** `{ "a": { "a": ... } }` as text, so that nothing recurses here. */
export function nested(open: string, inside: string, close: string, depth: number): string {
  return open.repeat(depth) + inside + close.repeat(depth);
}

/** A description whose one body schema is given as text. */
export function withSchemaText(schema: string, operation = '"post"'): string {
  const mark = '"@"';
  return openApi({
    '/a': { [JSON.parse(operation) as string]: { requestBody: jsonBody('@'), responses: OK } },
  }).replace(mark, () => schema);
}

/** A chain of components, each the next twice. */
function doubling(twice: (next: Node) => Json): string {
  const schemas = entries(25, (i) => (i === 24 ? { type: 'string' } : twice(reference(`n${i + 1}`))));
  return openApi({ '/a': post(objectOf({ value: reference('n0') })), '/b': post(reference('n0')) }, { schemas });
}

function chain(length: number): string {
  const schemas = entries(length, (i) =>
    i === length - 1 ? objectOf({ a: { type: 'string' } }) : reference(`n${i + 1}`),
  );
  return openApi({ '/a': post(reference('n0')), '/b': post(objectOf({ x: reference('n0') })) }, { schemas });
}

/** 3,000 operations whose body holds a reference to the one component. */
function shared(
  component: Json,
  schema: (index: number) => Json = () => objectOf({ value: reference('Shared') }),
): string {
  return openApi(
    paths(3_000, (i) => post(schema(i))),
    { schemas: { Shared: component } },
  );
}

function loops(): string {
  const schemas: Node = {
    Itself: reference('Itself'),
    There: reference('Back'),
    Back: reference('There'),
    Property: objectOf({ next: reference('Property'), other: reference('Items') }),
    Items: { type: 'array', items: reference('Items') },
    All: { allOf: [reference('All'), objectOf({ a: { type: 'string' } })] },
    Any: { anyOf: [reference('Any'), reference('One')] },
    One: { oneOf: [reference('Any'), reference('One'), reference('All')] },
    Map: { type: 'object', additionalProperties: reference('Map') },
    Deep: { $ref: '#/components/schemas/Deep/properties/a' },
    Root: { $ref: '#' },
    Prefix: { type: 'array', prefixItems: [reference('Prefix'), reference('Mutual')] },
    Mutual: objectOf({ a: reference('Property'), b: reference('Mutual'), c: reference('All'), d: reference('Any') }),
  };
  const items = Object.keys(schemas).map((name): [string, Json] => [
    `/${name}`,
    {
      ...post(reference(name)),
      get: { parameters: [{ name: 'q', in: 'query', schema: reference(name) }], responses: OK },
    },
  ]);
  const more: Node = {
    '/item': { $ref: '#/paths/~1item' },
    '/item-a': { $ref: '#/paths/~1item-b' },
    '/item-b': { $ref: '#/paths/~1item-a' },
    '/parameter': { get: { parameters: [reference('P', 'parameters')], responses: OK } },
    '/body': { post: { requestBody: reference('B', 'requestBodies'), responses: OK } },
    '/callback': { post: { callbacks: { c: reference('C', 'callbacks') }, responses: OK } },
  };
  return openApi(
    { ...Object.fromEntries(items), ...more },
    {
      schemas,
      parameters: { P: reference('P', 'parameters') },
      requestBodies: { B: reference('B', 'requestBodies') },
      callbacks: { C: reference('C', 'callbacks') },
      securitySchemes: { S: reference('S', 'securitySchemes') },
    },
  );
}

/** Alternatives beside alternatives: every choice of one of each would be a form of the property. */
export function crossed(groups: number): string {
  const group = (i: number): Node => ({
    anyOf: [objectOf({ a: { type: 'string', maxLength: i + 9 } }), objectOf({ a: { type: 'string', minLength: i } })],
  });
  return openApi({ '/a': post({ type: 'object', allOf: times(groups, group) }) });
}

/** Alternatives inside alternatives, each of which describes the same property. */
export function alternativesInside(depth: number): string {
  let schema: Json = objectOf({ a: { type: 'string' } });
  for (let i = 0; i < depth; i += 1) {
    schema = objectOf({ a: { maxLength: 1_000 + i } }, { anyOf: [schema, objectOf({ a: { minLength: i } })] });
  }
  return openApi({ '/a': post(schema) });
}

/** One path item that 3,000 paths share. */
function sharedItem(item: Json, count = 3_000): string {
  return openApi(
    paths(count, () => reference('Item', 'pathItems')),
    { pathItems: { Item: item } },
  );
}

function discovery(more: string): string {
  return `{"kind":"discovery#restDescription","rootUrl":"https://api.hostile.example/",${more}}`;
}

function deepResources(depth: number, methods: number, more: Node = {}): string {
  const inside = JSON.stringify({
    methods: entries(methods, (i) => ({ id: `m${i}`, httpMethod: 'GET', path: `p${i}`, ...more })),
  });
  return discovery(`"resources":{"a":${nested('{"resources":{"a":', inside, '}}', depth)}}`);
}

/** More nodes under one component than the compiler remembers the dependencies of. */
function manyReferences(): string {
  const names = times(600, (i) => `n${i}`);
  const schemas: Node = {
    ...entries(600, (i) => objectOf({ value: { type: 'string', maxLength: i } })),
    Wide: objectOf(Object.fromEntries(names.map((name) => [name, reference(name)])), { required: names }),
    Deep: objectOf({ wide: reference('Wide') }),
  };
  const bodies = [
    reference('Wide'),
    objectOf({ a: reference('Deep') }),
    objectOf({ a: reference('Wide'), b: reference('Deep') }),
  ];
  return openApi(
    paths(3_000, (i) => post(bodies[i % 3] ?? null)),
    { schemas },
  );
}

const LIST = times(100_000, (i) => `n${i}`);

/** Every input by its name; what is text already may be no JSON value that JavaScript could hold in one object. */
export const INPUTS: { readonly [name: string]: () => string } = {
  'doubling by properties': () => doubling((next) => objectOf({ a: next, b: next })),
  'doubling by allOf': () => doubling((next) => ({ allOf: [next, next] })),
  'doubling by anyOf': () => doubling((next) => ({ anyOf: [next, next] })),
  'doubling by oneOf of objects': () =>
    doubling((next) => objectOf({ a: { type: 'string' } }, { oneOf: [next, next] })),
  'doubling by items': () => doubling((next) => ({ type: 'array', prefixItems: [next, next], items: next })),
  'doubling by entries': () => doubling((next) => objectOf({ a: next }, { additionalProperties: next })),
  '200,000 properties shared by 3,000 operations': () =>
    shared(objectOf(entries(200_000, () => ({ type: 'string' }))), () => reference('Shared')),
  '200,000 properties shared below the root': () => shared(objectOf(entries(200_000, () => ({ type: 'string' })))),
  'an enum of 60 KB shared by 3,000 operations': () =>
    shared({ type: 'string', enum: times(6_000, (i) => `value${i}`) }),
  'two enums of 60 KB intersected by 3,000 operations': () =>
    shared({ type: 'string', enum: times(6_000, (i) => `value${i}`) }, () =>
      objectOf({ value: { allOf: [reference('Shared'), { $ref: '#/components/schemas/Shared' }] } }),
    ),
  'a chain of 33 references': () => chain(33),
  'a chain of 100,000 references': () => chain(100_000),
  'loops of every kind': loops,
  '200,000 nested arrays': () => nested('[', '', ']', 200_000),
  '200,000 nested arrays as an example': () =>
    withSchemaText(`{"type":"object","example":${nested('[', '', ']', 200_000)}}`),
  '200,000 nested arrays as a default': () =>
    withSchemaText(`{"type":"object","properties":{"a":{"default":${nested('[', '', ']', 200_000)}}}}`),
  '100,000 nested arrays as the value of an enum': () =>
    withSchemaText(`{"type":"object","properties":{"a":{"enum":[1,${nested('[', '', ']', 100_000)}]}}}`),
  '100,000 nested arrays as the value of a const': () =>
    withSchemaText(`{"type":"object","properties":{"a":{"const":${nested('[', '', ']', 100_000)}}}}`),
  '100,000 nested items': () =>
    withSchemaText(`{"type":"object","properties":{"a":${nested('{"items":', '{}', '}', 100_000)}}}`),
  '100,000 nested allOf': () => withSchemaText(nested('{"allOf":[', '{"type":"object"}', ']}', 100_000)),
  '100,000 nested properties': () =>
    withSchemaText(nested('{"type":"object","properties":{"a":', '{"type":"object"}', '}}', 100_000)),
  'anyOf nested 3,000 deep': () =>
    withSchemaText(`{"type":"object","properties":{"a":${nested('{"anyOf":[{"type":"null"},', '{}', ']}', 3_000)}}}`),
  'anyOf nested 3,000 deep at the root': () =>
    withSchemaText(nested('{"anyOf":[{"type":"object"},', '{"type":"object"}', ']}', 3_000)),
  'alternatives beside alternatives, 25 times': () => crossed(25),
  'alternatives inside alternatives, 300 times': () => alternativesInside(300),
  '1e400 everywhere': () =>
    withSchemaText(
      '{"type":"object","minProperties":1e400,"properties":{"a":{"type":"number","minimum":1e400,"maximum":-1e400,"multipleOf":1e400,"maxLength":1e400,"default":1e400,"enum":[1e400,1],"const":1e400}}}',
    ),
  '3,001 operations': () => openApi(paths(3_001, () => ({ get: { responses: OK } }))),
  '100,000 operations': () => openApi(paths(100_000, () => ({ get: { responses: OK } }))),
  'a path item shared by 100,000 paths': () => sharedItem({ get: { responses: OK } }, 100_000),
  'callbacks of 1,000 expressions shared by 3,000 operations': () =>
    openApi(
      paths(3_000, () => ({ post: { callbacks: { c: reference('C', 'callbacks') }, responses: OK } })),
      { callbacks: { C: entries(1_000, () => ({ post: { responses: OK } })) } },
    ),
  '100,000 servers of a path item shared by 3,000 paths': () =>
    sharedItem({
      servers: times(100_000, (i) => ({ url: `https://h${i}.hostile.example/v1` })),
      get: { responses: OK },
    }),
  '100,000 servers of an operation shared by 3,000 paths': () =>
    sharedItem({
      get: { servers: times(100_000, (i) => ({ url: `https://h${i}.hostile.example/v1` })), responses: OK },
    }),
  '100,000 servers of the description': () =>
    openApi(
      { '/a': { get: { responses: OK } } },
      {},
      { servers: times(100_000, (i) => ({ url: `https://h${i}.hostile.example` })) },
    ),
  '100,000 security alternatives of an operation shared by 3,000 paths': () =>
    sharedItem({ get: { security: times(100_000, (i) => ({ [`k${i}`]: [] })), responses: OK } }),
  '100,000 security alternatives of the description': () =>
    openApi({ '/a': { get: { responses: OK } } }, {}, { security: times(100_000, (i) => ({ [`k${i}`]: [] })) }),
  '100,000 security schemes needed together': () =>
    openApi(
      { '/a': { get: { responses: OK } } },
      {},
      { security: [Object.fromEntries(LIST.map((name) => [name, []]))] },
    ),
  '100,000 tags of an operation shared by 3,000 paths': () => sharedItem({ get: { tags: LIST, responses: OK } }),
  'parameters shared by 3,000 paths': () =>
    sharedItem({
      parameters: times(1_000, (i) => ({ name: `n${i}`, in: 'query', schema: { type: 'string' } })),
      get: { responses: OK },
    }),
  'resources nested 100,000 deep': () => deepResources(100_000, 1),
  '3,000 methods under resources nested 10,000 deep': () => deepResources(10_000, 3_000),
  '3,000 malformed methods under resources nested 10,000 deep': () => deepResources(10_000, 3_000, { parameters: 3 }),
  '15 MB of markup': () =>
    openApi({ '/a': { get: { description: '<b>[**_`<!--](x)'.repeat(15 * 64 * 1024), responses: OK } } }),
  '15 MB of unclosed comments in 1,000 operations': () =>
    openApi(paths(1_000, (i) => ({ get: { description: `${i}${'<!-- '.repeat(3_000)}`, responses: OK } }))),
  '600 references under one node of 3,000 operations': manyReferences,
  '100,000 required names': () =>
    withSchemaText(JSON.stringify({ type: 'object', properties: { a: {} }, required: LIST })),
  '100,000 required names beside 200 alternatives': () =>
    openApi({
      '/a': post({
        type: 'object',
        required: LIST,
        allOf: times(200, (i) => ({ anyOf: [objectOf({ [`a${i}`]: {} }), objectOf({ [`b${i}`]: {} })] })),
      }),
    }),
  'a default of 5 MB shared by 3,000 operations': () => shared({ type: 'string', default: 'x'.repeat(5_000_000) }),
  'a default of 5 MB, described anew by 3,000 operations': () =>
    shared({ type: 'string', default: 'x'.repeat(5_000_000) }, (i) =>
      objectOf({ value: { ...reference('Shared'), description: `The value ${i}` } }),
    ),
  'a pattern of 5 MB beside another schema in 3,000 operations': () =>
    shared({ type: 'string', pattern: 'x'.repeat(5_000_000) }, () =>
      objectOf({ value: { allOf: [reference('Shared'), { minLength: 1 }] } }),
    ),
  'a property name of 5 MB shared by 3,000 operations': () =>
    shared(objectOf({ ['x'.repeat(5_000_000)]: { type: 'string' } })),
  'an argument name of 5 MB shared by 3,000 operations': () =>
    shared(objectOf({ ['é'.repeat(2_500_000)]: { type: 'string' } }), () => reference('Shared')),
  'a parameter name of 5 MB shared by 3,000 operations': () =>
    openApi(
      paths(3_000, () => ({ get: { parameters: [reference('P', 'parameters')], responses: OK } })),
      { parameters: { P: { name: 'é'.repeat(2_500_000), in: 'query', schema: { type: 'string' } } } },
    ),
  'a media type of 5 MB shared by 3,000 operations': () =>
    openApi(
      paths(3_000, () => ({ post: { requestBody: reference('B', 'requestBodies'), responses: OK } })),
      {
        requestBodies: {
          B: { content: { [`application/${'x'.repeat(5_000_000)}+json`]: { schema: { type: 'object' } } } },
        },
      },
    ),
  '100,000 media types shared by 3,000 operations': () =>
    openApi(
      paths(3_000, () => ({ post: { requestBody: reference('B', 'requestBodies'), responses: OK } })),
      { requestBodies: { B: { content: entries(100_000, () => ({ schema: { type: 'object' } }), 'text/n') } } },
    ),
  'a path of 15 MB': () => openApi({ [`/${'{a}/'.repeat(3_900_000)}`]: { get: { responses: OK } } }),
  'an identifier of 15 MB': () =>
    openApi({ '/a': { get: { operationId: `${'é '.repeat(5_000_000)}`, responses: OK } } }),
  '100,000 schemas with an identifier': () =>
    openApi(
      { '/a': post({ $ref: 'https://hostile.example/n0' }), '/b': post({ $ref: 'https://hostile.example/none' }) },
      { schemas: entries(100_000, (i) => ({ $id: `https://hostile.example/n${i}`, type: 'object' })) },
    ),
  '3,000 equal names': () => openApi(paths(3_000, () => ({ get: { operationId: 'same', responses: OK } }))),
  '3,000 equal routes': () =>
    discovery(`"methods":${JSON.stringify(entries(3_000, () => ({ httpMethod: 'GET', path: 'same' })))}`),
};
