// `toolwright connections` with the consent screens of a test: `node child-connections.mjs PROVIDERS add|set|remove FLAGS [ID]`, as JSON.
import { runAdd, runRemove, runSet } from '../../dist/cli/connections.js';
import { explain } from '../../dist/cli/exit.js';

const [providers, command, flags, id] = process.argv.slice(2);
const elsewhere = { providers: JSON.parse(providers) };
const given = { scope: [], browser: true, allowPrivate: ['127.0.0.1'], ...JSON.parse(flags) };
try {
  if (command === 'add') await runAdd(given, elsewhere);
  if (command === 'set') await runSet(id, given, elsewhere);
  if (command === 'remove') await runRemove(id, given, elsewhere);
} catch (error) {
  const { message, status } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = status;
}
