// Hostile YAML, each text read by a process of its own with 512 MB: it ends, soon, with an answer or a Failure.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const MB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'toolwright-yaml-'));

/** A copy of what was built, since a second run of the tests builds anew. */
beforeAll(() => {
  cpSync(join(PROJECT, 'dist'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly failure?: string;
  readonly operations?: number;
  readonly unimportable?: number;
}

/** What the child printed; undefined where it crashed or had to be ended. */
function report(text: string): Promise<Report | undefined> {
  const path = join(folder, 'description.yaml');
  writeFileSync(path, text);
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=512', CHILD, join(folder, 'dist/index.js'), 'one', path],
    { stdio: ['ignore', 'pipe', 'ignore'], timeout: 120_000, killSignal: 'SIGKILL' },
  );
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  return new Promise((resolve) => {
    child.on('close', (status) => resolve(status === 0 ? (JSON.parse(printed) as Report) : undefined));
  });
}

function lines(number: number, line: (index: number) => string): string {
  return Array.from({ length: number }, (_, index) => line(index)).join('\n');
}

const OPENAPI = 'openapi: 3.1.0\ninfo: {title: x}\n';
const GET = 'paths:\n  /a:\n    get:\n      operationId: a\n';

/** Nine times nine times nine: `depth` levels, each naming the one before. */
function laughs(depth: number, open: string, item: (name: string) => string, close: string): string {
  const level = (index: number) =>
    `x-${index}: &l${index} ${open}${Array.from({ length: 9 }, (_, i) => item(index === 0 ? '1' : `*l${index - 1} `).replace('#', String(i))).join(', ')}${close}`;
  return lines(depth, level);
}

const REFUSED: Readonly<Record<string, () => string>> = {
  'open brackets': () => `a: ${'['.repeat(10 * MB)}`,
  'open braces': () => `a: ${'{'.repeat(10 * MB)}`,
  'open braces and keys': () => `a: ${'{? '.repeat(5 * MB)}`,
  'keys in one line': () => 'a: '.repeat(5 * MB),
  'keys of keys': () => `a: 1\n${'? '.repeat(5 * MB)}`,
  'lists of lists': () => `---\n${'- '.repeat(5 * MB)}`,
  'deep blocks': () => lines(5_000, (index) => `${' '.repeat(index)}a:`),
  'the same key': () => 'a: \n'.repeat(4 * MB),
  'the same key, fewer': () => 'a: 1\n'.repeat(700_000),
  'many items': () => `a: [${'1,'.repeat(8 * MB - 10)}1]`,
  'many pairs': () => `a: [${'a: b, '.repeat(2.5 * MB)}]`,
  'many documents': () => '---\n'.repeat(4 * MB),
  'as many documents as are read': () => '---\n'.repeat(700_000),
  'many directives': () => `a: b\n${'%A\n'.repeat(5 * MB)}`,
  'billion laughs': () => OPENAPI + laughs(40, '[', (name) => name, ']'),
  'billion laughs of objects': () => OPENAPI + laughs(40, '{', (name) => `k#: ${name}`, '}'),
  'billion laughs that are read': () =>
    `${OPENAPI}${laughs(12, '[', (name) => name, ']')}\n${GET}      parameters: [{name: q, in: query, schema: {enum: *l11 }}]\n`,
  'merges of merges': () =>
    `${OPENAPI}${lines(4_000, (index) => `x-${index}: &m${index} {k${index}: 1${index === 0 ? '' : `, <<: *m${index - 1} `}}`)}`,
  'a list merged again and again': () => `a: &a {b: 1}\nc:\n  <<: [${'*a, '.repeat(300_000)}]`,
  'an alias in itself': () => 'a: &a {b: [*a]}',
  'a long chain of aliases': () =>
    `${OPENAPI}x-0: &c0 []\n${lines(100_000, (i) => `x-${i + 1}: &c${i + 1} [*c${i} ]`)}`,
  'an open text': () => `a: "${'x\n '.repeat(5 * MB)}`,
  'anchors of nothing': () => `a: ${'&a '.repeat(5 * MB)}`,
  'a long tag': () => `a: !${'x'.repeat(15 * MB)} b`,
  'a long alias': () => `a: *${'x'.repeat(15 * MB)}`,
};

const READ: Readonly<Record<string, () => string>> = {
  'a million anchors': () => `${OPENAPI}${GET}x-a:\n${lines(700_000, (index) => `- &a${index} x`)}`,
  'hundreds of thousands of aliases': () => `${OPENAPI}x: &a {b: c}\n${GET}x-a:\n${'- *a\n'.repeat(400_000)}`,
  'a long plain text': () => `${OPENAPI}${GET}x-a: ${'x'.repeat(15 * MB)}`,
  'a long quoted text': () => `${OPENAPI}${GET}x-a: "${'\\n'.repeat(7 * MB)}"`,
  'a long key': () => `${OPENAPI}${GET}? ${'x'.repeat(15 * MB)}\n: 1`,
  'a long block': () => `${OPENAPI}${GET}x-a: |\n${'  some text in a line\n'.repeat(0.6 * MB)}`,
  'blank lines': () => `${OPENAPI}${GET}${'                    \n'.repeat(0.7 * MB)}`,
  'all that may be': () => `${OPENAPI}${GET}x-a: [${'1,'.repeat(1_499_900)}1]`,
  'all lines that may be': () => `${OPENAPI}${GET}x-a:\n${lines(490_000, (index) => ` k${index}: {}`)}`,
  '16 MB of a real kind': () =>
    `${OPENAPI}${GET}components:\n  schemas:\n${lines(
      70_000,
      (index) =>
        `    Patient${index}:\n      type: object\n      description: A person who is treated, or was.\n      properties:\n        id: {type: integer, format: int64}\n        full_name:\n          type: string\n          description: As on the card.`,
    )}`,
};

describe('hostile YAML', () => {
  it.each(Object.entries(REFUSED))(
    '%s',
    async (_name, text) => {
      expect(await report(text())).toMatchObject({ failure: 'not-yaml' });
    },
    150_000,
  );

  it.each(Object.entries(READ))(
    '%s (read)',
    async (_name, text) => {
      expect(await report(text())).toMatchObject({ operations: 1, unimportable: 0 });
    },
    150_000,
  );
});
