// Cases of bounds: what is over one is refused or cut, and the rest goes on.
import { expect, it } from 'vitest';
import { importOperations, memoryStore } from '../../src/index.js';
import {
  accepts,
  body,
  type Json,
  noticeCodes,
  object,
  only,
  openapi,
  operation,
  parameter,
  properties,
  required,
  SERVER,
  see,
  TEXT,
  WHOLE,
} from './build.js';
import { atDesk } from './command.js';

const keys = (count: number) => Array.from({ length: count }, (_, i) => `op${i}`);
const many = (count: number): Json =>
  openapi(Object.fromEntries(keys(count).map((key, i) => [`/p${i}`, { get: operation(key) }])));

it('limits-import-more-than-50-operations', async () => {
  const document = JSON.stringify(many(60));
  expect((await see(document)).keys).toEqual(keys(60));
  const store = memoryStore();
  const count = async () => (await store.read()).tools.length;
  for (const chosen of [{ select: { all: true } }, { operations: keys(60) }, { operations: keys(51) }]) {
    await expect(importOperations({ document, server: SERVER, ...chosen }, { store })).rejects.toMatchObject({
      code: 'too-many-chosen',
      message: expect.stringMatching(/\b50\b/),
    });
    expect(await count()).toBe(0);
  }
  const first = await importOperations({ document, server: SERVER, operations: keys(50) }, { store });
  expect([first.created, await count()]).toEqual([50, 50]);
  const batch = await importOperations({ document, server: SERVER, select: { all: true }, batch: true }, { store });
  expect([batch.created, batch.unchanged, await count()]).toEqual([10, 50, 60]);

  await atDesk(async ({ run, write, store: stored, tools }) => {
    await write('doc.json', document);
    const by = (chosen: readonly string[]) => chosen.flatMap((key) => ['--operation', key]);
    for (const chosen of [['--all'], by(keys(51))]) {
      const { code, stdout, stderr } = await run('import', 'doc.json', '--server', SERVER, ...chosen);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^error\[too-many-chosen\]: .*\b50\b.*--batch/);
      expect(await stored()).toBeUndefined();
    }
    expect((await run('import', 'doc.json', '--server', SERVER, ...by(keys(50)))).code).toBe(0);
    expect(await tools()).toHaveLength(50);
    expect((await run('import', 'doc.json', '--server', SERVER, '--all', '--batch')).code).toBe(0);
    expect(await tools()).toHaveLength(60);
  });
}, 60_000);

it('limits-deep-nesting-of-the-document', async () => {
  const nested = (open: string, inside: string, close: string, times: number) =>
    open.repeat(times) + inside + close.repeat(times);
  const wide = JSON.stringify({ ...openapi({ '/a': { get: operation('a') } }), 'x-deep': 0 });
  expect((await see(wide.replace('"x-deep":0', `"x-deep":${nested('[', '', ']', 100_000)}`))).keys).toEqual(['a']);

  const deep = nested('{"type":"object","properties":{"a":', '{"type":"integer"}', '}}', 5_000);
  const posting = JSON.stringify(openapi({ '/a': { post: operation('a', body('SCHEMA')) } }));
  const tool = await only(posting.replace('"SCHEMA"', deep));
  const level = (inside: Json) => object({ a: inside });
  expect(properties(tool)).toEqual({ a: level(level(level(level({ type: 'object' })))) });
  expect(noticeCodes(tool)).toEqual(['nesting-cut']);
});

it('limits-schema-over-64kb', async () => {
  const cities = Array.from({ length: 9_000 }, (_, i) => `city${String(i).padStart(6, '0')}`);
  const { keys: shown, refusal } = await see(
    openapi({
      '/big': { get: operation('big', { parameters: [parameter('query', 'city', { ...TEXT, enum: cities })] }) },
      '/ok': { get: operation('ok') },
    }),
  );
  expect(shown).toEqual(['ok']);
  expect(refusal('big').code).toBe('too-large');
  expect(refusal('big').reason).toMatch(/65,536|64 KB/);
  expect(refusal('big').at).toMatch(/^\/paths\/~1big\/get/);
});

it('limits-operation-over-2000-steps', async () => {
  const flags = Array.from({ length: 2_500 }, (_, i) => `p${i}`);
  const { keys: shown, refusal } = await see(
    openapi({
      '/huge': {
        post: operation(
          'huge',
          body(object(Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' }])), ...flags)),
        ),
      },
      '/ok': { get: operation('ok') },
    }),
  );
  expect(shown).toEqual(['ok']);
  expect(refusal('huge').code).toBe('too-large');
  expect(refusal('huge').reason).toContain('2,000');
});

it('limits-nesting-five-levels', async () => {
  const inside = (names: readonly string[], last: Json): Json =>
    names.reduceRight((schema, name) => object({ [name]: schema }), last);
  const schema = inside(['l1', 'l2', 'l3', 'l4', 'l5', 'l6'], object({ l7: WHOLE }, 'l7'));
  const tool = await only(openapi({ '/n': { post: operation('n', body(schema)) } }));
  expect(properties(tool).l1).toEqual(inside(['l2', 'l3', 'l4', 'l5'], { type: 'object' }));
  expect(accepts(tool.input_schema, { l1: { l2: { l3: { l4: { l5: { l6: { l7: 1 } } } } } } })).toBe(true);
  expect(accepts(tool.input_schema, { l1: { l2: { l3: { l4: { l5: { l6: 'anything' } } } } } })).toBe(true);
  expect(noticeCodes(tool)).toEqual(['nesting-cut']);
});

it('limits-responses-do-not-count', async () => {
  const to = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, to('Node')]));
  const description = openapi(
    {
      '/g': {
        get: {
          operationId: 'g',
          parameters: [parameter('query', 'q')],
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema: object(fields) } } },
            404: { $ref: '#/components/responses/Missing' },
          },
        },
      },
    },
    { components: { schemas: { Node: object({ next: to('Node') }) } } },
  );
  // A handful of steps will do: the parameter and its schema.
  const tool = await only(description, { limits: { operation_steps: 5, description_steps: 20 } });
  expect(properties(tool)).toEqual({ q: TEXT });
  expect(required(tool)).toEqual([]);
  expect(tool.notices).toEqual([]);
});
