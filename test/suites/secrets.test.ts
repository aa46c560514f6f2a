// Attack suite: an API quotes a key back in every encoding, place and status; nothing that leaves the product holds a part of it.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listConnections } from '../../src/app/connections.js';
import type { Connection } from '../../src/connection/connection.js';
import { callTool, fileStore, openConnections, renderResult } from '../../src/index.js';
import { sampleId } from '../connection/sample.js';
import { inFolder } from '../store/folder.js';
import type { Loopback } from '../wire/loopback.js';
import { AFTER, BEFORE, echo, echoTool, SHAPES, type Shape } from './echo.js';
import { ENCODINGS, Judge } from './encodings.js';

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
/** With each sign that some encoding treats; a header takes Latin-1 alone. */
const KEY = 'Zk9/wQ"7\\hé v<4>&T\'%41Ü=xR;2pLq';
const PLACEMENTS = [
  { placement: 'header', header: 'X-Key' },
  { placement: 'header', header: 'Authorization', prefix: 'Bearer ' },
  { placement: 'query', parameter: 'key' },
  { placement: 'basic' },
] as const;
const STATUSES = [200, 401, 403, 500] as const;
const ALL = ENCODINGS.map((_, i) => i).join(',');
const judge = new Judge(KEY);
const counted = { checks: 0, sinks: new Set<string>(), hits: [] as string[] };

let api: Loopback;
beforeAll(async () => {
  api = await echo();
});
afterAll(async () => {
  await api.close();
  const { checks, sinks, hits } = counted;
  const sizes = `${ENCODINGS.length} encodings x ${sinks.size} sinks x ${PLACEMENTS.length} placements`;
  console.info(`secrets: ${sizes} = ${checks} checks, ${hits.length} hits`);
});
afterEach(() => vi.unstubAllEnvs());

/** Judges what one sink shows; each encoding that it may hold is a check. */
function check(sink: string, shown: string, encodings = ENCODINGS): void {
  counted.sinks.add(sink);
  counted.checks += encodings.length;
  const hits = judge.found(shown, encodings).map((hit) => `${sink}, ${hit}`);
  counted.hits.push(...hits);
  expect(hits.slice(0, 3)).toEqual([]);
}

function connection(placement: (typeof PLACEMENTS)[number]): Connection {
  return {
    ...placement,
    id: sampleId('key'),
    provider: 'http_key',
    secret: { kind: 'env', name: 'KEY' },
    status: 'healthy',
    order: 1,
  };
}

function secretOf({ placement }: (typeof PLACEMENTS)[number]): string {
  return placement === 'basic' ? `someone:${KEY}` : KEY;
}

describe('the judge', () => {
  it.each(ENCODINGS)('finds the key as $name, in a text and in JSON', (encoding) => {
    const written = encoding.write(KEY);
    for (const shown of [`a ${written} b`, JSON.stringify({ a: [written] }), JSON.stringify({ [written]: 1 })])
      expect(judge.found(shown, [encoding]).length).toBeGreaterThan(0);
    const half = written.slice(0, Math.ceil(written.length * 0.75));
    expect(judge.found(half, [encoding]).length).toBeGreaterThan(0);
    expect(judge.found(`${BEFORE} ${AFTER}`, [encoding])).toEqual([]);
  });

  it('finds every encoding in the wire bodies that hold it, so that a hit could be seen', async () => {
    for (const shape of SHAPES) {
      const url = `${api.origin}/echo?status=200&shape=${shape}&encodings=${ALL}&key=${encodeURIComponent(KEY)}`;
      const body = Buffer.from(await (await fetch(url)).arrayBuffer());
      const shown = shape === 'binary' ? JSON.stringify(body.toString('base64')) : body.toString();
      const legal = ENCODINGS.filter(({ write }) => shape !== 'spliced' || body.includes(`"${write(KEY)}"`));
      expect(legal.length).toBeGreaterThan(15);
      for (const one of legal)
        expect([shape, one.name, judge.found(shown, [one]).length > 0]).toEqual([shape, one.name, true]);
    }
  });
});

/** Calls with a fresh connection beside a store in the folder, and judges all that the library shows afterwards. */
async function throughLibrary(folder: string, placement: (typeof PLACEMENTS)[number], args: Record<string, string>) {
  const path = join(folder, 'tools.json');
  const connections = openConnections(`file:${path}`);
  const { revision } = await connections.list();
  await connections.commit({ put: [connection(placement)], remove: [] }, revision);
  const tool = echoTool(api.origin, 'echo', sampleId('key'));
  const request = { tool, arguments: args };
  const options = { connections, network: { allow: ['127.0.0.1'] } };
  const result = await callTool(request, options);
  const at = ENCODINGS.filter((_, i) => args.encodings === ALL || args.encodings === String(i));
  check('result as text', renderResult(result), at);
  check('result as JSON', JSON.stringify(result), at);
  if ('headers' in result) check('headers and notes', JSON.stringify([result.headers, result.notes]), at);
  if (result.kind === 'unauthorized') {
    const file = await readFile(join(folder, 'tools.connections.json'), 'utf8');
    expect(file).toContain('"broken"');
    check('stored reason', file, at);
    check('listed connections', JSON.stringify(await listConnections(connections)), at);
    const failure = await callTool(request, options).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'connection-broken' });
    check('message of the failure', (failure as Error).message, at);
    check('stack, cause and data of the failure', inspect(failure, { depth: 9, showHidden: true }), at);
  }
  return result;
}

/** What the API said beside the key is still there, and where the key was is a mark. */
function stands(result: Awaited<ReturnType<typeof throughLibrary>>, status: number): void {
  expect(result).toMatchObject({ kind: status === 401 || status === 403 ? 'unauthorized' : 'answer', status });
  if (!('body' in result)) return;
  const { body } = result;
  const text = body.kind === 'binary' ? Buffer.from(body.base64, 'base64').toString() : renderResult(result);
  for (const part of [BEFORE, AFTER]) expect(text).toContain(part);
  expect(result.headers['x-request-id']).toMatch(new RegExp(`^${BEFORE} .*\\[redacted\\].* ${AFTER}$`));
}

describe.each(PLACEMENTS)('a key with $placement $prefix', (placement) => {
  it.each(ENCODINGS.map(({ name }, i) => [name, i] as const))(
    'that is quoted as %s is in nothing that the library shows',
    async (_, index) => {
      vi.stubEnv('KEY', secretOf(placement));
      await inFolder(async (folder) => {
        for (const status of STATUSES) {
          for (const shape of SHAPES) {
            const args = { encodings: String(index), shape, status: String(status) };
            stands(await throughLibrary(folder, placement, args), status);
          }
        }
      });
    },
  );
});

describe('a body that comes in pieces', () => {
  it.each(['text', 'json', 'binary'] as readonly Shape[])('as %s, cut at every byte', async (shape) => {
    vi.stubEnv('KEY', KEY);
    await inFolder(async (folder) => {
      // Raw, percent, base64 at 1 and mojibake: of one, two and three units for a sign.
      for (const name of ['raw', 'percent all', 'base64 at 1', 'mojibake']) {
        const index = ENCODINGS.findIndex((encoding) => encoding.name === name);
        const length = Buffer.byteLength(ENCODINGS[index]?.write(KEY) ?? '');
        for (let cut = 0; cut <= BEFORE.length + length + 16; cut += 1) {
          const args = { encodings: String(index), shape, status: '200', cut: String(cut) };
          stands(await throughLibrary(folder, PLACEMENTS[0], args), 200);
        }
      }
    });
  });

  it.each(SHAPES)('as %s, byte by byte, in all encodings', async (shape) => {
    vi.stubEnv('KEY', KEY);
    await inFolder(async (folder) => {
      stands(await throughLibrary(folder, PLACEMENTS[0], { encodings: ALL, shape, status: '200', drip: '1' }), 200);
    });
  });
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(folder: string, secret: string, args: readonly string[]): Promise<Outcome> {
  const { TOOLWRIGHT_STORE: _store, FORCE_COLOR: _color, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args, '--store', 'file:tools.json'], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1', KEY: secret },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

describe('the command line', () => {
  it.each(PLACEMENTS)('shows nothing of a key with $placement $prefix', async (placement) => {
    await inFolder(async (folder) => {
      const path = join(folder, 'tools.json');
      const store = fileStore(path);
      const tools = SHAPES.map((shape) => echoTool(api.origin, shape, sampleId('key')));
      await store.commit({ put: tools, remove: [] }, (await store.read()).revision);
      const connections = openConnections(`file:${path}`);
      await connections.commit({ put: [connection(placement)], remove: [] }, (await connections.list()).revision);
      const healthy = await readFile(join(folder, 'tools.connections.json'), 'utf8');
      const ran = async (sink: string, code: number, ...args: string[]): Promise<Outcome> => {
        const outcome = await run(folder, secretOf(placement), args);
        expect([args[0], outcome.code, outcome.stderr]).toEqual([args[0], code, outcome.stderr]);
        check(`${sink}: stdout`, outcome.stdout);
        check(`${sink}: stderr`, outcome.stderr);
        return outcome;
      };
      const said = (shape: Shape, status: number) => [
        ...['call', shape, `encodings=${ALL}`, `shape=${shape}`, `status=${status}`],
        ...['--allow-private', '127.0.0.1'],
      ];
      expect((await ran('call --dry-run', 0, ...said('json', 200), '--dry-run')).stdout).toContain('/echo');
      for (const shape of SHAPES) {
        if (shape !== 'binary') expect((await ran('call', 0, ...said(shape, 200))).stdout).toContain(AFTER);
        await ran('call --json', 0, ...said(shape, 200), '--json');
      }
      await ran('call', 1, ...said('html', 500));
      for (const status of [401, 403]) {
        await ran('call', 4, ...said('text', status));
        expect((await ran('connections list', 0, 'connections', 'list')).stdout).toContain('broken');
        await ran('connections list --json', 0, 'connections', 'list', '--json');
        const failing = await ran('failing call', 4, ...said('text', status));
        expect(failing.stderr).toContain('error[connection-broken]');
        await writeFile(join(folder, 'tools.connections.json'), healthy);
      }
    });
  });
});
