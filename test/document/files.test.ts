// Descriptions in several files: what of them is read, from where, and what a reference in any of them means.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mayLeadOutside } from '../../src/document/files.js';
import { preview } from '../../src/index.js';
import { type Loopback, serve } from '../wire/loopback.js';
import { come, describing, folderOf, having, previewOf, referring, serving } from './several.js';

const NOT_READ = 'leads to another file, which is not read';

describe('the look at the text', () => {
  it.each([
    '{"$ref":"pet.json"}',
    '{"$ref"\n :\t"pet.json#/x"}',
    '$ref: pet.yaml',
    "$ref: 'pet.yaml#/x'",
    '"$ref": "../x"',
    '? $ref\n: pet.yaml',
    '$ref: *name',
    '$ref:\n  pet.yaml',
    '{"\\u0024ref":"pet.json"}',
    '{"$r\\u0065f":"pet.json"}',
    '"\\x24ref": pet.yaml',
    '"\\U00000024ref": pet.yaml',
    '{"a":{"$ref":"#/x"},"b":{"$ref":"pet.json"}}',
  ])('sees that %j may lead outside', (text) => expect(mayLeadOutside(text)).toBe(true));

  it.each([
    '{"$ref":"#/x"}',
    '{"$ref"  :  "#/x"}',
    "$ref: '#/x'",
    '$ref:   "#/x"',
    '{"ref":"pet.json"}',
    '{"$ref": {"type":"string"}}',
    'the $ref of',
    '',
  ])('sees that %j does not', (text) => expect(mayLeadOutside(text)).toBe(false));
});

describe('a description that is a file', () => {
  it('reads whole files and parts of them, in order, each reference relative to its own file', async () => {
    const answer = await previewOf({
      'openapi.json': referring(['a/one.json', './a/one.json#', 'a/parts.json#/x~1y', 'a/parts.json#/deep']),
      'a/one.json': having('one'),
      'a/parts.json': { 'x/y': { $ref: '#/local' }, local: having('local'), deep: { $ref: '../b/two.json#/z' } },
      'b/two.json': { z: { $ref: '../openapi.json#/components/schemas/Back' } },
      'c.json': {},
    });
    expect([0, 1, 2, 3].map((i) => come(answer, i))).toEqual([['one'], ['one'], ['local'], come(answer, 3)]);
    expect(come(answer, 3)).toBe(
      'unresolved-reference: the reference "../openapi.json#/components/schemas/Back" does not resolve',
    );
  });

  it('is itself where a file refers back to it, also by a link', async () => {
    const folder = folderOf({
      'openapi.json': referring(['x.json#/direct', 'x.json#/link', 'openapi.json#/components/schemas/Back'], {
        components: { schemas: { Back: { properties: { again: { $ref: 'x.json#/direct' }, name: {} } } } },
      }),
      'x.json': {
        direct: { $ref: 'openapi.json#/components/schemas/Back' },
        link: { $ref: 'link.json#/components/schemas/Back' },
      },
    });
    symlinkSync('openapi.json', join(folder, 'api/link.json'));
    const answer = await preview({ file: join(folder, 'api/openapi.json') });
    for (const i of [0, 1, 2]) expect(come(answer, i)).toEqual(['again', 'name']);
    // Pointers into the description stay plain, whichever file leads there.
    const ats = answer.operations.flatMap(({ notices }) => notices.map(({ at }) => at));
    expect(new Set(ats)).toEqual(new Set(['/components/schemas/Back', 'x.json#/direct']));
  });

  it('keeps one operation, or all paths, or all schemes in files of their own', async () => {
    const answer = await previewOf({
      'openapi.json': { openapi: '3.0.3', paths: { $ref: 'paths.json' }, components: { $ref: 'components.json' } },
      'paths.json': { '/dogs': { get: { $ref: 'get.json' }, post: { $ref: 'gone.json' } } },
      'get.json': {
        operationId: 'listDogs',
        parameters: [{ name: 'X-Bone', in: 'header', schema: {} }],
        security: [{ k: [] }],
      },
      'components.json': { securitySchemes: { $ref: 'schemes.json' } },
      'schemes.json': { k: { type: 'apiKey', in: 'header', name: 'X-Bone' } },
    });
    expect(answer.operations.map(({ key, locations }) => [key, locations])).toEqual([['listDogs', {}]]);
    expect(answer.unimportable).toMatchObject([
      { key: 'POST /dogs', code: 'unresolved-reference', at: 'paths.json#/~1dogs/post' },
    ]);
    expect(answer.notices).toEqual([]);
  });

  it('names the file in every pointer into it', async () => {
    const answer = await previewOf({
      'openapi.json': describing([{ $ref: 'some%20where/a.json#/X' }]),
      'some where/a.json': { X: { properties: { x: { type: 'odd' } } } },
    });
    expect(answer.operations[0]?.notices).toMatchObject([
      { code: 'keyword-ignored', at: 'some where/a.json#/X/properties/x/type' },
    ]);
  });

  it('finds `$id` and `$anchor` in every file, from 3.1 on, and a file where an `$id` is no place', async () => {
    const files = (openapi: string) => ({
      'openapi.json': {
        ...referring([
          'https://ids.example/a',
          'https://ids.example/a#here',
          'a.json#here',
          'a.json#/$defs/b',
          'a.json#/$defs/c',
        ]),
        openapi,
      },
      'a.json': {
        $id: 'https://ids.example/a',
        ...having('a'),
        $defs: {
          here: { $anchor: 'here', ...having('here') },
          b: { $ref: 'b.json' },
          c: { $id: 'https://ids.example/c/', $ref: 'b.json' },
        },
      },
      'b.json': having('b'),
    });
    const newer = await previewOf(files('3.1.0'));
    expect([0, 1, 2, 3, 4].map((i) => come(newer, i))).toEqual([['a'], ['here'], ['here'], ['b'], ['b']]);
    const older = await previewOf(files('3.0.3'));
    expect([3, 4].map((i) => come(older, i))).toEqual([['b'], ['b']]);
    expect(come(older, 0)).toContain('leads to a URL');
    expect(come(older, 2)).toContain('does not resolve');
  });

  it('takes what an embedded schema is called before a file of that name', async () => {
    const answer = await previewOf({
      'openapi.json': referring(['b.json'], {
        components: { schemas: { B: { $id: 'b.json', ...having('embedded') } } },
      }),
      'b.json': having('file'),
    });
    expect(come(answer, 0)).toEqual(['embedded']);
  });

  it('reads files beside it where it names a `$self` elsewhere', async () => {
    const answer = await previewOf({
      'openapi.json': { ...referring(['b.json']), openapi: '3.2.0', $self: 'https://api.kennel.example/openapi.json' },
      'b.json': having('file'),
    });
    expect(come(answer, 0)).toEqual(['file']);
  });

  it('cuts a loop through files where it closes', async () => {
    const answer = await previewOf({
      'openapi.json': referring(['a.json']),
      'a.json': { properties: { b: { $ref: 'b.json' } } },
      'b.json': { properties: { a: { $ref: 'a.json' }, name: {} } },
    });
    expect(answer.operations[0]?.input_schema.properties).toEqual({
      b: { type: 'object', properties: { a: {}, name: {} } },
    });
    expect(answer.operations[0]?.notices).toMatchObject([{ code: 'recursion-cut', at: 'a.json#' }]);
  });

  it('loads the rest where one file is missing, broken or no object', async () => {
    const answer = await previewOf({
      'openapi.json': referring(['gone.json', 'broken.json', 'number.json', 'list.json#/0', 'good.json']),
      'broken.json': '{"a":',
      'number.json': '7',
      'list.json': [having('first')],
      'good.json': having('good'),
    });
    expect(come(answer, 0)).toContain(
      'unresolved-reference: the reference "gone.json" leads to a file that cannot be read: there is no file "gone.json"',
    );
    expect(come(answer, 1)).toContain('unresolved-reference');
    expect(come(answer, 2)).toContain('malformed');
    expect(come(answer, 3)).toEqual(['first']);
    expect(come(answer, 4)).toEqual(['good']);
  });

  it('reads no other file in core, nor of a text', async () => {
    const files = { 'openapi.json': referring(['a.json']), 'a.json': having('a') };
    expect(come(await previewOf(files, { profile: 'core' }), 0)).toContain(NOT_READ);
    expect(come(await preview({ document: JSON.stringify(files['openapi.json']) }), 0)).toContain(NOT_READ);
  });

  it('is bounded with all its files together, and what is over it is left out alone', async () => {
    const files = {
      'openapi.json': referring(['large.json', 'a.json']),
      'large.json': { ...having('large'), x: 'x'.repeat(5_000) },
      'a.json': having('a'),
    };
    const bytes = (...names: (keyof typeof files)[]) =>
      names.reduce((sum, name) => sum + JSON.stringify(files[name]).length, 0);
    const all = bytes('openapi.json', 'large.json', 'a.json');
    const at = await previewOf(files, { limits: { description_bytes: all } });
    expect([come(at, 0), come(at, 1)]).toEqual([['large'], ['a']]);
    const over = await previewOf(files, { limits: { description_bytes: all - 1 } });
    expect(come(over, 0)).toEqual(['large']);
    expect(come(over, 1)).toContain('(description_bytes)');
    const less = await previewOf(files, { limits: { description_bytes: bytes('openapi.json', 'a.json') } });
    expect(come(less, 0)).toContain('unresolved-reference');
    expect(come(less, 1)).toEqual(['a']);
  });
});

describe('a description that was fetched', () => {
  let server: Loopback | undefined;
  afterEach(() => server?.close());

  async function fetched(
    files: Readonly<Record<string, unknown>>,
    query = '',
  ): Promise<[Awaited<ReturnType<typeof preview>>, string[]]> {
    const asked: string[] = [];
    server = await serve(serving(files, asked));
    const url = `${server.origin}/api/openapi.json${query}`;
    return [await preview({ url }, { network: { allow: ['127.0.0.1'] } }), asked];
  }

  it('reads its own origin, above its own folder too, and each file once', async () => {
    const [answer, asked] = await fetched({
      'api/openapi.json': referring(['a.json', '../shared/b.json#/B', '/shared/b.json#/B', 'a.json#']),
      'api/a.json': { properties: { b: { $ref: '../shared/b.json#/B' } } },
      'shared/b.json': { B: { properties: { x: { type: 'odd' } } } },
    });
    expect([0, 1, 2, 3].map((i) => come(answer, i))).toEqual([['b'], ['x'], ['x'], ['b']]);
    expect(asked.sort()).toEqual(['/api/a.json', '/api/openapi.json', '/shared/b.json']);
    expect(answer.operations[1]?.notices[0]?.at).toBe('../shared/b.json#/B/properties/x/type');
  });

  it('keeps its query to itself, sends one that is written, and shows neither', async () => {
    const [answer, asked] = await fetched(
      {
        'api/openapi.json': referring(['a.json', 'b.json?part=secret-b', 'gone.json?part=secret-c'], {
          components: { schemas: { Back: having('back') } },
        }),
        'api/a.json': { $ref: 'openapi.json#/components/schemas/Back' },
        'api/b.json': { properties: { x: { type: 'odd' } } },
      },
      '?token=secret-a',
    );
    expect([come(answer, 0), come(answer, 1)]).toEqual([['back'], ['x']]);
    expect(asked.sort()).toEqual([
      '/api/a.json',
      '/api/b.json?part=secret-b',
      '/api/gone.json?part=secret-c',
      '/api/openapi.json?token=secret-a',
    ]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('follows a redirect inside its origin, and reads on from where that led', async () => {
    server = await serve((request, response) => {
      if (request.url === '/old/a.json') response.writeHead(302, { location: '/new/a.json' }).end();
      else if (request.url === '/new/a.json') response.end(JSON.stringify({ $ref: 'b.json' }));
      else if (request.url === '/new/b.json') response.end(JSON.stringify(having('b')));
      else response.end(JSON.stringify(referring(['old/a.json'])));
    });
    const answer = await preview({ url: `${server.origin}/openapi.json` }, { network: { allow: ['127.0.0.1'] } });
    expect(come(answer, 0)).toEqual(['b']);
  });
});
