// The store in SQLite.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSqlite, sqliteMeaning } from '../../src/store/database/sqlite.js';
import { openStore } from '../../src/store/open.js';
import { describeToolStore } from './conformance.js';
import { inFolder, makeFolder, removeFolder } from './folder.js';

describeToolStore('sqlite:', async () => {
  const folder = await makeFolder();
  return { open: () => openStore(`sqlite:${folder}/tools.db`), dispose: () => removeFolder(folder) };
});

it('says what went wrong where SQLite ended the transaction by itself', async () => {
  await inFolder(async (folder) => {
    const { queries, close } = await openSqlite(`${folder}/tools.db`, 'sqlite:tools.db');
    try {
      await sql`pragma max_page_count = 30`.execute(queries);
      const row = { organization: 'o', project: 'p', number: 1, record: 'x'.repeat(1_000_000) };
      const written = queries
        .transaction()
        .execute((transaction) => transaction.insertInto('calls').values(row).execute());
      const error = await written.catch((reason: unknown) => reason);
      expect(sqliteMeaning(error)).toMatchObject({ reason: 'no space is left on the device (SQLITE_FULL)' });
      expect(await queries.selectFrom('calls').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });
});
