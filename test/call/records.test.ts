// Call records in memory, in a file and in the database of a store.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { memoryRecords } from '../../src/call/record.js';
import { databaseRecords } from '../../src/call/record-database.js';
import { fileRecords } from '../../src/call/record-file.js';
import type { Database } from '../../src/store/database/database.js';
import { databaseAt } from '../../src/store/database/open.js';
import { openStore } from '../../src/store/open.js';
import { DEFAULT_SCOPE } from '../../src/store/scope.js';
import { makeFolder, removeFolder } from '../store/folder.js';
import { asked, makeDatabase } from '../store/postgres.js';
import { describeCallRecords, numbered } from './records.js';

describeCallRecords('memory', async () => {
  let records: ReturnType<typeof memoryRecords> | undefined;
  return {
    open(most) {
      records ??= memoryRecords(most);
      return records;
    },
    dispose: async () => {},
  };
});

describeCallRecords('a file', async () => {
  const folder = await makeFolder();
  return { open: (most) => fileRecords(`${folder}/calls.jsonl`, most), dispose: () => removeFolder(folder) };
});

describeCallRecords('SQLite', async () => {
  const folder = await makeFolder();
  const database = () => databaseAt(`sqlite:${folder}/tools.db`) as Database;
  return { open: (most) => databaseRecords(database(), DEFAULT_SCOPE, most), dispose: () => removeFolder(folder) };
});

const url = await makeDatabase();

describe.skipIf(url === undefined)('with a server', () => {
  describeCallRecords('PostgreSQL', async () => {
    const scope = { organization: 'tests', project: randomBytes(6).toString('hex') };
    return {
      open: (most) => databaseRecords(databaseAt(String(url)) as Database, scope, most),
      dispose: async () => {},
    };
  });

  it('leaves those who read a connection, however many records wait', async () => {
    const scope = { organization: 'tests', project: randomBytes(6).toString('hex') };
    const records = databaseRecords(databaseAt(String(url)) as Database, scope);
    const store = await openStore(String(url), scope);
    await records.add(numbered(0));
    const holder = new pg.Client(String(url));
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query("select * from revisions where kind = 'calls' for update");
      const adding = Array.from({ length: 30 }, (_, i) => records.add(numbered(i + 1)));
      await vi.waitUntil(async () => (await waiting()) > 0);
      const reading = store.read();
      let over = false;
      void reading.finally(() => {
        over = true;
      });
      let most = 0;
      while (!over) most = Math.max(most, await waiting());
      expect((await reading).tools).toEqual([]);
      expect(most).toBe(1);
      await holder.query('commit');
      await Promise.all(adding);
      expect(await records.last()).toHaveLength(31);
    } finally {
      await holder.end();
      await Promise.all([records.close(), store.close()]);
    }
  });
});

/** How many wait for a lock of this database: seen from outside, since a transaction sees what was when it first looked. */
async function waiting(): Promise<number> {
  const where = "datname = current_database() and wait_event_type = 'Lock'";
  const [row] = await asked(String(url), `select count(*)::int as number from pg_stat_activity where ${where}`);
  return Number(row?.number);
}
