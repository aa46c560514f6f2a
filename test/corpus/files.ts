// Where real descriptions lie beside the project, and which of them are read.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const CORPUS = new URL('../../../shared/corpus/', import.meta.url).pathname;

/** Those of one file each, relative to the corpus. */
export function jsonFiles(folder: string): string[] {
  return readdirSync(join(CORPUS, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'multifile' || entry.name === 'history' ? [] : jsonFiles(path);
    return entry.name.endsWith('.json') ? [path] : [];
  });
}
