// The proof that no case is forgotten: each is tested under its id.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Cases of which nothing is emitted: they are tested where calls are. */
const ON_THE_WIRE: { readonly [id: string]: string } = {
  'cli-secrets-stay-out-of-output':
    'it calls a tool and looks at what comes back; a preview or an import holds no secret',
};

const CASES = new URL('../../../shared/cases/cases.json', import.meta.url);
const AREAS = new Set('parse refs schema names discovery reconcile limits params body security servers cli'.split(' '));

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
    const cases = JSON.parse(readFileSync(CASES, 'utf8')) as { readonly id: string; readonly area: string }[];
    const wanted = cases.filter(({ area }) => AREAS.has(area)).map(({ id }) => id);
    const held = [...testedIds(), ...Object.keys(ON_THE_WIRE)];
    expect(wanted.filter((id) => !held.includes(id))).toEqual([]);
    expect(held.filter((id) => !wanted.includes(id))).toEqual([]);
  });
});
