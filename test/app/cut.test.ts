// A description that is cut: its preview shows the same tools, and nothing is left that nothing refers to.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digest } from '../../src/base/canonical.js';
import { cut, Failure, type Preview, preview } from '../../src/index.js';

type Json = { readonly [key: string]: unknown };

const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;
const CORPUS = new URL('../../../shared/corpus/', import.meta.url).pathname;

/** By key, as digests: what differs would fill the screen. */
const essence = (answer: Preview) =>
  new Map(
    answer.operations.map(({ key, method, path, description, input_schema, locations, body }) => [
      key,
      digest(JSON.stringify({ method, path, description, input_schema, locations, body })),
    ]),
  );

async function expectSame(document: string, keys: readonly string[]): Promise<void> {
  const select = { keys };
  const { description } = await cut({ document }, select);
  const whole = await preview({ document }, { select });
  const part = await preview({ document: JSON.stringify(description) });
  const found = essence(part);
  for (const [key, one] of essence(whole)) expect([key, found.get(key)]).toEqual([key, one]);
  expect(part.servers.map(({ url }) => url)).toEqual(whole.servers.map(({ url }) => url));
}

describe('cut', () => {
  it.each(['clinic', 'kiosk', 'library', 'atelier'])('shows the same tools of %s, one by one', async (name) => {
    const document = readFileSync(join(FIXTURES, name, 'description.json'), 'utf8');
    const { operations } = await preview({ document });
    // A key that is method and path because its identifier is borne twice would be the identifier alone afterwards.
    const own = operations.filter(({ key }) => !/^[A-Z]+ \//.test(key));
    for (const { key } of own.slice(0, 25)) await expectSame(document, [key]);
    await expectSame(
      document,
      own.map(({ key }) => key),
    );
  });

  it('leaves what nothing refers to', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Clinic', version: '1' },
      servers: [{ url: 'https://api.clinic.example' }],
      paths: {
        '/a': {
          summary: 'Kept',
          parameters: [{ $ref: '#/components/parameters/P' }],
          get: { operationId: 'a', responses: { 200: { $ref: '#/components/responses/R' } } },
          post: { operationId: 'b', requestBody: { $ref: '#/components/requestBodies/B' } },
        },
        '/c': { $ref: '#/components/pathItems/C' },
      },
      components: {
        parameters: { P: { name: 'p', in: 'query', schema: { $ref: '#/components/schemas/S/properties/x' } } },
        responses: { R: { description: 'ok' }, Z: {} },
        requestBodies: { B: {} },
        schemas: { S: { properties: { x: { type: 'string' }, y: { $ref: '#/components/schemas/Y' } } }, Y: {} },
        pathItems: { C: { get: { operationId: 'c' }, put: { operationId: 'd' } } },
        securitySchemes: { key: { type: 'http', scheme: 'basic' } },
      },
      webhooks: { w: {} },
    };
    const one = await cut({ document: JSON.stringify(document) }, { keys: ['a'] });
    const { paths, components } = document;
    expect(one).toMatchObject({ kept: 1, operations: 4 });
    expect(one.description).toEqual({
      ...document,
      webhooks: {},
      paths: { '/a': { summary: 'Kept', parameters: paths['/a'].parameters, get: paths['/a'].get } },
      components: {
        parameters: components.parameters,
        responses: { R: { description: 'ok' } },
        schemas: { S: { properties: { x: { type: 'string' } } } },
        securitySchemes: components.securitySchemes,
      },
    });
    const referred = (await cut({ document: JSON.stringify(document) }, { keys: ['c'] })).description;
    expect(referred.paths).toEqual({ '/c': paths['/c'] });
    expect((referred.components as Json).pathItems).toEqual({ C: { get: { operationId: 'c' } } });
  });

  it('keeps the order and the names of plain keys', async () => {
    const document = `{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"__proto__"},"x-y":{"__proto__":1}}}}`;
    const { description } = await cut({ document }, { all: true });
    expect(JSON.stringify(description)).toBe(document);
  });

  it('follows loops, and pointers into lists and out of the root', async () => {
    const node = {
      properties: { next: { $ref: '#/components/schemas/N' }, all: { $ref: '#' }, first: { $ref: '#/tags/0' } },
    };
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/N' } } } };
    const document = JSON.stringify({
      openapi: '3.1.0',
      paths: { '/a': { post: { operationId: 'a', requestBody: body } } },
      tags: [{ name: 't' }],
      components: { schemas: { N: node, M: {} } },
    });
    expect((await cut({ document }, { all: true })).description.components).toEqual({ schemas: { N: node } });
  });

  it.each([
    [{ keys: ['z'] }, 'unknown-operation'],
    [{ tags: ['z'] }, 'bad-request'],
    [{}, 'bad-request'],
  ])('refuses %j', async (select, code) => {
    const document = '{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"a"}}}}';
    const error = await cut({ document }, select).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).code).toBe(code);
  });

  it('writes nothing that is too deep to be read again', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const pointer = `#/components/x${'/a'.repeat(40_000)}`;
    const document = `{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"a","x":{"$ref":"${pointer}"}}}},"components":{"x":${deep}}}`;
    await expect(cut({ document }, { all: true })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it.skipIf(!existsSync(CORPUS))('shows the same tools of real descriptions', async () => {
    let files = 0;
    for (const folder of ['openapi', 'discovery', 'edge']) {
      for (const name of readdirSync(join(CORPUS, folder))) {
        const path = join(CORPUS, folder, name);
        if (!name.endsWith('.json') || statSync(path).size > 1_500_000 || files % 4 !== 0) {
          files += 1;
          continue;
        }
        files += 1;
        const document = readFileSync(path, 'utf8');
        const answer = await preview({ document }).catch(() => undefined);
        const keys = (answer?.operations ?? []).map(({ key }) => key).filter((key) => !/^[A-Z]+ \//.test(key));
        if (keys.length > 0)
          await expectSame(
            document,
            keys.filter((_, i) => i % 7 === 0),
          );
      }
    }
    expect(files).toBeGreaterThan(100);
  });
});
