// Cases of what counts as an operation of a description.
import { expect, it } from 'vitest';
import {
  body,
  endpoint,
  imported,
  names,
  object,
  only,
  openapi,
  operation,
  parameter,
  SERVER,
  see,
  TEXT,
  WHOLE,
} from './build.js';

it('parse-one-bad-operation-does-not-sink-document', async () => {
  const file = object({ f: { type: 'string', format: 'binary' } });
  const { keys, answer, refusal } = await see(
    openapi({
      '/ok': { get: operation('ok') },
      '/up': { post: operation('up', body(file, { type: 'multipart/form-data' })) },
    }),
  );
  expect(keys).toEqual(['ok']);
  expect(answer.unimportable).toHaveLength(1);
  expect(refusal('up')).toMatchObject({ code: 'body-media', at: '/paths/~1up/post/requestBody' });
  expect(refusal('up').reason).toContain('multipart/form-data');
});

it('parse-path-item-fields-are-not-methods', async () => {
  const tool = await only(
    openapi({
      '/things/{id}': {
        summary: 'Things',
        description: 'All things',
        servers: [{ url: 'https://t.example.com' }],
        parameters: [parameter('path', 'id')],
        'x-owner': { team: 'a' },
        get: operation('getThing'),
      },
    }),
  );
  expect(tool).toMatchObject({ key: 'getThing', method: 'GET', path: '/things/{id}' });
  expect(tool.servers).toEqual([{ url: 'https://t.example.com' }]);
});

it('parse-webhooks-and-callbacks-are-not-tools', async () => {
  const { keys, answer } = await see(
    openapi(
      {
        '/subs': {
          post: operation('subscribe', {
            callbacks: { onEvent: { '{$request.body#/url}': { post: operation(undefined) } } },
          }),
        },
      },
      { openapi: '3.1.1', webhooks: { itemAdded: { post: operation(undefined) } } },
    ),
  );
  expect(keys).toEqual(['subscribe']);
  expect(answer.unimportable.map(({ key, code, at }) => ({ key, code, at }))).toEqual([
    {
      key: 'CALLBACK subscribe onEvent {$request.body#/url} POST',
      code: 'inbound',
      at: '/paths/~1subs/post/callbacks/onEvent/{$request.body#~1url}/post',
    },
    { key: 'WEBHOOK itemAdded POST', code: 'inbound', at: '/webhooks/itemAdded/post' },
  ]);
  expect(answer.unimportable[0]?.reason).toContain('callback');
  expect(answer.unimportable[1]?.reason).toContain('webhook');
});

it('parse-path-key-with-query-string', async () => {
  const description = openapi({
    '/responses?beta=true': { get: operation('listBeta', { parameters: [parameter('query', 'limit', WHOLE)] }) },
  });
  expect((await only(description)).locations).toEqual({ limit: 'query' });
  expect(await endpoint(description, 'listBeta')).toBe(`${SERVER}/responses?beta=true`);
  const { refusal } = await see(
    openapi({ '/r?beta={b}': { get: operation('gap', { parameters: [parameter('path', 'b')] }) } }),
  );
  expect(refusal('gap').code).toBe('path-gap');
});

it('parse-path-key-with-fragment', async () => {
  const payload = body(object({ a: TEXT }));
  const description = openapi({
    '/rpc#create': { post: operation('rpcCreate', payload) },
    '/rpc#drop': { post: operation('rpcDrop', payload) },
  });
  const tools = await imported(description, ['rpcCreate', 'rpcDrop']);
  expect(tools.map(({ name, config }) => [name, config.method, config.endpoint])).toEqual([
    ['rpcCreate', 'POST', `${SERVER}/rpc`],
    ['rpcDrop', 'POST', `${SERVER}/rpc`],
  ]);
});

it('parse-32-query-method-and-additional-operations', async () => {
  const { answer, tool } = await see(
    openapi(
      {
        '/search': {
          query: operation('searchItems', body(object({ q: TEXT }, 'q'))),
          additionalOperations: { COPY: operation('copyItems') },
        },
      },
      { openapi: '3.2.0' },
    ),
  );
  expect(answer.unimportable).toEqual([]);
  expect(tool('searchItems')).toMatchObject({ method: 'QUERY', locations: { q: 'body' }, body: { required: true } });
  expect(tool('searchItems').input_schema.required).toEqual(['q']);
  expect(tool('copyItems').method).toBe('COPY');
});

it('parse-32-querystring-parameter', async () => {
  const type = 'application/x-www-form-urlencoded';
  const tool = await only(
    openapi(
      {
        '/find': {
          get: operation('find', {
            parameters: [
              {
                name: 'q',
                in: 'querystring',
                required: true,
                content: { [type]: { schema: object({ a: TEXT, b: WHOLE }) } },
              },
            ],
          }),
        },
      },
      { openapi: '3.2.0' },
    ),
  );
  expect(names(tool)).toEqual(['q']);
  expect(tool.input_schema).toMatchObject({ required: ['q'], properties: { q: object({ a: TEXT, b: WHOLE }) } });
  expect(tool.locations).toEqual({ q: { in: 'querystring', content_type: type } });
});
