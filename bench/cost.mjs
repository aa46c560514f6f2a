// Counts what the tools of GitHub's description cost a model, beside what others emit for it, and what a budget leaves of them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, preview } from '../dist/index.js';

const file = join(fileURLToPath(new URL('../', import.meta.url)), '../shared/corpus/openapi/github.json');
/** Tokens that others take for all operations of this description. */
const KNOWN = { all: 365_000, leanest: 298 };

function row(name, { tools, tokens, bytes, inputs, ms }) {
  const cells = [tools, tokens, (tokens / tools).toFixed(1), bytes, inputs, ms.toFixed(0)];
  return `${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(11)).join('')}`;
}

/** Names that a model can fill, at any depth. */
function inputs(node) {
  if (typeof node !== 'object' || node === null) return 0;
  const own = 'properties' in node && !Array.isArray(node.properties) ? Object.keys(node.properties).length : 0;
  return Object.values(node).reduce((sum, part) => sum + inputs(part), own);
}

async function measured(options) {
  const start = performance.now();
  const { operations, cost } = await preview({ file }, { cost: true, ...options });
  const all = operations.reduce((sum, { input_schema }) => sum + inputs(input_schema), 0);
  return { tools: operations.length, ...cost, inputs: all, ms: performance.now() - start };
}

if (!existsSync(file)) console.log('no corpus beside the project: nothing is counted');
else {
  const heading = ['tools', 'tokens', 'a tool', 'bytes', 'inputs', 'ms'];
  console.log(`${'GitHub'.padEnd(28)}${heading.map((cell) => cell.padStart(11)).join('')}`);
  const whole = await measured({});
  console.log(row('as it is imported', whole));
  for (const percent of [80, 60, 40, 30, 20]) {
    const budget_tokens = Math.floor((whole.tokens * percent) / 100);
    try {
      console.log(row(`within ${percent}%`, await measured({ budget_tokens })));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      console.log(`within ${percent}%: ${error.message}`);
    }
  }
  console.log(`known of others: ${KNOWN.all} tokens in all, ${KNOWN.leanest} a tool for the leanest`);
}
