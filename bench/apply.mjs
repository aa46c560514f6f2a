// Measures the plan of a manifest of 30 sources against JSON.parse of their files: the time that a person waits (wall time), beside it
// the CPU time of all threads, and peak memory. Each is the least of five rounds, of which each does all in turn, in a process of its
// own; what is measured begins when the modules of the main thread are loaded, and ends with the plan. How many threads read sources
// follows from the number of processors, which is printed.
// Parsed: every file is read to its text and given to JSON.parse, one after the other, nothing kept.
// Planned: every file is read, parsed and surveyed whole (all keys and names); of each the first 20 operations that can be imported are
// read to tools with their output schemas; then all is planned, against an empty store and against one that has these tools already.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const corpus = join(root, '../shared/corpus');
const BOUND = 16 * 1024 * 1024;
const SOURCES = 30;
const CHOSEN = 20;
const ROUNDS = 5;

/** A description of 500 operations whose bodies refer to shared schemas, as large APIs are written. */
function description(number) {
  const field = (name, i) => ({
    type: i % 3 === 0 ? 'integer' : 'string',
    description: `The ${name} of it, as it is known to those who ask for number ${i}.`,
  });
  const schema = (i) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      ...Object.fromEntries(Array.from({ length: 12 }, (_, j) => [`field_${j}`, field(`field ${j}`, i)])),
      next: { $ref: `#/components/schemas/S${(i + 1) % 120}` },
    },
  });
  // Real descriptions have 6 KB for an operation (the corpus: 76 MB of 12,218), most of it answers, examples and text.
  const text = 'What it comes to depends on what was there before, on who asks, and on what they may see of it. ';
  const answer = (i) => ({
    description: text.repeat(2),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 8 }, (_, j) => [`part_${j}`, field(`part ${j}`, i)])),
        },
        example: Object.fromEntries(
          Array.from({ length: 8 }, (_, j) => [`part_${j}`, `an example of part ${j} of answer ${i}`]),
        ),
      },
    },
  });
  const answers = { 200: answer(1), 400: answer(2), 404: { $ref: '#/components/responses/None' } };
  const paths = Object.fromEntries(
    Array.from({ length: 250 }, (_, i) => [
      `/things${i}/{id}`,
      {
        get: {
          operationId: `get${i}`,
          summary: `Reads thing ${i}`,
          description: text.repeat(4),
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'deep', in: 'query', schema: { type: 'boolean' } },
          ],
          responses: answers,
        },
        put: {
          operationId: `put${i}`,
          summary: `Writes thing ${i}`,
          description: text.repeat(4),
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/S${i % 120}` } } },
          },
          responses: answers,
        },
      },
    ]),
  );
  const schemas = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`S${i}`, schema(i)]));
  return {
    openapi: '3.1.0',
    info: { title: `Bench ${number}`, version: '1' },
    paths,
    components: { schemas, responses: { None: answer(3) } },
  };
}

function jsonFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'multifile' || entry.name === 'history' ? [] : jsonFiles(path);
    return entry.name.endsWith('.json') && statSync(path).size <= BOUND ? [path] : [];
  });
}

/** A manifest of the first few operations of each file that can be imported. */
async function manifestOf(files, folder, name) {
  const { preview } = await import('../dist/index.js');
  const sources = {};
  let operations = 0;
  for (const [i, file] of files.entries()) {
    const answer = await preview({ file }, { limits: { operations_listed: 20_000 } });
    operations += answer.operations.length + answer.unimportable.length;
    const keys = answer.operations.slice(0, CHOSEN).map(({ key }) => key);
    sources[`s${i}`] = {
      description: file,
      server: 'https://bench.example',
      set: `s${i}`,
      override_servers: true,
      prefix: `s${i}_`,
      select: { keys },
    };
  }
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ sources, limits: { operations_listed: 20_000 } }));
  return { path, operations, chosen: Object.values(sources).reduce((sum, { select }) => sum + select.keys.length, 0) };
}

function child(mode, path) {
  return JSON.parse(
    execFileSync(process.execPath, [join(root, 'bench/child-apply.mjs'), mode, path], { encoding: 'utf8' }),
  );
}

async function measure(name, files, folder) {
  const { path, operations, chosen } = await manifestOf(files, folder, name);
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
  const rounds = Array.from({ length: ROUNDS }, () => ({
    parse: child('parse', path),
    plan: child('plan', path),
    again: child('again', path),
  }));
  const least = (mode, key) => Math.min(...rounds.map((round) => round[mode][key]));
  const milliseconds = (mode) => `${least(mode, 'wall').toFixed(0)} ms (CPU ${least(mode, 'cpu').toFixed(0)})`;
  const ratio = (mode) => (least(mode, 'wall') / least('parse', 'wall')).toFixed(2);
  const memory = (mode) => `${(least(mode, 'rss') / 1e6).toFixed(0)} MB`;
  const cells = [
    `${files.length} sources, ${megabytes.toFixed(1)} MB, ${operations} operations surveyed, ${chosen} of them read to tools:`,
    `JSON.parse ${milliseconds('parse')}, plan ${milliseconds('plan')}, plan of what is there ${milliseconds('again')},`,
    `ratios ${ratio('plan')} and ${ratio('again')},`,
    `peak memory ${memory('plan')} (JSON.parse alone ${memory('parse')})`,
  ];
  console.log(`${name}: ${cells.join(' ')}`);
  return least('plan', 'rss');
}

console.log(`${availableParallelism()} processors`);
const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
try {
  const generated = Array.from({ length: SOURCES }, (_, i) => {
    const file = join(folder, `api${i}.json`);
    writeFileSync(file, JSON.stringify(description(i), null, 2));
    return file;
  });
  const ten = await measure('generated, a third', generated.slice(0, 10), folder);
  const all = await measure('generated', generated, folder);
  const thrice = await measure('generated, thrice', [...generated, ...generated, ...generated], folder);
  const peaks = [ten, all, thrice].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`).join(', ');
  console.log(`peak memory of 10, 30 and 90 sources: ${peaks}; a second thread starts between 10 and 30`);
  if (existsSync(corpus)) {
    const largest = jsonFiles(corpus).filter((file) =>
      /"(?:openapi|swagger)"|discovery#rest/.test(readFileSync(file, 'utf8').slice(0, 4_000)),
    );
    const sorted = largest.sort((a, b) => statSync(b).size - statSync(a).size);
    await measure('the 30 largest JSON descriptions of the corpus', sorted.slice(0, SOURCES), folder);
  } else console.log('no corpus beside the project: only what is generated is measured');
} finally {
  rmSync(folder, { recursive: true });
}
