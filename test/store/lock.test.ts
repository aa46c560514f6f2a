// The lock beside a store: who waits, who takes over, who gives up.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/store/file.js';
import { withLock } from '../../src/store/lock.js';
import type { Children } from './children.js';
import { compileChildren, ended, kill, ready } from './children.js';
import { isFailure } from './conformance.js';
import { inFolder, namesBeside } from './folder.js';
import { hookedFileSystem } from './hooked-file-system.js';
import { countOf, sampleTool } from './sample.js';

const ADD = { put: [sampleTool('a')], remove: [] };
const DEAD = {
  token: '0123456789abcdef',
  pid: spawnSync(process.execPath, ['-v']).pid,
  host: hostname(),
  started: '1',
};

let children: Children;
beforeAll(async () => {
  children = await compileChildren();
}, 60_000);
afterAll(() => children.dispose());

/** Does the work beside a lock file of that content. */
async function besideLock(content: unknown, work: (path: string, lock: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/tools.json`;
    await fs.writeFile(`${path}.lock`, typeof content === 'string' ? content : JSON.stringify(content));
    await work(path, `${path}.lock`);
  });
}

async function commit(path: string, lockSeconds = 30): Promise<void> {
  const store = fileStore(path, { lockSeconds });
  await store.commit(ADD, (await store.read()).revision);
}

describe('the lock of a file store', () => {
  it('makes a second writer wait, also in one process', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      let released = false;
      const held = withLock(`${path}.lock`, { fs, seconds: 30 }, async () => {
        await sleep(200);
        expect(existsSync(path)).toBe(false);
        released = true;
      });
      await sleep(50);
      await commit(path);
      expect(released).toBe(true);
      await held;
      expect(await fs.readdir(folder)).toEqual(['tools.json']);
    });
  });

  it('names its owner when the wait is over', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      await withLock(`${path}.lock`, { fs, seconds: 30 }, async () => {
        const failed = commit(path, 0.1);
        await expect(failed).rejects.toSatisfy(isFailure('store-locked'));
        await expect(failed).rejects.toThrow(`held by process ${process.pid} on ${hostname()}`);
      });
      await commit(path, 0.1);
    });
  });

  it('is released when the work fails', async () => {
    await inFolder(async (folder) => {
      const failing = withLock(`${folder}/lock`, { fs, seconds: 1 }, () => Promise.reject(new Error('oops')));
      await expect(failing).rejects.toThrow('oops');
      expect(await fs.readdir(folder)).toEqual([]);
    });
  });

  it('is not removed by one who does not hold it any more', async () => {
    await inFolder(async (folder) => {
      await withLock(`${folder}/lock`, { fs, seconds: 1 }, () => fs.writeFile(`${folder}/lock`, JSON.stringify(DEAD)));
      expect(await fs.readdir(folder)).toEqual(['lock']);
    });
  });

  it.each([
    ['of another host', { ...DEAD, host: 'elsewhere.example' }, /process \d+ on elsewhere\.example/],
    ['that is empty', '', /tools\.json\.lock does not say/],
    ['of another program', '{"pid":1}', /tools\.json\.lock does not say/],
    ['of a process group', { ...DEAD, pid: -1 }, /tools\.json\.lock does not say/],
  ])('is left alone: one %s', async (_, content, message) => {
    await besideLock(content, async (path, lock) => {
      const before = await fs.readFile(lock);
      await expect(commit(path, 0.1)).rejects.toSatisfy(isFailure('store-locked'));
      await expect(commit(path, 0.1)).rejects.toThrow(message);
      expect(await fs.readFile(lock)).toEqual(before);
      expect(await namesBeside(path)).toEqual(['tools.json.lock']);
    });
  });
});

describe('the lock of a dead process', () => {
  it('is taken over at once, also where a take-over died', async () => {
    await besideLock(DEAD, async (path, lock) => {
      await fs.writeFile(`${lock}.${DEAD.token}`, JSON.stringify({ ...DEAD, token: 'fedcba9876543210' }));
      await fs.writeFile(`${lock}.${DEAD.pid}.0123456789ab.tmp`, '{"tok');
      await fs.writeFile(`${path}.${process.pid}.0123456789ab.tmp`, '{"form');
      await commit(path, 5);
      expect(await namesBeside(path)).toEqual(['tools.json']);
    });
  });

  it.runIf(existsSync('/proc/self/stat'))('is known by its start where its number lives again', async () => {
    await besideLock({ ...DEAD, pid: process.pid }, async (path) => {
      await commit(path, 5);
      expect(await namesBeside(path)).toEqual(['tools.json']);
    });
  });

  it('is taken over by one of many who wait', async () => {
    for (let round = 0; round < 10; round += 1) {
      await besideLock(DEAD, async (_, lock) => {
        let inside = 0;
        const enter = async (): Promise<void> => {
          inside += 1;
          expect(inside).toBe(1);
          await sleep(1);
          inside -= 1;
        };
        await Promise.all(Array.from({ length: 12 }, () => withLock(lock, { fs, seconds: 30 }, enter)));
      });
    }
  }, 60_000);

  it('is taken over by one of two, whenever the other pauses', async () => {
    for (let pause = 1, paused = true; paused; pause += 1) {
      await besideLock(DEAD, async (_, lock) => {
        let inside = 0;
        const enter = async (): Promise<void> => {
          inside += 1;
          await sleep(40);
          expect(inside).toBe(1);
          inside -= 1;
        };
        let calls = 0;
        let other: Promise<void> | undefined;
        const pausing = hookedFileSystem(async () => {
          calls += 1;
          if (calls !== pause) return;
          other = withLock(lock, { fs, seconds: 30 }, enter);
          await Promise.race([other, sleep(25)]);
        });
        await withLock(lock, { fs: pausing, seconds: 30 }, enter);
        await other;
        paused = other !== undefined;
      });
    }
  }, 60_000);

  it('leaves nothing for long, while what one who lives has made stays', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      const living = `tools.json.lock.${process.pid}.0123456789ab.tmp`;
      const others = ['tools.json.bak', 'tools.json.1.tmp', 'other.json.lock.0123456789abcdef'];
      const stale = [`tools.json.lock.${DEAD.token}`, `tools.json.lock.${DEAD.token}.${DEAD.pid}.0123456789ab.tmp`];
      for (const name of [living, ...others, ...stale]) await fs.writeFile(`${folder}/${name}`, JSON.stringify(DEAD));
      await commit(path);
      expect(await namesBeside(path)).toEqual(['tools.json', living, ...others].sort());
    });
  });

  it('is taken over from a child that was killed, by eight that lose nothing', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/tools.json`;
      const holder = children.start('hold', path);
      await ready(holder);
      await expect(commit(path, 0.1)).rejects.toThrow(`held by process ${holder.pid} on`);
      await kill(holder);
      const writers = Array.from({ length: 8 }, () => children.start('increment', path, '10'));
      expect(await Promise.all(writers.map(ended))).toEqual(Array(8).fill(0));
      expect(countOf((await fileStore(path).read()).tools, 'counter')).toBe(80);
      expect(await fs.readdir(folder)).toEqual(['tools.json']);
    });
  }, 120_000);
});
