// Plans a manifest twice, with threads and without, against the tools of an earlier one: `node child-threads.mjs FOLDER [WAY]` prints
// both plans, the threads that were started and how many sources they told of.
// FOLDER holds one.json and two.json. In these `http://held/` is a server that answers when a thread is through or dead, so that what
// follows the sources from there is read by a thread, whichever is faster.
// WAY: `start` ends each thread when it starts, `told` at the first source that it tells of; `bug` has a source that no manifest has;
// `alone` holds nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { memoryConnections, memoryStore, planApply, readManifest, setTool, writeApply } from '../../dist/index.js';

const [folder = '', way = ''] = process.argv.slice(2);
let release = () => {};
let threads = 0;
let told = 0;
process.on('worker', (worker) => {
  threads += 1;
  if (way === 'start') void worker.terminate();
  worker.on('message', (message) => {
    if (message === undefined) return release();
    told += 1;
    if (way === 'told') void worker.terminate();
  });
  worker.on('exit', () => release());
});
const server = createServer((_request, response) => {
  void held.then(() => response.end(readFileSync(join(folder, 'held.json'))));
});
let held = Promise.resolve();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}/`;

const store = memoryStore();
const connections = memoryConnections();

/** A function cannot go to a thread. */
async function planned(name, network) {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll('http://held/', origin);
  const progress = [];
  const options = { store, connections, network, digests: true, progress: (done) => progress.push(done) };
  const read = readManifest(text, join(folder, name));
  if (way === 'bug' && network === undefined) delete Object.values(read.manifest.sources).at(-1).select;
  return { plan: await planApply(read, options), progress };
}

function plain({ plan, progress }) {
  const faults = plan.faults.map(({ failure: { code, message, data }, ...rest }) => ({ ...rest, code, message, data }));
  return { ...plan, faults, progress };
}

const lookup = () => Promise.reject(new Error('nothing is looked up'));
await writeApply((await planned('one.json', { lookup })).plan, { store, connections });
await setTool(store, 'shown_a', { shown_parameters: ['p22'] });
const without = plain(await planned('two.json', { lookup }));
if (threads > 0) throw new Error('there was a thread already');
// Where there will be none, nobody waits for one.
if (way !== 'alone' && availableParallelism() > 1) {
  held = new Promise((resolve) => {
    release = resolve;
  });
}
const beside = plain(await planned('two.json'));
server.close();
server.closeAllConnections();
const same = isDeepStrictEqual(beside, without);
console.log(JSON.stringify({ threads, told, same, without, beside }));
