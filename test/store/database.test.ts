// What only stores in a database have: scopes, constraints of their own, a schema, and places where they cannot be opened.
import { randomBytes } from 'node:crypto';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { openRecords } from '../../src/call/record-open.js';
import { openConnections } from '../../src/connection/open.js';
import { memoryStore } from '../../src/store/memory.js';
import { openStore } from '../../src/store/open.js';
import type { ToolStore } from '../../src/store/store.js';
import { openapi, operation, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { sample, sampleId as sampleConnection } from '../connection/sample.js';
import { isFailure } from './conformance.js';
import { inFolder, makeFolder, removeFolder } from './folder.js';
import { asked, makeDatabase } from './postgres.js';
import { counted, handTool, sampleId, sampleTool } from './sample.js';

const folder = await makeFolder();
afterAll(() => removeFolder(folder));
const sqlite = `sqlite:${folder}/tools.db`;
const postgres = await makeDatabase();

/** The rows of the last statement, asked past the store. */
async function ask(address: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  if (!address.startsWith('sqlite:')) return asked(address, ...statements);
  const database = new SqliteDatabase(address.slice('sqlite:'.length));
  try {
    const prepared = statements.map((text) => database.prepare(text));
    const results = prepared.map((statement) => (statement.reader ? statement.all() : [statement.run()]));
    return (results.at(-1) ?? []) as readonly Record<string, unknown>[];
  } finally {
    database.close();
  }
}

async function put(store: ToolStore, changes: Partial<Parameters<ToolStore['commit']>[0]>): Promise<unknown> {
  return store.commit({ put: [], remove: [], ...changes }, (await store.read()).revision);
}

const RECORD = { at: '2030-01-02T03:04:05.678Z', tool_id: 't', tool: 't', outcome: 'answer', attempts: 1 } as const;

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('%s', (_, found) => {
  const address = String(found);
  const run = it.skipIf(found === undefined);
  const of = (project: string) => ({ organization: 'tests', project });
  const opened: { close(): Promise<void> }[] = [];
  const open = async (project: string): Promise<ToolStore> => {
    const store = await openStore(address, of(project));
    opened.push(store);
    return store;
  };
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  run('keeps the tools of a scope out of the reach of another, whatever is asked', async () => {
    const [mine, theirs] = [await open('mine'), await open('theirs')];
    const told: string[] = [];
    await put(theirs, { put: [sampleTool('a', { connection_id: 'c' }), sampleTool('b'), handTool('note')] });
    await put(theirs, { put: [counted('a', 1)] });
    const before = await theirs.read();
    await theirs.watch(() => told.push('theirs'));
    expect(await mine.read()).toEqual({ revision: '0', tools: [] });
    for (const part of [
      { references: ['a', sampleId('a'), 'note'] },
      { server: String(sampleTool('a').origin?.server) },
      { names: ['a'], stems: ['a'] },
      { connection_id: 'c' },
    ]) {
      expect((await mine.read(part)).tools).toEqual([]);
    }
    await expect(put(mine, { remove: [sampleId('a')] })).rejects.toSatisfy(isFailure('store-moved'));
    await expect(mine.commit({ put: [], remove: [] }, before.revision)).rejects.toSatisfy(isFailure('store-moved'));
    // The same ids, names and origins live side by side.
    await put(mine, { put: [counted('a', 7), sampleTool('b', { name: 'c' }), handTool('note')] });
    await put(mine, { remove: [sampleId('b')] });
    await ask(address, `update tools set record = '{}' where project = 'mine'`);
    expect((await mine.faults()).length).toBe(2);
    expect(await theirs.faults()).toEqual([]);
    expect(await theirs.read()).toEqual(before);
    expect(told).toEqual([]);
    const twin = await openStore(address, { organization: 'theirs', project: 'tests' });
    opened.push(twin);
    expect((await twin.read()).tools).toEqual([]);
  });

  run('keeps connections and call records of a scope out of the reach of another', async () => {
    const [mine, theirs] = [openConnections(address, of('mine')), openConnections(address, of('theirs'))];
    const [calls, others] = [openRecords(address, of('mine')), openRecords(address, of('theirs'))];
    opened.push(mine, theirs, calls, others);
    await theirs.commit({ put: [sample('a', 1), sample('b', 2)], remove: [] }, '0');
    const before = await theirs.list();
    expect(await mine.list()).toEqual({ revision: '0', connections: [] });
    const remove = mine.commit({ put: [], remove: [sampleConnection('a')] }, '0');
    await expect(remove).rejects.toSatisfy(isFailure('store-moved'));
    await mine.commit({ put: [sample('a', 9, { group: 'g' })], remove: [] }, '0');
    await mine.commit({ put: [], remove: [sampleConnection('a')] }, '1');
    await ask(address, `insert into connections values ('tests', 'mine', 'x', '{')`);
    expect(await mine.faults()).toHaveLength(1);
    expect(await theirs.faults()).toEqual([]);
    expect(await theirs.list()).toEqual(before);
    await others.add({ ...RECORD, duration_ms: 1 });
    expect(await calls.last()).toEqual([]);
    await calls.add({ ...RECORD, duration_ms: 2 });
    expect((await others.last()).map(({ duration_ms }) => duration_ms)).toEqual([1]);
  });

  run('holds what only one may have by itself', async () => {
    const store = await open('unique');
    await put(store, { put: [sampleTool('a')] });
    const columns = 'organization, project, id, name, stem, server, "set", operation, record';
    const copy = (id: string, name: string, operation: string) =>
      ask(
        address,
        `insert into tools (${columns}) select organization, project, ${id}, ${name}, stem, server, "set", ${operation}, record from tools where project = 'unique'`,
      );
    await expect(copy('id', "'x'", "'x'")).rejects.toThrow(/unique/i);
    await expect(copy("'x'", 'name', "'x'")).rejects.toThrow(/unique/i);
    await expect(copy("'x'", "'x'", 'operation')).rejects.toThrow(/unique/i);
    await copy("'x'", "'x'", "'x'");
    expect(await store.faults()).not.toEqual([]);
  });

  run('names both of those that would share something, as a store in memory does', async () => {
    const store = await open('clash');
    const memory = memoryStore();
    const origin = { server: 'https://b.example', set: 's', operation: 'GET /b' };
    for (const each of [store, memory]) await put(each, { put: [sampleTool('a'), sampleTool('b', { origin })] });
    for (const tools of [
      [sampleTool('c', { name: 'a' })],
      [sampleTool('c', { origin })],
      [sampleTool('c'), sampleTool('d', { name: 'c' })],
      [sampleTool('c'), sampleTool('c', { name: 'e' })],
    ]) {
      const [one, other] = await Promise.all(
        [store, memory].map((each) => put(each, { put: tools }).catch((error: Failure) => [error.message, error.data])),
      );
      expect(one).toEqual(other);
      expect(one).toEqual([expect.stringMatching(/would share/), expect.anything()]);
    }
  });

  run('writes nothing where nothing changes', async () => {
    const store = await open('still');
    await put(store, { put: [sampleTool('a'), sampleTool('b')] });
    const version = async (): Promise<unknown> => {
      if (address === sqlite) return watching?.pragma('data_version', { simple: true });
      // Where a row lies and who wrote it last: an update that changes nothing would move it.
      const rows = ['tools', 'revisions'].map((table) =>
        ask(address, `select ctid::text, xmin::text, xmax::text from ${table} where project = 'still' order by ctid`),
      );
      return Promise.all(rows);
    };
    const watching = address === sqlite ? new SqliteDatabase(sqlite.slice('sqlite:'.length)) : undefined;
    const before = await version();
    await put(store, {});
    await put(store, { put: [sampleTool('b'), sampleTool('a')] });
    expect(await version()).toEqual(before);
    await put(store, { put: [counted('a', 2)] });
    expect(await version()).not.toEqual(before);
    watching?.close();
  });

  /** A database that is there, and holds nothing. */
  async function emptyDatabase(name: string): Promise<string> {
    if (address !== sqlite) return String(await makeDatabase());
    await writeFile(`${folder}/${name}.db`, '');
    return `sqlite:${folder}/${name}.db`;
  }

  run('is refused when a newer program has changed its schema, and not touched', async () => {
    const fresh = await emptyDatabase('newer');
    await (await openStore(fresh)).close();
    await ask(fresh, `insert into toolwright_migrations values ('2', 'now')`);
    const refused = openStore(fresh);
    await expect(refused).rejects.toSatisfy(isFailure('store-foreign'));
    await expect(refused).rejects.toThrow(/: its schema is newer than this program knows/);
    await expect(openConnections(fresh).list()).rejects.toSatisfy(isFailure('store-foreign'));
  });

  run('is brought up to date once by those that open it empty at once', async () => {
    const fresh = await emptyDatabase('fresh');
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(fresh)));
    for (const store of stores) {
      expect((await store.read()).tools).toEqual([]);
      await store.close();
    }
    expect(await ask(fresh, 'select name from toolwright_migrations')).toEqual([{ name: '1' }]);
  });

  run('says so when a record was damaged from outside', async () => {
    const store = await open('damaged');
    await put(store, { put: [sampleTool('a'), sampleTool('b')] });
    await ask(address, `update tools set record = '{"id":"x' where project = 'damaged' and name = 'a'`);
    await ask(address, `update tools set stem = 'z' where project = 'damaged' and name = 'b'`);
    await expect(store.read()).rejects.toSatisfy(isFailure('store-foreign'));
    expect(new Set(await store.faults())).toEqual(
      new Set([
        { at: `/tools/${sampleId('a')}`, message: 'is not JSON' },
        { at: `/tools/${sampleId('b')}`, message: 'is stored under another stem than its own' },
      ]),
    );
  });

  run('cannot be used when it is closed', async () => {
    const store = await openStore(address);
    await store.close();
    await expect(store.read()).rejects.toSatisfy(isFailure('store-unreadable'));
    await store.close();
  });
});

describe('a store in SQLite', () => {
  it('says why it cannot be opened, in a sentence that names it', async () => {
    await inFolder(async (place) => {
      await writeFile(`${place}/text.db`, 'a text that is longer than the head of a database '.repeat(20));
      for (const [path, code, reason] of [
        [`${place}/none/tools.db`, 'store-unreadable', 'its folder does not exist'],
        [place, 'store-unreadable', 'it is a directory'],
        [`${place}/text.db`, 'store-foreign', 'it is no SQLite database (SQLITE_NOTADB)'],
        [`${place}/text.db/tools.db`, 'store-unreadable', 'its folder does not exist'],
      ]) {
        const failure = await openStore(`sqlite:${path}`).catch((error: unknown) => error);
        expect(failure).toSatisfy(isFailure(String(code)));
        expect((failure as Failure).message).toBe(`the store sqlite:${path} cannot be used: ${reason}`);
      }
      await expect(openStore('sqlite:/dev/null')).rejects.toThrow(/is a device or a pipe/);
    });
  });

  it('is empty where there is no file, which reading and listening do not create', async () => {
    await inFolder(async (place) => {
      const address = `sqlite:${place}/tools.db`;
      const [store, connections] = [await openStore(address), openConnections(address)];
      let tell = () => {};
      const told = new Promise<void>((resolve) => {
        tell = resolve;
      });
      await store.watch(tell);
      expect([await store.read(), await store.faults()]).toEqual([{ revision: '0', tools: [] }, []]);
      expect((await connections.list()).connections).toEqual([]);
      expect(await openRecords(address).last()).toEqual([]);
      expect(await readdir(place)).toEqual([]);
      const other = await openStore(address);
      await put(other, { put: [sampleTool('a')] });
      await told;
      expect((await store.read()).tools).toHaveLength(1);
      await put(store, { put: [sampleTool('b')] });
      expect((await other.read()).tools).toHaveLength(2);
      for (const one of [store, connections, other]) await one.close();
    });
  });

  it('is created by no command that reads, and no dry run', async () => {
    await atDesk(async ({ folder, run, write }) => {
      await write('doc.json', openapi({ '/a': { get: operation('a') } }));
      const runs = [
        ['tools', 'list'],
        ['tools', 'show', 'a'],
        ['tools', 'approve', '--all'],
        ['tools', 'remove', 'a'],
        ['connections', 'list'],
        ['call', 'a'],
        ['call', '--records'],
        ['export', '--for', 'json'],
        ['lint'],
        ['import', 'doc.json', '--server', SERVER, '--all', '--dry-run'],
      ];
      const codes = [];
      for (const args of runs) codes.push((await run(...args, '--store', 'sqlite:mistyped.db')).code);
      expect(codes).toEqual([0, 1, 0, 1, 0, 1, 0, 0, 0, 0]);
      expect(await readdir(folder)).toEqual(['doc.json']);
    });
  });

  it('is for its owner alone, and one that is there keeps its permissions', async () => {
    await inFolder(async (place) => {
      const umask = process.umask(0);
      try {
        const store = await openStore(`sqlite:${place}/tools.db`);
        await put(store, { put: [sampleTool('a')] });
        for (const name of ['tools.db', 'tools.db-wal', 'tools.db-shm']) {
          expect((await stat(`${place}/${name}`)).mode & 0o777).toBe(0o600);
        }
        await store.close();
        await chmod(`${place}/tools.db`, 0o640);
        await (await openStore(`sqlite:${place}/tools.db`)).close();
        expect((await stat(`${place}/tools.db`)).mode & 0o777).toBe(0o640);
      } finally {
        process.umask(umask);
      }
    });
  });

  it('has its writes on the device, and readers that no writer holds up', async () => {
    await inFolder(async (place) => {
      const store = await openStore(`sqlite:${place}/tools.db`);
      await put(store, { put: [sampleTool('a')] });
      const other = new SqliteDatabase(`${place}/tools.db`);
      expect(other.pragma('journal_mode', { simple: true })).toBe('wal');
      other.prepare('begin immediate').run();
      expect((await store.read()).tools).toHaveLength(1);
      const late = put(store, { put: [sampleTool('b')] });
      await new Promise((resolve) => setTimeout(resolve, 200));
      other.prepare('commit').run();
      other.close();
      await late;
      expect((await store.read()).tools).toHaveLength(2);
      await store.close();
    });
  });
});

describe('a store in PostgreSQL', () => {
  it('says when nothing answers, without user and password', async () => {
    const failure = await openStore('postgres://me:hunter22@127.0.0.1:1/tools?x=hunter23').catch(
      (error: unknown) => error,
    );
    expect(failure).toSatisfy(isFailure('store-unreadable'));
    const message = 'the store postgres://127.0.0.1:1/tools cannot be used: nothing answers there (ECONNREFUSED)';
    expect((failure as Failure).message).toBe(message);
    expect(JSON.stringify((failure as Failure).data)).not.toContain('hunter');
  });

  it.each([
    ['a port that is none', 'postgres://me:hunt/er22@h/db'],
    ['a bare sign in the password', 'postgres://me:1/hunter22@h/db'],
    ['a question mark in the password', 'postgres://me:1?hunter22@h/db'],
  ])('refuses %s without a word of it', async (_, url) => {
    for (const open of [async () => openStore(url), async () => openConnections(url), async () => openRecords(url)]) {
      const failure = await open().catch((error: unknown) => error);
      expect(failure).toSatisfy(isFailure('invalid-store'));
      expect(String(failure)).not.toMatch(/hunt/);
    }
  });

  it.skipIf(postgres === undefined)('says when there is no such database, or the login is refused', async () => {
    const { host, username, password } = new URL(String(postgres));
    for (const [url, shown, reason] of [
      [`${username}:${password}@${host}/none`, 'none', 'there is no database of that name (3D000)'],
      [`${username}:hunter22@${host}/tools`, 'tools', 'the login is refused (28P01)'],
      [`${username}@${host}/tools`, 'tools', 'the login is refused'],
    ]) {
      for (const scheme of ['postgres', 'postgresql']) {
        const failure = await openStore(`${scheme}://${url}`).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(Failure);
        expect((failure as Failure).message).toBe(`the store postgres://${host}/${shown} cannot be used: ${reason}`);
      }
    }
  });

  it.skipIf(postgres === undefined)(
    'has one pool for all that one process opens, until the last is closed',
    async () => {
      const fresh = String(await makeDatabase());
      const clients = () =>
        asked(fresh, `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
      const [store, connections, records] = [await openStore(fresh), openConnections(fresh), openRecords(fresh)];
      await connections.list();
      await records.last();
      expect(await clients()).toHaveLength(1);
      await store.close();
      await store.close();
      await records.close();
      await expect(store.read()).rejects.toSatisfy(isFailure('store-unreadable'));
      expect((await connections.list()).connections).toEqual([]);
      await connections.close();
      const [again, refused] = [await openStore(fresh), openStore(fresh.replace(/\w+$/, 'none'))];
      await expect(refused).rejects.toSatisfy(isFailure('store-unreadable'));
      expect((await again.read()).tools).toEqual([]);
      await again.close();
    },
  );

  it.skipIf(postgres === undefined)('hears of changes again when its connection was lost', async () => {
    const scope = { organization: 'tests', project: randomBytes(6).toString('hex') };
    const [store, other] = [await openStore(String(postgres), scope), await openStore(String(postgres), scope)];
    const changed = new Promise<void>((resolve) => {
      void store.watch(resolve).then(async () => {
        const lost = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen toolwright_%' and datname = current_database()`;
        expect(await asked(String(postgres), lost)).not.toEqual([]);
        await put(other, { put: [sampleTool('a')] });
      });
    });
    await changed;
    await store.close();
    await other.close();
  });
});

describe('a file', () => {
  it('holds one project, and is refused for another', async () => {
    const scope = { organization: 'o', project: 'p' };
    await expect(openStore(`file:${folder}/tools.json`, scope)).rejects.toSatisfy(isFailure('invalid-store'));
    expect(() => openConnections(`file:${folder}/tools.json`, scope)).toThrow(/holds the tools of one project/);
    expect(() => openRecords(`file:${folder}/tools.json`, scope)).toThrow(/holds the tools of one project/);
  });
});
