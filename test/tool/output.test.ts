// Answers: what is read of one depends on no other and decides nothing, and how an answer is shaped and held against its schema.
import { describe, expect, it } from 'vitest';
import { importOperations, memoryStore, preview, type Schema, structuredAnswer } from '../../src/index.js';
import { answerFault } from '../../src/tool/value.js';

type Node = Record<string, unknown>;

function answering(schema: unknown): Node {
  return { responses: { 200: { description: '', content: { 'application/json': { schema } } } } };
}

/** So many operations, some of whose answers are larger than an equal share of the steps. */
function description(operations: number): string {
  const paths: Node = {};
  for (let i = 0; i < operations; i += 1) paths[`/p${i}`] = { get: { operationId: `p${i}`, ...answering(wide(i)) } };
  const properties = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`l${i}`, { type: 'string' }]));
  return JSON.stringify({ openapi: '3.1.0', paths, components: { schemas: { Leaf: { type: 'object', properties } } } });
}

function wide(index: number): Node {
  const parts = Array.from({ length: 19 - (index % 4) }, (_, i) => [`m${i}`, { $ref: '#/components/schemas/Leaf' }]);
  const level = { type: 'object', properties: Object.fromEntries(parts) };
  return { type: 'object', properties: { a: level, b: level } };
}

async function outputs(document: string, keys?: readonly string[]): Promise<Map<string, string>> {
  const select = keys === undefined ? { all: true } : { keys };
  const { operations } = await preview({ document }, { output: true, select });
  return new Map(operations.map(({ key, output_schema, notices }) => [key, JSON.stringify([output_schema, notices])]));
}

describe('what an operation answers', () => {
  it('is the same whichever others are asked for, also where the steps of all are spent', async () => {
    const document = description(2_500);
    const all = await outputs(document);
    const smaller = [...all.values()].filter((text) => text.includes('output-smaller')).length;
    expect(smaller).toBeGreaterThan(0);
    expect(smaller).toBeLessThan(all.size);
    const keys = ['p2499', 'p1', 'p1251', 'p0'];
    for (const [key, text] of await outputs(document, keys)) expect(text).toBe(all.get(key));
  });

  it.each(['core', 'extended'] as const)('decides nothing of the tool itself in %s', async (profile) => {
    const hostile = [{ $ref: '#/nowhere' }, { type: 'object', properties: { a: 1 } }, 'x', [], { allOf: [7] }, wide(0)];
    for (const schema of hostile) {
      const operation = { operationId: 'a', parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] };
      const write = (more: Node) =>
        JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { ...operation, ...more } } } });
      const without = await preview(
        { document: write({}) },
        { profile, limits: { description_steps: 5, operation_steps: 5 } },
      );
      const { operations, unimportable } = await preview(
        { document: write(answering(schema)) },
        { profile, output: true, limits: { description_steps: 5, operation_steps: 5 } },
      );
      expect(unimportable).toEqual([]);
      const shown = operations.map(({ output_schema: _, notices, ...draft }) => {
        return { ...draft, notices: notices.filter(({ code }) => !code.startsWith('output-')) };
      });
      expect(shown).toEqual(without.operations);
    }
  });

  it('is imported, refreshed, and removed by an import without it', async () => {
    const store = memoryStore();
    const run = async (schema: unknown, output?: boolean) => {
      const document = JSON.stringify({
        openapi: '3.1.0',
        paths: { '/a': { get: { operationId: 'a', ...answering(schema) } } },
      });
      const request = { document, server: 'https://api.example.com', operations: ['a'] };
      const { plan } = await importOperations({ ...request, ...(output === undefined ? {} : { output }) }, { store });
      const [action] = plan.actions;
      const [tool] = (await store.read()).tools;
      return [action?.kind === 'refresh' ? action.fields : action?.kind, tool?.output_schema];
    };
    const one = { type: 'object', properties: { a: { type: 'string' } } };
    const two = { type: 'object', properties: { b: { type: 'string' } } };
    expect(await run(one)).toEqual(['create', one]);
    expect(await run(one)).toEqual(['keep', one]);
    expect(await run(two)).toEqual([['output_schema'], two]);
    expect(await run(two, false)).toEqual([['output_schema'], undefined]);
    expect(await run(two, false)).toEqual(['keep', undefined]);
    expect(await run(two)).toEqual([['output_schema'], two]);
  });
});

describe('an answer', () => {
  const list: Schema = {
    type: 'object',
    properties: { result: { type: 'array' } },
    required: ['result'],
    additionalProperties: false,
  };
  const object: Schema = { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] };

  it('stands under "result" where it is no object, and as it is where it is one', () => {
    expect(structuredAnswer(list, [1])).toEqual({ result: [1] });
    expect(structuredAnswer(object, { result: 'x' })).toEqual({ result: 'x' });
    expect([structuredAnswer(object, [1]), structuredAnswer(object, null)]).toEqual([undefined, undefined]);
  });

  it('is told by its first fault', () => {
    expect(answerFault(list, { result: [] })).toBeUndefined();
    expect(answerFault(list, { result: 'x' })).toBe('array is expected at result');
    expect(answerFault(object, {})).toBe('a value is expected at result');
    const items: Schema = { type: 'object', properties: { a: { type: 'array', items: object } } };
    expect(answerFault(items, { a: [{ result: 'x' }, { result: 1 }] })).toBe('string is expected at a.1.result');
  });

  it('is not held against what would take too long, nor against what is no schema', () => {
    const items = Array.from({ length: 30_000 }, (_, i) => ({ a: `${'a'.repeat(20)}${i}` }));
    const many = Array.from({ length: 5_000 }, (_, i) => ({ type: 'object', required: [`b${i}`] }));
    expect(
      answerFault({ type: 'object', properties: { a: { items: { anyOf: many } } } }, { a: items }),
    ).toBeUndefined();
    const slow = { type: 'string', pattern: `^(?:${'(?:a|b|ab){1,40}'.repeat(12)})*z$` };
    const texts: Schema = { type: 'object', properties: { a: { items: { properties: { a: slow } } } } };
    expect(answerFault(texts, { a: [{ a: 'q' }] })).toMatch(/is expected|pattern/);
    expect(answerFault(texts, { a: items.map(({ a }) => ({ a: `${a}z`.replaceAll(/\d/g, 'b') })) })).toBeUndefined();
    expect(answerFault({ type: 'nothing' }, { a: 1 })).toBeUndefined();
  });
});
