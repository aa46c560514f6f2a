// The order of paths, components and keys changes no tool; importing twice, or twice at once, changes nothing either.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type ImportReport, type ImportRequest, importOperations } from '../../src/app/import.js';
import { fileStore } from '../../src/store/file.js';
import { memoryStore } from '../../src/store/memory.js';
import type { ToolStore } from '../../src/store/store.js';
import { isEmission } from '../../src/tool/emit.js';
import { anyGraph, reordered } from './arbitrary.js';
import { documentOf, readAll, runs, TIMEOUT, unordered } from './support.js';

const CASES = ['clinic', 'library', 'kiosk', 'atelier'] as const;
const SERVER = 'https://api.order.example/v1';
const folder = mkdtempSync(join(tmpdir(), 'toolwright-order-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Operations whose tools the contract lets depend on the order of keys: bodies and answers of which optional properties are cut (the
 * first 20 are kept), and names that collide within one place (the first keeps its own).
 */
const BY_ORDER: { readonly [name in (typeof CASES)[number]]: readonly string[] } = {
  // 26 optional properties, of which the first 20 are kept.
  clinic: ['submitIntake'],
  // Its answer has 400 of them, one of which does not resolve and leaves it out where it is read.
  library: ['addBook'],
  kiosk: [],
  atelier: [],
};

function textOf(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}/description.json`, import.meta.url), 'utf8');
}

function importAll(document: string, store: ToolStore, more: Partial<ImportRequest> = {}): Promise<ImportReport> {
  const request = { document, server: SERVER, select: { all: true }, batch: true, override_servers: true, ...more };
  return importOperations(request as ImportRequest, { store });
}

/** Tools by key, of keys and schemas in any order. */
/** An operation may have several faults: which of them is met first, and so is told, is a matter of order. */
function toolsOf(value: unknown): ReadonlyMap<string, string> {
  const results = readAll(documentOf(value)).map(({ result }) => result);
  return new Map(
    results.map((result) => (isEmission(result) ? [result.draft.key, unordered(result)] : [result.key, 'refused'])),
  );
}

/** The path of an object that holds paths, resources, methods, or components of one kind. */
function ofPathsAndComponents(path: readonly string[]): boolean {
  const holder = path[0] === 'components' ? path[1] : path[0];
  const length = path[0] === 'components' ? 2 : 1;
  return path.length === length && holder !== 'securitySchemes' && holder !== 'parameters';
}

describe('shuffled paths and components', () => {
  it(
    'change no tool of a generated description',
    () => {
      const property = fc.property(anyGraph, fc.integer(), ({ value }, seed) => {
        expect(toolsOf(reordered(value, seed, ofPathsAndComponents))).toEqual(toolsOf(value));
      });
      fc.assert(property, runs(200));
    },
    TIMEOUT,
  );

  it.each(CASES)('change no tool of %s', (name) => {
    const value: unknown = JSON.parse(textOf(name));
    const before = toolsOf(value);
    const property = fc.property(fc.integer(), (seed) => {
      expect(toolsOf(reordered(value, seed, ofPathsAndComponents))).toEqual(before);
    });
    fc.assert(property, runs(3));
  });
});

describe('shuffled keys', () => {
  it(
    'change no tool, wherever they stand',
    () => {
      const property = fc.property(anyGraph, fc.integer(), ({ value }, seed) => {
        expect(toolsOf(reordered(value, seed))).toEqual(toolsOf(value));
      });
      fc.assert(property, runs(300));
    },
    TIMEOUT,
  );

  it.each([
    [
      'one alternative beside a text',
      { description: 'Own.', anyOf: [{ allOf: [{}], description: 'Of the alternative.' }], allOf: [{}] },
    ],
    ['one alternative beside a default', { default: 'own', anyOf: [{ default: 'of the alternative' }] }],
    ['one alternative beside a format', { type: 'string', format: 'own', oneOf: [{ format: 'alternative' }] }],
    [
      'two kinds of alternatives',
      { anyOf: [{ type: 'string' }, { type: 'integer' }], oneOf: [{ maxLength: 3 }, { minimum: 3 }] },
    ],
    ['a bound and its exclusive form', { type: 'number', minimum: 1, exclusiveMinimum: 2 }],
    ['items of two forms', { type: 'array', items: [{ type: 'string' }], prefixItems: [{ type: 'integer' }] }],
  ])('change nothing of %s', (_, schema) => {
    const described = (one: unknown) => ({
      openapi: '3.1.0',
      paths: { '/a': { get: { parameters: [{ name: 'q', in: 'query', schema: one }], responses: {} } } },
    });
    const backwards = Object.fromEntries(Object.entries(schema).reverse());
    expect(toolsOf(described(backwards))).toEqual(toolsOf(described(schema)));
  });
});

describe.each(CASES)('importing %s again', (name) => {
  it('writes nothing where all keys stand in another order', async () => {
    const text = textOf(name);
    const property = fc.asyncProperty(fc.integer(), async (seed) => {
      const store = memoryStore();
      const first = await importAll(text, store);
      const second = await importAll(JSON.stringify(reordered(JSON.parse(text), seed)), store);
      const touched = second.tools.map(({ origin }) => origin?.operation ?? '');
      expect(touched.filter((key) => !BY_ORDER[name].includes(key))).toEqual([]);
      expect([second.created, second.missing, second.stale]).toEqual([0, [], []]);
      expect(second.unchanged + second.refreshed).toBe(first.created);
    });
    await fc.assert(property, runs(5));
  });

  it('writes nothing: neither another revision nor another byte', async () => {
    const path = join(folder, `${name}.json`);
    const store = fileStore(path);
    await importAll(textOf(name), store);
    const before = { bytes: readFileSync(path), revision: (await store.read()).revision, at: statSync(path).mtimeMs };
    const again = await importAll(textOf(name), fileStore(path));
    expect([again.created, again.refreshed]).toEqual([0, 0]);
    expect(again.unchanged).toBeGreaterThan(0);
    const after = { bytes: readFileSync(path), revision: (await store.read()).revision, at: statSync(path).mtimeMs };
    expect(after).toEqual(before);
  });
});

describe('two imports at once', () => {
  const two: readonly [string, Partial<ImportRequest>][] = [
    [textOf('library'), { name_prefix: 'first_', server: 'https://one.example' }],
    [textOf('atelier'), { name_prefix: 'second_', server: 'https://two.example' }],
  ];

  /** What one after the other gives. */
  async function inTurn(requests: typeof two): Promise<unknown> {
    const store = memoryStore();
    for (const [text, more] of requests) await importAll(text, store, more);
    return (await store.read()).tools;
  }

  const stores: { readonly [name: string]: () => readonly [ToolStore, ToolStore] } = {
    'into one memory': () => {
      const store = memoryStore();
      return [store, store];
    },
    'into one file': () => {
      const store = fileStore(join(folder, 'one.json'));
      return [store, store];
    },
    'into one file by two stores': () => [fileStore(join(folder, 'two.json')), fileStore(join(folder, 'two.json'))],
  };

  it.each(Object.keys(stores))('give what one after the other gives, %s', async (kind) => {
    const [left, right] = stores[kind]?.() ?? [];
    const [first, second] = two;
    if (!left || !right || !first || !second) throw new Error('nothing to import');
    const reports = await Promise.all([importAll(first[0], left, first[1]), importAll(second[0], right, second[1])]);
    const { tools } = await left.read();
    expect(tools).toEqual(await inTurn(two));
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(tools.length);
  });

  it.each(Object.keys(stores))('create the tools of one description once, %s', async (kind) => {
    const [left, right] = stores[kind]?.() ?? [];
    if (!left || !right) throw new Error('nothing to import');
    const [text, more] = [textOf('kiosk'), { server: 'https://three.example' }];
    const reports = await Promise.all([importAll(text, left, more), importAll(text, right, more)]);
    const ours = (await left.read()).tools.filter(({ origin }) => origin?.server === 'https://three.example');
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(ours.length);
    expect(ours).toEqual(await inTurn([[text, more]]));
  });
});
