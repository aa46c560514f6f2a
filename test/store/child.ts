// What the other processes of the tests do: `node child.js MODE PATH [NUMBER]`.
import * as fs from 'node:fs/promises';
import { fileStore } from '../../src/store/file.js';
import { withLock } from '../../src/store/lock.js';
import { hookedFileSystem } from './hooked-file-system.js';
import { retrying } from './retrying.js';
import { counted, countOf } from './sample.js';

const [mode = '', path = '', number = '0'] = process.argv.slice(2);

/** Adds one to a tool, that many times. */
async function increment(): Promise<void> {
  const store = fileStore(path);
  for (let done = 0; done < Number(number); done += 1) {
    await retrying(store, (tools) => [counted('counter', countOf(tools, 'counter') + 1)]);
  }
}

/** Takes the lock and keeps it. */
async function hold(): Promise<void> {
  await withLock(`${path}.lock`, { fs, seconds: 30 }, async () => {
    process.stdout.write('ready\n');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
}

/** Makes one change and dies before the given call to the file system; where there are fewer calls it ends well. */
async function die(): Promise<void> {
  let calls = 0;
  const hooked = hookedFileSystem(() => {
    calls += 1;
    if (calls === Number(number)) process.kill(process.pid, 'SIGKILL');
  });
  const store = fileStore(path, { fs: hooked });
  const { revision } = await store.read();
  await store.commit({ put: [counted('left', 2), counted('right', 2)], remove: [] }, revision);
}

const modes = new Map(Object.entries({ increment, hold, die }));
await modes.get(mode)?.();
