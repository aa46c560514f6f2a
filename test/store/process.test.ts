// Who is alive.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlive, ownMark } from '../../src/store/process.js';

const HAS_PROC = existsSync('/proc/self/stat');

describe('isAlive', () => {
  it('is true of this process and of its parent', () => {
    expect(isAlive(ownMark())).toBe(true);
    expect(isAlive({ pid: process.ppid, started: null })).toBe(true);
  });

  it('is false of a process that has ended', () => {
    expect(isAlive({ pid: spawnSync(process.execPath, ['-v']).pid, started: null })).toBe(false);
  });

  it.runIf(HAS_PROC)('is false of another process under the same number', () => {
    expect(isAlive({ ...ownMark(), started: '1' })).toBe(false);
  });

  it.runIf(HAS_PROC)('is false of a process that has ended and whose parent does not care', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
      await expect.poll(() => isAlive({ pid, started: null }), { timeout: 10_000 }).toBe(false);
      expect(() => process.kill(pid, 0)).not.toThrow();
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
