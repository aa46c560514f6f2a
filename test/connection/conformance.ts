// What every store of connections does: one suite, run by the test of each implementation.
import { describe, expect, it } from 'vitest';
import type { Connection, ConnectionChanges, ConnectionStore, Connections } from '../../src/connection/connection.js';
import { markBroken } from '../../src/connection/health.js';
import { isFailure } from '../store/conformance.js';
import { sample, sampleAccount, sampleId } from './sample.js';

export interface ConnectionPlace {
  open(): ConnectionStore;
  dispose(): Promise<void>;
}

export function describeConnectionStore(name: string, makePlace: () => Promise<ConnectionPlace>): void {
  const inPlace = (work: (store: ConnectionStore, other: ConnectionStore) => Promise<void>) => async () => {
    const place = await makePlace();
    const [store, other] = [place.open(), place.open()];
    try {
      await work(store, other);
    } finally {
      await store.close();
      await other.close();
      await place.dispose();
    }
  };

  describe(`${name} as a store of connections`, () => {
    it(
      'is empty at first',
      inPlace(async (store) => expect((await store.list()).connections).toEqual([])),
    );

    it(
      'lists the oldest first, and commit answers the same',
      inPlace(async (store, other) => {
        const all = [sample('c', 1), sample('a', 2), sample('b', 3)];
        const committed = await change(store, { put: all.toReversed() });
        expect(committed.connections).toEqual(all);
        expect(await other.list()).toEqual(committed);
      }),
    );

    it(
      'replaces by id, and removes',
      inPlace(async (store) => {
        await change(store, { put: [sample('a', 1), sample('b', 2)] });
        await change(store, { put: [sample('a', 1, { group: 'g' })], remove: [sampleId('b')] });
        expect((await store.list()).connections).toEqual([sample('a', 1, { group: 'g' })]);
      }),
    );

    it(
      'sorts keys, and keeps its revision where nothing changes',
      inPlace(async (store) => {
        const before = await change(store, { put: [sample('a', 1)] });
        const reordered = Object.fromEntries(Object.entries(sample('a', 1)).toReversed()) as unknown as Connection;
        expect(await change(store, { put: [reordered] })).toEqual(before);
        expect(await change(store, {})).toEqual(before);
        expect(Object.keys(before.connections[0] ?? {})).toEqual(Object.keys(sample('a', 1)).sort());
      }),
    );

    it.each([
      ['an id that is not there is removed', 'store-moved', { put: [sample('b', 2)], remove: [sampleId('z')] }],
      ['an id is put twice', 'store-conflict', { put: [sample('b', 2), sample('b', 3)] }],
      ['an id is none', 'invalid-value', { put: [sample('b', 2, { id: 'conn_1' })] }],
      ['a field is of another placement', 'invalid-value', { put: [sample('b', 2, { placement: 'basic' })] }],
      ['a field is unknown', 'invalid-value', { put: [{ ...sample('b', 2), key: 'secret' } as unknown as Connection] }],
    ] as [string, string, Partial<ConnectionChanges>][])('writes nothing when %s', async (_, code, changes) => {
      await inPlace(async (store) => {
        const before = await change(store, { put: [sample('a', 1)] });
        await expect(change(store, changes)).rejects.toSatisfy(isFailure(code));
        expect(await store.list()).toEqual(before);
      })();
    });

    it(
      'writes nothing against a revision that is gone',
      inPlace(async (store) => {
        const { revision } = await store.list();
        const now = await change(store, { put: [sample('a', 1)] });
        for (const put of [[sample('b', 2)], []])
          await expect(store.commit({ put, remove: [] }, revision)).rejects.toSatisfy(isFailure('store-moved'));
        expect(await store.list()).toEqual(now);
      }),
    );

    it(
      'lets one of two writers win',
      inPlace(async (store, other) => {
        const { revision } = await store.list();
        const outcomes = await Promise.allSettled([
          store.commit({ put: [sample('a', 1)], remove: [] }, revision),
          other.commit({ put: [sample('b', 1)], remove: [] }, revision),
        ]);
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect((await store.list()).connections).toHaveLength(1);
      }),
    );

    it(
      'breaks a connection once, whoever meets it first, for every handle at its next look',
      inPlace(async (store, other) => {
        await change(store, { put: [sample('a', 1), sample('b', 2)] });
        const met = Array.from({ length: 6 }, (_, index) =>
          markBroken(index % 2 === 0 ? store : other, sampleId('a'), { reason: `r${index}`, tool: 't' }),
        );
        await Promise.all(met);
        for (const handle of [store, other]) {
          const [a, b] = (await handle.list()).connections;
          expect(a).toMatchObject({ status: 'broken', reason: expect.stringMatching(/^r\d$/), broken_by: 't' });
          expect(b).toEqual(sample('b', 2));
        }
        expect(await store.list()).toEqual(await other.list());
      }),
    );

    it(
      'tells of the change of another handle, and finds no fault in it',
      inPlace(async (store, other) => {
        const told = new Promise<void>((resolve) => {
          void store.watch(resolve).then(() => change(other, { put: [sampleAccount('a', 1), sample('b', 2)] }));
        });
        await told;
        expect(await store.faults()).toEqual([]);
      }),
    );

    it(
      'shares no object with its callers',
      inPlace(async (store) => {
        const mine = sample('a', 1);
        await change(store, { put: [mine] });
        Object.assign(mine, { group: 'x' });
        const handed = (await store.list()).connections[0] ?? {};
        // What is frozen cannot be changed at all.
        if (!Object.isFrozen(handed)) Object.assign(handed, { group: 'y' });
        expect((await store.list()).connections).toEqual([sample('a', 1)]);
      }),
    );
  });
}

async function change(store: ConnectionStore, changes: Partial<ConnectionChanges>): Promise<Connections> {
  return store.commit({ put: [], remove: [], ...changes }, (await store.list()).revision);
}
