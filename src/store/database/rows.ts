// Records of one kind and scope in a database: looked up, and changed against a revision.
import { Failure } from '../../base/failure.js';
import { isObject } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import { quoted } from '../../base/text.js';
import { expectRevision, moved } from '../change.js';
import type { Check, Fault } from '../record.js';
import type { Scope } from '../scope.js';
import type { Watch } from '../watch.js';
import { type Database, RowClash } from './database.js';
import { keyOf } from './key.js';
import type { Queries, RecordRow } from './schema.js';

/** What a record is looked up by. */
export type Columns = Omit<RecordRow, 'organization' | 'project' | 'record'>;

/** All columns that are named have one of their values, which are keys. */
export type Lookup = { readonly [column in keyof Columns]?: readonly string[] };

export interface Kind<T> {
  readonly table: 'tools' | 'connections';
  columns(record: T): Columns;
  readonly check: Check;
  /** What is thrown where an id is to be removed that is not there. */
  gone(id: string): Failure;
  /** What is thrown where records would share what only one may have: those put, and those that may be in their way. */
  clash(put: readonly T[], others: readonly T[]): Failure | undefined;
  /** Where to look for those that may be in the way. */
  inTheWay(put: readonly T[]): readonly Lookup[];
}

export interface Rows<T> {
  readonly revision: string;
  readonly records: readonly T[];
}

/** What is read of a scope that was never written. */
const NOTHING = { revision: '0', texts: [] };

/** Databases bound the parameters of a statement. */
const AT_ONCE = 500;

export class ScopedRows<T extends { readonly id: string }> {
  readonly #database: Database;
  readonly #scope: Scope;
  readonly #kind: Kind<T>;

  constructor(database: Database, { organization, project }: Scope, kind: Kind<T>) {
    this.#database = database;
    this.#scope = { organization: keyOf(organization), project: keyOf(project) };
    this.#kind = kind;
  }

  /**
   * The records of any of the lookups, once each; all of them without one.
   * @throws Failure `store-unreadable`, `store-locked`, `store-foreign`.
   */
  async read(lookups?: readonly Lookup[]): Promise<Rows<T>> {
    const { revision, texts } = await this.#database.read((queries) => this.#texts(queries, lookups), NOTHING);
    return { revision, records: texts.map((text) => this.#parsed(text)) };
  }

  /**
   * Writes what is put and removed, if the revision is still that. Records are checked, with sorted keys.
   * @returns the revision from now on.
   * @throws Failure `store-moved`, `store-conflict`, `store-unwritable`, `store-locked`, `store-foreign`.
   */
  async commit(put: readonly T[], remove: readonly string[], revision: string): Promise<string> {
    const twice = this.#kind.clash(put, []);
    try {
      return await this.#database.write(async (transaction, announce) => {
        const before = await this.#before(transaction, [...put.map(({ id }) => id), ...remove]);
        expectRevision(this.#database.address, before.revision, revision);
        const missing = remove.find((id) => !before.byId.has(id));
        if (missing !== undefined) throw this.#kind.gone(missing);
        if (twice !== undefined) throw twice;
        const kept = new Set(put.map(({ id }) => id));
        const removed = remove.filter((id) => !kept.has(id));
        const changed = put.filter((record) => before.byId.get(record.id) !== JSON.stringify(record));
        if (removed.length + changed.length === 0) return revision;
        const raised = await this.#raise(transaction, before.revision);
        await this.#delete(transaction, [...removed, ...changed.map(({ id }) => id)]);
        await this.#insert(transaction, changed);
        await announce(this.#channel());
        return raised;
      });
    } catch (error) {
      if (!(error instanceof RowClash)) throw error;
      throw await this.#clash(put, remove, revision);
    }
  }

  /** Each record that is not what it should be: against its check, and against the columns that it is looked up by. */
  async faults(): Promise<readonly Fault[]> {
    const rows = await this.#database.read((queries) => this.#scoped(queries).orderBy('id').selectAll().execute(), []);
    return rows.flatMap((row) => this.#rowFault(row) ?? []);
  }

  watch(onChange: () => void): Promise<Watch> {
    const revision = async (): Promise<string> => (await this.read([])).revision;
    return this.#database.watch(this.#channel(), revision, onChange);
  }

  /** Those that listen are told of one scope and kind. */
  #channel(): string {
    const { organization, project } = this.#scope;
    return JSON.stringify([organization, project, this.#kind.table]);
  }

  async #before(
    transaction: Queries,
    ids: readonly string[],
  ): Promise<{ readonly revision: string; readonly byId: ReadonlyMap<string, string> }> {
    const { revision, texts } = await this.#texts(transaction, [{ id: ids.map(keyOf) }]);
    return { revision, byId: new Map(texts.map((text) => [this.#parsed(text).id, text])) };
  }

  /** All at one revision: each statement reads it as well, and it is all read again where it was raised in between. */
  async #texts(
    queries: Queries,
    lookups: readonly Lookup[] | undefined,
  ): Promise<{ readonly revision: string; readonly texts: readonly string[] }> {
    const statements = statementsOf(lookups);
    for (;;) {
      const texts = new Set<string>();
      const revisions = new Set<string>();
      for (const lookup of statements) {
        const found = await this.#statement(queries, lookup);
        revisions.add(found.find(({ kind }) => kind === 0)?.record ?? '0');
        for (const { kind, record } of found) if (kind === 1) texts.add(record);
      }
      const [revision, ...others] = revisions;
      if (revision !== undefined && others.length === 0) return { revision, texts: [...texts] };
    }
  }

  async #statement(
    queries: Queries,
    lookup: Lookup | undefined,
  ): Promise<readonly { readonly kind: number; readonly record: string }[]> {
    const revision = queries
      .selectFrom('revisions')
      .where('organization', '=', this.#scope.organization)
      .where('project', '=', this.#scope.project)
      .where('kind', '=', this.#kind.table)
      .select((expression) => [
        expression.lit<number>(0).as('kind'),
        expression.cast<string>('number', 'text').as('record'),
      ]);
    if (lookup !== undefined && Object.values(lookup).some((values) => values.length === 0)) return revision.execute();
    let records = this.#scoped(queries);
    for (const [column, values] of Object.entries(lookup ?? {})) {
      records = records.where(column as keyof Lookup, 'in', values);
    }
    return revision
      .unionAll(records.select((expression) => [expression.lit<number>(1).as('kind'), 'record']))
      .execute();
  }

  #scoped(queries: Queries) {
    return queries
      .selectFrom(this.#kind.table as 'tools')
      .where('organization', '=', this.#scope.organization)
      .where('project', '=', this.#scope.project);
  }

  /** The lock of the scope as well: whoever raises it next waits for the end of this transaction, and then finds it raised. */
  async #raise(transaction: Queries, before: string): Promise<string> {
    const row = { ...this.#scope, kind: this.#kind.table };
    const number = Number(before) + 1;
    if (before === '0') {
      const inserted = await transaction
        .insertInto('revisions')
        .values({ ...row, number })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (Number(inserted.numInsertedOrUpdatedRows ?? 0) !== 1) throw this.#moved(before);
    } else {
      const updated = await transaction
        .updateTable('revisions')
        .set({ number })
        .where('organization', '=', row.organization)
        .where('project', '=', row.project)
        .where('kind', '=', row.kind)
        .where('number', '=', number - 1)
        .executeTakeFirst();
      if (Number(updated.numUpdatedRows) !== 1) throw this.#moved(before);
    }
    return String(number);
  }

  async #delete(transaction: Queries, ids: readonly string[]): Promise<void> {
    for (const { id = [] } of inPieces({ id: ids.map(keyOf) })) {
      await transaction
        .deleteFrom(this.#kind.table as 'tools')
        .where('organization', '=', this.#scope.organization)
        .where('project', '=', this.#scope.project)
        .where('id', 'in', id)
        .execute();
    }
  }

  async #insert(transaction: Queries, records: readonly T[]): Promise<void> {
    const rows = records.map((record) => this.#row(record));
    for (let first = 0; first < rows.length; first += AT_ONCE) {
      await transaction
        .insertInto(this.#kind.table as 'tools')
        .values(rows.slice(first, first + AT_ONCE))
        .execute();
    }
  }

  #row(record: T): RecordRow {
    return { ...this.#scope, ...this.#kind.columns(record), record: JSON.stringify(record) };
  }

  /** Whom it was, now that nothing of it is written; where that one is gone, it is planned again. */
  async #clash(put: readonly T[], remove: readonly string[], revision: string): Promise<Failure> {
    const { records } = await this.read(this.#kind.inTheWay(put));
    const leaving = new Set([...remove, ...put.map(({ id }) => id)]);
    const others = records.filter(({ id }) => !leaving.has(id));
    return this.#kind.clash(put, others) ?? this.#moved(revision);
  }

  #moved(planned: string): Failure {
    return moved(this.#database.address, { planned });
  }

  #parsed(text: string): T {
    const { record, fault } = this.#read(text, '');
    if (fault === undefined) return record as T;
    const { address } = this.#database;
    const message = `${address} is not a store that can be used: ${quoted(fault.at, 200)} ${fault.message}`;
    throw new Failure('store-foreign', message, { at: fault.at });
  }

  /** `id`: what it is called where its own cannot be read. */
  #read(text: string, id: string): { readonly record?: T; readonly fault?: Fault } {
    const { table, check } = this.#kind;
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {
      return { fault: { at: under(`/${table}`, id), message: 'is not JSON' } };
    }
    const own = isObject(record) && typeof record.id === 'string' ? record.id : id;
    const fault = check(record, under(`/${table}`, own));
    return fault === undefined ? { record: record as T } : { fault };
  }

  #rowFault(row: RecordRow): Fault | undefined {
    const { record, fault } = this.#read(row.record, row.id);
    if (record === undefined) return fault;
    const expected = Object.entries(this.#row(record));
    const odd = expected.find(([column, value]) => row[column as keyof RecordRow] !== value);
    return (
      odd && { at: under(`/${this.#kind.table}`, row.id), message: `is stored under another ${odd[0]} than its own` }
    );
  }
}

/** Undefined is all records; without a lookup only the revision is read. */
function statementsOf(lookups: readonly Lookup[] | undefined): readonly (Lookup | undefined)[] {
  if (lookups === undefined) return [undefined];
  return lookups.length === 0 ? [{ id: [] }] : lookups.flatMap(inPieces);
}

/** The lookup with at most so many values at once. */
function inPieces(lookup: Lookup): Lookup[] {
  const long = Object.entries(lookup).find(([, values]) => values.length > AT_ONCE);
  if (long === undefined) return [lookup];
  const [column, values] = long;
  const pieces = Array.from({ length: Math.ceil(values.length / AT_ONCE) }, (_, index) =>
    values.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  return pieces.map((piece) => ({ ...lookup, [column]: piece }));
}
