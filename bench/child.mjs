// One measurement in a process of its own: `time FILE` prints milliseconds, `parse FILE` and `preview FILE` peak memory.
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { preview } from '../dist/index.js';

const [mode, file] = process.argv.slice(2);
const ROUNDS = 21;
const parse = file.endsWith('.json') ? JSON.parse : (text) => load(text);

/** Milliseconds of one run. */
async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/**
 * From bytes to a value, and from bytes to an answer, in turn, so that both meet the same noise; the first round of each is
 * told apart.
 */
async function time() {
  const bytes = readFileSync(file);
  const parses = [];
  const previews = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    parses.push(await timed(() => parse(bytes.toString('utf8'))));
    previews.push(await timed(() => preview({ document: bytes })));
  }
  const [firstParse, ...alone] = parses;
  const [firstPreview, ...whole] = previews;
  return { parse: median(alone), preview: median(whole), firstParse, firstPreview };
}

async function memory() {
  const kept = mode === 'parse' ? parse(readFileSync(file, 'utf8')) : await preview({ file });
  return { kept: typeof kept, rss: process.resourceUsage().maxRSS * 1024 };
}

process.stdout.write(JSON.stringify(await (mode === 'time' ? time() : memory())));
