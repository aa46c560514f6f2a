// An output never replaces the store, what is beside it, or what is read.
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openapi, operation, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

const ONE = openapi({ '/a': { get: operation('a') } });
const STORE = 'toolwright.lock.json';
const OVERLAY = JSON.stringify({
  overlay: '1.0.0',
  info: { title: 'o', version: '1' },
  actions: [{ target: '$.info', update: {} }],
});
const MANIFEST = `store: file:${STORE}
sources:
  one:
    description: doc.json
    server: ${SERVER}
    select: { all: true }
`;
const IMPORT = ['import', 'doc.json', '--server', SERVER, '--all', '--overlay', 'overlay.json'];

describe.each<readonly [readonly string[], string]>([
  [[...IMPORT, '-o'], STORE],
  [[...IMPORT, '-o'], `./${STORE}`],
  [[...IMPORT, '-o'], 'link.json'],
  [[...IMPORT, '-o'], 'linked/doc.json'],
  [[...IMPORT, '-o'], 'toolwright.lock.connections.json'],
  [[...IMPORT, '-o'], 'linked/toolwright.lock.connections.json'],
  [[...IMPORT, '-o'], 'toolwright.lock.calls.jsonl'],
  [[...IMPORT, '-o'], `${STORE}.lock`],
  [[...IMPORT, '-o'], 'doc.json'],
  [[...IMPORT, '-o'], 'overlay.json'],
  [[...IMPORT, '--store', 'sqlite:tools.db', '-o'], 'tools.db'],
  [[...IMPORT, '--store', 'sqlite:tools.db', '-o'], 'tools.db-wal'],
  [['export', '--for', 'mcp', '-o'], STORE],
  [['cut', 'doc.json', '--all', '-o'], 'doc.json'],
  [['apply', 'm.yaml', '--yes', '-o'], STORE],
  [['apply', 'm.yaml', '--yes', '-o'], 'm.yaml'],
  [['apply', 'm.yaml', '--plan'], 'm.yaml'],
  [['apply', 'm.yaml', '--check', '--plan'], STORE],
  [['apply', 'p.json', '--yes', '-o'], 'p.json'],
  [['apply', 'p.json', '--yes', '-o'], 'm.yaml'],
  [['apply', 'p.json', '--yes', '-o'], STORE],
])('%s %s', (args, output) => {
  it('is refused, and nothing is written', async () => {
    await atDesk(async ({ folder, run, write, store }) => {
      await write('doc.json', ONE);
      await write('overlay.json', OVERLAY);
      await write('m.yaml', MANIFEST);
      await symlink(STORE, join(folder, 'link.json'));
      await symlink('.', join(folder, 'linked'));
      expect((await run('apply', 'm.yaml', '--plan', 'p.json')).code).toBe(0);
      await write(STORE, JSON.stringify({ format: 'toolwright-store', version: 1, tools: [] }));
      const files = () => Promise.all(['doc.json', 'overlay.json', 'm.yaml', 'p.json'].map((one) => text(one)));
      const text = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined);
      const before = [await store(), await text(output), ...(await files())];
      const { code, stdout, stderr } = await run(...args, output);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`error[bad-request]: the output "${output}" is `);
      expect([await store(), await text(output), ...(await files())]).toEqual(before);
    });
  });
});

it('goes anywhere else, a plan that is there already included', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', ONE);
    await write('overlay.json', OVERLAY);
    await write('m.yaml', MANIFEST);
    for (const args of [
      ['apply', 'm.yaml', '--plan', 'p.json'],
      ['apply', 'm.yaml', '--plan', 'p.json', '-o', 'report.txt'],
      ['apply', 'p.json', '--yes', '-o', 'report.txt'],
      [...IMPORT, '-o', 'report.txt'],
      ['export', '--for', 'mcp', '-o', 'doc.tools.json'],
      ['cut', 'doc.json', '--all', '-o', 'smaller.json'],
    ]) {
      expect([args, (await run(...args)).code]).toEqual([args, 0]);
    }
  });
});
