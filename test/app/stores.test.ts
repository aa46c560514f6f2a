// The command line on every kind of store: the same answers, one place for everything, and no password in what is shown.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openapi, operation, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { makeDatabase } from '../store/postgres.js';

const DOCUMENT = openapi(Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}`, { get: operation(name) }])));
const postgres = await makeDatabase();

it('works on SQLite', () => work('sqlite:tools.db', ['tools.db']));

it.skipIf(postgres === undefined)('works on PostgreSQL', () => work(String(postgres), []));

/** The commands on the store of an address, and the files that are there afterwards. */
async function work(address: string, files: readonly string[]): Promise<void> {
  await atDesk(async ({ folder, runWith, write }) => {
    await write('doc.json', DOCUMENT);
    const shown: string[] = [];
    const on = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await runWith({ TOOLWRIGHT_STORE: address, KEY: '' }, ...args);
      shown.push(stdout, stderr);
      return stdout + stderr;
    };
    expect(await on('tools', 'list')).toMatch(/^No tools in /);
    expect(await on('connections', 'list')).toMatch(/^No connections in /);
    const again = ['import', 'doc.json', '--server', SERVER, '--all'];
    expect(await on(...again)).toContain('3 created, 0 refreshed, 0 unchanged');
    expect(await on(...again)).toContain('0 created, 0 refreshed, 3 unchanged');
    expect(await on(...again, '--set', 's')).toContain('+ a_2\n');
    const id = String(/conn_[0-9a-f]{24}/.exec(await on('connections', 'add', '--header', 'K', '--secret', 'env:KEY')));
    expect(await on('tools', 'set', 'a', '--name', 'first', '--connection', id)).toBe('first is set.\n');
    expect(await on('tools', 'remove', 'b', 'c_2')).toBe('- b\n- c_2\n');
    // A call that fails is recorded as well.
    expect(await on('call', 'first')).toMatch(/^error\[secret-missing\]/);
    expect(await on('call', '--records')).toMatch(/first +failed \(secret-missing\)/);
    expect(await on('store', 'copy', address, 'file:copy.json')).toBe('4 tools and 1 connection are copied.\n');
    expect(await on('store', 'copy', 'file:copy.json', address)).toBe('4 tools and 1 connection are copied.\n');
    expect(await on('store', 'check')).toBe('No fault is found.\n');
    expect(await on('tools', 'list', '--json', '--store', 'file:copy.json')).toBe(await on('tools', 'list', '--json'));
    expect(await on('tools', 'show', 'furst')).toContain('did you mean "first"?');
    expect(shown.join('\n')).not.toContain('secret-of-the-owner');
    const beside = (await readdir(folder)).filter((name) => name.startsWith('tools'));
    expect(beside).toEqual(files);
  });
}

describe('a store that is not there', () => {
  it.each(['file:typo.json', 'sqlite:typo.db'])('%s is neither checked nor copied, nor made', async (address) => {
    await atDesk(async ({ folder, run }) => {
      for (const args of [
        ['store', 'check', address],
        ['store', 'copy', address, 'file:copy.json'],
      ]) {
        expect(await run(...args)).toMatchObject({
          code: 1,
          stderr: `error[store-unreadable]: there is no store "${address}"\n`,
        });
      }
      expect(await readdir(folder)).toEqual([]);
    });
  });
});

describe('store copy', () => {
  it.each(['file:other.json', 'sqlite:other.db'])(
    'says in which store the tool is that is in the way: %s',
    async (to) => {
      await atDesk(async ({ run, write }) => {
        await write('doc.json', DOCUMENT);
        await run('import', 'doc.json', '--server', SERVER, '--operation', 'a', '--store', 'file:one.json');
        await run('import', 'doc.json', '--server', SERVER, '--operation', 'a', '--set', 's', '--store', to);
        const shown = (await run('tools', 'show', 'a', '--store', to)).stdout;
        const { code, stderr } = await run('store', 'copy', 'file:one.json', to);
        expect([code, stderr]).toEqual([
          1,
          `error[store-conflict]: two tools (a) would share the name a; the store ${to} holds one of them, ${JSON.parse(shown).id}, and nothing is copied over it\n`,
        ]);
        expect((await run('tools', 'show', 'a', '--store', to)).stdout).toBe(shown);
      });
    },
  );
});

describe('store check', () => {
  it('lists the faults with their places, and exits with 1', async () => {
    await atDesk(async ({ folder, run, write }) => {
      await write('doc.json', DOCUMENT);
      for (const store of ['file:tools.json', 'sqlite:tools.db']) {
        await run('import', 'doc.json', '--server', SERVER, '--all', '--store', store);
      }
      const text = await readFile(`${folder}/tools.json`, 'utf8');
      await writeFile(`${folder}/tools.json`, text.replace('"deadline_seconds": 30', '"deadline_seconds": 301'));
      const database = new SqliteDatabase(`${folder}/tools.db`);
      database.prepare(`update tools set record = replace(record, '"name":"b"', '"name":"b b"')`).run();
      database.close();
      const file = await run('store', 'check', 'file:tools.json');
      expect([file.code, file.stdout]).toEqual([
        1,
        '! /tools/0/deadline_seconds must be a whole number from 1 to 300\n1 fault found.\n',
      ]);
      const sqlite = await run('store', 'check', '--store', 'sqlite:tools.db', '--json');
      expect(sqlite.code).toBe(1);
      expect(JSON.parse(sqlite.stdout)).toEqual([
        { at: expect.stringMatching(/^\/tools\/tool_[0-9a-f]{24}\/name$/), message: expect.stringMatching(/^must be/) },
      ]);
      await writeFile(`${folder}/tools.json`, 'no JSON');
      expect((await run('store', 'check', 'file:tools.json')).stdout).toContain('it is not JSON');
    });
  });
});
