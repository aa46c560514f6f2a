// PostgreSQL: any number of processes on any number of machines.
import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { pause } from '../replan.js';
import type { Watch } from '../watch.js';
import type { Engine, Meaning } from './engine.js';
import { type Flavour, migrate, newer } from './migrations.js';
import type { Tables } from './schema.js';

/** Connections at once; a server allows all its clients about a hundred. */
const MOST_CONNECTIONS = 5;
/** How long a connection may take, in milliseconds. */
const CONNECT = 10_000;
/** How long a transaction waits for another, which is then tried again, and how long one may do nothing: its client may be gone. */
const LOCK_WAIT = '5s';
const IDLE_IN_TRANSACTION = '30s';
/** Before a connection that says nothing is asked whether it is still there, in milliseconds. */
const KEEP_ALIVE = 10_000;
/** Before a lost connection that listens is made again, in milliseconds. */
const RECONNECT = 250;

const FLAVOUR: Flavour = {
  text: sql`text collate "C"`,
  // In the schemas in which a statement looks for it.
  find: (table) => sql`select 1 where to_regclass(${table}) is not null`,
};

/** @throws errors of PostgreSQL and the network; Failure `store-foreign`. */
export async function openPostgres(url: string, address: string): Promise<Engine> {
  const options = {
    connectionString: withPlainMode(url),
    connectionTimeoutMillis: CONNECT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
  };
  const pool = new pg.Pool({ ...options, max: MOST_CONNECTIONS, allowExitOnIdle: true });
  // One that is lost while nobody uses it is only replaced.
  pool.on('error', () => {});
  const queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    if (!(await migrate(queries as unknown as Kysely<never>, FLAVOUR))) throw newer(address);
  } catch (error) {
    await queries.destroy();
    throw error;
  }
  return {
    queries,
    async begin(transaction) {
      // Not at the start of a connection: a pooler in between would refuse the options, or keep them for others.
      await sql`select set_config('lock_timeout', ${LOCK_WAIT}, true),
        set_config('idle_in_transaction_session_timeout', ${IDLE_IN_TRANSACTION}, true)`.execute(transaction);
    },
    async announce(transaction, channel) {
      await sql`select pg_notify(${channelName(channel)}, '')`.execute(transaction);
    },
    listen: (channel, hint) => listen(options, channelName(channel), hint),
    close: () => queries.destroy(),
  };
}

/**
 * pg reads these modes as `verify-full`, and warns each time of a version that will not: said plainly, it is the same and
 * stays so. Who wants those of libpq says `uselibpqcompat=true`.
 */
function withPlainMode(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}

/** Within the 63 bytes of a name. */
function channelName(channel: string): string {
  return `toolwright_${createHash('sha256').update(channel).digest('hex').slice(0, 32)}`;
}

/** On a connection of its own, which is made again when it is lost: what happened meanwhile is hinted at then. */
async function listen(options: pg.ClientConfig, channel: string, hint: () => void): Promise<Watch> {
  let closed = false;
  let client = await listening();

  async function listening(): Promise<pg.Client> {
    const next = new pg.Client(options);
    let lost = false;
    const replace = (): void => {
      if (!lost) void again();
      lost = true;
    };
    next.on('error', () => {});
    next.on('notification', hint);
    try {
      await next.connect();
      // It must not keep the process alive.
      (next as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref();
      await next.query(`listen ${channel}`);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    next.on('end', replace);
    return next;
  }

  async function again(): Promise<void> {
    while (!closed) {
      try {
        client = await listening();
        hint();
        break;
      } catch {
        await pause(RECONNECT, { unref: true });
      }
    }
    if (closed) await client.end();
  }

  return {
    async close() {
      closed = true;
      await client.end();
    },
  };
}

const REASONS = new Map([
  ['ECONNREFUSED', 'nothing answers there'],
  ['ENOENT', 'nothing answers there'],
  ['ENOTFOUND', 'its host is not known'],
  ['EAI_AGAIN', 'its host is not known'],
  ['ETIMEDOUT', 'nothing answers there in time'],
  ['EHOSTUNREACH', 'its host cannot be reached'],
  ['ENETUNREACH', 'its host cannot be reached'],
  ['ECONNRESET', 'the connection was lost'],
  ['EPIPE', 'the connection was lost'],
  ['3D000', 'there is no database of that name'],
  ['28P01', 'the login is refused'],
  ['28000', 'the login is refused'],
  ['42501', 'there is no permission'],
  ['25006', 'it may only be read'],
  ['53100', 'no space is left on the device'],
  ['57P01', 'the server is shutting down'],
  ['42P01', 'a table is missing'],
  ['42703', 'a column is missing'],
]);

/** Serialization and deadlock; too many connections; the server is starting. */
const BUSY = ['40001', '40P01', '55P03', '53300', '57P03'];

/** What an error of opening or using PostgreSQL means. Its own text is never shown: it may name the user. */
export function postgresMeaning(error: unknown): Meaning | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) return uncoded(error.message);
  if (!/^([0-9A-Z]{5}|E[A-Z_]+|[A-Z]+_[A-Z_]+)$/.test(code)) return undefined;
  if (BUSY.includes(code)) return { kind: 'busy' };
  // Of the network it has another `syscall`.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'open') {
    return { kind: 'failed', reason: 'a file that its address names is not there (ENOENT)' };
  }
  if (code === '23505') return { kind: 'clash' };
  return { kind: 'failed', reason: `${REASONS.get(code) ?? 'the server refuses'} (${code})` };
}

/** What the library says in words alone. */
function uncoded(message: string): Meaning | undefined {
  const failed = (reason: string): Meaning => ({ kind: 'failed', reason });
  // All connections of this process are in use.
  if (message === 'timeout exceeded when trying to connect') return { kind: 'busy' };
  if (/timeout/i.test(message)) return failed('nothing answers there in time');
  if (/^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(message)) {
    return failed('the connection was lost');
  }
  if (/SASL|password/.test(message)) return failed('the login is refused');
  if (/SSL/.test(message)) return failed('the server does not speak TLS');
  return undefined;
}
