// Wire vectors, where they lie beside the project: a request for each, recorded on loopback and judged there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const harness = fileURLToPath(new URL('../../../shared/vectors/harness.mjs', import.meta.url));
const driver = fileURLToPath(new URL('../wire/driver.mjs', import.meta.url));

interface Verdict {
  readonly r: string;
  readonly why: string;
}

function verdicts(): Record<string, Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-vectors-'));
  const file = join(folder, 'results.json');
  try {
    spawnSync(process.execPath, [harness, '--driver', driver, '--json', file], { encoding: 'utf8', timeout: 120_000 });
    const [run] = Object.values(
      JSON.parse(readFileSync(file, 'utf8')) as Record<string, { res: Record<string, Verdict> }>,
    );
    return run?.res ?? {};
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(!existsSync(harness))('the wire vectors', () => {
  it('pass', () => {
    const results = verdicts();
    const passed = Object.keys(results).filter((id) => ['exact', 'equivalent'].includes(results[id]?.r ?? ''));
    const failed = Object.entries(results).filter(([id]) => !passed.includes(id));
    expect(failed).toEqual([]);
    expect(passed.length).toBeGreaterThan(100);
    console.log(`${passed.length} vectors pass`);
  });
});
