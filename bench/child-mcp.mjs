// The MCP server under load, in a process of its own: prints its memory to whoever asks with a line.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../dist/bin/main.js';

createInterface({ input: process.stdin }).on('line', async () => {
  // What finalizers let go of is collected the next time.
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.();
    await pause(100);
  }
  process.stderr.write(`memory ${process.memoryUsage().rss} ${process.memoryUsage().heapUsed}\n`);
});
process.exitCode = await run(['mcp', ...process.argv.slice(2)]);
