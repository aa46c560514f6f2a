// The tutorial of tools in CI: the steps of its workflow file, run one after the other in a repository of git.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/cli/format/format.js';
import { readYaml } from '../../src/document/yaml.js';
import { type Json, openapi, operation, parameter, SERVER } from '../cases/build.js';
import { sarifFaults } from '../cli/sarif.js';
import { inFolder } from '../store/folder.js';
import { serve } from '../wire/loopback.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKFLOW = readFileSync(join(ROOT, 'docs/workflows/tools.yml'), 'utf8');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

const { jobs } = readYaml({ text: WORKFLOW, name: 'the workflow' }) as {
  readonly jobs: { readonly [job: string]: { readonly steps: readonly Step[] } };
};

const API = openapi({
  '/a': { get: operation('a', { parameters: [parameter('query', 'x')] }) },
  '/b': { get: operation('b') },
});
const NEXT = openapi({
  '/a': { get: operation('a', { parameters: [parameter('query', 'x', undefined, { required: true })] }) },
  '/b': { get: operation('b') },
});

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** As a runner runs a step. */
function bash(script: string, folder: string, env: Json): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, TOOLWRIGHT_STORE: undefined, ...env } as NodeJS.ProcessEnv,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text;
      });
    child.once('close', (code) => resolve({ code, output }));
  });
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A repository with the manifest, a remote of its own, and this package installed. */
function repository(folder: string, origin: string): string {
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  git(folder, 'init', '--quiet', '--initial-branch=main', 'work');
  const work = join(folder, 'work');
  mkdirSync(join(work, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'bin/toolwright.js'), join(work, 'node_modules/.bin/toolwright'));
  const source = { description: `${origin}/api.json`, server: SERVER, select: { all: true } };
  writeFileSync(
    join(work, 'toolwright.yaml'),
    JSON.stringify({ allow_private: ['127.0.0.1'], sources: { api: source } }),
  );
  writeFileSync(join(work, 'package.json'), '{ "name": "tools", "private": true }');
  writeFileSync(join(work, '.gitignore'), 'node_modules\n*.connections.json\ntoolwright.plan.*\n*.sarif\n');
  git(work, 'config', 'user.name', 'tools');
  git(work, 'config', 'user.email', 'tools@example.com');
  git(work, 'remote', 'add', 'origin', '../origin.git');
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message', 'The manifest');
  git(work, 'push', '--quiet', 'origin', 'main');
  return work;
}

/** What needs the registry or the hosted service, and is only read. */
const NOT_HERE = new Set(['Install', 'Open a pull request']);

describe('the workflow file', () => {
  it('has steps that are scripts or actions', async () => {
    for (const { steps } of Object.values(jobs)) {
      for (const { uses, run } of steps) {
        expect((uses === undefined) !== (run === undefined)).toBe(true);
        if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
        if (run !== undefined)
          expect(await bash(`bash -n <<'END'\n${run}\nEND`, ROOT, {})).toEqual({ code: 0, output: '' });
      }
    }
  });

  it('does what the tutorial says, step by step', async () => {
    let api = API;
    const site = await serve((_request, response) => response.end(JSON.stringify(api)));
    try {
      await inFolder(async (folder) => {
        const work = repository(folder, site.origin);
        const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
        const job = async (name: string): Promise<Record<string, Ran>> => {
          const found: Record<string, Ran> = {};
          for (const step of jobs[name]?.steps ?? []) {
            if (step.run === undefined || NOT_HERE.has(step.name ?? '')) continue;
            found[step.name ?? ''] = await bash(step.run, work, env);
          }
          return found;
        };
        const codes = (ran: Record<string, Ran>) =>
          Object.fromEntries(Object.entries(ran).map(([name, { code }]) => [name, code]));
        const refreshed = { Plan: 0, 'Apply the plan': 0, 'Commit on a branch': 0 };
        const merge = () => {
          git(work, 'checkout', '--quiet', 'main');
          git(work, 'merge', '--quiet', '--ff-only', 'origin/tools/refresh');
        };

        expect(codes(await job('refresh'))).toEqual(refreshed);
        expect(git(work, 'show', '--name-only', '--format=%s', 'origin/tools/refresh').trim()).toBe(
          'Refresh the tools\n\ntoolwright.lock.json',
        );
        merge();
        expect(codes(await job('check'))).toEqual({
          'Check that the tools are those of the manifest': 0,
          'Write the log for code scanning': 0,
        });

        api = NEXT;
        const checked = await job('check');
        expect(codes(checked)).toEqual({
          'Check that the tools are those of the manifest': 3,
          'Write the log for code scanning': 0,
        });
        expect(checked['Check that the tools are those of the manifest']?.output).toMatch(
          /^::warning file=toolwright\.yaml,line=1,.*argument-required/m,
        );
        expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('**breaking**');
        const log = JSON.parse(readFileSync(join(work, 'toolwright.sarif'), 'utf8'));
        expect(sarifFaults(log)).toEqual([]);
        expect(log.runs[0].results).toHaveLength(1);
        expect(git(work, 'status', '--porcelain')).toBe('');

        expect(codes(await job('refresh'))).toEqual(refreshed);
        expect(readFileSync(join(work, 'toolwright.plan.md'), 'utf8')).toContain('1 with breaking differences');
        expect(git(work, 'diff', '--stat', 'main', 'origin/tools/refresh')).toContain('toolwright.lock.json');
        merge();
        const again = await job('refresh');
        expect(codes(again)).toEqual(refreshed);
        expect(again['Commit on a branch']?.output).toContain('the tools are those of the APIs');
      });
    } finally {
      await site.close();
    }
  }, 120_000);
});

describe('the tutorial', () => {
  const text = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');

  it('names every format', () => {
    const section = text.split(/^## /m).find((part) => part.startsWith('2.')) ?? '';
    expect([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual([...FORMATS]);
  });

  it('has the commands of the workflow', () => {
    const commands = [...text.matchAll(/^ {4}(npx toolwright .*--(?:plan|yes).*)$/gm)].map(([, line]) => line);
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) expect(WORKFLOW).toContain(command);
  });
});
