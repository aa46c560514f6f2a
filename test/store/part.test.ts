// A part of the tools is enough to number names by: the same come out as with all of them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partOf } from '../../src/store/part.js';
import { namesFrom, UniqueNames } from '../../src/tool/name.js';
import { handTool } from './sample.js';

it('holds every name that a new one could come to', () => {
  const stem = fc.constantFrom('a', 'ab', 'a_2', 'abcdefghijklm', 'abcdefghijklmn', 'abcdefghijklmnop', '_', 'a_');
  const name = fc
    .tuple(stem, fc.constantFrom('', '_2', '_3', '_9', '_10', '_02', '_2_2'))
    .map((parts) => parts.join(''));
  const property = fc.property(
    fc.uniqueArray(name, { maxLength: 40 }),
    fc.array(name, { minLength: 1, maxLength: 10 }),
    fc.constantFrom(16, 17, 64),
    (taken, wanted, most) => {
      const part = partOf(taken.map(handTool), namesFrom(wanted, most));
      const few = new UniqueNames(
        most,
        part.map((tool) => tool.name),
      );
      const all = new UniqueNames(most, taken);
      for (const one of wanted) expect(few.claim(one)).toBe(all.claim(one));
    },
  );
  fc.assert(property, { numRuns: 500 });
});
