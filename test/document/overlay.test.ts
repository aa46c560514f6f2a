// Overlays: what an action selects, changes and leaves alone, and how one that cannot be applied is refused.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { decode } from '../../src/document/decode.js';
import { overlay } from '../../src/document/overlay.js';
import { importOperations, memoryStore, preview } from '../../src/index.js';

const document = (...actions: unknown[]) => ({ overlay: '1.0.0', info: { title: 'x', version: '1' }, actions });
const laid = (value: unknown, ...actions: unknown[]) =>
  overlay(value, [{ name: 'the overlay', value: document(...actions) }]);

function refusal(value: unknown, overlaid: unknown): Failure {
  try {
    overlay(value, [{ name: 'the overlay', value: overlaid }]);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return expect.unreachable('it was applied');
}

describe('a target', () => {
  const value = {
    paths: {
      '/a': { get: { tags: ['x', 'y'], n: 1 }, post: { tags: ['z'], n: 2 } },
      '/b': { get: { tags: ['x'], n: 3, 'x-a': { b: [1, 2, 3] } } },
    },
    limit: 2,
  };
  const marked = (target: string) => {
    const { value: after, unmatched } = laid(value, { target, update: { mark: true } });
    const found: string[] = [];
    for (const [path, item] of Object.entries((after as typeof value).paths))
      for (const [method, one] of Object.entries(item)) if (Object.hasOwn(one, 'mark')) found.push(`${method} ${path}`);
    expect(unmatched.length === 0).toBe(found.length > 0);
    return found;
  };
  it.each<[string, string[]]>([
    ["$.paths['/a'].get", ['get /a']],
    ['$.paths["/a"]["get","post"]', ['get /a', 'post /a']],
    ['$.paths.*.get', ['get /a', 'get /b']],
    ['$..get', ['get /a', 'get /b']],
    ['$.paths.*[?@.n > 1 && !(@.n >= 3)]', ['post /a']],
    ['$.paths.*[?@.n == $.limit || @.n == 1]', ['get /a', 'post /a']],
    ["$.paths.*[?@.tags[?@ == 'x']]", ['get /a', 'get /b']],
    ['$.paths.*[?count(@.tags[*]) == 2]', ['get /a']],
    ["$.paths.*[?match(@.tags[0], '[x-y]')]", ['get /a', 'get /b']],
    ["$.paths.*[?search(@.tags[-1], 'z')]", ['post /a']],
    ['$.paths.*[?length(@.tags) < 2]', ['post /a', 'get /b']],
    ["$.paths.*[?@['x-a'].b == @['x-a'].b && @['x-a']]", ['get /b']],
    ['$.paths.*[?value(@..b[0]) == 1]', ['get /b']],
    ['$.paths.*[?@.n != 1]', ['post /a', 'get /b']],
    ["$.paths['/c'].get", []],
    ['$.constructor.prototype', []],
  ])('%s selects %j', (target, expected) => expect(marked(target)).toEqual(expected));

  it.each([
    ['a', 'character 1'],
    ['$.', 'character 3'],
    ['$[?nothing(@.a)]', 'a function'],
    ['$[?count(1) == 1]', 'count() takes a query'],
    ['$[?length(@.*) == 1]', 'one node at most'],
    ['$[?match(@.a)]', 'takes 2, not 1'],
    ["$[?match(@.a, 'b') == true]", 'a test'],
    ['$[?length(@.a)]', 'a value'],
    ['$[9007199254740993]', 'out of range'],
    [`$${'.a'.repeat(600)}`, 'longer than 1,000'],
    [`$[?${'('.repeat(400)}`, 'character'],
  ])('that is no query is refused: %s', (target, words) => {
    const failure = refusal({}, document({ target: '$', update: {} }, { target, remove: true }));
    expect(failure).toMatchObject({ code: 'invalid-overlay', data: { action: 1 } });
    expect(failure.message).toMatch(/^action 1 of the overlay cannot be applied: /);
    expect(failure.message).toContain(words);
  });
});

describe('an update', () => {
  it('merges objects, concatenates arrays, replaces the rest, and appends to an array that is selected', () => {
    const before = { a: { b: 1, c: { d: [1] }, e: { f: 1 }, g: null }, list: [{ x: 1 }] };
    const { value } = laid(
      before,
      { target: '$.a', update: { b: 2, c: { d: [2], h: 3 }, e: null, g: { i: 1 }, j: [] } },
      { target: '$.list', update: { x: 2 } },
      { target: '$.list[?@.x == 1]', update: { y: 1 } },
      { target: '$', update: { 'x-new': { __proto__: null, k: 1 } } },
    );
    expect(value).toEqual({
      a: { b: 2, c: { d: [1, 2], h: 3 }, e: { f: 1 }, g: { i: 1 }, j: [] },
      list: [{ x: 1, y: 1 }, { x: 2 }],
      'x-new': { k: 1 },
    });
    expect(before).toEqual({ a: { b: 1, c: { d: [1] }, e: { f: 1 }, g: null }, list: [{ x: 1 }] });
  });

  it('is merged once into a node that is selected twice, and into nodes inside each other', () => {
    expect(laid({ a: [] }, { target: "$['a','a']", update: 1 }).value).toEqual({ a: [1] });
    expect(laid({ a: { b: { c: {} } } }, { target: '$..[?@.c || @.b]', update: { m: 1 } }).value).toEqual({
      a: { b: { c: {}, m: 1 }, m: 1 },
    });
  });

  it('reaches one place alone of what an alias shares, also of what an update has put in two', async () => {
    const value = await decode({ name: 'x', text: 'a: &a {s: {t: 1}}\nb: *a\nc: {}\nd: {}\n' });
    const { value: after } = laid(
      value,
      { target: '$.a.s', update: { u: 2 } },
      { target: "$['c','d']", update: { e: { f: 1 } } },
      { target: '$.c.e', update: { g: 2 } },
    );
    expect(after).toEqual({
      a: { s: { t: 1, u: 2 } },
      b: { s: { t: 1 } },
      c: { e: { f: 1, g: 2 } },
      d: { e: { f: 1 } },
    });
    expect(value).toEqual({ a: { s: { t: 1 } }, b: { s: { t: 1 } }, c: {}, d: {} });
  });

  it('may name a property as a prototype is', () => {
    const { value } = laid({ a: {} }, { target: '$.a', update: JSON.parse('{"__proto__":{"polluted":1}}') });
    expect(Object.keys((value as { a: object }).a)).toEqual(['__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [{ target: '$.s', update: { a: 1 } }, 'neither an object nor an array'],
    [{ target: '$.o', update: 1 }, 'is no object'],
    [{ target: '$', update: { o: 1 } }, 'does not fit the object "o"'],
    [{ target: '$', update: { l: {} } }, 'does not fit the array "l"'],
    [{ target: '$', update: { s: {} } }, 'in the place of the value of "s"'],
    [{ target: '$', updates: {} }, 'neither "update" nor "remove"'],
    [{ target: '$', remove: true }, 'the whole description'],
    [{ update: {} }, 'no target'],
    [7, 'no target'],
  ])('that does not fit is refused: %j', (action, words) => {
    const failure = refusal({ s: 'text', o: {}, l: [] }, document(action));
    expect(failure).toMatchObject({ code: 'invalid-overlay', data: { action: 0 } });
    expect(failure.message).toContain(words);
  });
});

describe('a removal', () => {
  it('takes out properties and items, whatever their order', () => {
    const value = { a: { b: 1, c: 2 }, l: [0, 1, 2, 3, 4, { m: 1 }] };
    expect(laid(value, { target: '$.a.b', remove: true }, { target: '$.l[3,0,0,1]', remove: true }).value).toEqual({
      a: { c: 2 },
      l: [2, 4, { m: 1 }],
    });
    expect(laid(value, { target: '$..*', remove: true, update: 7 }).value).toEqual({});
  });

  it('may be followed by an update in its place', () => {
    const actions = [
      { target: '$.a.b', remove: true },
      { target: '$.a', update: { b: { c: 1 } } },
    ];
    expect(laid({ a: { b: [1] } }, ...actions).value).toEqual({ a: { b: { c: 1 } } });
  });
});

describe('an overlay', () => {
  it.each<[unknown, string]>([
    [7, 'no overlay'],
    [{ actions: [] }, 'no overlay'],
    [{ overlay: '2.0.0', actions: [{}] }, '"2.0.0"'],
    [{ overlay: '1.0.0', actions: [] }, 'no list of actions'],
    [{ overlay: '1.0.0' }, 'no list of actions'],
  ])('that is none is refused: %j', (value, words) => {
    const failure = refusal({}, value);
    expect(failure.code).toBe('invalid-overlay');
    expect(failure.message).toContain(words);
  });

  const wide = { l: Array.from({ length: 3_000 }, (_, i) => ({ i, n: { o: { p: [i] } } })) };
  const doubling = Array.from({ length: 60 }, () => ({ target: '$..*', update: { a: {}, b: {} } }));
  it.each<[string, unknown[]]>([
    ['a query in a query', [{ target: '$..[?count($..*) > 0]', remove: true }]],
    [
      'descent after descent',
      [{ target: '$..*..*..*..*..x', remove: true }, ...Array(400).fill({ target: '$..x', remove: true })],
    ],
    ['all compared with all', [{ target: '$.l[?count($.l[?@.i == 1]) > 0]', remove: true }]],
    ['all of it compared with all of it', [{ target: '$.l[?$.l == $.l]', remove: true }]],
    ['many selectors', [{ target: `$..[${'*,'.repeat(400)}*]`, update: {} }]],
    ['what doubles', [{ target: '$', remove: false, update: { z: {} } }, { target: '$.l', remove: true }, ...doubling]],
    ['much put in many places', [{ target: '$.l[*]', update: { big: Array(5_000).fill(0) } }]],
  ])('that takes too many steps is refused: %s', (_name, actions) => {
    const failure = refusal(wide, document(...actions));
    expect(failure).toMatchObject({ code: 'invalid-overlay' });
    expect(failure.message).toContain('more than 5,000,000 steps');
  });

  it('may lie over what is nested 100,000 deep, and be it', () => {
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i += 1) deep = { a: deep };
    expect(laid(deep, { target: '$..zzz', remove: true }).unmatched).toHaveLength(1);
    expect(refusal(deep, document({ target: '$', update: deep })).message).toContain('nested too deep');
  });
});

const folder = mkdtempSync(join(tmpdir(), 'toolwright-overlay-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('overlays of a request', () => {
  const description = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x' },
    paths: { '/a': { get: { operationId: 'a' }, post: { operationId: 'b' } } },
  });
  const hide = 'overlay: 1.0.0\nactions:\n- {target: $.paths.*.post, remove: true}\n- {target: $.x, remove: true}\n';
  const rename = JSON.stringify(document({ target: '$.paths.*.get', update: { operationId: 'renamed' } }));

  it('are applied in their order, from files and texts, to a preview and an import', async () => {
    const path = join(folder, 'hide.yaml');
    writeFileSync(path, hide);
    const overlays = [{ file: path }, { document: rename }];
    const answer = await preview({ document: description }, { overlays });
    expect(answer.operations.map(({ key }) => key)).toEqual(['renamed']);
    expect(answer.notices).toMatchObject([{ code: 'overlay-unmatched', at: '' }]);
    const request = { document: description, server: 'https://a.example', select: { all: true } };
    const report = await importOperations(request, { overlays, store: memoryStore() });
    expect(report.tools.map(({ name }) => name)).toEqual(['renamed']);
  });

  it('are JSON in core', async () => {
    const core = { profile: 'core' } as const;
    const answer = await preview({ document: description }, { ...core, overlays: [{ document: rename }] });
    expect(answer.operations.map(({ key }) => key)).toEqual(['renamed', 'b']);
    const refused = preview({ document: description }, { ...core, overlays: [{ document: hide }] });
    await expect(refused).rejects.toMatchObject({
      code: 'not-a-description',
      message: expect.stringMatching(/^overlay 1 /),
    });
  });

  it('are bounded and checked as a description is', async () => {
    const over = { limits: { description_bytes: 150 }, overlays: [{ document: ' '.repeat(151) }] };
    await expect(preview({ document: description.slice(0, 150) }, over)).rejects.toBeInstanceOf(Failure);
    await expect(preview({ document: '{}' }, over)).rejects.toMatchObject({ code: 'source-too-large' });
    const wrong = { overlays: { file: 'x' } } as unknown as { overlays: [] };
    await expect(preview({ document: description }, wrong)).rejects.toMatchObject({ code: 'bad-request' });
  });
});
