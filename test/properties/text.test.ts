// Plain text of foreign text: bounded, without what nobody sees, the same when made plain again, and linear in time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/base/plain.js';
import { cut, invisibleCodePoints, quoted } from '../../src/base/text.js';
import { runs, TIMEOUT } from './support.js';

const MARKUP = [
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '**',
  '__',
  '*',
  '_',
  '`',
  '```',
  '[',
  '](',
  ')',
  '# ',
  '\n',
  '&amp;',
  '&#x200b;',
  '\\',
  '~~',
  '|',
  '> ',
];
const units = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const texts = fc.oneof(
  fc.string({ unit: units, maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.oneof(fc.constantFrom(...MARKUP), fc.string({ maxLength: 5 }), units), { maxLength: 60 })
    .map((parts) => parts.join('')),
);
const bounds = fc.integer({ min: 1, max: 300 });
const MARKS = /[<>&*_`#[\]()\\~|+!:=-]/;

function length(text: string): number {
  return [...text].length;
}

describe('plain text', () => {
  it(
    'is bounded in code points and holds nothing invisible',
    () => {
      const property = fc.property(texts, bounds, (text, most) => {
        const plain = plainText(text, most);
        expect(length(plain)).toBeLessThanOrEqual(most);
        expect(invisibleCodePoints(plain)).toEqual([]);
        expect(plain).toBe(plain.trim());
        expect(plain).not.toMatch(/\s\s|[^\S ]/);
      });
      fc.assert(property, runs(2_000));
    },
    TIMEOUT,
  );

  it(
    'is plain already, where it holds no markup',
    () => {
      const property = fc.property(texts, bounds, (text, most) => {
        const plain = plainText(text, most);
        fc.pre(!MARKS.test(plain));
        expect(plainText(plain, most)).toBe(plain);
      });
      fc.assert(property, { ...runs(2_000), maxSkipsPerRun: 100 });
    },
    TIMEOUT,
  );

  it('is the text itself, where that is words', () => {
    const words = fc.array(fc.constantFrom('a', 'Zoë', 'пример', '漢字', '😀', '12', "it's", 'end.'), { minLength: 1 });
    const property = fc.property(words, (list) => {
      expect(plainText(list.join(' '), 10_000)).toBe(list.join(' '));
    });
    fc.assert(property, runs(300));
  });

  it.each([
    '<',
    '[',
    '*',
    '_',
    '`',
    '\\',
    '<!--',
    '](',
    ' ',
    '\n',
    '<a ',
    '[](',
    '![',
    '&',
    '&amp',
    '&#',
    '**a',
    '__a',
    '~~',
    '~~a',
    '# ',
    '> ',
    '|',
    '\r',
    '\u200b',
    '\ud800',
    '<!-- ',
    '</',
    '<a<',
    '[a](b ',
    '[a][',
    '* ',
    '*a ',
    ' *',
    '_a ',
    '``` ',
    '\n```',
    '- ',
    '\t',
    '&lt;',
    'a*',
    'a_',
    '(',
    '[a](b(',
    '[a](b "',
    '![a]',
    '<http:',
    '<b>',
    ' \n',
    '\\\\[',
  ])('of a megabyte of %j takes less than three seconds', (piece) => {
    const megabyte = piece.repeat(Math.ceil(1_000_000 / piece.length));
    for (const text of [megabyte, `x\n<b>${megabyte}x`]) {
      for (const most of [300, 1_000_000]) {
        const start = process.cpuUsage();
        plainText(text, most);
        // Of the processor, not of the clock: the machine may be busy with others.
        expect(process.cpuUsage(start).user).toBeLessThan(3_000_000);
      }
    }
  });
});

describe('a cut', () => {
  it('keeps a text within the bound, and ends another with …', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), bounds, (text, most) => {
      const short = cut(text, most);
      if (length(text) <= most) expect(short).toBe(text);
      else {
        expect(length(short)).toBeLessThanOrEqual(most);
        expect(short.endsWith('…')).toBe(true);
        expect(text.startsWith(short.slice(0, -1))).toBe(true);
      }
    });
    fc.assert(property, runs(500));
  });
});

describe('a quoted text', () => {
  it('is one short line of visible characters', () => {
    const property = fc.property(texts, bounds, (text, most) => {
      const shown = quoted(text, most);
      expect(length(shown)).toBeLessThanOrEqual(most + 2);
      expect(invisibleCodePoints(shown)).toEqual([]);
      expect(shown).toMatch(/^".*"$/u);
    });
    fc.assert(property, runs(1_000));
  });
});
