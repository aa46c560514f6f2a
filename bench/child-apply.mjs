// One measurement of bench/apply.mjs: `node child-apply.mjs parse|plan|again MANIFEST` prints milliseconds, those of the CPU
// (of all threads) and peak bytes.
import { readFileSync } from 'node:fs';
import { optimizeLate } from '../dist/cli/engine.js';
import { memoryConnections, memoryStore, planApply, readManifest, writeApply } from '../dist/index.js';

// As the command does.
optimizeLate();
const [mode = '', path = ''] = process.argv.slice(2);
const read = readManifest(readFileSync(path, 'utf8'), path);
const options = { store: memoryStore(), connections: memoryConnections() };

async function work() {
  if (mode !== 'parse') return planApply(read, options);
  // As a source is read: the bytes, their text, the value.
  for (const { description } of Object.values(read.manifest.sources)) JSON.parse(readFileSync(description, 'utf8'));
  return undefined;
}

if (mode === 'again') await writeApply(await planApply(read, options), options);
const before = process.cpuUsage();
const start = performance.now();
const plan = await work();
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(before);
if (plan !== undefined && plan.faults.length > 0) throw plan.faults[0].failure;
console.log(JSON.stringify({ wall, cpu: (user + system) / 1000, rss: process.resourceUsage().maxRSS * 1024 }));
