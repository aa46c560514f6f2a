// Attack suite: an API quotes a key back in every encoding, place and status; nothing that leaves the product holds a part of it.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listConnections } from '../../src/app/connections.js';
import { CALL_LIMITS } from '../../src/base/limits.js';
import type { Connection } from '../../src/connection/connection.js';
import { scrubber } from '../../src/connection/redact.js';
import { callTool, fileStore, openConnections, renderResult } from '../../src/index.js';
import { sampleId } from '../connection/sample.js';
import { inFolder } from '../store/folder.js';
import { type Loopback, serve } from '../wire/loopback.js';
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
/** A reason is one line of text whatever the body is, so that all bodies with all statuses would say nothing new. */
const STATUSES: readonly (readonly [status: number, shapes: readonly Shape[]])[] = [
  [200, SHAPES],
  [401, ['json', 'html']],
  [403, ['text']],
  [500, ['json']],
];
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
        for (const [status, shapes] of STATUSES) {
          for (const shape of shapes) {
            const args = { encodings: String(index), shape, status: String(status) };
            stands(await throughLibrary(folder, placement, args), status);
          }
        }
      });
    },
  );
});

describe('a body that comes in pieces', () => {
  it.each<readonly [Shape, string]>([
    ['text', 'raw'],
    ['json', 'percent all'],
    ['binary', 'mojibake'],
  ])('as %s, %s, cut at every byte', async (shape, name) => {
    vi.stubEnv('KEY', KEY);
    await inFolder(async (folder) => {
      const index = ENCODINGS.findIndex((encoding) => encoding.name === name);
      const length = Buffer.byteLength(ENCODINGS[index]?.write(KEY) ?? '');
      for (let cut = BEFORE.length; cut <= BEFORE.length + length + 16; cut += 1) {
        const args = { encodings: String(index), shape, status: '200', cut: String(cut) };
        stands(await throughLibrary(folder, PLACEMENTS[0], args), 200);
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

/** A call behind a header key of an API that always gives this answer; and the stored reason, if it is refused. */
async function answered(key: string, status: number, type: string, body: string | Buffer) {
  vi.stubEnv('KEY', key);
  const upstream = await serve((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
  try {
    const connections = openConnections('memory:');
    await connections.commit({ put: [connection(PLACEMENTS[0])], remove: [] }, (await connections.list()).revision);
    const tool = echoTool(upstream.origin, 'echo', sampleId('key'));
    const result = await callTool({ tool, arguments: {} }, { connections, network: { allow: ['127.0.0.1'] } });
    return { result, reason: (await connections.list()).connections[0]?.reason };
  } finally {
    await upstream.close();
  }
}

describe('what we do to an answer', () => {
  it('never joins a key that invisible characters were between', async () => {
    for (const odd of ['\u200b', '\u00ad', '\0', '\u{e0041}', '\u2060\u2060']) {
      const body = `no ${[...'sk-live-0123456789'].join(odd)} here`;
      const { result, reason } = await answered('sk-live-0123456789', 401, 'text/plain', body);
      expect(reason).toMatch(/no \[redacted\] here$/);
      expect(renderResult(result)).not.toContain('0123');
      const bytes = await answered('sk-live-0123456789', 200, 'image/x', body);
      expect(bytes.result).toMatchObject({ body: { base64: Buffer.from('no [redacted] here').toString('base64') } });
    }
  });

  it('never shows the beginning of a key at the end of a text that is cut', () => {
    const { text } = scrubber([KEY]);
    const left = new Set<string>();
    for (const encoding of ENCODINGS) {
      const written = encoding.write(KEY);
      const core = encoding.core(KEY);
      const begins = written.indexOf(core);
      // Four units are the least that is hidden; of Latin-1 in escapes one takes up to twelve signs.
      for (let end = begins + 8 * Math.ceil(core.length / KEY.length); end < begins + core.length; end += 1) {
        const shown = text(`${BEFORE} ${written.slice(0, end)}`, true);
        if (!shown.startsWith(BEFORE)) expect.unreachable(shown);
        if (!shown.endsWith('[redacted]')) left.add(`${encoding.name}: ${shown}`);
      }
    }
    expect([...left].slice(0, 5)).toEqual([]);
    expect(text(`${BEFORE} ${KEY.slice(0, 12)}`)).toBe(`${BEFORE} ${KEY.slice(0, 12)}`);
    expect(text(`${BEFORE} ${KEY.slice(0, 3)}`, true)).toBe(`${BEFORE} ${KEY.slice(0, 3)}`);
  });

  it.each([
    ['text/plain', 'text'],
    ['image/x', 'base64'],
  ])('never shows the beginning of a key at the end of a body that is cut: %s', async (type, field) => {
    const body = `${'.'.repeat(CALL_LIMITS.answer_bytes - 20)}${KEY} and more`;
    const { result } = await answered(KEY, 200, type, body);
    expect(result).toMatchObject({ kind: 'answer', cut: true, body: { [field]: expect.stringMatching(/\S/) } });
    if (!('body' in result)) expect.unreachable();
    const shown = 'base64' in result.body ? Buffer.from(result.body.base64, 'base64').toString() : renderResult(result);
    expect(shown.slice(-20)).toBe('..........[redacted]');
  });

  it('never shows a key of digits as a number', async () => {
    for (const [key, written] of [
      ['98765432109876543210', '98765432109876543210'],
      ['00123456789', '123456789'],
      ['12345678', '1.2345678e7'],
    ] as const) {
      const { result } = await answered(key, 200, 'application/json', `{"a":${written},"b":12}`);
      expect(result).toMatchObject({ body: { value: { a: '[redacted]', b: 12 } } });
    }
  });

  it('leaves an answer that holds no key as it is', async () => {
    const texts = [
      'Zk9/w and wQ7 are no key; %41 &amp; \\u0041 &#x41; stay as written, so do é, Ã©, \u200d and \u{1f469}\u200d\u{1f680}',
      JSON.stringify({ a: [1, 2.5, null, true, 'x'.repeat(500)], 'p\u00e9': { __proto__: 1 } }),
      Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256)).toString('latin1'),
    ];
    for (const type of ['text/plain', 'image/x']) {
      for (const text of texts) {
        const { result } = await answered(KEY, 200, type, text);
        const bytes = Buffer.from(text);
        expect(result).toMatchObject({ body: type === 'image/x' ? { base64: bytes.toString('base64') } : { text } });
      }
    }
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
