// Runs every example of the README: each command line prints what stands there, each program runs.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-readme-'));
const env = { ...process.env, NO_COLOR: '1', TOOLWRIGHT_STORE: undefined };

for (const name of ['clinic', 'clinic-next']) {
  cpSync(join(root, 'fixtures', name, 'description.json'), join(folder, `${name}.json`));
}
// A block of YAML names its file in its first line.
for (const text of blocks('yaml')) writeFileSync(join(folder, String(/^# (\S+)\n/.exec(text)?.[1])), text);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The fenced blocks of one language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

/** A block's command lines, each with what it prints; a line `...` stands for any lines. */
function commands(block: string): { line: string; printed: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.search(/(?<!\\)\n/);
      return { line: part.slice(0, end).replaceAll('\\\n', ' '), printed: part.slice(end + 1) };
    });
}

function pattern(printed: string): RegExp {
  const lines = printed.trimEnd().split('\n');
  const escaped = lines.map((line) => (line === '...' ? '(?:.*\\n)*?.*' : line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${escaped.join('\\n')}$`);
}

describe('README', () => {
  const all = blocks('console').flatMap(commands);

  it.each(all)('$line', ({ line, printed }) => {
    const bin = `"${process.execPath}" "${join(root, 'bin/toolwright.js')}"`;
    const run = spawnSync('bash', ['-c', line.replace(/^toolwright\b/, bin)], { cwd: folder, env, encoding: 'utf8' });
    expect((run.stdout + run.stderr).trimEnd()).toMatch(pattern(printed));
  });

  it.each(blocks('js').map((code, i) => ({ code, i })))('program $i', ({ code, i }) => {
    // A program finds the package by its name only from inside of it.
    const file = join(root, `.readme-${process.pid}-${i}.mjs`);
    writeFileSync(file, code.replaceAll("'clinic.json'", JSON.stringify(join(folder, 'clinic.json'))));
    try {
      const run = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' });
      expect(run.stderr).toBe('');
      const printed = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, text]) => text);
      expect(run.stdout.trimEnd().split('\n')).toEqual(printed);
    } finally {
      rmSync(file);
    }
  });

  it('has examples of both kinds', () => {
    expect(all.length).toBeGreaterThan(5);
    expect(blocks('js').length).toBeGreaterThan(0);
  });
});
