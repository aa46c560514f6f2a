// Cases of Google Discovery documents.
import { expect, it } from 'vitest';
import {
  accepts,
  discovery,
  endpoint,
  type Json,
  list,
  names,
  noticeCodes,
  only,
  properties,
  required,
  see,
  seeExtended,
  TEXT,
} from './build.js';

const GOOGLE = 'https://demo.googleapis.com';
const PATH = { type: 'string', location: 'path', required: true };

const schemas = (id: string, all: Json): Json => ({ schemas: { [id]: { id, type: 'object', properties: all } } });

it('discovery-reserved-expansion-path', async () => {
  const description = discovery('presentations', {
    get: {
      httpMethod: 'GET',
      id: 'demo.presentations.get',
      path: 'v1/{+name}',
      flatPath: 'v1/presentations/{presentationsId}',
      parameters: { name: { ...PATH, pattern: '^presentations/[^/]+$' } },
    },
    list: { httpMethod: 'GET', id: 'demo.presentations.list', path: 'v1/presentations' },
  });
  const { keys, answer, refusal } = await see(description);
  expect(keys).toEqual(['demo.presentations.list']);
  expect(refusal('demo.presentations.get').code).toBe('reserved-path');
  expect(refusal('demo.presentations.get').reason).toContain('{+name}');
  expect(refusal('demo.presentations.get').at).toMatch(/^\/resources\/presentations\/methods\/get/);
  const extended = await seeExtended(description);
  const tool = extended.tool('demo.presentations.get');
  expect(tool.locations).toEqual({ name: { in: 'path', allow_reserved: true } });
  expect(required(tool)).toEqual(['name']);
  expect(await endpoint(description, 'demo.presentations.get', GOOGLE)).toBe(`${GOOGLE}/v1/{+name}`);
  expect(JSON.stringify([answer, extended.answer])).not.toContain('{presentationsId}');
});

it('discovery-global-parameters-left-out', async () => {
  const query = { type: 'string', location: 'query' };
  const tool = await only(
    discovery(
      'things',
      {
        list: {
          httpMethod: 'GET',
          id: 'demo.things.list',
          path: 'v1/things',
          parameters: { pageSize: { type: 'integer', format: 'int32', location: 'query' } },
        },
      },
      {
        parameters: {
          alt: { ...query, default: 'json', enum: ['json', 'media'] },
          key: query,
          access_token: query,
          fields: query,
          '$.xgafv': query,
          uploadType: query,
        },
      },
    ),
  );
  expect(properties(tool)).toEqual({ pageSize: { type: 'integer', format: 'int32' } });
  expect(tool.locations).toEqual({ pageSize: 'query' });
});

it('discovery-request-body', async () => {
  const description = discovery(
    'drafts',
    {
      create: {
        httpMethod: 'POST',
        id: 'demo.drafts.create',
        path: 'v1/users/{userId}/drafts',
        parameters: { userId: { ...PATH, default: 'me' } },
        request: { $ref: 'Draft' },
      },
    },
    schemas('Draft', { id: TEXT, subject: { type: 'string', description: 'Subject line' } }),
  );
  const tool = await only(description);
  expect(properties(tool)).toEqual({
    userId: { type: 'string', default: 'me' },
    id: TEXT,
    subject: { type: 'string', description: 'Subject line' },
  });
  expect(required(tool)).toEqual(['userId']);
  expect(tool).toMatchObject({ method: 'POST', body: { content_type: 'application/json' } });
  expect(tool.locations).toEqual({ id: 'body', subject: 'body' });
  expect(await endpoint(description, tool.key, GOOGLE)).toBe(`${GOOGLE}/v1/users/{userId}/drafts`);
});

it('discovery-annotations-required', async () => {
  const request = { $ref: 'Rule' };
  const { tool } = await see(
    discovery(
      'rules',
      {
        insert: { httpMethod: 'POST', id: 'demo.rules.insert', path: 'rules', request },
        patch: {
          httpMethod: 'PATCH',
          id: 'demo.rules.patch',
          path: 'rules/{rule}',
          parameters: { rule: PATH },
          request,
        },
      },
      schemas('Rule', { name: { type: 'string', annotations: { required: ['demo.rules.insert'] } }, note: TEXT }),
    ),
  );
  expect(properties(tool('demo.rules.insert'))).toEqual({ name: TEXT, note: TEXT });
  expect(required(tool('demo.rules.insert'))).toEqual(['name']);
  expect(properties(tool('demo.rules.patch'))).toEqual({ rule: TEXT, name: TEXT, note: TEXT });
  expect(required(tool('demo.rules.patch'))).toEqual(['rule']);
});

it('discovery-type-any', async () => {
  const tool = await only(
    discovery(
      'cells',
      { put: { httpMethod: 'PUT', id: 'demo.cells.put', path: 'cells', request: { $ref: 'Cell' } } },
      schemas('Cell', {
        v: { type: 'any', description: 'Value' },
        rows: list(list({ type: 'any' })),
        meta: { type: 'object', additionalProperties: { type: 'any' } },
      }),
    ),
  );
  const { v, rows, meta } = properties(tool);
  expect(JSON.stringify(tool.input_schema)).not.toContain('"any"');
  expect(v?.description).toBe('Value');
  for (const value of [1, 'x', null, {}]) expect(accepts(v, value)).toBe(true);
  expect(rows).toEqual(list(list({})));
  expect(accepts(rows, [[1, 'a']])).toBe(true);
  expect(accepts(rows, [1])).toBe(false);
  expect(accepts(meta, { a: null, b: [1] })).toBe(true);
  expect(accepts(meta, 'x')).toBe(false);
});

it('discovery-defaults-are-strings', async () => {
  const tool = await only(
    discovery('t', {
      list: {
        httpMethod: 'GET',
        id: 'demo.t.list',
        path: 't',
        parameters: {
          maxResults: {
            type: 'integer',
            format: 'uint32',
            location: 'query',
            default: '10',
            minimum: '1',
            maximum: '500',
          },
          deep: { type: 'boolean', location: 'query', default: 'false' },
        },
      },
    }),
  );
  expect(properties(tool)).toEqual({
    maxResults: { type: 'integer', format: 'uint32', default: 10, minimum: 1, maximum: 500 },
    deep: { type: 'boolean', default: false },
  });
});

it('discovery-path-value-with-slashes', async () => {
  const description = discovery(
    'q',
    {
      query: {
        httpMethod: 'POST',
        id: 'demo.q.query',
        path: 'sites/{siteUrl}/searchAnalytics/query',
        parameters: { siteUrl: PATH },
      },
    },
    { servicePath: 'webmasters/v3/' },
  );
  const { answer, tool } = await see(description);
  expect(answer.servers.map(({ url }) => url)).toEqual([`${GOOGLE}/webmasters/v3/`]);
  // A plain gap is one segment, its slashes encoded.
  expect(tool('demo.q.query').locations).toEqual({});
  expect(await endpoint(description, 'demo.q.query', `${GOOGLE}/webmasters/v3/`)).toBe(
    `${GOOGLE}/webmasters/v3/sites/{siteUrl}/searchAnalytics/query`,
  );
});

it('discovery-recursive-schema', async () => {
  const tool = await only(
    discovery(
      'm',
      { send: { httpMethod: 'POST', id: 'demo.m.send', path: 'send', request: { $ref: 'Part' } } },
      schemas('Part', { mimeType: TEXT, parts: list({ $ref: 'Part' }) }),
    ),
  );
  expect(names(tool)).toEqual(['mimeType', 'parts']);
  expect(properties(tool).parts).toEqual({ type: 'array', items: {} });
  expect(noticeCodes(tool)).toEqual(['recursion-cut']);
});
