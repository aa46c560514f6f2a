// Wire vectors, where they lie beside the project: a request for each, recorded on loopback and judged there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const harness = fileURLToPath(new URL('../../../shared/vectors/harness.mjs', import.meta.url));
const driver = fileURLToPath(new URL('../wire/driver.mjs', import.meta.url));

/** Vectors that cannot pass yet, by the code their operation is refused with; one that passes must leave the list. */
const PENDING: { readonly [code: string]: readonly string[] } = {
  'body-not-object': ['b_arr', 'b_str', 'b_zero', 'b_false', 'b_emptyarr'],
  'body-media':
    `b_text f_basic f_values f_arr f_arr_csv f_arr_space f_arr_pipe f_deep_nested f_obj_ex f_json_string f_json_arr
    f_arr_obj f_allowreserved f_unicode m_scalars m_json m_arr m_arr_obj m_json_string m_file30 m_files m_null`.split(
      /\s+/,
    ),
  'reserved-path': ['d_plus', 'd_plus_verb', 'd_dot_name'],
};

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
  it('pass, but for those whose operation is not imported', () => {
    const results = verdicts();
    const passed = Object.keys(results).filter((id) => ['exact', 'equivalent'].includes(results[id]?.r ?? ''));
    const failed = Object.keys(results).filter((id) => !passed.includes(id));
    expect(failed.sort()).toEqual(Object.values(PENDING).flat().sort());
    for (const [code, ids] of Object.entries(PENDING)) for (const id of ids) expect(results[id]?.why).toContain(code);
    console.log(`${passed.length} vectors pass, ${failed.length} are pending`);
  });
});
