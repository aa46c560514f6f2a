// Cases of references: resolved where they lead, cut where they return, refused where they lead nowhere.
import { expect, it } from 'vitest';
import {
  accepts,
  body,
  dig,
  imported,
  type Json,
  list,
  names,
  noticeCodes,
  object,
  only,
  openapi,
  operation,
  parameter,
  posted,
  properties,
  required,
  SERVER,
  see,
  TEXT,
  WHOLE,
} from './build.js';

const to = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const schemas = (all: Json, rest: Json = {}): Json => ({ components: { schemas: all }, ...rest });

it('refs-unescape-order-tilde-01', async () => {
  const tool = await posted(object({ x: to('k~01v') }), schemas({ 'k~1v': WHOLE, 'k/v': TEXT }, { openapi: '3.1.1' }));
  expect(properties(tool)).toEqual({ x: { type: 'integer' } });
});

it('refs-into-paths-with-percent-encoded-braces', async () => {
  const id = parameter('path', 'id', { type: 'string', maxLength: 8 }, { description: 'Item id' });
  const description = openapi({
    '/items/{id}': { get: operation('getItem', { parameters: [id] }) },
    '/items/{id}/tags': {
      get: operation('getTags', { parameters: [{ $ref: '#/paths/~1items~1%7Bid%7D/get/parameters/0' }] }),
    },
  });
  const { keys, tool } = await see(description);
  expect(keys).toEqual(['getItem', 'getTags']);
  for (const key of keys) {
    expect(properties(tool(key))).toEqual({ id: { type: 'string', maxLength: 8, description: 'Item id' } });
    expect(required(tool(key))).toEqual(['id']);
    expect(tool(key).locations).toEqual({});
  }
  const [, tags] = await imported(description, ['getItem', 'getTags']);
  expect(tags?.config.endpoint).toBe(`${SERVER}/items/{id}/tags`);
});

it('refs-path-item-ref', async () => {
  const { answer, tool } = await see(
    openapi(
      { '/books': { $ref: '#/components/pathItems/Books' } },
      {
        openapi: '3.1.1',
        components: {
          pathItems: {
            Books: {
              parameters: [parameter('query', 'lang')],
              get: operation('listBooks'),
              post: operation('addBook', body(object({ title: TEXT }, 'title'))),
            },
          },
        },
      },
    ),
  );
  expect(answer.unimportable).toEqual([]);
  expect(answer.operations.map(({ key, method, path }) => [key, method, path])).toEqual([
    ['listBooks', 'GET', '/books'],
    ['addBook', 'POST', '/books'],
  ]);
  expect(tool('listBooks').locations).toEqual({ lang: 'query' });
  expect(required(tool('listBooks'))).toEqual([]);
  expect(tool('addBook').locations).toEqual({ lang: 'query', title: 'body' });
  expect(required(tool('addBook'))).toEqual(['title']);
});

it('refs-parameter-and-body-components', async () => {
  const description = openapi(
    {
      '/p/{pid}': {
        parameters: [{ $ref: '#/components/parameters/Pid' }],
        put: operation('putP', { requestBody: { $ref: '#/components/requestBodies/Thing' } }),
      },
    },
    {
      components: {
        parameters: { Pid: parameter('path', 'pid') },
        requestBodies: { Thing: body(object({ name: TEXT }, 'name')).requestBody },
      },
    },
  );
  const tool = await only(description);
  expect(required(tool)).toEqual(['name', 'pid']);
  const [stored] = await imported(description, ['putP']);
  expect(stored?.config).toEqual({
    endpoint: `${SERVER}/p/{pid}`,
    method: 'PUT',
    locations: { name: 'body' },
    body: { content_type: 'application/json', required: true },
  });
});

const siblings = object({ k: { ...to('K'), description: 'Local text', maxLength: 3 } });
const shared = { K: { type: 'string', maxLength: 10, description: 'Shared text' } };

it('refs-siblings-ignored-in-30', async () => {
  const tool = await posted(siblings, schemas(shared));
  expect(properties(tool).k).toEqual({ type: 'string', maxLength: 10, description: 'Shared text' });
});

it('refs-siblings-apply-in-31', async () => {
  const { k } = properties(await posted(siblings, schemas(shared, { openapi: '3.1.1' })));
  expect(k).toMatchObject({ type: 'string', description: 'Local text' });
  expect(accepts(k, 'abc')).toBe(true);
  expect(accepts(k, 'abcd')).toBe(false);
});

it('refs-recursive-tree', async () => {
  const tool = await posted(to('Node'), schemas({ Node: object({ name: TEXT, children: list(to('Node')) }, 'name') }));
  expect(required(tool)).toEqual(['name']);
  // The items are the reference that is open already: any shape.
  expect(properties(tool)).toEqual({ name: TEXT, children: { type: 'array', items: {} } });
  expect(noticeCodes(tool)).toEqual(['recursion-cut']);
});

it('refs-discriminator-parent-child-cycle', async () => {
  const child = (own: string) => ({ allOf: [to('Pet'), object({ [own]: { type: 'boolean' } })] });
  const all = {
    Pet: { ...object({ kind: TEXT }), discriminator: { propertyName: 'kind' }, oneOf: [to('Dog'), to('Cat')] },
    Dog: child('bark'),
    Cat: child('purr'),
  };
  // Cut at once: some thirty steps are enough.
  const tool = await only(
    openapi({ '/pets': { post: operation('addPet', body(object({ pet: to('Pet') }, 'pet'))) } }, schemas(all)),
    { limits: { operation_steps: 50 } },
  );
  expect(required(tool)).toEqual(['pet']);
  const { pet } = properties(tool);
  expect(pet).toMatchObject({ type: 'object', properties: { kind: TEXT } });
  expect(accepts(pet, { kind: 'dog', bark: true })).toBe(true);
  expect(accepts(pet, { kind: 1 })).toBe(false);
  expect(noticeCodes(tool)).toContain('recursion-cut');
});

it('refs-shared-is-not-circular', async () => {
  const address = object({ city: TEXT }, 'city');
  const tool = await posted(
    object({ billing: to('Addr'), shipping: to('Addr'), lines: list(to('Addr')) }),
    schemas({ Addr: address }),
  );
  expect(properties(tool)).toEqual({ billing: address, shipping: address, lines: list(address) });
  expect(tool.notices).toEqual([]);
});

it('refs-chain-too-long', async () => {
  const chain = (letter: string, length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => [`${letter}${i}`, i === length - 1 ? WHOLE : to(`${letter}${i + 1}`)]),
    );
  const { keys, tool, refusal } = await see(
    openapi(
      {
        '/short': { post: operation('short', body(object({ v: to('C0') }))) },
        '/long': { post: operation('long', body(object({ v: to('D0') }))) },
      },
      schemas({ ...chain('C', 10), ...chain('D', 40) }),
    ),
  );
  expect(keys).toEqual(['short']);
  expect(properties(tool('short')).v).toEqual(WHOLE);
  expect(refusal('long').code).toBe('unresolved-reference');
  expect(refusal('long').reason).toMatch(/\b32\b/);
});

it('refs-dangling', async () => {
  const { keys, refusal } = await see(
    openapi(
      { '/a': { post: operation('a', body(to('Nope'))) }, '/b': { get: operation('b') } },
      schemas({ Yes: TEXT }),
    ),
  );
  expect(keys).toEqual(['b']);
  expect(refusal('a')).toMatchObject({
    code: 'unresolved-reference',
    at: '/paths/~1a/post/requestBody/content/application~1json/schema',
  });
  expect(refusal('a').reason).toContain('#/components/schemas/Nope');
});

it('refs-property-named-dollar-ref', async () => {
  const tool = await only(
    openapi({
      '/members': {
        post: operation(
          'addMember',
          body(object({ value: TEXT, $ref: { type: 'string', description: 'Member URI' } }, 'value'), {
            media: { example: { $ref: 'not a reference' } },
          }),
        ),
      },
    }),
  );
  const [value, uri = '', ...others] = names(tool);
  expect([value, others]).toEqual(['value', []]);
  expect(dig(tool.locations, uri)).toEqual({ in: 'body', name: '$ref' });
  expect(properties(tool)[uri]).toEqual({ type: 'string', description: 'Member URI' });
  expect(required(tool)).toEqual(['value']);
});
