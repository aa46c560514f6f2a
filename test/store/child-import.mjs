// A process that imports into a store. It says that it is ready; each line of its input is an order in JSON, and is answered by a line.
// `crash`: imports without end, each step of it marked by a letter at once, until it is killed.
// `share`: a round of imports and changes among others that do the same; or opens a store.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { committed } from '../../dist/app/commit.js';
import { importOperations } from '../../dist/app/import.js';
import { openStore } from '../../dist/store/open.js';
import { descriptionOf, SERVER } from './child-description.mjs';

const REQUEST = { server: SERVER, batch: true };

/** The store, telling of each call before it and after it. */
function marked(store, mark) {
  const between = async (before, after, work) => {
    mark(before);
    const result = await work();
    mark(after);
    return result;
  };
  return {
    address: store.address,
    read: (part) => between('r', 'p', () => store.read(part)),
    commit: (changes, revision) => between('c', 'd', () => store.commit(changes, revision)),
  };
}

/** Imports generation after generation of one set. What is written to a pipe at once outlives the process. */
async function crash({ address, scope, set, from, operations }) {
  const mark = (letter) => writeSync(1, letter);
  const store = marked(await openStore(address, scope), mark);
  mark('o');
  for (let generation = from; ; generation += 1) {
    const document = descriptionOf(operations, generation);
    await importOperations({ ...REQUEST, document, set, select: { all: true } }, { store });
    mark('.');
  }
}

/** Counts the tries of commits that came too late. */
function counting(store, counts) {
  return {
    address: store.address,
    read: (part) => store.read(part),
    async commit(changes, revision) {
      counts.commits += 1;
      try {
        return await store.commit(changes, revision);
      } catch (error) {
        if (error.code === 'store-moved') counts.moved += 1;
        throw error;
      }
    },
  };
}

/** Imports its operations as generation 1 and then 2, and adds one to the counters after each. */
async function share({ address, scope, set, operations, keys, counters }) {
  const counts = { commits: 0, moved: 0 };
  const opened = await openStore(address, scope);
  const store = counting(opened, counts);
  for (const generation of [1, 2]) {
    const document = descriptionOf(operations, generation);
    await importOperations({ ...REQUEST, document, set, operations: keys }, { store });
    for (const operation of counters) await countUp(store, set, operation);
  }
  await opened.close();
  return counts;
}

/** Adds one to the number that is fixed on a tool. */
function countUp(store, set, operation) {
  const read = () => store.read({ server: SERVER, set });
  return committed(store, read, (tools) => {
    const tool = tools.find(({ origin }) => origin.operation === operation);
    const count = (tool.fixed_parameters.count ?? 0) + 1;
    const put = [{ ...tool, fixed_parameters: { ...tool.fixed_parameters, count } }];
    return { changes: { put, remove: [] }, result: undefined };
  });
}

async function open({ address, scope }) {
  const store = await openStore(address, scope);
  const faults = await store.faults();
  await store.close();
  return { faults: faults.length };
}

const works = { crash, share, open };
const MESSAGE = 400;
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { work, ...order } = JSON.parse(line);
  const answer = await works[work](order).catch((error) => ({ error: String(error.stack ?? error).slice(0, MESSAGE) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
