// Counts what the tools of GitHub's description cost a model, beside what others emit for it, and what a budget leaves of them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, preview } from '../dist/index.js';
import { declaredInputs } from './declared.mjs';

const file = join(fileURLToPath(new URL('../', import.meta.url)), '../shared/corpus/openapi/github.json');
/** Tokens that others take for all operations of this description. */
const KNOWN = { all: 365_000, leanest: 298 };

function row(name, { tools, tokens, bytes, coverage, inputs, ms }) {
  const cells = [tools, tokens, (tokens / tools).toFixed(1), bytes, coverage, inputs, ms.toFixed(0)];
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
  const ms = performance.now() - start;
  const all = operations.reduce((sum, { input_schema }) => sum + inputs(input_schema), 0);
  // Of the parameters and properties of bodies that are declared, those that are offered as arguments.
  const offered = operations.reduce((sum, { input_schema }) => sum + Object.keys(input_schema.properties).length, 0);
  const known = operations.reduce((sum, { method, path }) => sum + (declared.get(`${method} ${path}`) ?? 0), 0);
  return { tools: operations.length, ...cost, coverage: `${offered}/${known}`, inputs: all, ms };
}

const declared = existsSync(file) ? declaredInputs(JSON.parse(readFileSync(file, 'utf8'))) : new Map();

if (!existsSync(file)) console.log('no corpus beside the project: nothing is counted');
else {
  const heading = ['tools', 'tokens', 'a tool', 'bytes', 'coverage', 'inputs', 'ms'];
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
  console.log('coverage: arguments offered / parameters and properties of bodies declared; inputs: names at any depth');
  console.log(`known of others: ${KNOWN.all} tokens in all, ${KNOWN.leanest} a tool for the leanest`);
}
