// Other processes that work on a store: child.ts, compiled once per test file that needs it.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD = ['child.ts', 'hooked-file-system.ts', 'retrying.ts', 'sample.ts'].map((name) => `test/store/${name}`);

export interface Children {
  start(...args: readonly string[]): ChildProcess;
  dispose(): Promise<void>;
}

export async function compileChildren(): Promise<Children> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-child-'));
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const file of [
    ...(await filesOf('src/base')),
    ...(await filesOf('src/tool')),
    ...(await filesOf('src/store')),
    ...CHILD,
  ]) {
    await transpile(file, folder);
  }
  const program = join(folder, 'test/store/child.js');
  return {
    start: (...args) => spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }),
    dispose: () => rm(folder, { recursive: true }),
  };
}

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(join(PROJECT, folder)))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

async function transpile(file: string, folder: string): Promise<void> {
  const source = await readFile(join(PROJECT, file), 'utf8');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true };
  const target = join(folder, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, ts.transpileModule(source, { compilerOptions }).outputText);
}

/** Resolves when the child has ended: its exit code, or the signal that killed it. */
export function ended(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? child.signalCode);
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
}

/** Resolves when the child says that it is ready, rejects when it ends before. */
export function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code, signal) => reject(new Error(`the child ended: ${code ?? signal}`)));
  });
}

/** Kills the child, as a crash does. */
export async function kill(child: ChildProcess): Promise<void> {
  const end = ended(child);
  child.kill('SIGKILL');
  await end;
}
