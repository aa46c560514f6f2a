// Real descriptions: every tool, or some of each file, in the form of every consumer passes that consumer's validator.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSUMERS, Failure, preview, render, type ToolDraft } from '../../src/index.js';
import { CORPUS, jsonFiles } from '../corpus/files.js';
import { toolOf } from './draft.js';
import { VALIDATORS } from './validators.js';

/** `PROVIDERS=all` renders every tool; otherwise so many of each file, evenly spaced. Reading the files takes most of the time. */
const MOST = process.env.PROVIDERS === 'all' ? Number.POSITIVE_INFINITY : 12;

async function draftsOf(file: string): Promise<readonly ToolDraft[]> {
  try {
    const { operations } = await preview({ file: join(CORPUS, file) });
    const every = Math.max(1, Math.ceil(operations.length / MOST));
    return operations.filter((_, index) => index % every === 0);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

class Count {
  readonly codes = new Map<string, number>();
  changed = 0;

  add(changes: readonly { readonly code: string }[]): void {
    if (changes.length > 0) this.changed += 1;
    for (const { code } of changes) this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}

describe.skipIf(!existsSync(CORPUS))('the tools of the corpus', () => {
  it('pass the validator of every consumer', async () => {
    const counts = new Map(CONSUMERS.map((consumer) => [consumer, new Count()]));
    const faults: string[] = [];
    let tools = 0;
    for (const file of jsonFiles('').sort()) {
      for (const draft of await draftsOf(file)) {
        const tool = toolOf(draft);
        tools += 1;
        for (const consumer of CONSUMERS) {
          if (consumer === 'json') continue;
          const rendering = render(tool, consumer);
          counts.get(consumer)?.add(rendering.changes);
          for (const fault of VALIDATORS[consumer](rendering.tool, draft.method))
            faults.push(`${consumer} ${file} ${draft.key}${fault}`);
        }
      }
    }
    expect(faults.slice(0, 20)).toEqual([]);
    const rows = [...counts].map(([consumer, { changed, codes }]) => {
      const listed = [...codes].sort().map(([code, number]) => `${code} ${number}`);
      return `${consumer}: ${changed} tools changed; ${listed.join(', ') || 'nothing changed'}`;
    });
    console.log(`${tools} tools in every form\n${rows.join('\n')}`);
    expect(tools).toBeGreaterThan(1_000);
  }, 600_000);
});
