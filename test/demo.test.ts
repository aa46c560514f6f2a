// The demo runs to its end: it checks what it prints itself.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('runs', () => {
  const script = fileURLToPath(new URL('../scripts/demo.mjs', import.meta.url));
  const run = spawnSync(process.execPath, [script], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  expect([run.status, run.stderr.includes('Error')]).toEqual([0, false]);
  expect(run.stdout).toContain('# The new key heals it.');
  expect(run.stdout).toMatch(
    /> deletePatient .*\n\? The model wants to call deletePatient \(DELETE\).*\n! deletePatient was not called: .* did not agree/,
  );
});
