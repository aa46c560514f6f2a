// Hostile descriptions, each read by a process of its own with 512 MB: it ends, soon, with an answer or a Failure.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INPUTS } from './inputs.js';
import { LINEAR } from './linear.js';
import { small } from './small.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const MOST_MS = 5_000;
const MOST_RSS_MB = 700;
const ALL = { ...INPUTS, ...LINEAR };
const folder = mkdtempSync(join(tmpdir(), 'toolwright-hostile-'));
const rows: string[] = [];

/** A copy of what was built, since a second run of the tests builds anew. */
beforeAll(() => {
  cpSync(join(PROJECT, 'dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  console.log(`hostile inputs: reading, printing, bytes printed, peak memory\n${rows.join('\n')}`);
});

interface Report {
  readonly failure?: string;
  readonly operations?: number;
  readonly unimportable?: number;
  readonly codes?: readonly string[];
  readonly ms: number;
  readonly print_ms: number;
  readonly bytes: number;
  readonly rss: number;
}

function start(mode: string, path = ''): ChildProcess {
  return spawn(process.execPath, ['--max-old-space-size=512', CHILD, join(folder, 'dist/index.js'), mode, path], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** What the child printed; killed after the time it has. */
async function reportOf<T>(child: ChildProcess, seconds: number): Promise<T> {
  let text = '';
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, seconds * 1_000);
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
  });
  const end = await new Promise<string>((resolve) =>
    child.once('close', (code, signal) => resolve(`${code ?? signal}`)),
  );
  clearTimeout(timer);
  if (late) throw new Error(`the process had not ended after ${seconds} seconds`);
  if (end !== '0') throw new Error(`the process died: ${end}`);
  return JSON.parse(text) as T;
}

function note(name: string, report: Report | Error): void {
  if (report instanceof Error) rows.push(`${name}: ${report.message}`);
  else {
    const { ms, print_ms, bytes, rss, ...outcome } = report;
    rows.push(`${name}: ${ms} ms, ${print_ms} ms, ${bytes} bytes, ${rss} MB ${JSON.stringify(outcome)}`);
  }
}

async function read(name: string, text: string): Promise<Report> {
  const path = join(folder, 'description.json');
  writeFileSync(path, text);
  return checked(name, start('one', path));
}

async function checked(name: string, child: ChildProcess): Promise<Report> {
  try {
    const report = await reportOf<Report>(child, 60);
    note(name, report);
    return report;
  } catch (error) {
    note(name, error as Error);
    throw error;
  }
}

/** What is known of the outcome beyond that there is one. */
const OUTCOMES: { readonly [name: string]: Partial<Report> } = {
  'a chain of 33 references': { operations: 0, unimportable: 2, codes: ['unresolved-reference'] },
  'a chain of 100,000 references': { operations: 0, unimportable: 2, codes: ['unresolved-reference'] },
  '200,000 nested arrays': { failure: 'not-a-description' },
  '200,000 nested arrays as an example': { operations: 1 },
  '200,000 nested arrays as a default': { operations: 1 },
  '100,000 nested arrays as the value of an enum': { operations: 1 },
  '100,000 nested arrays as the value of a const': { operations: 1 },
  '100,000 nested items': { operations: 1 },
  '100,000 nested allOf': { unimportable: 1, codes: ['too-large'] },
  '100,000 nested properties': { operations: 1 },
  '1e400 everywhere': { operations: 1 },
  '3,001 operations': { failure: 'too-many-operations' },
  '100,000 operations': { failure: 'too-many-operations' },
  'a path item shared by 100,000 paths': { failure: 'too-many-operations' },
  'callbacks of 1,000 expressions shared by 3,000 operations': { failure: 'description-too-large' },
  'resources nested 100,000 deep': { operations: 1 },
  '3,000 equal names': { operations: 3_000 },
  '3,000 equal routes': { operations: 3_000 },
  '15 MB of markup': { operations: 1 },
  '20,000 nested relative identifiers and an anchor that is not there': { unimportable: 1 },
  'a path item of 10,000 unknown keys shared by 10,000 paths': { operations: 0, unimportable: 0 },
  'a path item of 10,000 unknown keys and an operation shared by 3,000 paths': { operations: 3_000 },
  'a reference beside 50,000 unknown keys used by 600 properties': { unimportable: 1, codes: ['too-large'] },
  '8,000 servers and 8,000 security alternatives that are not defined': { operations: 1 },
  '100,000 security schemes beside 1,900 parameters of 50 operations': { unimportable: 10, codes: ['too-large'] },
  'a word and 64,000 letters': { failure: 'not-json' },
  '200,000 methods of a Discovery document': { failure: 'too-many-operations' },
  '200,000 methods of a resource of a Discovery document': { failure: 'too-many-operations' },
};

describe('one hostile description', () => {
  it.each(Object.keys(ALL))(
    '%s',
    async (name) => {
      const report = await read(name, ALL[name]?.() ?? '');
      expect(report).toMatchObject(OUTCOMES[name] ?? {});
      expect(report.ms).toBeLessThan(MOST_MS);
      expect(report.print_ms).toBeLessThan(MOST_MS);
      expect(report.rss).toBeLessThan(MOST_RSS_MB);
    },
    90_000,
  );
});

describe('a source that is too large', () => {
  const BOUND = 16 * 1024 * 1024;

  it('as a file of one byte too many', async () => {
    const report = await read('16 MB and a byte', ' '.repeat(BOUND + 1));
    expect(report.failure).toBe('source-too-large');
    expect(report.ms).toBeLessThan(MOST_MS);
  });

  it('as a file of exactly the bound is read', async () => {
    const report = await read('16 MB', ' '.repeat(BOUND));
    expect(report.failure).toBe('not-a-description');
    expect(report.ms).toBeLessThan(MOST_MS);
  });

  it('as a device that never ends', async () => {
    const report = await checked('a device that never ends', start('one', '/dev/zero'));
    expect(report.failure).toBe('source-too-large');
    expect(report.ms).toBeLessThan(MOST_MS);
  });

  it('as a standard input that never ends', async () => {
    const child = start('stdin');
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const feed = (): void => {
      while (child.stdin?.writable === true && child.stdin.write(chunk));
    };
    child.stdin?.on('error', () => {}).on('drain', feed);
    feed();
    const report = await checked('a standard input that never ends', child);
    expect(report.failure).toBe('source-too-large');
    expect(report.ms).toBeLessThan(MOST_MS);
  });
});

describe('many hostile descriptions', () => {
  it('leave the process alive after 1,000 in a row', async () => {
    const path = join(folder, 'many.ndjson');
    writeFileSync(path, `${Array.from({ length: 1_000 }, (_, index) => small(index)).join('\n')}\n`);
    const report = await reportOf<{ read: number; slowest: number; ms: number; growth: number }>(
      start('many', path),
      60,
    );
    rows.push(`1,000 in a row: ${JSON.stringify(report)}`);
    expect(report.read).toBe(1_000);
    expect(report.slowest).toBeLessThan(MOST_MS);
    expect(report.growth).toBeLessThan(256);
  }, 90_000);
});
