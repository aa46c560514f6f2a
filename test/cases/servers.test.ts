// Cases of servers: where an operation lives, and what an import makes its endpoint.
import { expect, it } from 'vitest';
import { importOperations, memoryStore, preview } from '../../src/index.js';
import { serve } from '../wire/loopback.js';
import { checkTool, endpoint, type Json, only, openapi, operation, parameter, SERVER, see, seen } from './build.js';

it('servers-operation-over-path-over-document', async () => {
  const description = openapi({
    '/w': {
      servers: [{ url: 'https://path.example.com/v2' }],
      get: operation('g'),
      post: operation('p', { servers: [{ url: 'https://op.example.com/up' }] }),
    },
    '/z': { get: operation('z', { servers: [] }) },
  });
  const { tool } = await see(description);
  expect(tool('g').servers).toEqual([{ url: 'https://path.example.com/v2' }]);
  expect(tool('p').servers).toEqual([{ url: 'https://op.example.com/up' }]);
  expect(tool('z').servers).toBeUndefined();
  expect(await endpoint(description, 'g', 'https://path.example.com/v2')).toBe('https://path.example.com/v2/w');
  expect(await endpoint(description, 'p', 'https://op.example.com/up')).toBe('https://op.example.com/up/w');
  expect(await endpoint(description, 'z')).toBe(`${SERVER}/z`);
  const store = memoryStore();
  const request = { document: JSON.stringify(description), server: SERVER };
  await expect(importOperations({ ...request, operations: ['g'] }, { store })).rejects.toMatchObject({
    code: 'other-server',
  });
  expect((await store.read()).tools).toEqual([]);
  const selected = await importOperations({ ...request, select: { all: true } }, { store });
  expect(selected.tools.map(({ name }) => name)).toEqual(['z']);
  expect(selected.skipped.map(({ operation: key, code }) => [key, code])).toEqual([
    ['g', 'other-server'],
    ['p', 'other-server'],
  ]);
});

it('servers-variable-undefined', async () => {
  const template = 'https://{tenant}.example.com/v1';
  const description = openapi({ '/w': { get: operation('w') } }, { servers: [{ url: template }] });
  const { answer } = await see(description);
  expect(answer.servers).toEqual([{ url: null, suggestion: null, note: expect.stringContaining('"tenant"') }]);
  for (const server of [template, 'https://%7Btenant%7D.example.com/v1']) {
    await expect(endpoint(description, 'w', server)).rejects.toMatchObject({ code: 'invalid-server' });
  }
  expect(await endpoint(description, 'w', 'https://acme.example.com/v1')).toBe('https://acme.example.com/v1/w');
});

it('servers-relative-resolved-against-document', async () => {
  const description = openapi(
    { '/pet': { get: operation('pet') }, '/p2': { servers: [{ url: 'v2' }], get: operation('p2') } },
    { servers: [{ url: '/api/v3' }] },
  );
  const site = await serve((_request, response) => response.end(JSON.stringify(description)));
  try {
    const url = `${site.origin}/docs/openapi.json`;
    const network = { allow: ['127.0.0.1'] };
    const { answer, tool } = seen(await preview({ url }, { network }));
    answer.operations.forEach(checkTool);
    const [server] = answer.servers;
    expect(server).toMatchObject({ url: null, relative: '/api/v3', resolved: `${site.origin}/api/v3` });
    const [own] = tool('p2').servers ?? [];
    expect(own).toMatchObject({ url: null, relative: 'v2', resolved: `${site.origin}/docs/v2` });
    for (const [key, at, wanted] of [
      ['pet', server?.resolved, '/api/v3/pet'],
      ['p2', own?.resolved, '/docs/v2/p2'],
    ]) {
      const request = { url, server: at ?? '', operations: [key ?? ''] };
      const { tools } = await importOperations(request, { store: memoryStore(), network });
      expect(tools.map(({ config }) => config.endpoint)).toEqual([`${site.origin}${wanted}`]);
    }
  } finally {
    await site.close();
  }
});

it('servers-relative-without-document-url', async () => {
  const { servers: _none, ...description } = openapi({ '/pet': { get: operation('pet') } });
  const { answer } = await see(description);
  const [server, ...others] = answer.servers;
  expect(others).toEqual([]);
  expect(server).toMatchObject({ url: null, relative: '/', suggestion: null });
  expect(server).not.toHaveProperty('resolved');
  expect(server?.note).toMatch(/"\/".*relative.*absolute/);
  await expect(endpoint(description, 'pet', '/')).rejects.toMatchObject({ code: 'invalid-server' });
  expect(await endpoint(description, 'pet', 'https://h.example.com')).toBe('https://h.example.com/pet');
});

const at = (url: string, path: string): Json => openapi({ [path]: { get: operation('x') } }, { servers: [{ url }] });

it('servers-trailing-slash', async () => {
  const server = `${SERVER}/v1/`;
  expect(await endpoint(at(server, '/foo'), 'x', server)).toBe(`${SERVER}/v1/foo`);
});

it('servers-base-path-kept', async () => {
  const server = `${SERVER}/a/b`;
  expect(await endpoint(at(server, '/x/'), 'x', server)).toBe(`${SERVER}/a/b/x/`);
});

it('servers-host-cannot-be-moved-by-arguments', async () => {
  const description = openapi({ '/{p}': { get: operation('g', { parameters: [parameter('path', 'p')] }) } });
  // A plain gap behind the slash of the path: one segment, never part of the host.
  expect(await endpoint(description, 'g')).toBe(`${SERVER}/{p}`);
  expect((await only(description)).locations).toEqual({});
});
