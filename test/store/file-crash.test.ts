// A file store whose writer is killed at each of its calls in turn: old or new, never mixed, and nothing in the way of the next.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Children } from './children.js';
import { compileChildren, ended } from './children.js';
import { expectRecovery, generation, prepare } from './crash.js';
import { inFolder } from './folder.js';

let children: Children;
beforeAll(async () => {
  children = await compileChildren();
}, 60_000);
afterAll(() => children.dispose());

describe.concurrent('a writer that is killed', () => {
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
