// Hostile descriptions whose long parts are shared or stand beside each other: work that grows with the product shows here.
import { entries, type Json, nested, objectOf, openApi, paths, post, reference } from './inputs.js';

const MB = 1024 * 1024;
const OK: Json = { 200: { description: 'Done.' } };

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function long(megabytes: number): string {
  return 'x'.repeat(megabytes * MB);
}

/** 20,000 base URIs, each relative to the one around it, and an anchor that none of them has. */
function nestedIdentifiers(): string {
  const deep = nested('{"$id":"a/","type":"object","properties":{"a":', '{"$ref":"#nope"}', '}}', 20_000);
  const text = openApi({ '/a': post({ $ref: '#nope' }), '/b': post(reference('Deep')) }, { schemas: { Deep: '@' } });
  return text.replace('"@"', () => deep);
}

/** 50 operations of 1,900 parameters each, beside 100,000 keys that each of them might be. */
function schemesBesideParameters(): string {
  const place = (i: number): string => (i % 2 === 0 ? 'header' : 'query');
  const parameters = many(1_900, (i) => ({ name: `n${i}`, in: place(i), schema: {} }));
  return openApi(
    paths(50, () => ({ get: { parameters, responses: OK } })),
    { securitySchemes: entries(100_000, (i) => ({ type: 'apiKey', in: place(i), name: `k${i}` }), 's') },
  );
}

/** 300 alternatives, each of which holds the one text of 8 MB. */
function longEnum(schema: (alternatives: readonly Json[]) => Json, alternative: (index: number) => Json): string {
  return openApi(
    { '/a': post(schema(many(300, alternative))) },
    { schemas: { Long: { type: 'string', enum: [long(8)] } } },
  );
}

/** A path item under a name of 1 MB, which 80 paths reach through another; each operation has much to tell of itself. */
function longAlias(): string {
  const name = long(1);
  const parameters = many(10, (i) => ({ name: `x-secret-${i}`, in: 'header', required: true, schema: {} }));
  const item = { post: { deprecated: true, parameters, security: [{ none: [] }], responses: OK } };
  return openApi(
    paths(80, () => reference('Alias', 'pathItems')),
    { pathItems: { Alias: reference(name, 'pathItems'), [name]: item } },
  );
}

function callbacks(count: number): Json {
  return { c: entries(count, () => ({ post: { responses: OK } })) };
}

/** 50 operations that share one header. */
function longHeader(name: string): string {
  return openApi(
    paths(50, () => ({ get: { parameters: [reference('P', 'parameters')], responses: OK } })),
    { parameters: { P: { name, in: 'header', required: true, schema: { type: 'string' } } } },
  );
}

/** Every input by its name. */
export const LINEAR: { readonly [name: string]: () => string } = {
  '90,000 required names beside 1,000 members that require one': () =>
    openApi(
      { '/a': post({ allOf: [reference('R'), ...many(1_000, () => ({ required: ['a'] }))] }) },
      { schemas: { R: objectOf({ a: { type: 'string' } }, { required: many(90_000, (i) => `n${i}`) }) } },
    ),
  '20,000 nested relative identifiers and an anchor that is not there': nestedIdentifiers,
  'a path item of 10,000 unknown keys shared by 10,000 paths': () =>
    openApi(
      paths(10_000, () => reference('Item', 'pathItems')),
      { pathItems: { Item: entries(10_000, () => 1, 'x-') } },
    ),
  'a path item of 10,000 unknown keys and an operation shared by 3,000 paths': () =>
    openApi(
      paths(3_000, () => reference('Item', 'pathItems')),
      { pathItems: { Item: { ...(entries(10_000, () => 1, 'x-') as object), get: { responses: OK } } } },
    ),
  'a reference beside 50,000 unknown keys used by 600 properties': () =>
    openApi(
      {
        '/a': post(
          objectOf(
            entries(600, () => reference('N')),
            { required: many(600, (i) => `n${i}`) },
          ),
        ),
      },
      { schemas: { N: { ...reference('S'), ...entries(50_000, () => 1, 'x-') }, S: { type: 'string' } } },
    ),
  '8,000 servers and 8,000 security alternatives that are not defined': () =>
    openApi(
      { '/a': { get: { responses: OK } } },
      {},
      {
        servers: many(8_000, (i) => ({ url: `https://h${i}.hostile.example` })),
        security: many(8_000, (i) => ({ [`k${i}`]: [] })),
      },
    ),
  '100,000 security schemes beside 1,900 parameters of 50 operations': schemesBesideParameters,
  'an enum of 8 MB in 300 alternatives of the body': () =>
    longEnum(
      (oneOf) => ({ oneOf }),
      (i) => objectOf({ a: { allOf: [reference('Long')], title: `t${i}` } }),
    ),
  'an enum of 8 MB in 300 alternatives of a property': () =>
    longEnum(
      (anyOf) => objectOf({ a: { anyOf } }),
      (i) => ({ allOf: [reference('Long')], title: `t${i}` }),
    ),
  'an enum of 8 MB intersected with itself 300 times': () =>
    longEnum(
      (allOf) => objectOf({ a: { allOf } }),
      () => reference('Long'),
    ),
  'an identifier of 1 MB with 600 callbacks': () =>
    openApi({ '/a': { post: { operationId: long(1), callbacks: callbacks(600), responses: OK } } }),
  'an identifier of 1 MB and 600 callbacks shared by 60 paths': () =>
    openApi(
      paths(60, () => reference('Item', 'pathItems')),
      { pathItems: { Item: { post: { operationId: long(1), callbacks: callbacks(600), responses: OK } } } },
    ),
  'a path item with a name of 1 MB behind an alias of 80 paths': longAlias,
  'a header name of 2 MB used 50 times': () => longHeader(`x-${long(2)}`),
  'a header name of 2 MB that carries a credential used 50 times': () => longHeader(`x-secret-${long(2)}`),
  'a word and 64,000 letters': () => `type ${'a'.repeat(64_000)}`,
  '200,000 methods of a Discovery document': () =>
    JSON.stringify({
      kind: 'discovery#restDescription',
      rootUrl: 'https://api.hostile.example/',
      methods: entries(200_000, (i) => ({ id: `m${i}`, httpMethod: 'GET', path: `p${i}` })),
    }),
  '200,000 methods of a resource of a Discovery document': () =>
    JSON.stringify({
      kind: 'discovery#restDescription',
      rootUrl: 'https://api.hostile.example/',
      resources: { a: { methods: entries(200_000, (i) => ({ id: `m${i}`, httpMethod: 'GET', path: `p${i}` })) } },
    }),
};
