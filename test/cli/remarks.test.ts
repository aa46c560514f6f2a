// What the command line says beside its answer: what is missing, and what would lift a refusal.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openapi, operation, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { atStdio, initialize } from '../mcp/support.js';
import { makeDatabase } from '../store/postgres.js';

// Each starts several processes.
vi.setConfig({ testTimeout: 120_000 });

const postgres = await makeDatabase();
const CLINIC = new URL('../../fixtures/clinic/description.json', import.meta.url);
const TWO = openapi({
  '/a': { get: operation('a', { tags: ['visits'] }) },
  '/b': { post: operation('b', { tags: ['patients'] }) },
});
const IMPORT = ['import', 'doc.json', '--server', SERVER, '--all'];

it('names what of a selection matches nothing, and what may be meant', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', TWO);
    const select = ['--tag', 'visit', '--tag', 'patients', '--method', 'PSOT', '--path', '/nowhere/**'];
    for (const args of [
      ['preview', 'doc.json', ...select],
      ['import', 'doc.json', '--server', SERVER, ...select],
    ]) {
      const { code, stderr } = await run(...args);
      expect(code).toBe(0);
      expect(stderr).toContain('no operation has the tag "visit"; did you mean "visits"?\n');
      expect(stderr).toContain('no operation has the method "PSOT"');
      expect(stderr).toContain('no path matches "/nowhere/**"\n');
      expect(stderr).not.toContain('"patients"');
      expect((await run(...args, '--quiet')).stderr).toBe('');
    }
    const { stdout } = await run('preview', 'doc.json', '--tag', 'visit', '--json');
    expect(JSON.parse(stdout).unmatched).toEqual([{ kind: 'tag', value: 'visit', nearest: 'visits' }]);
    expect(JSON.parse((await run('preview', 'doc.json', '--tag', 'visits', '--json')).stdout)).not.toHaveProperty(
      'unmatched',
    );
  });
});

it('names the bound that was met, where the command can replace it', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', await readFile(CLINIC));
    for (const bound of ['description_bytes', 'operations_listed', 'description_steps']) {
      const { code, stderr } = await run('preview', 'doc.json', '--limit', `${bound}=1`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(` (--limit ${bound}=N)\n`)]);
    }
    await write('m.yaml', `# ${'x'.repeat(17 * 1024 * 1024)}`);
    const { code, stderr } = await run('apply', 'm.yaml');
    expect([code, stderr]).toEqual([1, expect.stringContaining('are read')]);
    expect(stderr).not.toContain('--limit');
  });
});

it('names what lifts the refusal of a host: to a person, never to a model', async () => {
  await atDesk(async ({ folder, run, write }) => {
    await write('doc.json', TWO);
    await run('import', 'doc.json', '--server', 'http://127.0.0.1:9', '--all');
    const { code, stdout, stderr } = await run('call', 'a');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error\[refused\]: .*\n--allow-private 127\.0\.0\.1 lifts this for that host\n$/);
    await atStdio(['--store', `file:${join(folder, 'toolwright.lock.json')}`], async (served) => {
      await served.ask(initialize('2025-11-25'));
      for (const id of [1, 2]) {
        const { result } = await served.ask({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a' } });
        expect(result.isError).toBe(true);
        expect(JSON.stringify(result)).not.toContain('--allow-private');
      }
      expect(served.stderr.match(/^warning: .*--allow-private 127\.0\.0\.1 .*$/gm)).toHaveLength(1);
    });
  });
});

it('warns where there is nothing to serve, with the place', async () => {
  await atDesk(async ({ folder, run, write }) => {
    const address = `sqlite:${join(folder, 'nope.db')}`;
    await atStdio(['--store', address], async (served) => {
      await served.ask(initialize('2025-11-25'));
      expect(served.stderr).toContain(`warning: there is no tool in ${address}\n`);
    });
    await write('doc.json', openapi({ '/b': { post: operation('b') } }));
    await run(...IMPORT);
    const store = `file:${join(folder, 'toolwright.lock.json')}`;
    await atStdio(['--store', store, '--read-only'], async (served) => {
      await served.ask(initialize('2025-11-25'));
      expect(served.stderr).toContain(`warning: there is no tool that reads in ${store}\n`);
    });
    await atStdio(['--store', store], async (served) => {
      await served.ask(initialize('2025-11-25'));
      expect(served.stderr).not.toContain('warning');
    });
  });
});

it('takes over every address of a store that holds no password, and says what has to be set for one that may', async () => {
  await atDesk(async ({ folder, run, runWith, write }) => {
    const print = ['mcp', '--print-config', 'claude-code'];
    const entry = (stdout: string) => JSON.parse(stdout).mcpServers.toolwright;
    const sqlite = `sqlite:${join(folder, 'n.db')}`;
    for (const { code, stdout, stderr } of [
      await run(...print, '--store', 'sqlite:n.db'),
      await runWith({ TOOLWRIGHT_STORE: 'sqlite:n.db' }, ...print),
    ]) {
      expect([code, stderr]).toEqual([0, 'Paste it into .mcp.json.\n']);
      expect(entry(stdout)).toEqual({ command: 'npx', args: ['-y', 'toolwright', 'mcp', '--store', sqlite] });
    }
    // A connection of a description is looked for in the store from anywhere.
    await write('doc.json', TWO);
    const grouped = ['doc.json', '--server', SERVER, '--group', 'desk'];
    expect(entry((await run(...print, ...grouped)).stdout).args.slice(-2)).toEqual([
      '--store',
      `file:${join(folder, 'toolwright.lock.json')}`,
    ]);
    expect(entry((await run(...print, 'doc.json', '--server', SERVER)).stdout).args).not.toContain('--store');
  });
});

it.skipIf(postgres === undefined)(
  'prints no address that may hold a password, and says what has to be set',
  async () => {
    await atDesk(async ({ run }) => {
      const printed = await run('mcp', '--print-config', 'claude-code', '--store', String(postgres));
      expect([printed.code, printed.stderr]).toEqual([
        0,
        expect.stringMatching(/^TOOLWRIGHT_STORE has to be set for it/m),
      ]);
      const { args, env } = JSON.parse(printed.stdout).mcpServers.toolwright;
      expect([args, env]).toEqual([
        ['-y', 'toolwright', 'mcp'],
        { TOOLWRIGHT_STORE: ['$', '{TOOLWRIGHT_STORE}'].join('') },
      ]);
    });
  },
);

it('names the ways of a secret that the command has', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', TWO);
    const served = ['mcp', 'doc.json', '--server', SERVER, '--secret', 'K-1', '--header', 'X-Key'];
    for (const args of [served, [...served, '--print-config', 'cursor']]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--secret takes env:NAME only')]);
      expect(stderr).toContain('--connection');
      expect(stderr).not.toMatch(/--secret-|K-1/);
    }
    expect((await run('connections', 'add', '--header', 'X', '--secret', 'K-1')).stderr).toContain('--secret-stdin');
  });
});

it('finds a tool whose connection is gone', async () => {
  await atDesk(async ({ folder, run, write }) => {
    await write('doc.json', TWO);
    const added = await run('connections', 'add', '--header', 'X', '--secret', 'env:KEY', '--json');
    const { id } = JSON.parse(added.stdout);
    await run(...IMPORT, '--connection', id);
    expect(await run('store', 'check')).toMatchObject({ code: 0, stdout: 'No fault is found.\n' });
    await rm(join(folder, 'toolwright.lock.connections.json'));
    const { code, stdout } = await run('store', 'check');
    expect(code).toBe(1);
    expect(stdout).toContain(`! the tool a is called through "${id}", a connection that is not there\n`);
    expect(stdout).toContain('2 faults found.');
  });
});

it('says that the tool of no records does not exist, and lists those of one that is gone', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', TWO);
    await run('import', 'doc.json', '--server', 'http://127.0.0.1:9', '--all');
    await run('call', 'a');
    await run('tools', 'remove', 'a');
    expect(await run('call', '--records', 'bb')).toMatchObject({
      code: 0,
      stdout: 'No calls are recorded.\n',
      stderr: expect.stringContaining('did you mean "b"?'),
    });
    expect(await run('call', '--records', 'b')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('call', '--records', 'a')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/1 call\n$/),
    });
  });
});

it('takes a digest in either case', async () => {
  await atDesk(async ({ folder, run, write }) => {
    await write('doc.json', TWO);
    await run(...IMPORT);
    const changed = (await readFile(join(folder, 'doc.json'), 'utf8')).replace('"/a"', '"/aa"');
    await writeFile(join(folder, 'doc.json'), changed);
    await run(...IMPORT, '--hold', 'all');
    const [{ digest }] = JSON.parse((await run('tools', 'approve', 'a', '--dry-run', '--json')).stdout);
    const other = await run('tools', 'approve', 'a', '--digest', 'F'.repeat(64));
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('pending-moved')]);
    const upper = await run('tools', 'approve', 'a', '--digest', digest.toUpperCase());
    expect(upper).toMatchObject({ code: 0, stdout: expect.stringContaining('~ a is approved') });
  });
});
