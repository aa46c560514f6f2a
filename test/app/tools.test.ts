// Values that a person fixes on a tool: they fit the schema of their parameter, whatever pattern that holds.
import { beforeEach, describe, expect, it } from 'vitest';
import { parseValue } from '../../src/app/tools.js';
import { memoryStore, setTool, type ToolStore } from '../../src/index.js';
import { sampleTool } from '../store/sample.js';

const TOOL = sampleTool('a', {
  input_schema: {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'string' } },
      code: { type: 'string', pattern: '^[A-Z]+$' },
      name: { type: 'string', minLength: 2 },
      count: { type: 'integer', maximum: 9 },
      ratio: { type: 'number' },
      kind: { type: 'string', enum: ['x', 'y'] },
      note: { type: ['string', 'null'] },
      text: { type: 'string' },
      slow: { type: 'string', pattern: '^(a+)+$' },
      deep: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      pair: {
        type: 'object',
        properties: { low: { type: 'string', pattern: '^[a-z]+$' }, high: { type: 'string', pattern: '^[A-Z]+$' } },
      },
      any: {},
    },
    additionalProperties: false,
  },
});

let store: ToolStore;

beforeEach(async () => {
  store = memoryStore();
  await store.commit({ put: [TOOL], remove: [] }, (await store.read()).revision);
});

function fix(name: string, value: unknown): Promise<unknown> {
  return setTool(store, 'a', { fixed_parameters: { [name]: value } });
}

async function fixed(): Promise<unknown> {
  return (await store.read()).tools[0]?.fixed_parameters;
}

describe('a value', () => {
  it.each<readonly [string, unknown]>([
    ['tags', ['a', 3]],
    ['tags', 'a'],
    ['code', 'abc'],
    ['name', 'a'],
    ['count', 10],
    ['count', 1.5],
    ['kind', 'z'],
    ['ratio', Number.NaN],
    ['ratio', Number.POSITIVE_INFINITY],
    ['count', Number.NaN],
    ['any', Number.NaN],
    ['any', { inside: [Number.NaN] }],
    ['text', null],
    ['deep', {}],
    ['pair', { low: 'A' }],
    ['pair', { high: 'a' }],
    ['deep', { n: 'a' }],
  ])('that does not fit %s is refused: %s', async (name, value) => {
    await expect(fix(name, value)).rejects.toMatchObject({
      name: 'Failure',
      code: 'invalid-value',
      message: expect.stringContaining(name),
    });
    expect(await fixed()).toEqual({});
  });

  it.each<readonly [string, unknown]>([
    ['tags', ['a']],
    ['tags', []],
    ['code', 'ABC'],
    ['name', 'ab'],
    ['count', 9],
    ['kind', 'y'],
    ['ratio', 0.5],
    ['note', null],
    ['deep', { n: 1 }],
    ['any', [null]],
    ['pair', { low: 'a', high: 'A' }],
  ])('that fits %s is kept: %j', async (name, value) => {
    await fix(name, value);
    expect(await fixed()).toEqual({ [name]: value });
  });

  it.each<unknown>([undefined, 10n, () => 1])('that JSON cannot hold is refused: %s', async (value) => {
    await expect(fix('any', value)).rejects.toMatchObject({ name: 'Failure', code: 'invalid-value' });
    expect(await fixed()).toEqual({});
  });

  it('of 50 KB is held against a pattern that explodes, without a run that never ends', async () => {
    await expect(fix('slow', `${'a'.repeat(50_000)}!`)).rejects.toMatchObject({ code: 'invalid-value' });
    await fix('slow', 'a'.repeat(50_000));
  });
});

describe('a name', () => {
  it('that is to be fixed and to be left to the model is refused', async () => {
    await fix('text', 'a');
    await expect(setTool(store, 'a', { fixed_parameters: { text: 'b' }, unfixed: ['text'] })).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining('"text"'),
    });
    expect(await fixed()).toEqual({ text: 'a' });
  });

  it('that is left to the model beside another that is fixed', async () => {
    await fix('text', 'a');
    await setTool(store, 'a', { fixed_parameters: { count: 1 }, unfixed: ['text'] });
    expect(await fixed()).toEqual({ count: 1 });
  });
});

describe('a value given as text', () => {
  it.each<readonly [string, string, unknown]>([
    ['note', 'null', null],
    ['note', '"null"', '"null"'],
    ['note', 'nil', 'nil'],
    ['text', 'null', 'null'],
    ['text', '3', '3'],
    ['count', '3', 3],
    ['tags', '["a"]', ['a']],
    ['any', 'a', 'a'],
    ['any', '3', 3],
  ])('of %s: %s is %j', (name, text, value) => {
    expect(parseValue(TOOL, name, text)).toEqual(value);
  });
});
