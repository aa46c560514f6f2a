// The invariant over real descriptions: what the core profile can import is the same tool in the extended one, its answer included.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure, type Preview, type Profile, preview } from '../../src/index.js';
import { CORPUS, jsonFiles } from './files.js';
import { OutputJudge } from './outputs.js';

async function previewed(file: string, profile: Profile): Promise<Preview | string> {
  try {
    return await preview({ file: join(CORPUS, file) }, { profile, output: true });
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

/** The tools that both have, as text. */
function drafts({ operations }: Preview): Map<string, string> {
  return new Map(operations.map((draft) => [draft.key, JSON.stringify(draft)]));
}

describe.skipIf(!existsSync(CORPUS))('the corpus in the extended profile', () => {
  it('gives every tool that core gives, to the byte', async () => {
    const count = { descriptions: 0, core: 0, extended: 0 };
    const refused: Record<string, number> = {};
    const outputs = new OutputJudge();
    for (const file of jsonFiles('').sort()) {
      const core = await previewed(file, 'core');
      const extended = await previewed(file, 'extended');
      if (typeof extended !== 'string') {
        count.extended += extended.operations.length;
        for (const draft of extended.operations) outputs.judge(`${file} ${draft.key}`, draft);
        for (const { code } of extended.unimportable) refused[code] = (refused[code] ?? 0) + 1;
      }
      if (typeof core === 'string') continue;
      count.descriptions += 1;
      count.core += core.operations.length;
      const found = typeof extended === 'string' ? new Map<string, string>() : drafts(extended);
      const differs = [...drafts(core)].filter(([key, text]) => found.get(key) !== text).map(([key]) => key);
      expect([file, differs]).toEqual([file, []]);
    }
    expect(count.core).toBeGreaterThan(0);
    console.log(
      `${count.core} tools of ${count.descriptions} descriptions are the same; ${count.extended} in extended`,
    );
    expect(outputs.faults).toEqual([]);
    expect(outputs.emitted).toBeGreaterThan(0);
    console.log(outputs.summary());
    console.log(`refused in extended: ${JSON.stringify(refused)}`);
  }, 300_000);
});
