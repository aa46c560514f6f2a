// The real file system with a hook before every call, to make a call fail or wait, or the process die there.
import * as real from 'node:fs/promises';
import type { StoreFile, StoreFileSystem } from '../../src/store/file-system.js';

/** What the hook throws is the error of the call; a failing write leaves half of the data, a failing close closes. */
export function hookedFileSystem(before: (call: string) => void | Promise<void>): StoreFileSystem {
  const step = async <T>(call: string, run: () => Promise<T>): Promise<T> => {
    await before(call);
    return run();
  };
  const hookFile = (file: real.FileHandle): StoreFile => ({
    chmod: (mode) => step('chmod', () => file.chmod(mode)),
    sync: () => step('sync', () => file.sync()),
    async writeFile(data) {
      const half = data.slice(0, data.length / 2);
      await file.writeFile(half);
      await before('writeFile');
      await file.writeFile(data.slice(half.length));
    },
    async close() {
      await file.close();
      await before('close');
    },
  });
  return {
    open: (path, flags, mode) => step('open', async () => hookFile(await real.open(path, flags, mode))),
    readFile: (path) => step('readFile', () => real.readFile(path)),
    stat: (path) => step('stat', () => real.stat(path)),
    link: (existing, path) => step('link', () => real.link(existing, path)),
    rename: (from, to) => step('rename', () => real.rename(from, to)),
    unlink: (path) => step('unlink', () => real.unlink(path)),
    readdir: (path) => step('readdir', () => real.readdir(path)),
    realpath: (path) => step('realpath', () => real.realpath(path)),
    readlink: (path) => step('readlink', () => real.readlink(path)),
  };
}

/** An error as the system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}
