// Answers that are too long: within the bound, still JSON where they were, and no element is cut in two.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutJson, cutText } from '../../src/mcp/cut.js';

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

describe('a JSON text', () => {
  it('is cut after a whole element, with its digits as they came', () => {
    const text = `[12345678901234567890, 1.50, {"a":[1,2]}, "x,]", ${'9'.repeat(40)}]`;
    expect(cutJson(text, 50, true)).toEqual({
      text: '[12345678901234567890, 1.50, {"a":[1,2]}, "x,]"]',
      notes: ['the list at / holds 5 elements; the first 4 are shown'],
      json: true,
    });
  });

  it('keeps what stands around the list', () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ id: i }));
    const text = JSON.stringify({ page: { total: 100, few: [1, 2], items }, next: 'a]b"}' });
    const { text: cut, notes } = cutJson(text, 200, true);
    const value = JSON.parse(cut);
    expect(value.next).toBe('a]b"}');
    expect(value.page.few).toEqual([1, 2]);
    expect(notes).toEqual([
      `the list at /page/items holds 100 elements; the first ${value.page.items.length} are shown`,
    ]);
  });

  it('is cut as a text where it holds no list', () => {
    const { text, json, notes } = cutJson(JSON.stringify({ a: 'x'.repeat(500) }), 100, true);
    expect([bytes(text), json, notes]).toEqual([100, false, ['only the beginning is shown: 100 of 508 bytes']]);
  });

  it('that came without its end is closed after the last whole element', () => {
    const whole = JSON.stringify({
      data: { items: Array.from({ length: 20 }, (_, i) => ({ id: i, tags: ['a', 'b'] })) },
    });
    for (let end = whole.indexOf('[') + 1; end < whole.length - 3; end += 1) {
      const { text, json } = cutJson(whole.slice(0, end), 10_000, false);
      const { items } = JSON.parse(text).data;
      expect([json, items]).toEqual([true, JSON.parse(whole).data.items.slice(0, items.length)]);
    }
  });

  it('of any kind stays within the bound, and its lists are beginnings of what they were', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.integer({ min: 20, max: 400 }),
        fc.boolean(),
        (value, most, spaced) => {
          const text = JSON.stringify(value, null, spaced ? 2 : 0);
          if (bytes(text) <= most) return;
          const { text: cut, json, notes } = cutJson(text, most, true);
          expect(bytes(cut)).toBeLessThanOrEqual(most);
          expect(notes.length).toBeGreaterThan(0);
          if (json) expect(isBeginning(JSON.parse(cut), JSON.parse(text))).toBe(true);
          else expect(text.startsWith(cut)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('with very many lists is not walked through for each', () => {
    const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, [i, i]]));
    const { json } = cutJson(JSON.stringify(value), 1_000, true);
    expect(json).toBe(false);
  });
});

/** Lists outside of lists may be shorter, nothing else may differ. */
function isBeginning(cut: unknown, whole: unknown): boolean {
  if (Array.isArray(cut) && Array.isArray(whole))
    return JSON.stringify(whole.slice(0, cut.length)) === JSON.stringify(cut);
  if (typeof cut !== 'object' || cut === null || typeof whole !== 'object' || whole === null) return cut === whole;
  const keys = Object.keys(whole);
  const there = (key: string) =>
    isBeginning((cut as Record<string, unknown>)[key], (whole as Record<string, unknown>)[key]);
  return JSON.stringify(Object.keys(cut)) === JSON.stringify(keys) && keys.every(there);
}

it('a text is cut at a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 10 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
      const { text: cut } = cutText(text, most);
      expect(bytes(cut)).toBeLessThanOrEqual(most);
      expect(text.startsWith(cut)).toBe(true);
    }),
  );
});
