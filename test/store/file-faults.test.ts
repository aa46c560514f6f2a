// A file store whose file system fails: the old content stays, and nothing is left behind.
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { fileStore } from '../../src/store/file.js';
import type { StoreFileSystem } from '../../src/store/file-system.js';
import { expectRecovery, generation, PAIR, prepare, STARTS } from './crash.js';
import { inFolder } from './folder.js';
import { hookedFileSystem, systemError } from './hooked-file-system.js';
import { retrying } from './retrying.js';

/** One change on a file system that fails; what is there afterwards. */
async function changeOn(path: string, fs: StoreFileSystem): Promise<unknown> {
  const { revision } = await fileStore(path).read();
  const store = fileStore(path, { fs, lockSeconds: 5 });
  return store.commit({ put: PAIR, remove: [] }, revision).then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function expectOutcome(path: string, failure: unknown, before: string | undefined): Promise<void> {
  if (failure === undefined) {
    expect(await generation(path)).toBe(2);
    return;
  }
  if (!(failure instanceof Failure)) throw failure;
  expect(failure.code).toBe('store-unwritable');
  expect(await contentOf(path)).toBe(before);
}

describe.each(['ENOSPC', 'EIO', 'EMFILE'])('a file system that fails with %s', (code) => {
  /** Calls whose failure may be made good: clean-up after the change, or before it. */
  const forgiven = ['unlink', 'readdir', 'readFile', 'close'];

  it.each(STARTS)(
    'at one call keeps the old content and leaves nothing behind: %s',
    async (start) => {
      for (let failing = 1, failed = true; failed; failing += 1) {
        failed = await inFolder(async (folder) => {
          const path = `${folder}/tools.json`;
          await prepare(path, start);
          const before = await contentOf(path);
          let calls = 0;
          let hit: string | undefined;
          const hooked = hookedFileSystem((call) => {
            calls += 1;
            if (calls !== failing) return;
            hit = call;
            throw systemError(code);
          });
          const failure = await changeOn(path, hooked);
          await expectOutcome(path, failure, before);
          if (failure === undefined && hit !== undefined) expect(forgiven).toContain(hit);
          const left = (await readdir(folder)).filter((name) => name !== 'tools.json');
          // The dead lock was there before.
          if (start !== 'a file and a dead lock') expect(left).toEqual([]);
          await expectRecovery(path);
          return hit !== undefined;
        });
      }
    },
    300_000,
  );

  it('at every call that needs a descriptor from some point on holds up nobody afterwards', async () => {
    for (let failing = 1, failed = true; failed; failing += 1) {
      failed = await inFolder(async (folder) => {
        const path = `${folder}/tools.json`;
        await prepare(path, 'a file');
        const before = await contentOf(path);
        let calls = 0;
        const hooked = hookedFileSystem((call) => {
          calls += 1;
          if (calls >= failing && ['open', 'readFile', 'readdir'].includes(call)) throw systemError(code);
        });
        await expectOutcome(path, await changeOn(path, hooked), before);
        await expectRecovery(path);
        return calls >= failing;
      });
    }
  }, 300_000);

  it('is told of by what only reads, which then reads again', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      await prepare(path, 'a file');
      let fails = true;
      const hooked = hookedFileSystem(() => {
        if (fails) throw systemError(code);
      });
      const store = fileStore(path, { fs: hooked });
      const works = [() => store.read({ references: ['left'] }), () => store.faults(), () => store.watch(() => {})];
      for (const work of works) {
        fails = true;
        await expect(work()).rejects.toMatchObject({ code: 'store-unreadable', data: { errno: code } });
        fails = false;
        await work();
      }
      await store.close();
    });
  });

  it('hides no change from those that watch', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      await prepare(path, 'a file');
      let fails = 0;
      const hooked = hookedFileSystem(() => {
        if (fails === 0) return;
        fails -= 1;
        throw systemError(code);
      });
      const store = fileStore(path, { fs: hooked });
      let told = 0;
      await store.watch(() => {
        told += 1;
      });
      fails = 2;
      await retrying(fileStore(path), () => PAIR);
      await expect.poll(() => told, { timeout: 30_000 }).toBe(1);
      expect(fails).toBe(0);
      await store.close();
    });
  }, 300_000);
});
