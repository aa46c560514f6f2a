// Builds dist/ before the tests, so that those that start the command line or a child process run what is in src/.
import { execFileSync } from 'node:child_process';

export function setup(): void {
  // Without clearing dist/ first, as the script does: what did not change is not compiled again.
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  execFileSync('npx', ['rolldown', '-c'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
