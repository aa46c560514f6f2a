// Names of tools: legal, unique, cut so that their number fits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withLimits } from '../../src/base/limits.js';
import { assignNames, UniqueNames } from '../../src/tool/name.js';

const LIMITS = withLimits();

function names(identifiers: readonly (string | undefined)[], prefix = ''): string[] {
  return assignNames(
    identifiers.map((identifier) => ({ identifier, method: 'GET', path: '/pets/{id}' })),
    prefix,
    LIMITS,
  );
}

describe('a name', () => {
  it.each([
    ['listPets', 'listPets'],
    ['list pets', 'list_pets'],
    ['pets.list/all', 'pets_list_all'],
    ['  list  ', 'list'],
    ['é', 'get_pets_id'],
    ['', 'get_pets_id'],
    [undefined, 'get_pets_id'],
    ['a'.repeat(80), 'a'.repeat(64)],
    ['_a_', '_a_'],
    ['__proto__', '__proto__'],
    ['a\u200bb', 'a_b'],
  ])('of %j is %j', (identifier, name) => {
    expect(names([identifier])).toEqual([name]);
  });

  it('is numbered where it is taken, and cut so that the number fits', () => {
    expect(names(['a', 'a', 'a_2', 'a'])).toEqual(['a', 'a_2', 'a_2_2', 'a_3']);
    const long = 'b'.repeat(70);
    expect(names([long, long])).toEqual(['b'.repeat(64), `${'b'.repeat(62)}_2`]);
    expect(names(['a'], 'p_')).toEqual(['p_a']);
  });

  it.each(['a b', 'é', 'a.', '\n'])('has no prefix %j', (prefix) => {
    expect(() => names(['a'], prefix)).toThrow(expect.objectContaining({ code: 'invalid-prefix' }));
  });

  it('is legal and unique whatever the identifiers', () => {
    const identifier = fc.oneof(fc.constantFrom('a', 'a_2', 'é', undefined), fc.string());
    const property = fc.property(
      fc.array(identifier, { maxLength: 40 }),
      fc.integer({ min: 16, max: 64 }),
      (list, most) => {
        const found = assignNames(
          list.map((one) => ({ identifier: one, method: 'GET', path: '/' })),
          'prefix_',
          withLimits({ tool_name_chars: most }),
        );
        expect(new Set(found).size).toBe(list.length);
        for (const name of found) expect(name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${most}}$`));
      },
    );
    fc.assert(property);
  });

  it('of a thousand equals is found soon', () => {
    const unique = new UniqueNames(64, ['same']);
    const found = Array.from({ length: 3_000 }, () => unique.claim('same'));
    expect(found.at(-1)).toBe('same_3001');
  });
});
