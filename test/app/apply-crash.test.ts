// Applying a manifest is cut off: the store is as before or as after, and the next one goes through.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openapi, operation, parameter, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { ended, kill, ready } from '../store/children.js';

const CHILD = fileURLToPath(new URL('child-apply.mjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));

const API = openapi(
  Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `/p${i}`,
      { get: operation(`op${i}`, { parameters: [parameter('query', 'x')] }) },
    ]),
  ),
);

/** Differs from another one in every tool. */
function manifest(seconds: number): object {
  const tools = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`op${i}`, { deadline_seconds: seconds }]));
  return {
    connections: { key: { provider: 'http_key', header: 'X-Key', secret: 'env:KEY', group: `g${seconds}` } },
    sources: { api: { description: './api.json', server: SERVER, connection: 'key', select: { all: true }, tools } },
  };
}

it('at random points, by SIGKILL, leaves all of one manifest', async () => {
  await atDesk(async ({ folder, run, write, store }) => {
    await write('api.json', API);
    const states = new Set<string | undefined>();
    for (const [name, seconds] of [
      ['one.yaml', 10],
      ['two.yaml', 20],
    ] as const) {
      await write(name, manifest(seconds));
      expect((await run('apply', name, '--yes')).code).toBe(0);
      states.add(await store());
    }
    expect(states.size).toBe(2);
    for (let round = 0; round < 20; round += 1) {
      const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      await ready(child);
      await sleep(Math.random() * 30);
      await kill(child);
      expect(states.has(await store())).toBe(true);
      const connections = JSON.parse(await readFile(join(folder, 'toolwright.lock.connections.json'), 'utf8'));
      expect(connections.connections).toHaveLength(1);
    }
    // The lock of a dead one is taken over, and what it left beside the store is gone.
    expect((await run('apply', 'one.yaml', '--yes')).code).toBe(0);
    expect((await run('apply', 'two.yaml', '--yes')).code).toBe(0);
    expect([...states].at(-1)).toBe(await store());
    expect(readdirSync(folder).sort()).toEqual([
      'api.json',
      'one.yaml',
      'toolwright.lock.connections.json',
      'toolwright.lock.json',
      'two.yaml',
    ]);
  });
}, 120_000);

it('by SIGINT ends with 130, or was done', async () => {
  await atDesk(async ({ folder, write, store }) => {
    await write('api.json', API);
    await write('toolwright.yaml', manifest(10));
    let after: string | undefined;
    const ends = new Set<unknown>();
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(process.execPath, [PROGRAM, 'apply', '--yes', '-q'], { cwd: folder, stdio: 'ignore' });
      const end = ended(child);
      // The first one is left alone.
      if (round > 0) {
        await sleep(round * 120);
        child.kill('SIGINT');
      }
      ends.add(await end);
      const text = await store();
      if (round === 0) after = text;
      expect([undefined, after]).toContain(text);
    }
    expect(ends.has(0)).toBe(true);
    // A signal that comes before the program listens ends the process itself.
    expect([...ends].every((end) => end === 0 || end === 130 || end === 'SIGINT')).toBe(true);
    expect(existsSync(join(folder, 'toolwright.lock.json.lock'))).toBe(false);
  });
}, 120_000);
