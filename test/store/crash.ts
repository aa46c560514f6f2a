// A change that is cut off: how its place looked before, and what must be there afterwards.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { expect } from 'vitest';
import { fileStore } from '../../src/store/file.js';
import { namesBeside } from './folder.js';
import { retrying } from './retrying.js';
import { counted, countOf, sampleTool } from './sample.js';

const DEAD_PID = spawnSync(process.execPath, ['-v']).pid;
const DEAD_LOCK = JSON.stringify({ token: '0123456789abcdef', pid: DEAD_PID, host: hostname(), started: '1' });
/** The change: from 1 to 2. */
export const PAIR = [counted('left', 2), counted('right', 2)];

/** How a place may look before a change. */
export const STARTS = ['no file', 'a file', 'a file and a dead lock'] as const;
export type Start = (typeof STARTS)[number];

export async function prepare(path: string, start: Start): Promise<void> {
  if (start === 'no file') return;
  await retrying(fileStore(path), () => [counted('left', 1), counted('right', 1)]);
  if (start === 'a file and a dead lock') await writeFile(`${path}.lock`, DEAD_LOCK);
}

/** The number of the last whole change; a change puts the same number on two tools. */
export async function generation(path: string): Promise<number> {
  const { tools } = await fileStore(path).read();
  expect(countOf(tools, 'left')).toBe(countOf(tools, 'right'));
  return countOf(tools, 'left');
}

/** The next writer is not held up and cleans up. */
export async function expectRecovery(path: string): Promise<void> {
  await retrying(fileStore(path, { lockSeconds: 5 }), () => [
    sampleTool('next', { description: String(Math.random()) }),
  ]);
  expect(await namesBeside(path)).toEqual(['tools.json']);
}
