// The sources of a manifest on several threads: the plan is the same, also where a thread dies or there can be none.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { planApply } from '../../src/app/apply.js';
import type { ApplyPlan } from '../../src/app/apply-plan.js';
import { memoryConnections } from '../../src/connection/memory.js';
import { readManifest } from '../../src/manifest/read.js';
import { memoryStore } from '../../src/store/memory.js';
import {
  body,
  discovery,
  type Json,
  object,
  openapi,
  operation,
  parameter,
  SERVER,
  TEXT,
  WHOLE,
} from '../cases/build.js';
import { inFolder } from '../store/folder.js';

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
const CHILD = fileURLToPath(new URL('child-threads.mjs', import.meta.url));
/** With fewer than two processors nothing is read beside. */
const THREADS = Math.min(1, availableParallelism() - 1);

interface Plan extends Omit<ApplyPlan, 'faults'> {
  readonly faults: readonly {
    readonly source: string;
    readonly at: string;
    readonly code: string;
    readonly data: Json;
  }[];
  readonly progress: readonly number[];
}

interface Outcome {
  readonly threads: number;
  readonly told: number;
  readonly same: boolean;
  readonly without: Plan;
  readonly beside: Plan;
}

const MANY = object(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`p${i}`, TEXT])));
const A = { get: operation('a', { summary: 'A', parameters: [parameter('query', 'x')] }) };
const B = { get: operation('b', { parameters: [parameter('query', 'y', WHOLE)] }) };
const ELSEWHERE = { get: operation('e', { servers: [{ url: 'https://elsewhere.example' }] }) };

/** By source: what the manifest says, and its description before and after. */
const SOURCES: { readonly [name: string]: readonly [source: Json, before: Json | string, after: Json | string] } = {
  renamed: [
    { select: { keys: ['a'] } },
    openapi({ '/a': A }),
    openapi({ '/a': { get: { ...A.get, operationId: 'z' } } }),
  ],
  gone: [{ select: { all: true } }, openapi({ '/a': A, '/b': B }), openapi({ '/b': B })],
  stale: [{ select: { keys: ['a'] } }, openapi({ '/a': A }), openapi({ '/a/{gap}': A })],
  shown: [
    { select: { all: true }, tools: { a: { show: ['p24'] } } },
    openapi({ '/a': { post: operation('a', body(MANY)) } }),
    openapi({ '/a': { post: operation('a', body(MANY)) } }),
  ],
  files: [
    { select: { all: true }, overlays: ['./overlay.json'] },
    openapi({ '/a': A }),
    openapi({ '/a': A, '/c': { post: operation('c', body({ $ref: './schemas/many.json' })) } }),
  ],
  proto: [
    { select: { all: true } },
    openapi({ '/a': A }),
    JSON.stringify(
      openapi({ '/a': A, '/c': { post: operation('c', body(object({ PROTO: TEXT, constructor: WHOLE }))) } }),
    ).replace('PROTO', '__proto__'),
  ],
  absent: [{ select: { all: true } }, openapi({ '/a': A }), ''],
  broken: [{ select: { all: true } }, openapi({ '/a': A }), '{"openapi": "3.0.4",\n x'],
  keys: [
    { select: { keys: ['b', 'g', 'e'] }, tools: { nope: { attempts: 1 } } },
    openapi({ '/b': B, '/g': { get: operation('g') }, '/e': { get: operation('e') } }),
    openapi({ '/b': B }),
  ],
  refused: [
    { select: { keys: ['g', 'e'] }, tools: { b: { attempts: 1 }, nope: { attempts: 1 } } },
    openapi({}),
    openapi({ '/b': B, '/g/{gap}': { get: operation('g') }, '/e': ELSEWHERE }),
  ],
  typo: [{ select: { keys: ['bb'] } }, openapi({}), openapi({ '/b': B })],
  left: [
    { select: { all: true, exclude: ['nope', '/x/*'] }, hold: 'all' },
    openapi({ '/a': A, '/b': B }),
    openapi({ '/a': { get: { ...A.get, summary: 'A2' } }, '/b': B, '/g/{gap}': B, '/e': ELSEWHERE }),
  ],
  unlinked: [
    { select: { all: true }, connection: `conn_${'0'.repeat(24)}` },
    openapi({ '/a': A }),
    openapi({ '/a': A }),
  ],
  discovered: [
    { select: { all: true } },
    discovery('visits', { list: { id: 'demo.visits.list', path: 'v1/visits', httpMethod: 'GET' } }),
    discovery('visits', { get: { id: 'demo.visits.get', path: 'v2/visits', httpMethod: 'GET' } }),
  ],
};

/** As long as what is worth a thread: there are some of them. */
function large(content: Json | string): string {
  return (typeof content === 'string' ? content : JSON.stringify(content)).padEnd(2_200_000);
}

async function fill(folder: string): Promise<void> {
  const write = (name: string, content: Json | string) =>
    writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  await Promise.all(['one/schemas', 'two/schemas'].map((name) => mkdir(join(folder, name), { recursive: true })));
  await write('held.json', openapi({ '/h': { get: operation('h') } }));
  await write('two/schemas/many.json', MANY);
  await write('overlay.json', {
    overlay: '1.0.0',
    info: { title: 'Words', version: '1' },
    actions: [{ target: '$.paths["/a"].get', update: { summary: 'Other words' } }],
  });
  const own = (name: string) => ({ server: SERVER, set: name, prefix: `${name}_` });
  const held = { description: 'http://held/', select: { all: true } };
  const one: Record<string, Json> = {};
  const two: Record<string, Json> = Object.fromEntries(
    ['first', 'second'].map((name) => [name, { ...own(name), ...held }]),
  );
  for (const [name, [source, before, after]] of Object.entries(SOURCES)) {
    await write(`one/${name}.json`, before);
    if (after !== '') await write(`two/${name}.json`, large(after));
    one[name] = { ...own(name), description: `./one/${name}.json`, select: { all: true } };
    two[name] = { ...own(name), description: `./two/${name}.json`, ...source };
  }
  await write('one.json', { sources: one });
  await write('two.json', { sources: two, allow_private: ['127.0.0.1'] });
}

async function planned(way = '', ...flags: readonly string[]): Promise<Outcome> {
  return inFolder(async (folder) => {
    await fill(folder);
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, CHILD, folder, way]);
    return JSON.parse(stdout) as Outcome;
  });
}

function same({ same, without, beside }: Outcome): void {
  expect(beside).toEqual(without);
  expect(same).toBe(true);
  const sources = Object.keys(SOURCES).length + 2;
  expect(beside.progress).toEqual(Array.from({ length: sources }, (_, i) => i + 1));
}

it('makes the same plan, of everything that a source can come to', async () => {
  const outcome = await planned();
  same(outcome);
  expect(outcome.threads).toBe(THREADS);
  // All but the two that were held, and the one that nobody needs to read.
  expect(outcome.told).toBe(THREADS * (Object.keys(SOURCES).length - 1));
  const { beside } = outcome;
  // What is compared holds all that can come across.
  expect(beside.renamed.map(({ source, operation: key }) => [source, key])).toEqual([
    ['renamed', 'z'],
    ['left', 'GET /b'],
    ['discovered', 'demo.visits.get'],
  ]);
  expect(beside.missing.map(({ source }) => source)).toEqual(['renamed', 'gone', 'keys', 'keys', 'left', 'discovered']);
  expect(beside.stale).toMatchObject([{ source: 'stale', code: 'path-gap' }]);
  expect(beside.faults.map(({ code, at }) => [code, at])).toEqual([
    ['source-unreadable', '/sources/absent'],
    ['not-json', '/sources/broken'],
    ['unknown-operation', '/sources/typo'],
    ['unknown-connection', '/sources/unlinked'],
    ['unknown-operation', '/sources/keys/tools/nope'],
    ['unimportable-operation', '/sources/refused/select/keys/0'],
    ['other-server', '/sources/refused/select/keys/1'],
    ['unknown-operation', '/sources/refused/tools/b'],
    ['unknown-operation', '/sources/refused/tools/nope'],
  ]);
  expect(beside.faults[1]?.data).toMatchObject({ line: 2 });
  expect(beside.skipped.map(({ source }) => source)).toEqual(['stale', 'refused', 'refused', 'left', 'left']);
  expect(beside.unmatched.map(({ what }) => what)).toEqual(['nope', '/x/*']);
  expect(beside.sources.find(({ name }) => name === 'files')?.digests).toHaveLength(3);
  const shown = beside.actions.find(({ source }) => source === 'shown')?.tool.input_schema.properties;
  expect(Object.keys(shown as Json)).toEqual(expect.arrayContaining(['p22', 'p24']));
  const proto = beside.actions.find(({ tool }) => tool.name === 'proto_c')?.tool.input_schema.properties;
  expect(Object.keys(proto as Json)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
});

it.each(['start', 'told'])('loses nothing where threads die: %s', async (way) => {
  const outcome = await planned(way);
  same(outcome);
  expect(outcome.threads).toBe(THREADS);
  expect(outcome.told > 0).toBe(way === 'told' && THREADS > 0);
});

it('reads all here where threads are forbidden', async () => {
  // Its name until it was stable.
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const outcome = await planned('alone', flag, '--allow-fs-read=*');
  same(outcome);
  expect(outcome.threads).toBe(0);
});

it('tells an error that is no failure of a source, wherever it is thrown', async () => {
  await expect(planned('bug')).rejects.toThrow(/TypeError/);
});

it('reads all here where the file of the thread is not found', async () => {
  await inFolder(async (folder) => {
    await writeFile(join(folder, 'api.json'), JSON.stringify(openapi({ '/a': A })));
    const names = Array.from({ length: 24 }, (_, i) => `s${i}`);
    const sources = names.map((name) => {
      return [name, { description: './api.json', server: SERVER, set: name, select: { all: true } }] as const;
    });
    const text = JSON.stringify({ sources: Object.fromEntries(sources) });
    // That of the sources: there is no JavaScript beside it.
    const plan = await planApply(readManifest(text, join(folder, 'toolwright.yaml')), {
      store: memoryStore(),
      connections: memoryConnections(),
    });
    expect(plan.faults).toEqual([]);
    expect(plan.actions.map(({ source }) => source)).toEqual(names);
  });
});

it('is in the bundle of the command line, with the file of its threads', async () => {
  await inFolder(async (folder) => {
    await fill(folder);
    const watch = `process.on('worker', (worker) => {
      worker.on('message', (message) => console.error(message === undefined ? '[through]' : '[told]'));
      worker.on('error', (error) => console.error('[dead]', error));
    })`;
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, PROGRAM];
    // It answers when a thread is through, so that one surely has something to tell.
    let through = () => {};
    const held = THREADS === 0 ? undefined : new Promise<void>((resolve) => (through = resolve));
    const server = createServer(async (_request, response) => {
      await held;
      createReadStream(join(folder, 'held.json')).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const manifest = join(folder, 'two.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll('//held/', `//127.0.0.1:${port}/`));
    const command = ['apply', manifest, '--check', '--store', `file:${folder}/store.json`];
    const child = spawn(process.execPath, [...flags, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/\[(?:through|dead)\]/.test(said)) through();
    });
    await once(child, 'close');
    server.close();
    expect(said).not.toContain('[dead]');
    expect(said.split('[told]')).toHaveLength(1 + THREADS * (Object.keys(SOURCES).length - 1));
  });
});
