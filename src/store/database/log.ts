// The last records of a scope, one after another: the oldest go when there are too many.
import { oneAtATime } from '../../base/turns.js';
import type { Scope } from '../scope.js';
import type { Database } from './database.js';
import { keyOf } from './key.js';

export class ScopedLog {
  readonly #database: Database;
  readonly #scope: Scope;
  readonly #most: number;
  readonly #alone = oneAtATime();

  /** Keeps `most` records. */
  constructor(database: Database, { organization, project }: Scope, most: number) {
    this.#database = database;
    this.#scope = { organization: keyOf(organization), project: keyOf(project) };
    this.#most = most;
  }

  /** @throws Failure `store-unwritable`, `store-locked`, `store-foreign`. */
  async add(record: unknown): Promise<void> {
    // They wait for one row, and would do so on every connection that those who read could use.
    await this.#alone(() => this.#add(record));
  }

  async #add(record: unknown): Promise<void> {
    await this.#database.write(async (transaction) => {
      // Numbered by a row of the scope, which is locked until the end: the numbers have no holes.
      const { number } = await transaction
        .insertInto('revisions')
        .values({ ...this.#scope, kind: 'calls', number: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['organization', 'project', 'kind'])
            .doUpdateSet((row) => ({ number: row('revisions.number', '+', 1) })),
        )
        .returning('number')
        .executeTakeFirstOrThrow();
      await transaction
        .insertInto('calls')
        .values({ ...this.#scope, number, record: JSON.stringify(record) })
        .execute();
      await transaction
        .deleteFrom('calls')
        .where('organization', '=', this.#scope.organization)
        .where('project', '=', this.#scope.project)
        .where('number', '<=', Number(number) - this.#most)
        .execute();
    });
  }

  /**
   * The texts of the records, the oldest first.
   * @throws Failure `store-unreadable`, `store-locked`, `store-foreign`.
   */
  async last(): Promise<readonly string[]> {
    const rows = await this.#database.read(
      (queries) =>
        queries
          .selectFrom('calls')
          .where('organization', '=', this.#scope.organization)
          .where('project', '=', this.#scope.project)
          .orderBy('number', 'desc')
          .limit(this.#most)
          .select('record')
          .execute(),
      [],
    );
    return rows.map(({ record }) => record).reverse();
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
