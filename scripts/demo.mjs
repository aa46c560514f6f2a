// The main job on the bundled clinic: preview, import, import again, then the next version of its description.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-demo-'));
const store = join(folder, 'toolwright.lock.json');
const server = 'https://api.clinic.example/v1';
const chosen = ['listPatients', 'getPatient', 'createPatient', 'createVisit', 'cancelVisit', 'listRooms', 'getWard'];
const imports = (keys) => ['--server', server, '--prefix', 'clinic_', ...keys.flatMap((key) => ['--operation', key])];

function say(text) {
  console.log(`\n# ${text}`);
}

/** Runs the command line as a person would, and shows what was typed. */
function toolwright(...args) {
  console.log(`$ toolwright ${args.map((arg) => (/[^\w./:-]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`);
  const paths = args.map((arg) => (arg.startsWith('fixtures/') ? join(root, arg) : arg));
  const run = spawnSync(process.execPath, [join(root, 'bin/toolwright.js'), ...paths], {
    encoding: 'utf8',
    cwd: folder,
  });
  process.stdout.write(run.stdout);
  process.stderr.write(run.stderr);
  if (run.status !== 0) throw new Error(`toolwright ended with ${run.status}`);
  return run.stdout;
}

if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist/ is missing; run npm ci');
try {
  say('What could become a tool, and why the rest cannot.');
  const shown = toolwright('preview', 'fixtures/clinic/description.json', '--prefix', 'clinic_', '--tag', 'visits');
  if (!shown.includes('importable')) throw new Error('the preview shows nothing');
  say('Take seven operations.');
  toolwright('import', 'fixtures/clinic/description.json', ...imports(chosen));
  say('Take them again: nothing changes.');
  toolwright('import', 'fixtures/clinic/description.json', ...imports(chosen));
  say('A person renames one, fixes a parameter of it, and gives it more time.');
  toolwright('tools', 'set', 'clinic_createVisit', '--name', 'book_visit', '--fix', 'notify=true', '--deadline', '60');
  say('The API changed: what it owns is refreshed, what the person set is kept, what is gone is reported.');
  const still = chosen.filter((key) => key !== 'getWard');
  toolwright('import', 'fixtures/clinic-next/description.json', ...imports(still));
  say('The store.');
  toolwright('tools', 'list');
  toolwright('tools', 'show', 'book_visit');
} finally {
  rmSync(store, { force: true });
  rmSync(folder, { recursive: true, force: true });
}
