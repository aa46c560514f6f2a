// Descriptions as a generator makes them: almost right ones, and right ones full of references.
import fc from 'fast-check';

type Node = { [key: string]: unknown };

const odd = fc.jsonValue({ maxDepth: 2 });
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    '{a}',
    '*bold*',
    '<b>x</b>',
    '\u200b',
    '\ud800',
    '/a/{id}?x={y}',
    '#',
  ),
);
const name = fc.constantFrom(
  'a',
  'b',
  'id',
  'X-Key',
  'filter[a]',
  '__proto__',
  'constructor',
  'toString',
  '',
  'é',
  'a.b-c_d',
);

/** Mostly what it should be, else any JSON. */
function mostly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 14, arbitrary: right }, { weight: 1, arbitrary: odd });
}

/** Fields that may be missing, or be anything. */
function node(fields: { readonly [key: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<unknown> {
  const arbitraries = Object.entries(fields).map(([key, right]) => [key, mostly(right)] as const);
  return fc.record(Object.fromEntries(arbitraries), { requiredKeys: [], noNullPrototype: true });
}

function mapOf(keys: fc.Arbitrary<string>, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const pairs = fc.array(fc.tuple(keys, mostly(values)), { maxLength: 3 });
  // Not assignment: `__proto__` is a key here.
  return pairs.map((entries) => Object.fromEntries(entries));
}

function listOf(items: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.array(mostly(items), { maxLength: 3 });
}

const reference = fc.constantFrom(
  '#',
  '#/components/schemas/a',
  '#/components/schemas/b',
  '#/components/parameters/a',
  '#/components/schemas/__proto__',
  '#/paths/~1a',
  '#/components/pathItems/a',
  '#/definitions/a',
  '#/parameters/a',
  '#/paths/~1a/post/parameters/0',
  'a',
  'b',
  'other.json#/a',
  '#anchor',
  '#/%',
  '',
);
const type = fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'boolean', 'null', 'any', 'odd');

const schema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    node({ type, $ref: reference }),
    node({
      type: fc.oneof(type, listOf(type)),
      $ref: reference,
      $id: text,
      $anchor: text,
      title: text,
      description: text,
      default: odd,
      enum: listOf(odd),
      const: odd,
      format: text,
      pattern: text,
      nullable: fc.boolean(),
      'x-nullable': fc.boolean(),
      readOnly: fc.boolean(),
      minimum: fc.oneof(fc.double(), fc.constant('3')),
      exclusiveMinimum: fc.oneof(fc.double(), fc.boolean()),
      maxLength: fc.integer(),
      multipleOf: fc.double(),
      uniqueItems: fc.boolean(),
      properties: mapOf(name, tie('schema')),
      required: fc.oneof(listOf(name), fc.boolean()),
      additionalProperties: fc.oneof(tie('schema'), fc.boolean()),
      items: fc.oneof(tie('schema'), listOf(tie('schema'))),
      prefixItems: listOf(tie('schema')),
      allOf: listOf(tie('schema')),
      anyOf: listOf(tie('schema')),
      oneOf: listOf(tie('schema')),
      annotations: node({ required: listOf(text) }),
    }),
  ),
})).schema;

const parameter = node({
  $ref: reference,
  name,
  in: fc.constantFrom('path', 'query', 'header', 'cookie', 'querystring'),
  required: fc.boolean(),
  description: text,
  style: fc.constantFrom('form', 'simple', 'deepObject', 'label'),
  explode: fc.boolean(),
  allowReserved: fc.boolean(),
  schema,
  content: mapOf(fc.constantFrom('application/json', 'text/plain'), node({ schema })),
});
const server = node({
  url: fc.constantFrom('https://api.example.com', '/', '{a}', 'https://{a}.example.com', '//x', 'ws://a.example', ''),
  variables: mapOf(name, node({ default: text })),
});
const security = listOf(mapOf(fc.constantFrom('a', 'b', '__proto__'), listOf(text)));
const mediaType = fc.constantFrom('application/json', '*/*', 'text/plain', 'a/b+json', 'application/json; x=1', '');
const operation = node({
  operationId: text,
  summary: text,
  description: text,
  tags: listOf(text),
  deprecated: fc.boolean(),
  parameters: listOf(parameter),
  requestBody: node({
    $ref: reference,
    required: fc.boolean(),
    description: text,
    content: mapOf(mediaType, node({ schema })),
  }),
  security,
  servers: listOf(server),
  callbacks: mapOf(name, mapOf(text, node({ $ref: reference, post: node({ operationId: text }) }))),
});
const pathItem = node({
  $ref: reference,
  get: operation,
  post: operation,
  query: operation,
  parameters: listOf(parameter),
  servers: listOf(server),
  additionalOperations: mapOf(text, operation),
});
const path = fc.constantFrom(
  '/a',
  '/a/{id}',
  '/a/{id}/{id}',
  '/{',
  '/a?b={c}',
  '/a#b',
  '__proto__',
  'x-a',
  '',
  '/a/{}',
);
const scheme = node({
  $ref: reference,
  type: fc.constantFrom('apiKey', 'http', 'basic', 'oauth2', 'openIdConnect', 'mutualTLS'),
  in: fc.constantFrom('header', 'query', 'cookie'),
  name,
  scheme: fc.constantFrom('basic', 'Bearer', 'digest'),
});

/** An OpenAPI description in which any field may be missing or be any JSON. */
export const almostOpenApi = fc
  .tuple(
    fc.constantFrom('3.0.3', '3.1.0', '3.2.0', '3.'),
    node({
      $self: text,
      info: node({ title: text, version: text }),
      servers: listOf(server),
      security,
      paths: mapOf(path, pathItem),
      webhooks: mapOf(name, pathItem),
      components: node({
        schemas: mapOf(name, schema),
        parameters: mapOf(name, parameter),
        pathItems: mapOf(name, pathItem),
        securitySchemes: mapOf(fc.constantFrom('a', 'b', '__proto__'), scheme),
      }),
    }),
  )
  .map(([openapi, rest]) => (typeof rest === 'object' && rest !== null ? { ...rest, openapi } : rest));

const swaggerParameter = node({
  $ref: reference,
  name,
  in: fc.constantFrom('path', 'query', 'header', 'body', 'formData'),
  required: fc.boolean(),
  description: text,
  type: fc.oneof(type, fc.constantFrom('file', 'array')),
  format: text,
  items: node({ type, collectionFormat: fc.constantFrom('csv', 'pipes', '__proto__'), items: schema }),
  collectionFormat: fc.constantFrom('csv', 'ssv', 'tsv', 'pipes', 'multi', '__proto__'),
  default: odd,
  enum: listOf(odd),
  pattern: text,
  'x-nullable': fc.boolean(),
  schema,
});
const consumes = listOf(
  fc.oneof(mediaType, fc.constantFrom('multipart/form-data', 'application/x-www-form-urlencoded')),
);
const schemes = listOf(fc.constantFrom('http', 'https', 'ws', '__proto__'));
const swaggerOperation = node({
  operationId: text,
  summary: text,
  description: text,
  tags: listOf(text),
  deprecated: fc.boolean(),
  consumes,
  schemes,
  parameters: listOf(swaggerParameter),
  security,
});
const swaggerItem = node({
  $ref: reference,
  get: swaggerOperation,
  post: swaggerOperation,
  delete: swaggerOperation,
  parameters: listOf(swaggerParameter),
});

/** A Swagger 2.0 description in which any field may be missing or be any JSON. */
export const almostSwagger = node({
  info: node({ title: text, version: text }),
  host: fc.oneof(text, fc.constantFrom('api.example.com', 'https://api.example.com/', 'user:a@b', '{a}.example.com')),
  basePath: text,
  schemes,
  consumes,
  security,
  paths: mapOf(path, swaggerItem),
  definitions: mapOf(name, schema),
  parameters: mapOf(name, swaggerParameter),
  securityDefinitions: mapOf(fc.constantFrom('a', 'b', '__proto__'), scheme),
}).map((rest) => (typeof rest === 'object' && rest !== null ? { ...rest, swagger: '2.0' } : rest));

const method = node({
  id: text,
  path: fc.constantFrom('a/{id}', '/a', 'a/{+id}', 'a/{'),
  httpMethod: fc.constantFrom('GET', 'POST', 'odd'),
  description: text,
  parameters: mapOf(
    name,
    node({
      location: fc.constantFrom('path', 'query'),
      required: fc.boolean(),
      repeated: fc.boolean(),
      type,
      $ref: reference,
    }),
  ),
  request: fc.oneof(node({ $ref: reference }), schema),
  scopes: listOf(text),
  supportsMediaUpload: fc.boolean(),
});
const resources = fc.letrec<{ resource: unknown }>((tie) => ({
  resource: fc.oneof(
    { maxDepth: 2 },
    node({ methods: mapOf(name, method) }),
    node({ methods: mapOf(name, method), resources: mapOf(name, tie('resource')) }),
  ),
})).resource;

/** A Discovery document in which any field may be missing or be any JSON. */
export const almostDiscovery = node({
  title: text,
  rootUrl: text,
  servicePath: text,
  baseUrl: text,
  auth: node({ oauth2: node({ scopes: mapOf(text, odd) }) }),
  schemas: mapOf(name, schema),
  methods: mapOf(name, method),
  resources: mapOf(name, resources),
}).map((rest) => (typeof rest === 'object' && rest !== null ? { ...rest, kind: 'discovery#restDescription' } : rest));

// Right descriptions, full of references.

export type Flavour = '3.0.3' | '3.1.0' | 'discovery';

export interface Generated {
  readonly flavour: Flavour;
  readonly value: Node;
  /** Operations, in order. */
  readonly count: number;
  /** A reference leads into the paths, so that none of them can be taken away. */
  readonly rooted: boolean;
}

const OPERATIONS = ['op0', 'op1', 'op2', 'op3'];
const PROPERTIES = ['p0', 'p1', 'p2', 'p3', 'p4'];
const SCALARS: readonly Node[] = [
  { type: 'string' },
  { type: 'string', enum: ['a', 'b', 'é'], description: 'One of *three*.' },
  { type: 'integer', minimum: 0, default: '7' },
  { type: 'number', exclusiveMaximum: 5, title: 'Number' },
  { type: 'boolean', default: 'true' },
  { type: 'string', readOnly: true },
  { type: 'string', pattern: '(', default: 'x"\u200b' },
  { type: 'array', items: { type: 'string' }, uniqueItems: true },
  { type: ['string', 'null'], const: 'c' },
  { description: 'Anything.' },
];

function schemas(flavour: Flavour, components: readonly string[], pointers: readonly string[]): fc.Arbitrary<Node> {
  const named = components.map((one) => (flavour === 'discovery' ? one : `#/components/schemas/${one}`));
  const targets = flavour === 'discovery' ? named : [...named, ...named, ...named, ...pointers];
  const annotations = fc.subarray(OPERATIONS).map((required) => ({ required }));
  return fc.letrec<{ schema: Node; object: Node }>((tie) => {
    const bare = fc.constantFrom(...targets).map(($ref): Node => ({ $ref }));
    const besides = fc.record({
      $ref: fc.constantFrom(...targets),
      description: fc.constantFrom('Beside.', 'Other `text`.'),
    });
    const property =
      flavour === 'discovery'
        ? fc
            .tuple(tie('schema'), fc.option(annotations))
            .map(([one, required]) => (required ? { ...one, annotations: required } : one))
        : tie('schema');
    const properties = fc.dictionary(fc.constantFrom(...PROPERTIES), property, { maxKeys: 4, noNullPrototype: true });
    const object = fc
      .record(
        {
          properties,
          required: fc.subarray(PROPERTIES),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          description: fc.constantFrom('An object.', 'Another.'),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        },
        { requiredKeys: ['properties'], noNullPrototype: true },
      )
      .map((one): Node => ({ type: 'object', ...one }));
    const list = (key: string) =>
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((parts): Node => ({ [key]: parts }));
    return {
      object,
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        bare,
        fc.constantFrom(...SCALARS),
        bare,
        besides,
        object,
        object,
        tie('schema').map((items): Node => ({ type: 'array', items })),
        list('allOf'),
        list('anyOf'),
        tie('schema').map((additionalProperties): Node => ({ type: 'object', additionalProperties })),
      ),
    };
  }).schema;
}

/** A description whose components refer to each other in any way, loops included. */
export function graphs(flavour: Flavour): fc.Arbitrary<Generated> {
  return fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 4 })).chain(([size, count]) => {
    const components = Array.from({ length: size }, (_, i) => `C${i}`);
    const pointers = [
      ...components.map((one) => `#/components/schemas/${one}/properties/p0`),
      ...Array.from({ length: count }, (_, i) => `#/paths/~1op${i}/post/requestBody/content/application~1json/schema`),
      '#/paths/~1op0/post/parameters/0/schema',
    ];
    const one = schemas(flavour, components, pointers);
    return fc
      .record({
        definitions: fc.tuple(...components.map(() => one)),
        bodies: fc.tuple(...Array.from({ length: count }, () => one)),
        parameters: fc.tuple(...Array.from({ length: count }, () => one)),
        described: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      })
      .map(({ definitions, bodies, parameters, described }) => {
        const named = Object.fromEntries(components.map((key, i) => [key, definitions[i]]));
        const value =
          flavour === 'discovery'
            ? discoveryOf(named, bodies, parameters)
            : openApiOf(flavour, named, bodies, parameters, described);
        return { flavour, value, count, rooted: JSON.stringify(value).includes('"#/paths/') };
      });
  });
}

function openApiOf(
  openapi: string,
  named: Node,
  bodies: readonly Node[],
  parameters: readonly Node[],
  described: readonly boolean[],
): Node {
  const paths = bodies.map((schema, i): [string, Node] => {
    const query = {
      name: 'q',
      in: 'query',
      schema: parameters[i],
      ...(described[i] ? { description: `Text ${i}.` } : {}),
    };
    const shared = i % 2 === 0 ? [{ $ref: '#/components/parameters/Shared' }] : [];
    const requestBody = { content: { 'application/json': { schema } } };
    return [`/op${i}`, { post: { operationId: `op${i}`, parameters: [query, ...shared], requestBody, responses: {} } }];
  });
  const shared = { name: 'shared', in: 'header', description: 'Shared.', schema: parameters[0] };
  return {
    openapi,
    info: { title: 'Generated', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: named, parameters: { Shared: shared } },
  };
}

function discoveryOf(named: Node, bodies: readonly Node[], parameters: readonly Node[]): Node {
  const methods = bodies.map((request, i): [string, Node] => {
    const query = { ...parameters[i], location: 'query', repeated: i % 2 === 0 };
    return [`op${i}`, { id: `op${i}`, path: `op${i}`, httpMethod: 'POST', parameters: { q: query }, request }];
  });
  return {
    kind: 'discovery#restDescription',
    rootUrl: 'https://api.example.com/',
    schemas: named,
    methods: Object.fromEntries(methods),
  };
}

export const anyGraph = fc.constantFrom<Flavour[]>('3.0.3', '3.1.0', 'discovery').chain(graphs);

/** The same value with the entries of objects in another order: of every one, or of those that `picked` names. */
export function reordered(
  value: unknown,
  seed: number,
  picked: (path: readonly string[]) => boolean = () => true,
): unknown {
  let state = seed >>> 0 || 1;
  const random = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const visit = (one: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(one)) return one.map((item, i) => visit(item, [...path, String(i)]));
    if (typeof one !== 'object' || one === null) return one;
    const entries = Object.entries(one).map(([key, part]): [string, unknown] => [key, visit(part, [...path, key])]);
    if (picked(path)) {
      for (let i = entries.length - 1; i > 0; i -= 1) {
        const j = random(i + 1);
        const [a, b] = [entries[i], entries[j]];
        if (a !== undefined && b !== undefined) [entries[i], entries[j]] = [b, a];
      }
    }
    return Object.fromEntries(entries);
  };
  return visit(value, []);
}
