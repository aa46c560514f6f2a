// Call records in memory, in a file and in the database of a store.
import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { memoryRecords } from '../../src/call/record.js';
import { databaseRecords } from '../../src/call/record-database.js';
import { fileRecords } from '../../src/call/record-file.js';
import type { Database } from '../../src/store/database/database.js';
import { databaseAt } from '../../src/store/database/open.js';
import { DEFAULT_SCOPE } from '../../src/store/scope.js';
import { makeFolder, removeFolder } from '../store/folder.js';
import { makeDatabase } from '../store/postgres.js';
import { describeCallRecords } from './records.js';

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
});
