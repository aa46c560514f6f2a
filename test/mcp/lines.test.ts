// The stdio transport against a client that asks and does not read.
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Lines } from '../../src/mcp/lines.js';

it('reads no more while much waits to be written, and goes on when it was', async () => {
  const input = new PassThrough();
  const waiting: (() => void)[] = [];
  const write = () => new Promise<void>((resolve) => waiting.push(resolve));
  const lines = new Lines({ input, write, most: 1_000 });
  await lines.start();
  const answer = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(600) } } as const;
  const first = lines.send(answer);
  expect(input.isPaused()).toBe(false);
  const second = lines.send(answer);
  expect(input.isPaused()).toBe(true);
  for (const written of waiting) written();
  await Promise.all([first, second]);
  expect(input.isPaused()).toBe(false);
});
