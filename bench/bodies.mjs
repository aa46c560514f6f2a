// Sends 100 MB bodies, a form and a multipart with a file, and prints how far the memory of this process grew meanwhile.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { callTool } from '../dist/index.js';

const BYTES = 100 * 1024 * 1024;
const server = spawn(process.execPath, [fileURLToPath(new URL('child-server.mjs', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const origin = `http://127.0.0.1:${Number(String((await once(server.stdout, 'data'))[0]))}`;

function tool(content_type, encoding) {
  return {
    id: `tool_${'0'.repeat(24)}`,
    name: 'send',
    description: 'Sends.',
    input_schema: { type: 'object', properties: { part: {} }, required: ['part'] },
    config: {
      endpoint: `${origin}/send`,
      method: 'POST',
      locations: { part: 'body' },
      body: { content_type, required: true, ...(encoding === undefined ? {} : { encoding }) },
    },
    fixed_parameters: {},
    deadline_seconds: 60,
  };
}

const BODIES = [
  ['form', tool('application/x-www-form-urlencoded'), Buffer.alloc(BYTES, 'a b ').toString('latin1')],
  [
    'multipart',
    tool('multipart/form-data', { part: { file: true } }),
    { data: Buffer.alloc(BYTES, 7).toString('base64') },
  ],
];

for (const [name, one, part] of BODIES) {
  const send = (value) => callTool({ tool: one, arguments: { part: value } }, { network: { allow: ['127.0.0.1'] } });
  await send(typeof part === 'string' ? 'a' : { data: 'YQ==' });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const result = await send(part);
  clearInterval(watch);
  if (result.kind !== 'answer') throw new Error(JSON.stringify(result));
  console.log(
    `${name} of ${BYTES / 2 ** 20} MB: memory grew by ${((most - before) / 2 ** 20).toFixed(0)} MB while it was sent`,
  );
}
process.exit(0);
