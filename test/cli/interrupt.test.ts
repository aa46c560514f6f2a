// Ctrl-C while the API has a call.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
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
