// What every place for call records does: one suite, run for each implementation.
import { describe, expect, it } from 'vitest';
import type { CallRecord, CallRecords } from '../../src/call/record.js';

export interface RecordsPlace {
  /** Records of which the last `most` are kept; the same ones each time. */
  open(most: number): CallRecords;
  dispose(): Promise<void>;
}

export function describeCallRecords(name: string, makePlace: () => Promise<RecordsPlace>): void {
  const inPlace = (most: number, work: (records: CallRecords, other: CallRecords) => Promise<void>) => async () => {
    const place = await makePlace();
    const [records, other] = [place.open(most), place.open(most)];
    try {
      await work(records, other);
    } finally {
      await records.close();
      await other.close();
      await place.dispose();
    }
  };

  describe(`${name} as a place for call records`, () => {
    it(
      'gives back what was added through any handle, the oldest first',
      inPlace(100, async (records, other) => {
        expect(await records.last()).toEqual([]);
        for (const number of [1, 2, 3]) await (number === 2 ? other : records).add(numbered(number));
        expect(await records.last()).toEqual([1, 2, 3].map(numbered));
        expect(await other.last()).toEqual(await records.last());
      }),
    );

    it(
      'keeps the last ones alone',
      inPlace(7, async (records) => {
        for (let number = 1; number <= 20; number += 1) await records.add(numbered(number));
        expect(await records.last()).toEqual([14, 15, 16, 17, 18, 19, 20].map(numbered));
      }),
    );

    it(
      'loses none of those that are added at once',
      inPlace(100, async (records, other) => {
        const all = Array.from({ length: 30 }, (_, index) => numbered(index));
        await Promise.all(all.map((record, index) => (index % 2 === 0 ? records : other).add(record)));
        const found = (await records.last()).map(({ duration_ms }) => duration_ms);
        expect(found.toSorted((a, b) => a - b)).toEqual(all.map(({ duration_ms }) => duration_ms));
      }),
    );
  });
}

export function numbered(duration_ms: number): CallRecord {
  const tool = { tool_id: 'tool_1', tool: 'listVisits' };
  return { at: '2030-01-02T03:04:05.678Z', ...tool, outcome: 'answer', attempts: 1, status: 200, duration_ms };
}
