// Another process that calls a tool behind a consented account: `node child-call.mjs STORE PROVIDERS TOOL`, the last two as JSON.
import { callTool, openConnections } from '../../dist/index.js';

const [store, providers, tool] = process.argv.slice(2);
const options = {
  connections: openConnections(store),
  providers: JSON.parse(providers),
  network: { allow: ['127.0.0.1'] },
};
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const result = await callTool({ tool: JSON.parse(tool), arguments: {} }, options);
  process.stdout.write(JSON.stringify(result));
  process.stdin.destroy();
});
