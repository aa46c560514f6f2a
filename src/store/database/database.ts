// A database that is opened when it is first used, and made when it is first written: work in it, tried again while others are in the way.
import type { FailureCode } from '../../base/codes.js';
import { Failure } from '../../base/failure.js';
import { pause } from '../replan.js';
import { told, type Watch, Watches } from '../watch.js';
import type { Absent, Driver, Engine } from './engine.js';
import type { Queries } from './schema.js';

/** How long others may be in the way, in milliseconds. */
const PATIENCE = 60_000;
/** The longest wait between two tries, in milliseconds. */
const LONGEST_WAIT = 100;

/** Thrown by `Database.write` where two rows would share what only one may have. Nothing was written. */
export class RowClash extends Error {}

export class Database {
  readonly #driver: Driver;
  readonly #watches = new Watches();
  #engine: Promise<Engine | Absent> | undefined;
  #closed = false;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  get address(): string {
    return this.#driver.address;
  }

  /** @throws Failure `store-unreadable`, `store-locked`, `store-foreign`. */
  async open(): Promise<void> {
    await this.read(async () => undefined, undefined);
  }

  /**
   * The result of the work; `absent` where there is no database yet, which reading does not make.
   * @throws Failure `store-unreadable`, `store-locked`, `store-foreign`; what the work throws.
   */
  read<T>(work: (queries: Queries) => Promise<T>, absent: T): Promise<T> {
    return this.#persistently('store-unreadable', async () => {
      const engine = await this.#opened(false);
      return isMade(engine) ? work(engine.queries) : absent;
    });
  }

  /**
   * Does the work in one transaction, and tells of it on the channel where the work says so.
   * @throws Failure `store-unwritable`, `store-locked`, `store-foreign`; RowClash; what the work throws.
   */
  write<T>(work: (transaction: Queries, announce: (channel: string) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#persistently('store-unwritable', async () => {
      const engine = await this.#made();
      return engine.queries.transaction().execute(async (transaction) => {
        await engine.begin(transaction);
        return work(transaction, (channel) => engine.announce(transaction, channel));
      });
    });
  }

  /** @throws Failure `store-unreadable`, `store-locked`, `store-foreign`. */
  async watch(channel: string, revision: () => Promise<string>, onChange: () => void): Promise<Watch> {
    return this.#persistently('store-unreadable', async () => {
      const engine = await this.#opened(false);
      const listen = (hint: () => void): Promise<Watch> => engine.listen(channel, hint);
      return this.#watches.keep(await told({ revision, listen }, onChange));
    });
  }

  /** What is not open any more cannot be used again. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#watches.close();
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close();
  }

  async #persistently<T>(code: FailureCode, work: () => Promise<T>): Promise<T> {
    const end = performance.now() + PATIENCE;
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const failure = this.#failure(code, error);
        if (failure.code !== 'store-locked' || performance.now() > end) throw failure;
      }
      await pause(Math.random() * Math.min(LONGEST_WAIT, 2 ** tries));
    }
  }

  /** The database as it is; it is made where that is asked for. */
  #opened(make: boolean): Promise<Engine | Absent> {
    if (this.#closed) throw new Failure('store-unreadable', `the store ${this.address} is closed`);
    const forget = () => {
      this.#engine = undefined;
    };
    this.#engine ??= this.#driver.open(make).then(
      (engine) => {
        // Somebody may make it at any time.
        if (!isMade(engine)) forget();
        return engine;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return this.#engine;
  }

  async #made(): Promise<Engine> {
    for (;;) {
      // What is opened just now may be opened for reading.
      const engine = await this.#opened(true);
      if (isMade(engine)) return engine;
    }
  }

  /** @throws RowClash; what is no error of the database. */
  #failure(code: FailureCode, error: unknown): Failure {
    const meaning = error instanceof Failure ? undefined : this.#driver.meaning(error);
    if (meaning === undefined) throw error;
    if (meaning.kind === 'clash') throw new RowClash();
    const { address } = this;
    if (meaning.kind === 'busy') {
      return new Failure('store-locked', `the store ${address} is kept busy by others; try again`, { address }, error);
    }
    const named = meaning.kind === 'foreign' ? 'store-foreign' : code;
    return new Failure(named, `the store ${address} cannot be used: ${meaning.reason}`, { address }, error);
  }
}

function isMade(engine: Engine | Absent): engine is Engine {
  return 'queries' in engine;
}
