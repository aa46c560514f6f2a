// From the address of a database to the database, which is opened when it is first used.
import { Failure } from '../../base/failure.js';
import { Database } from './database.js';
import type { Absent, Driver, Engine, Meaning } from './engine.js';
import { shared } from './shared.js';

/**
 * The database of an address: `sqlite:PATH`, `postgres://...` or `postgresql://...`; undefined where it names none.
 * Its packages are loaded when it is opened.
 * @throws Failure `invalid-store`; its message never holds the address, which may carry a password.
 */
export function databaseAt(address: string): Database | undefined {
  if (address.startsWith('sqlite:') && address.length > 'sqlite:'.length) return new Database(sqlite(address));
  if (/^postgres(ql)?:\/\//.test(address)) return new Database(postgres(address));
  return undefined;
}

function sqlite(address: string): Driver {
  let meaning: (error: unknown) => Meaning | undefined = () => undefined;
  return {
    address,
    async open(make): Promise<Engine | Absent> {
      const { findSqlite, openSqlite, sqliteMeaning } = await import('./sqlite.js').catch(missing('better-sqlite3'));
      meaning = sqliteMeaning;
      return (make ? openSqlite : findSqlite)(address.slice('sqlite:'.length), address);
    },
    meaning: (error) => meaning(error),
  };
}

function postgres(url: string): Driver {
  const address = shownAddress(url);
  let meaning: (error: unknown) => Meaning | undefined = () => undefined;
  return {
    address,
    async open(): Promise<Engine> {
      const { openPostgres, postgresMeaning } = await import('./postgres.js');
      meaning = postgresMeaning;
      return shared(url, () => openPostgres(url, address));
    },
    meaning: (error) => meaning(error),
  };
}

/** Without user, password and options. */
function shownAddress(url: string): string {
  if (!URL.canParse(url)) {
    throw new Failure('invalid-store', 'the store address is no URL; it is written postgres://USER@HOST:PORT/DATABASE');
  }
  const { host, pathname, search, hash } = new URL(url);
  // What stands before it would be a part of the password.
  if (`${pathname}${search}${hash}`.includes('@')) {
    throw new Failure(
      'invalid-store',
      'the store address has a sign in its user or password that is not written as %XX',
    );
  }
  return `postgres://${host}${pathname}`;
}

/** It is compiled where it is installed, which may have failed there. */
function missing(name: string): (error: unknown) => never {
  return (error) => {
    const message = `SQLite cannot be used here: the optional package ${name} is not installed, or was not built`;
    throw new Failure('invalid-store', message, {}, error);
  };
}
