// The real command line as a child process, in a folder of its own.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpTool } from '../../src/index.js';

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
const STORE = 'toolwright.lock.json';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Desk {
  readonly folder: string;
  run(...args: readonly string[]): Promise<Outcome>;
  /** With these variables as well. */
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Outcome>;
  write(name: string, content: unknown): Promise<void>;
  /** The text of the store; undefined where there is none. */
  store(): Promise<string | undefined>;
  tools(): Promise<readonly HttpTool[]>;
}

/** Works in a fresh folder, which is removed afterwards. */
export async function atDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-case-'));
  const { TOOLWRIGHT_STORE: _store, FORCE_COLOR: _color, ...env } = process.env;
  const runWith: Desk['runWith'] = (more, ...args) =>
    new Promise<Outcome>((resolve) => {
      const options = { cwd: folder, env: { ...env, NO_COLOR: '1', ...more }, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  const run: Desk['run'] = (...args) => runWith({}, ...args);
  try {
    await work({
      folder,
      run,
      runWith,
      write: (name, content) =>
        writeFile(
          join(folder, name),
          typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
        ),
      store: () => readFile(join(folder, STORE), 'utf8').catch(() => undefined),
      tools: async () => JSON.parse((await run('tools', 'list', '--json')).stdout) as HttpTool[],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
