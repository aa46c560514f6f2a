// Measures the stores: look-ups among few tools and among many, a project as a whole, and an import that is made again.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { importOperations, openStore } from '../dist/index.js';
import { settle, startPostgres, transactionCounter } from './postgres.mjs';

const SERVER = 'https://api.bench.example/v1';
const FEW = 1_000;
const MANY = 100_000;
/** Of a store that reads all of itself each time. */
const MANY_OF_WHOLE = 10_000;
const SETS = 200;
const IMPORTED = 50;
const CHANGED = 5;
const ROUNDS = 11;
/** Of the 100,000 tools in this project; another one beside it holds `FEW`. */
const SCOPE = { organization: 'bench', project: 'large' };
const NEIGHBOUR = { organization: 'bench', project: 'small' };

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Milliseconds, the median of so many runs. */
async function timed(rounds, work) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return median(times);
}

function toolOf(set, operation) {
  const digest = createHash('sha256').update(`${set} ${operation}`).digest('hex');
  return {
    id: `tool_${digest.slice(0, 24)}`,
    name: `set${set}_list_${operation}_things`,
    description: `Lists the things of ${operation}, newest first.`,
    input_schema: {
      type: 'object',
      properties: {
        room: { type: 'string', description: 'The room they are in.' },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      additionalProperties: false,
    },
    config: { endpoint: `${SERVER}/things/${operation}`, method: 'GET', locations: { room: 'query', limit: 'query' } },
    fixed_parameters: {},
    deadline_seconds: 30,
    origin: { server: SERVER, set: `set ${set}`, operation: `things/${operation}` },
  };
}

/** So many tools, the same number in each set; where it is few, in fewer sets. */
async function fill(store, total) {
  const sets = Math.min(SETS, total / IMPORTED);
  const tools = [];
  for (let set = 0; set < sets; set += 1) {
    for (let operation = 0; operation < total / sets; operation += 1) tools.push(toolOf(set, operation));
  }
  for (let first = 0; first < total; first += 10_000) {
    await store.commit(
      { put: tools.slice(first, first + 10_000), remove: [] },
      (await store.read({ references: [] })).revision,
    );
  }
  return tools;
}

/** A description, the first few operations of which are of a generation. */
function descriptionOf(generation) {
  const paths = {};
  for (let index = 0; index < IMPORTED; index += 1) {
    const summary = `Lists visits of doctor ${index}${index < CHANGED ? `, generation ${generation}` : ''}.`;
    const parameters = [{ name: 'room', in: 'query', schema: { type: 'string' } }];
    paths[`/visits${index}`] = { get: { operationId: `listVisits${index}`, summary, parameters, responses: {} } };
  }
  return Buffer.from(JSON.stringify({ openapi: '3.1.0', info: { title: 'Bench', version: '1' }, paths }));
}

async function lookUps(store, tools, rounds) {
  const pick = (round) => tools[(round * 7919) % tools.length];
  const look = async (field, round) => {
    const { tools: found } = await store.read({ references: [pick(round)[field]] });
    if (found.length !== 1) throw new Error(`${found.length} found`);
  };
  await timed(20, (round) => look('id', round));
  return {
    id: await timed(rounds, (round) => look('id', round)),
    name: await timed(rounds, (round) => look('name', round)),
  };
}

async function list(store, expected) {
  const start = performance.now();
  const { tools } = await store.read();
  if (tools.length !== expected) throw new Error(`${tools.length} found`);
  return performance.now() - start;
}

/** An import made again, unchanged and with a few changes: how long it takes, and how many of them moved the counter. */
async function imports(store, counter) {
  const request = { server: SERVER, set: 'imported', select: { all: true } };
  const run = (generation) => importOperations({ ...request, document: descriptionOf(generation) }, { store });
  await run(0);
  let known = await counter.read();
  const measured = async (generationOf, expected) => {
    const times = [];
    let moved = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      const { refreshed } = await run(generationOf(round));
      times.push(performance.now() - start);
      if (refreshed !== expected) throw new Error(`${refreshed} refreshed`);
      const now = await counter.read();
      if (now !== known) moved += 1;
      known = now;
    }
    return { time: median(times), moved };
  };
  return { unchanged: await measured(() => 0, 0), changed: await measured((round) => round + 1, CHANGED) };
}

const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

/** One kind of store: in turn with few tools and with many. `make` answers an address and what counts its changes. */
async function measure({ name, make, many, rounds, scopes }) {
  const results = [];
  for (const total of [FEW, many]) {
    const { address, counterOf, ready } = await make(total);
    const store = await openStore(address, scopes ? SCOPE : undefined);
    const tools = await fill(store, total);
    await ready?.(address);
    const found = await lookUps(store, tools, rounds);
    const whole = await list(store, total);
    console.log(`${name}, ${total} tools: by id ${ms(found.id)}, by name ${ms(found.name)}, list of all ${ms(whole)}`);
    results.push(found);
    if (total === many) {
      if (scopes) {
        const neighbour = await openStore(address, NEIGHBOUR);
        await fill(neighbour, FEW);
        console.log(`${name}, a project of ${FEW} beside it: list of all ${ms(await list(neighbour, FEW))}`);
        await neighbour.close();
      }
      const counter = await counterOf(store, address);
      const { unchanged, changed } = await imports(store, counter);
      console.log(
        `${name}, an import of ${IMPORTED} again: unchanged ${ms(unchanged.time)}, with ${CHANGED} changed ${ms(changed.time)};` +
          ` ${counter.name}: moved by ${unchanged.moved} of ${ROUNDS} unchanged imports, by ${changed.moved} of ${ROUNDS} changed ones`,
      );
      if (unchanged.moved !== 0 || changed.moved !== ROUNDS) process.exitCode = 1;
      await counter.close();
    }
    await store.close();
  }
  const [few, more] = results;
  const ratio = (field) => (more[field] / few[field]).toFixed(2);
  console.log(`${name}, ${many} against ${FEW} tools: by id ${ratio('id')} times, by name ${ratio('name')} times`);
}

/** Of what is in memory nothing else tells. */
async function revisionCounter(store) {
  const read = async () => (await store.read({ references: [] })).revision;
  return { name: 'revision', read, close: async () => {} };
}

async function fileCounter(path) {
  const read = async () => `${(await stat(path, { bigint: true })).mtimeNs}`;
  return { name: 'time of the file', read, close: async () => {} };
}

/** Raised by what another connection commits. */
async function versionCounter(path) {
  const database = new SqliteDatabase(path);
  const read = async () => database.pragma('data_version', { simple: true });
  return { name: 'data_version', read, close: async () => database.close() };
}

const folder = await mkdtemp(join(tmpdir(), 'toolwright-bench-stores-'));
const server = await startPostgres();
try {
  await measure({
    name: 'memory',
    make: async () => ({ address: 'memory:', counterOf: revisionCounter }),
    many: MANY_OF_WHOLE,
    rounds: ROUNDS,
    scopes: false,
  });
  await measure({
    name: 'file',
    make: async (total) => {
      const path = join(folder, `${total}.json`);
      return { address: `file:${path}`, counterOf: () => fileCounter(path) };
    },
    many: MANY_OF_WHOLE,
    rounds: ROUNDS,
    scopes: false,
  });
  await measure({
    name: 'sqlite',
    make: async (total) => {
      const path = join(folder, `${total}.db`);
      return { address: `sqlite:${path}`, counterOf: () => versionCounter(path) };
    },
    many: MANY,
    rounds: 301,
    scopes: true,
  });
  await measure({
    name: 'postgres',
    make: async (total) => ({
      address: await server.database(`bench_${total}`),
      ready: settle,
      counterOf: (_store, address) => transactionCounter(address),
    }),
    many: MANY,
    rounds: 301,
    scopes: true,
  });
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
