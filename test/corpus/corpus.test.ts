// Real descriptions, where they lie beside the project: totals per file are a golden, and the largest is imported twice.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure, fileStore, importOperations, preview } from '../../src/index.js';
import { CORPUS, jsonFiles } from './files.js';

const golden = new URL('../../golden/corpus.json', import.meta.url).pathname;
const rewrite = process.env.GOLDEN === 'write';

/** What a file comes to, in numbers and codes alone. */
async function totals(file: string): Promise<unknown> {
  try {
    const answer = await preview({ file: join(CORPUS, file) }, { profile: 'core' });
    const refused: Record<string, number> = {};
    for (const { code } of answer.unimportable) refused[code] = (refused[code] ?? 0) + 1;
    return { importable: answer.operations.length, refused };
  } catch (error) {
    if (error instanceof Failure) return { refused: error.code };
    throw error;
  }
}

describe.skipIf(!existsSync(CORPUS))('the corpus', () => {
  it('comes to the same totals', async () => {
    const found: Record<string, unknown> = {};
    for (const file of jsonFiles('').sort()) found[file] = await totals(file);
    const text = `${JSON.stringify(found, null, 2)}\n`;
    if (rewrite) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, 'utf8'));
  }, 300_000);

  it('holds a description of 13 MB that is imported whole, and again without writing a byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-corpus-'));
    try {
      const path = join(folder, 'tools.json');
      const request = {
        file: join(CORPUS, 'openapi/github.json'),
        server: 'https://api.github.com',
        select: { all: true },
        batch: true,
      };
      const first = await importOperations(request, { store: fileStore(path) });
      expect([first.created, first.skipped.length]).toEqual([1_222, 1]);
      const [bytes, { mtimeMs }] = [readFileSync(path), statSync(path)];
      const again = await importOperations(request, { store: fileStore(path) });
      expect([again.created, again.refreshed, again.unchanged]).toEqual([0, 0, 1_222]);
      expect(readFileSync(path).equals(bytes)).toBe(true);
      expect(statSync(path).mtimeMs).toBe(mtimeMs);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
