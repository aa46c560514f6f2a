// Ctrl-C while the API has a call, and while a manifest is applied.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openapi, operation, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { serve } from '../wire/loopback.js';

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));

it('ends a call at once, and leaves its record', async () => {
  let child: ChildProcess | undefined;
  // It has the request and never answers.
  const api = await serve(() => child?.kill('SIGINT'));
  try {
    await atDesk(async ({ folder, run, write }) => {
      await write('tool.json', { name: 'book', config: { endpoint: `${api.origin}/visits` } });
      expect((await run('tools', 'create', 'tool.json')).code).toBe(0);
      const args = [PROGRAM, 'call', 'book', '--allow-private', '127.0.0.1'];
      child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
      expect(await once(child, 'exit')).toEqual([130, null]);
      expect(JSON.parse((await run('call', '--records', '--json')).stdout)).toMatchObject([
        { tool: 'book', outcome: 'timeout', attempts: 1 },
      ]);
    });
  } finally {
    await api.close();
  }
});

/** What a process said on stderr, and how it ended. */
async function endOf(child: ChildProcess): Promise<readonly [string, unknown]> {
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return [said, code];
}

function apply(folder: string): ChildProcess {
  return spawn(process.execPath, [PROGRAM, 'apply', '--yes', '-q'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

const SOURCE = { server: SERVER, select: { all: true } };

it('ends an apply that reads its sources, and says that nothing was written', async () => {
  let child: ChildProcess | undefined;
  // It has the request and never answers.
  const api = await serve(() => child?.kill('SIGINT'));
  try {
    await atDesk(async ({ folder, write, store }) => {
      const sources = { api: { ...SOURCE, description: `${api.origin}/api.json` } };
      await write('toolwright.yaml', { allow_private: ['127.0.0.1'], sources });
      child = apply(folder);
      expect(await endOf(child)).toEqual(['interrupted; nothing was written\n', 130]);
      expect(await store()).toBeUndefined();
    });
  } finally {
    await api.close();
  }
});

it('waits for the end of the writing of an apply, and says that all of it was written', async () => {
  await atDesk(async ({ folder, run, write, tools }) => {
    await write('api.json', openapi({ '/a': { get: operation('a') } }));
    const connections = { key: { provider: 'http_key', header: 'X-Key', secret: 'env:KEY' } };
    await write('toolwright.yaml', { connections, sources: { api: { ...SOURCE, description: './api.json' } } });
    // Another writer has the tools; the connections are free.
    const lock = join(folder, 'toolwright.lock.json.lock');
    await write('toolwright.lock.json.lock', 'another');
    const child = apply(folder);
    const end = endOf(child);
    while (!existsSync(join(folder, 'toolwright.lock.connections.json'))) await sleep(5);
    child.kill('SIGINT');
    await rm(lock);
    expect(await end).toEqual(['interrupted; everything was written\n', 130]);
    expect((await tools()).map(({ name }) => name)).toEqual(['a']);
    expect((await run('apply', '--check')).code).toBe(0);
  });
});
