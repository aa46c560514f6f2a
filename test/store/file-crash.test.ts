// A file store whose writer is killed: old or new, never mixed, and nothing in the way of the next.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Children } from './children.js';
import { compileChildren, ended, kill, ready } from './children.js';
import { expectRecovery, generation, prepare } from './crash.js';
import { inFolder } from './folder.js';

let children: Children;
beforeAll(async () => {
  children = await compileChildren();
}, 60_000);
afterAll(() => children.dispose());

describe.concurrent('a writer that is killed', () => {
  it('at random points leaves all of a change or nothing', async () => {
    const lane = (): Promise<void> =>
      inFolder(async (folder) => {
        const path = `${folder}/tools.json`;
        let last = 0;
        for (let round = 0; round < 15; round += 1) {
          const writer = children.start('pair', path);
          await ready(writer);
          await sleep(Math.random() * 40);
          await kill(writer);
          const now = await generation(path);
          expect(now).toBeGreaterThan(last);
          last = now;
          await expectRecovery(path);
        }
      });
    await Promise.all([lane(), lane(), lane(), lane()]);
  }, 300_000);

  it.each(['no file', 'a file and a dead lock'] as const)(
    'at every call to the file system leaves all or nothing: %s',
    async (start) => {
      const before = start === 'no file' ? 0 : 1;
      for (let call = 1, killed = true; killed; call += 1) {
        killed = await inFolder(async (folder) => {
          const path = `${folder}/tools.json`;
          await prepare(path, start);
          const end = await ended(children.start('die', path, String(call)));
          expect([0, 'SIGKILL']).toContain(end);
          expect(end === 0 ? [2] : [before, 2]).toContain(await generation(path));
          await expectRecovery(path);
          return end === 'SIGKILL';
        });
      }
    },
    300_000,
  );
});
