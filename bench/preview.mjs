// Measures the compiler against JSON.parse (of YAML: js-yaml) alone: time as a ratio in one run, peak memory of both, start of the command line.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const corpus = join(root, '../shared/corpus');
const BOUND = 16 * 1024 * 1024;

function jsonFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'multifile' || entry.name === 'history' || entry.name === 'swagger2' ? [] : jsonFiles(path);
    return entry.name.endsWith('.json') ? [path] : [];
  });
}

function child(mode, file) {
  return JSON.parse(execFileSync(process.execPath, [join(root, 'bench/child.mjs'), mode, file], { encoding: 'utf8' }));
}

function measure(file) {
  const size = statSync(file).size;
  const { parse, preview, firstParse, firstPreview } = child('time', file);
  const memory = child('preview', file).rss / child('parse', file).rss;
  return { file, size, parse, preview, ratio: preview / parse, first: firstPreview / firstParse, memory };
}

function row({ file, size, parse, preview, ratio, first, memory }) {
  const name = file.split('/').slice(-2).join('/');
  const cells = [
    (size / 1e6).toFixed(2),
    parse.toFixed(1),
    preview.toFixed(1),
    ratio.toFixed(2),
    first.toFixed(2),
    memory.toFixed(2),
  ];
  return `${name.padEnd(46)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[Math.floor(middle)];
}

const heading = ['MB', 'parse ms', 'whole ms', 'ratio', 'first', 'memory'];
console.log(`${'file'.padEnd(46)}${heading.map((cell) => cell.padStart(10)).join('')}`);
const bundled = ['clinic', 'library', 'kiosk', 'atelier'].map((name) =>
  join(root, 'fixtures', name, 'description.json'),
);
for (const file of bundled) console.log(row(measure(file)));
if (existsSync(corpus)) {
  const largest = jsonFiles(corpus)
    .filter((file) => statSync(file).size <= BOUND)
    .sort((a, b) => statSync(b).size - statSync(a).size)
    .slice(0, 12);
  const measured = largest.map((file) => {
    const one = measure(file);
    console.log(row(one));
    return one;
  });
  console.log(`median ratio of the twelve largest: ${median(measured.map(({ ratio }) => ratio)).toFixed(2)}`);
  console.log(`largest memory ratio: ${Math.max(...measured.map(({ memory }) => memory)).toFixed(2)}`);
  const yaml = readdirSync(join(corpus, 'yaml'))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(corpus, 'yaml', name));
  for (const file of yaml) console.log(row(measure(file)));
} else console.log('no corpus beside the project: only the bundled fixtures are measured');

function startTime(args) {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    execFileSync(process.execPath, args, { stdio: 'ignore' });
    return performance.now() - start;
  });
  return median(times);
}

const empty = startTime(['-e', '0']);
const help = startTime([join(root, 'bin/toolwright.js'), '--help']);
console.log(
  `toolwright --help: ${help.toFixed(0)} ms, node -e 0: ${empty.toFixed(0)} ms, ratio ${(help / empty).toFixed(2)}`,
);
