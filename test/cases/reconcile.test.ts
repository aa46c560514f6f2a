// Cases of importing again: what changes, what stays, and what is only reported.
import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fileStore, type ImportReport, importOperations, memoryStore, type ToolStore } from '../../src/index.js';
import { inFolder } from '../store/folder.js';
import { hookedFileSystem, systemError } from '../store/hooked-file-system.js';
import { body, type Json, object, openapi, operation, parameter, SERVER, TEXT, WHOLE } from './build.js';

const A = { get: operation('a', { summary: 'A' }) };
const B = { get: operation('b', { summary: 'B' }) };
const BOTH = openapi({ '/a': A, '/b': B });

interface Into {
  readonly server?: string;
  readonly name_prefix?: string;
  readonly set?: string;
}

/** Imports all of a description. */
function take(store: ToolStore, description: Json, into: Into = {}): Promise<ImportReport> {
  const document = JSON.stringify(description);
  return importOperations({ document, server: SERVER, select: { all: true }, ...into }, { store });
}

function counts({ created, refreshed, unchanged, missing, stale, skipped }: ImportReport): number[] {
  return [created, refreshed, unchanged, missing.length, stale.length, skipped.length];
}

async function stored(store: ToolStore): Promise<Record<string, string>> {
  const { tools } = await store.read();
  return Object.fromEntries(tools.map(({ name, config }) => [name, `${config.method} ${config.endpoint}`]));
}

it('reconcile-same-document-twice', async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/tools.json`;
    const store = fileStore(path);
    expect(counts(await take(store, BOTH))).toEqual([2, 0, 0, 0, 0, 0]);
    const [before, written] = [await store.read(), await stat(path, { bigint: true })];
    expect(counts(await take(store, BOTH))).toEqual([0, 0, 2, 0, 0, 0]);
    expect(await store.read()).toEqual(before);
    // Not even the same bytes were written again.
    const { mtimeNs, ino } = await stat(path, { bigint: true });
    expect({ mtimeNs, ino }).toEqual({ mtimeNs: written.mtimeNs, ino: written.ino });
  });
});

it('reconcile-only-key-order-changed', async () => {
  const store = memoryStore();
  await take(store, openapi({ '/a': { post: operation('a', body(object({ x: TEXT, y: WHOLE }, 'x'))) } }));
  const before = await store.read();
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, part]) => [key, reversed(part)]),
    );
  };
  const schema = object({ x: TEXT, y: WHOLE }, 'x');
  const again = reversed(openapi({ '/a': { post: operation('a', body(schema)) } })) as Json;
  expect(Object.keys(again)[0]).toBe('paths');
  expect(counts(await take(store, again))).toEqual([0, 0, 1, 0, 0, 0]);
  expect(await store.read()).toEqual(before);
});

it('reconcile-changed-operation-updates-in-place', async () => {
  const store = memoryStore();
  const [a, b] = (await take(store, BOTH)).tools;
  const next = operation('a', { parameters: [parameter('query', 'limit', WHOLE)], summary: 'A2' });
  const report = await take(store, openapi({ '/a': { get: next }, '/b': B }));
  expect(counts(report)).toEqual([0, 1, 1, 0, 0, 0]);
  const [refreshed] = report.tools;
  expect(refreshed).toMatchObject({
    id: a?.id,
    name: 'a',
    description: 'A2',
    input_schema: { properties: { limit: WHOLE } },
    config: { locations: { limit: 'query' } },
  });
  const [action] = report.plan.actions;
  expect(action).toMatchObject({ kind: 'refresh', fields: ['locations', 'input_schema', 'description'] });
  expect((await store.read()).tools).toEqual([refreshed, b]);
});

it('reconcile-removed-operation', async () => {
  const store = memoryStore();
  const [, b] = (await take(store, BOTH)).tools;
  const before = await store.read();
  const report = await take(store, openapi({ '/a': A }));
  expect(counts(report)).toEqual([0, 0, 1, 1, 0, 0]);
  expect(report.missing).toEqual([{ operation: 'b', tool_id: b?.id, name: 'b' }]);
  expect(await store.read()).toEqual(before);
  expect(counts(await take(store, BOTH))).toEqual([0, 0, 2, 0, 0, 0]);
  expect(await store.read()).toEqual(before);
});

it('reconcile-two-sources-do-not-touch-each-other', async () => {
  const store = memoryStore();
  const other = 'https://other.example.com';
  const second = openapi({ '/z': { get: operation('a') } }, { servers: [{ url: other }] });
  const [one, two] = [{ name_prefix: 'one_' }, { name_prefix: 'two_', server: other }];
  await take(store, BOTH, one);
  await take(store, second, two);
  const all = { one_a: `GET ${SERVER}/a`, one_b: `GET ${SERVER}/b`, two_a: `GET ${other}/z` };
  expect(await stored(store)).toEqual(all);
  const before = await store.read();
  expect(counts(await take(store, BOTH, one))).toEqual([0, 0, 2, 0, 0, 0]);
  const emptied = await take(store, openapi({}), two);
  expect(counts(emptied)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(emptied.missing.map(({ name, operation: key }) => [name, key])).toEqual([['two_a', 'a']]);
  expect(await store.read()).toEqual(before);
  // On one server it is the label of the set that keeps them apart.
  const labelled = { name_prefix: 'three_', set: 'three' };
  expect(counts(await take(store, openapi({ '/z': { get: operation('a') } }), labelled))).toEqual([1, 0, 0, 0, 0, 0]);
  expect((await take(store, openapi({}), labelled)).missing.map(({ name }) => name)).toEqual(['three_a']);
  expect((await take(store, openapi({}), one)).missing.map(({ name }) => name)).toEqual(['one_a', 'one_b']);
  expect(await stored(store)).toEqual({ ...all, three_a: `GET ${SERVER}/z` });
});

it('reconcile-order-of-colliding-operations', async () => {
  const store = memoryStore();
  const [a, b] = [{ '/a': { get: operation('list') } }, { '/b': { delete: operation('list') } }];
  expect(counts(await take(store, openapi({ ...a, ...b })))).toEqual([2, 0, 0, 0, 0, 0]);
  const before = await store.read();
  expect(await stored(store)).toEqual({ list: `GET ${SERVER}/a`, list_2: `DELETE ${SERVER}/b` });
  expect(counts(await take(store, openapi({ ...b, ...a })))).toEqual([0, 0, 2, 0, 0, 0]);
  expect(await store.read()).toEqual(before);
});

it('reconcile-interrupted-run', async () => {
  const keys = Array.from({ length: 10 }, (_, i) => `op${i}`);
  const ten = openapi(Object.fromEntries(keys.map((key, i) => [`/p${i}`, { get: operation(key) }])));
  let interrupted = 0;
  for (let failing = 1, failed = true; failed; failing += 1) {
    failed = false;
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      let writes = 0;
      const fs = hookedFileSystem((call) => {
        if (!['open', 'writeFile', 'sync', 'link', 'rename'].includes(call)) return;
        writes += 1;
        if (writes !== failing) return;
        failed = true;
        throw systemError('ENOSPC');
      });
      const first = await take(fileStore(path, { fs }), ten).catch((error: unknown) => error);
      const { tools } = await fileStore(path).read();
      if (failed) {
        interrupted += 1;
        expect(first).toMatchObject({ code: 'store-unwritable' });
        expect(tools).toEqual([]);
      }
      await take(fileStore(path), ten);
      const after = (await fileStore(path).read()).tools.map(({ name }) => name);
      expect(after).toEqual(keys);
    });
  }
  expect(interrupted).toBeGreaterThanOrEqual(4);
}, 60_000);
