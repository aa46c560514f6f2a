// Requests to the library that are malformed: each is refused with a code and a sentence, and nothing is written.
import { describe, expect, it } from 'vitest';
import {
  type ImportOptions,
  type ImportRequest,
  importOperations,
  memoryStore,
  preview,
  type Select,
  type Source,
  withLimits,
} from '../../src/index.js';
import { openapi, operation, SERVER } from '../cases/build.js';

const document = JSON.stringify(openapi({ '/a': { get: operation('a', { tags: ['t'] }) } }));
const BAD = { name: 'Failure', code: 'bad-request', message: expect.stringMatching(/\S/) };

describe('a source', () => {
  it.each([null, undefined, {}, 3, 'text', [], { document: 3 }, { file: null }, { document, file: 'a.json' }])(
    'that is none: %j',
    async (source) => {
      await expect(preview(source as unknown as Source)).rejects.toMatchObject(BAD);
    },
  );
});

describe('an import', () => {
  const request = { document, server: SERVER, operations: ['a'] };

  it('without a server', async () => {
    const { server: _, ...rest } = request;
    const store = memoryStore();
    await expect(importOperations(rest as unknown as ImportRequest, { store })).rejects.toMatchObject(BAD);
    expect((await store.read()).tools).toEqual([]);
  });

  it.each([{}, { store: undefined }, { store: null }, { store: 'memory:' }])(
    'whose store is none: %j',
    async (options) => {
      await expect(importOperations(request, options as unknown as ImportOptions)).rejects.toMatchObject(BAD);
    },
  );

  it.each([undefined, null])('without options: %j', async (options) => {
    await expect(importOperations(request, options as unknown as ImportOptions)).rejects.toMatchObject(BAD);
  });

  it.each([undefined, null])('that is itself %j', async (none) => {
    await expect(importOperations(none as unknown as ImportRequest, { store: memoryStore() })).rejects.toMatchObject(
      BAD,
    );
  });
});

describe('a selection', () => {
  it.each<readonly [string, unknown]>([
    ['nothing', {}],
    ['no tag', { tags: [] }],
    ['no key, no path', { keys: [], paths: [] }],
    ['all: false', { all: false }],
    ['a field that does not exist', { tag: ['x'] }],
    ['such a field beside one that does', { tag: ['x'], all: true }],
    ['a text in the place of a list', { tags: 'x' }],
    ['a list of numbers', { methods: [3] }],
    ['a blank path', { paths: [''] }],
  ])('that says %s', async (_, select) => {
    const given = select as Select;
    await expect(preview({ document }, { select: given })).rejects.toMatchObject(BAD);
    const store = memoryStore();
    await expect(importOperations({ document, server: SERVER, select: given }, { store })).rejects.toMatchObject(BAD);
    expect((await store.read()).tools).toEqual([]);
  });

  it('that says something is read', async () => {
    expect((await preview({ document }, { select: { tags: ['t'] } })).operations).toHaveLength(1);
    expect((await preview({ document }, { select: { tags: ['none'] } })).operations).toEqual([]);
  });
});

describe('the bound of a name', () => {
  it.each([65, 100, 15])('is not %i', (tool_name_chars) => {
    expect(() => withLimits({ tool_name_chars })).toThrowError(
      expect.objectContaining({ code: 'invalid-limit', message: expect.stringContaining('64') }),
    );
  });

  it.each([16, 64])('may be %i', async (tool_name_chars) => {
    const long = JSON.stringify(openapi({ '/a': { get: operation('a'.repeat(80)) } }));
    const { operations } = await preview({ document: long }, { limits: { tool_name_chars } });
    expect(operations[0]?.name).toHaveLength(tool_name_chars);
  });
});
