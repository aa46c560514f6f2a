// The proof that no case is forgotten: each is tested under its id.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const CASES = new URL('../../../shared/cases/cases.json', import.meta.url);
const AREAS = new Set(
  'parse refs schema names discovery reconcile limits params body security servers cli execute mcp-server'.split(' '),
);

const SENT = new Set(['params', 'body', 'security', 'servers']);

interface Case {
  readonly id: string;
  readonly area: string;
  readonly input: { readonly call?: unknown };
}

function testedIds(): string[] {
  const folder = new URL('.', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^it\(\s*'([^']+)'/gm)])
    .map(([, id = '']) => id);
}

describe('the table of cases', () => {
  it('names each case once', () => {
    const ids = testedIds();
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.skipIf(!existsSync(CASES))('is whole', () => {
    const cases = JSON.parse(readFileSync(CASES, 'utf8')) as readonly Case[];
    const wanted = cases.filter(({ area }) => AREAS.has(area)).map(({ id }) => id);
    const held = testedIds();
    expect(wanted.filter((id) => !held.includes(id))).toEqual([]);
    expect(held.filter((id) => !wanted.includes(id))).toEqual([]);
  });

  it.skipIf(!existsSync(CASES))('has each call sent', () => {
    const cases = JSON.parse(readFileSync(CASES, 'utf8')) as readonly Case[];
    const wanted = cases.filter(({ area, input }) => SENT.has(area) && input.call !== undefined).map(({ id }) => id);
    const text = readFileSync(new URL('on-the-wire.test.ts', import.meta.url), 'utf8');
    expect(wanted.filter((id) => !text.includes(`'${id}'`))).toEqual([]);
  });
});
