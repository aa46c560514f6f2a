// Addresses of stores.
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { atDesk } from '../cases/command.js';
import { isFailure } from './conformance.js';
import { inFolder } from './folder.js';
import { sampleTool } from './sample.js';

describe('openStore', () => {
  it('opens a memory of its own each time', async () => {
    const [one, other] = [await openStore('memory:'), await openStore('memory:')];
    await one.commit({ put: [sampleTool('a')], remove: [] }, (await one.read()).revision);
    expect((await other.read()).tools).toEqual([]);
    expect(one.address).toBe('memory:');
  });

  it('opens a file by an absolute or a relative path', async () => {
    await inFolder(async (folder) => {
      const store = await openStore(`file:${folder}/tools.json`);
      const { put } = await store.commit({ put: [sampleTool('a')], remove: [] }, (await store.read()).revision);
      const same = await openStore(`file:${relative(process.cwd(), folder)}/tools.json`);
      expect((await same.read()).tools).toEqual(put);
      expect(store.address).toBe(`file:${folder}/tools.json`);
    });
  });

  it.each(['tools.json', './tools.json', '/tmp/tools.json', 'C:\\tools.json', ''])(
    'wants a scheme: %s',
    async (path) => {
      await expect(openStore(path)).rejects.toThrow(/"file:" is missing/);
      await expect(openStore(path)).rejects.toSatisfy(isFailure('invalid-store'));
    },
  );

  it.each(['sqlite:', 'mysql://user:hunter22@db.example/tools', 'file:', 'memory:x', 'http://example.com'])(
    'names the schemes that are there: %s',
    async (address) => {
      const error: unknown = await openStore(address).catch((reason: unknown) => reason);
      expect(error).toSatisfy(isFailure('invalid-store'));
      expect(String(error)).toContain('"sqlite:PATH", "postgres://HOST/DATABASE" and "memory:"');
      expect(String(error)).not.toContain('hunter22');
    },
  );

  it.each(['sqlite:', 'file:'])('says that a path is missing: %s', async (address) => {
    await expect(openStore(address)).rejects.toThrow(`the store address "${address}" has no path; `);
  });

  it.each(['require', 'prefer', 'verify-ca', 'verify-full'])(
    'says one thing of a server that is not there, with sslmode=%s',
    async (mode) => {
      await atDesk(async ({ run }) => {
        // Nothing listens on the port of `tcpmux` of a machine on which the tests run.
        const { code, stderr } = await run(
          'tools',
          'list',
          '--store',
          `postgres://me:hunter22@127.0.0.1:1/x?sslmode=${mode}`,
        );
        expect(code).toBe(1);
        expect(stderr).toMatch(
          /^error\[store-unreadable\]: the store postgres:\/\/127\.0\.0\.1:1\/x cannot be used: [^\n]*\n$/,
        );
      });
    },
  );

  it('says that a certificate is not there', async () => {
    const address = 'postgres://me:hunter22@127.0.0.1:1/x?sslrootcert=/nowhere/root.crt';
    await expect(openStore(address)).rejects.toThrow(
      /cannot be used: a file that its address names is not there \(ENOENT\)$/,
    );
  });
});
