// `toolwright tools approve`: what an import held back, shown and let through.
import { approveTools, DIGEST_DIGITS } from '../app/approve.js';
import { Failure } from '../base/failure.js';
import { differenceLines } from './difference.js';
import type { StoreFlags } from './options.js';
import { print, printJson } from './terminal.js';
import { withTools } from './tools.js';

interface ApproveFlags extends StoreFlags {
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly digest?: string;
}

export async function runApprove(references: readonly string[], flags: ApproveFlags): Promise<void> {
  if (references.length === 0 && flags.all !== true)
    throw new Failure('bad-request', 'nothing is chosen: name tools, or use --all');
  if (references.length > 0 && flags.all === true)
    throw new Failure('bad-request', '--all does not go with the names of tools');
  const dry_run = flags.dryRun === true;
  const chosen = flags.all === true ? 'all' : references;
  const approvals = await withTools(flags, (store) => {
    return approveTools(store, chosen, { dry_run, ...(flags.digest === undefined ? {} : { digest: flags.digest }) });
  });
  if (flags.json === true) {
    printJson(approvals.map(({ tool, differences, digest }) => ({ tool, differences, digest })));
    return;
  }
  const lines = approvals.flatMap(({ tool, differences, digest }) => [
    `~ ${tool.name} ${dry_run ? `waits (--digest ${digest.slice(0, DIGEST_DIGITS)})` : 'is approved'}`,
    ...differenceLines(differences),
  ]);
  print(lines.length === 0 ? `No tool in ${flags.store} waits for approval.` : lines.join('\n'));
}
