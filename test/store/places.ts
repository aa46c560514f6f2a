// The stores that outlive a process, each with empty places that several processes open.
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { DEFAULT_SCOPE, type Scope } from '../../src/store/scope.js';
import { makeFolder, removeFolder } from './folder.js';
import { asked, makeDatabase } from './postgres.js';

export interface Place {
  readonly address: string;
  readonly scope: Scope;
  /** What stands there besides the store itself, when nobody is at work. */
  leftovers(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

/** A store of which there are empty places. */
export interface Durable {
  readonly name: 'file' | 'sqlite' | 'postgres';
  /** It cannot be started on this machine: its tests are skipped. */
  readonly missing: boolean;
  /** An empty place in a database that is ready, where the store is one. */
  make(): Promise<Place>;
  /** A place nobody ever opened. */
  makeUnopened(): Promise<Place>;
}

function inFolders(name: 'file' | 'sqlite', file: string, own: readonly string[]): Durable {
  const make = async (): Promise<Place> => {
    const folder = await makeFolder();
    return {
      address: `${name}:${folder}/${file}`,
      scope: DEFAULT_SCOPE,
      leftovers: async () => (await readdir(folder)).filter((entry) => !own.includes(entry)),
      dispose: () => removeFolder(folder),
    };
  };
  return { name, missing: false, make, makeUnopened: make };
}

function inServer(server: string | undefined): Durable {
  const url = String(server);
  const nothing = { leftovers: async () => [], dispose: async () => {} };
  return {
    name: 'postgres',
    missing: server === undefined,
    // Places are projects of one database.
    make: async () => {
      const scope = { organization: 'tests', project: randomBytes(6).toString('hex') };
      return { address: url, scope, ...nothing };
    },
    makeUnopened: async () => {
      const address = String(await makeDatabase());
      const dispose = async (): Promise<void> => {
        await asked(url, `drop database ${new URL(address).pathname.slice(1)} with (force)`);
      };
      return { ...nothing, address, scope: DEFAULT_SCOPE, dispose };
    },
  };
}

export async function durables(): Promise<readonly Durable[]> {
  return [
    inFolders('file', 'tools.json', ['tools.json']),
    inFolders('sqlite', 'tools.db', ['tools.db', 'tools.db-wal', 'tools.db-shm']),
    inServer(await makeDatabase()),
  ];
}
