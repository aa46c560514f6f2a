// An import that is made again and changes nothing writes nothing, by what each store itself tells of writes.
import { stat } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importOperations } from '../../src/app/import.js';
import { openStore } from '../../src/store/open.js';
import { descriptionOf, SERVER } from './child-description.mjs';
import { durables, type Place } from './places.js';
import { asked } from './postgres.js';

/** What is another one after any write. */
interface Mark {
  read(): Promise<unknown>;
  close(): void;
}

const marks: Readonly<Record<string, (place: Place) => Mark>> = {
  file: ({ address }) => ({
    async read() {
      const { ino, mtimeNs } = await stat(address.slice('file:'.length), { bigint: true });
      return `${ino} ${mtimeNs}`;
    },
    close: () => {},
  }),
  sqlite: ({ address }) => {
    // Raised by what another connection commits.
    const database = new SqliteDatabase(address.slice('sqlite:'.length));
    return { read: async () => database.pragma('data_version', { simple: true }), close: () => database.close() };
  },
  postgres: ({ address, scope }) => ({
    // Every row version with the transaction that wrote it.
    read: () =>
      asked(
        address,
        `select 'tools' as kind, ctid::text, xmin::text from tools where project = '${scope.project}'
         union all select kind, ctid::text, xmin::text from revisions where project = '${scope.project}' order by 1, 2`,
      ),
    close: () => {},
  }),
};

describe.each([...(await durables())])('an import that changes nothing: $name', ({ name, missing, make }) => {
  it.skipIf(missing)('writes nothing', async () => {
    const place = await make();
    const store = await openStore(place.address, place.scope);
    const run = async (generation: number): Promise<number> => {
      const document = descriptionOf(50, generation);
      const request = { server: SERVER, document, batch: true, select: { all: true } };
      return (await importOperations(request, { store })).unchanged;
    };
    await run(1);
    const mark = marks[name]?.(place);
    try {
      const before = await mark?.read();
      expect(await run(1)).toBe(50);
      expect(await mark?.read()).toEqual(before);
      expect(await run(2)).toBe(0);
      expect(await mark?.read()).not.toEqual(before);
    } finally {
      mark?.close();
      await store.close();
      await place.dispose();
    }
  });
});
