// The schema of a database store, step by step. A step that was released is never changed; the next one follows it.
import { type ColumnDataType, type Kysely, type Migration, Migrator, type RawBuilder } from 'kysely';
import { Failure } from '../../base/failure.js';

/** What differs between the databases. */
export interface Flavour {
  /** The type of a text that is compared by its code units. */
  readonly text: ColumnDataType | RawBuilder<unknown>;
  /** A row where there is a table of that name; the catalogue of a shared server is too long to be read. */
  find(table: string): RawBuilder<unknown>;
}

const TABLE = 'toolwright_migrations';
const LOCK_TABLE = 'toolwright_migrations_lock';

function steps({ text }: Flavour): Record<string, Migration> {
  return {
    '1': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('revisions')
          .addColumn('organization', text, (column) => column.notNull())
          .addColumn('project', text, (column) => column.notNull())
          .addColumn('kind', text, (column) => column.notNull())
          .addColumn('number', 'bigint', (column) => column.notNull())
          .addPrimaryKeyConstraint('revisions_key', ['organization', 'project', 'kind'])
          .execute();
        await db.schema
          .createTable('tools')
          .addColumn('organization', text, (column) => column.notNull())
          .addColumn('project', text, (column) => column.notNull())
          .addColumn('id', text, (column) => column.notNull())
          .addColumn('name', text, (column) => column.notNull())
          .addColumn('stem', text)
          .addColumn('server', text)
          .addColumn('set', text)
          .addColumn('operation', text)
          .addColumn('connection_id', text)
          .addColumn('record', 'text', (column) => column.notNull())
          .addPrimaryKeyConstraint('tools_key', ['organization', 'project', 'id'])
          .addUniqueConstraint('tools_name', ['organization', 'project', 'name'])
          .addUniqueConstraint('tools_origin', ['organization', 'project', 'server', 'set', 'operation'])
          .execute();
        for (const column of ['stem', 'connection_id']) {
          await db.schema
            .createIndex(`tools_${column}`)
            .on('tools')
            .columns(['organization', 'project', column])
            .execute();
        }
        await db.schema
          .createTable('connections')
          .addColumn('organization', text, (column) => column.notNull())
          .addColumn('project', text, (column) => column.notNull())
          .addColumn('id', text, (column) => column.notNull())
          .addColumn('record', 'text', (column) => column.notNull())
          .addPrimaryKeyConstraint('connections_key', ['organization', 'project', 'id'])
          .execute();
        await db.schema
          .createTable('calls')
          .addColumn('organization', text, (column) => column.notNull())
          .addColumn('project', text, (column) => column.notNull())
          .addColumn('number', 'bigint', (column) => column.notNull())
          .addColumn('record', 'text', (column) => column.notNull())
          .addPrimaryKeyConstraint('calls_key', ['organization', 'project', 'number'])
          .execute();
      },
    },
  };
}

/**
 * Brings the schema up to date; where it is, it is only looked at. Safe for processes that open an empty database at once.
 * @returns false where the schema is newer than this program knows; nothing is changed then.
 */
export async function migrate(db: Kysely<never>, flavour: Flavour): Promise<boolean> {
  const known = steps(flavour);
  const done = await stepsDone(db, flavour);
  if (done.some((name) => !Object.hasOwn(known, name))) return false;
  if (done.length === Object.keys(known).length) return true;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => known },
    migrationTableName: TABLE,
    migrationLockTableName: LOCK_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return true;
  // Another process may have brought it further meanwhile.
  const now = await stepsDone(db, flavour).catch(() => []);
  if (now.some((name) => !Object.hasOwn(known, name))) return false;
  throw error;
}

/** What is said where `migrate` answers false. */
export function newer(address: string): Failure {
  const message = `the store ${address} cannot be used: its schema is newer than this program knows; use a newer toolwright`;
  return new Failure('store-foreign', message, { address });
}

async function stepsDone(db: Kysely<never>, { find }: Flavour): Promise<readonly string[]> {
  const { rows } = await find(TABLE).execute(db);
  if (rows.length === 0) return [];
  const typed = db as unknown as Kysely<{ [TABLE]: { name: string } }>;
  return (await typed.selectFrom(TABLE).select('name').execute()).map(({ name }) => name);
}
