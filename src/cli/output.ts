// Where the data of a command goes, where that is a file; never over what the command reads or keeps.
import { appendFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { recordsPath } from '../call/record-open.js';
import { connectionsPath } from '../connection/open.js';

/** What an output must not replace. */
interface Kept {
  /** The address of the store. */
  readonly store?: string;
  /** Manifests, saved plans, descriptions and overlays, as they are given: paths, URLs, or `-`. */
  readonly sources?: readonly string[];
}

/**
 * Checks where outputs would go, before anything is read or written.
 * @throws Failure `bad-request` for one that is a file of the store or a source, by whatever path.
 */
export async function refuseOverwrite(
  outputs: readonly (string | undefined)[],
  { store, sources = [] }: Kept,
): Promise<void> {
  const given = outputs.filter((output) => output !== undefined);
  if (given.length === 0) return;
  const kept = new Map<string, string>();
  for (const source of sources) kept.set(await placeOf(source), 'what is read');
  for (const path of storeFiles(store)) kept.set(await placeOf(path), 'a file of the store');
  for (const output of given) {
    const what = kept.get(await placeOf(output));
    if (what === undefined) continue;
    throw new Failure('bad-request', `the output ${quoted(output, 120)} is ${what}, and would replace it`);
  }
}

/** The files of the store of an address, and those beside it. */
function storeFiles(address = ''): readonly string[] {
  const [, scheme, path = ''] = /^(file|sqlite):(.+)$/s.exec(address) ?? [];
  if (scheme === undefined) return [];
  if (scheme === 'sqlite') return ['', '-wal', '-shm', '-journal'].map((end) => `${path}${end}`);
  const connections = connectionsPath(path);
  const records = recordsPath(path);
  return [path, `${path}.lock`, connections, `${connections}.lock`, records, `${records}.1`];
}

/** Where a path leads through every link; of a file that is not there yet, where its folder leads. */
async function placeOf(path: string): Promise<string> {
  const whole = resolve(path);
  const real = (one: string) => realpath(one).catch(() => undefined);
  return (await real(whole)) ?? join((await real(dirname(whole))) ?? dirname(whole), basename(whole));
}

/** @throws Failure `output-unwritable`. */
export function writeOutput(path: string, text: string): Promise<void> {
  return withName(path, writeFile(path, text));
}

/** @throws Failure `output-unwritable`. */
export function appendOutput(path: string, text: string): Promise<void> {
  return withName(path, appendFile(path, text));
}

async function withName(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Failure('output-unwritable', `the file ${quoted(path, 120)} could not be written (${code})`, {}, error);
  }
}
