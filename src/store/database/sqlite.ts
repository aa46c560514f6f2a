// SQLite: one file, one machine, any number of its processes.
import { chmod, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, type SqliteDatabase as KyselyDatabase, SqliteAdapter, SqliteDialect, sql } from 'kysely';
import { unless } from '../file-system.js';
import { polled, type Watch } from '../watch.js';
import type { Absent, Engine, Meaning } from './engine.js';
import { type Flavour, migrate, newer } from './migrations.js';
import type { Tables } from './schema.js';

/** How long SQLite itself waits for another process, in milliseconds: it holds this one up meanwhile. */
const HELD_UP = 20;

const FLAVOUR: Flavour = {
  text: 'text',
  find: (table) => sql`select 1 from sqlite_master where type = 'table' and name = ${table}`,
};

/**
 * Opens a database, which is created where it is not there.
 * @throws errors of SQLite and the system; Failure `store-foreign`.
 */
export async function openSqlite(path: string, address: string): Promise<Engine> {
  const file = resolve(path);
  if (!(await isThere(file))) await createPrivate(file);
  return opened(file, address);
}

/** Opens one that is there, and creates nothing. @throws as `openSqlite`. */
export async function findSqlite(path: string, address: string): Promise<Engine | Absent> {
  const file = resolve(path);
  if (await isThere(file)) return opened(file, address);
  return { listen: (_channel, hint) => listenTo(file, hint), close: async () => {} };
}

async function opened(file: string, address: string): Promise<Engine> {
  const database = connect(file);
  const queries = new Kysely<Tables>({ dialect: new Dialect({ database: immediate(database) }) });
  try {
    database.pragma('journal_mode = WAL');
    if (!(await migrate(queries as unknown as Kysely<never>, FLAVOUR))) throw newer(address);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    queries,
    begin: async () => {},
    announce: async () => {},
    listen: (_channel, hint) => listenTo(file, hint),
    close: () => queries.destroy(),
  };
}

/** On a connection of its own: the version does not tell of the changes of the connection that asks. */
async function listenTo(file: string, hint: () => void): Promise<Watch> {
  let watching: SqliteDatabase.Database | undefined;
  const probe = async (): Promise<unknown> => {
    if (watching === undefined && (await isThere(file))) watching = connect(file);
    return watching?.pragma('data_version', { simple: true });
  };
  const end = () => watching?.close();
  const watch = await polled(probe, hint).catch((error) => {
    end();
    throw error;
  });
  return {
    async close() {
      await watch.close();
      end();
    },
  };
}

async function isThere(file: string): Promise<boolean> {
  if (!(await unless(stat(dirname(file)), 'ENOENT', 'ENOTDIR'))?.isDirectory()) {
    throw new Unusable('its folder does not exist');
  }
  const found = await unless(stat(file), 'ENOENT');
  if (found?.isDirectory()) throw new Unusable('it is a directory');
  return found !== undefined;
}

/** It holds sealed secrets; the files beside it get its permissions. Another process may be faster. */
async function createPrivate(file: string): Promise<void> {
  const created = await unless(open(file, 'ax', 0o600), 'EEXIST');
  if (created === undefined) return;
  await created.close();
  await chmod(file, 0o600);
}

/** Its message says what is wrong with the place. */
class Unusable extends Error {}

function connect(file: string): SqliteDatabase.Database {
  const database = new SqliteDatabase(file, { timeout: HELD_UP, fileMustExist: true });
  try {
    // What is committed is on the device.
    database.pragma('synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Transactions that write from their beginning: one that only reads at first could not go on after another's write. And that
 * end once: a full device has SQLite roll back by itself, and to do so again would be an error that hides that one.
 */
function immediate(database: SqliteDatabase.Database): KyselyDatabase {
  const instead = (text: string): string => {
    if (text === 'begin') return 'begin immediate';
    return text === 'rollback' && !database.inTransaction ? 'select 1' : text;
  };
  return {
    prepare: (text) => database.prepare(instead(text)) as never,
    close: () => void database.close(),
  };
}

/** Migrations are one transaction, so that a second process waits for the first and finds them done. */
class Dialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const REASONS = new Map([
  ['SQLITE_NOTADB', 'it is no SQLite database'],
  ['SQLITE_CORRUPT', 'it is damaged'],
  ['SQLITE_FULL', 'no space is left on the device'],
  ['SQLITE_IOERR', 'the device failed'],
  ['SQLITE_CANTOPEN', 'it cannot be opened'],
  ['SQLITE_READONLY', 'it may only be read'],
  ['SQLITE_PERM', 'there is no permission'],
  ['SQLITE_AUTH', 'there is no permission'],
  ['EACCES', 'there is no permission'],
  ['EROFS', 'the file system is read-only'],
]);

/** What an error of opening or using SQLite means. */
export function sqliteMeaning(error: unknown): Meaning | undefined {
  if (error instanceof Unusable) return { kind: 'failed', reason: error.message };
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'ERR_DLOPEN_FAILED' || (error instanceof Error && /bindings file/.test(error.message))) {
    return { kind: 'failed', reason: 'the optional package better-sqlite3 was not built for this Node.js' };
  }
  if (code === undefined || !/^(SQLITE_|E[A-Z]+$)/.test(code)) return undefined;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return { kind: 'busy' };
  if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code)) return { kind: 'clash' };
  const general = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
  const kind = general === 'SQLITE_NOTADB' || general === 'SQLITE_CORRUPT' ? 'foreign' : 'failed';
  return { kind, reason: `${REASONS.get(general) ?? 'it failed'} (${code})` };
}
