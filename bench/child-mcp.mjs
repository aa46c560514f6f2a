// The MCP server under load, in a process of its own: prints its memory to whoever asks with a line.
import { createInterface } from 'node:readline';
import { run } from '../dist/cli/main.js';

createInterface({ input: process.stdin }).on('line', () => {
  globalThis.gc?.();
  process.stderr.write(`memory ${process.memoryUsage().rss} ${process.memoryUsage().heapUsed}\n`);
});
process.exitCode = await run(['mcp', ...process.argv.slice(2)]);
