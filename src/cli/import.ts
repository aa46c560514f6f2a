// `toolwright import`: what was written, or with --json the answer.
import { type ImportReport, importOperations } from '../app/import.js';
import { unfitValues, unshown } from '../app/unfit.js';
import { Failure } from '../base/failure.js';
import { count, counted, visible } from '../base/text.js';
import type { Action, Hold } from '../plan/plan.js';
import { withStores } from './closing.js';
import { classCounts, differenceLines } from './difference.js';
import { importReport } from './format/build.js';
import { type FormatFlags, formatOf, publish } from './format/publish.js';
import type { EntryKind } from './format/report.js';
import { marked } from './format/text.js';
import {
  type BudgetFlags,
  type CompileFlags,
  commonOptions,
  nothingChosen,
  remarkUnmatched,
  type SelectFlags,
  type StoreFlags,
  selectOf,
  sourceOf,
} from './options.js';
import { refuseOverwrite } from './output.js';
import { few, paint, print, printJson, progress, remark } from './terminal.js';

interface ImportFlags extends BudgetFlags, CompileFlags, SelectFlags, StoreFlags, FormatFlags {
  readonly server: string;
  readonly set?: string;
  readonly overrideServers?: boolean;
  readonly batch?: boolean;
  /** false: --no-output. */
  readonly outputSchemas?: boolean;
  readonly dryRun?: boolean;
  readonly hold?: Hold;
  readonly connection?: string;
  readonly group?: string;
}

export async function runImport(description: string, flags: ImportFlags): Promise<void> {
  const chosen = chosenOf(flags);
  checkFormat(flags);
  await refuseOverwrite([flags.output], { store: flags.store, sources: [description, ...flags.overlay] });
  const { tick, end } = progress(flags.quiet === true);
  await withStores(flags.store, async ({ tools, connections }) => {
    const report = await importOperations(
      {
        ...sourceOf(description),
        ...chosen,
        server: flags.server,
        ...(flags.prefix === undefined ? {} : { name_prefix: flags.prefix }),
        ...(flags.set === undefined ? {} : { set: flags.set }),
        ...(flags.overrideServers === true ? { override_servers: true } : {}),
        ...(flags.batch === true ? { batch: true } : {}),
        ...(flags.hold === undefined ? {} : { hold: flags.hold }),
        ...(flags.outputSchemas === false ? { output: false } : {}),
        ...(flags.budget === undefined ? {} : { budget_tokens: flags.budget }),
        ...(flags.connection === undefined ? {} : { connection_id: flags.connection }),
        ...(flags.group === undefined ? {} : { connection_group: flags.group }),
      },
      {
        ...commonOptions(flags),
        store: tools,
        connections,
        progress: tick,
        ...(flags.dryRun === true ? { dry_run: true } : {}),
      },
    );
    end();
    await tell(report, description, flags);
    remarkUnmatched(report.unmatched, flags.quiet === true);
  }).finally(end);
}

function chosenOf(
  flags: ImportFlags,
): { operations: readonly string[] } | { select: NonNullable<ReturnType<typeof selectOf>> } {
  const select = selectOf(flags);
  if (flags.operation.length > 0 && select !== undefined) {
    throw new Failure(
      'bad-request',
      '--operation names operations one by one; it does not go with --all, --tag, --method or --path',
    );
  }
  if (flags.operation.length > 0) return { operations: flags.operation };
  if (select !== undefined) return { select };
  throw nothingChosen();
}

/** Before anything is written. */
function checkFormat({ format, output, json }: ImportFlags): void {
  if (json === true && (format !== undefined || output !== undefined)) {
    throw new Failure(
      'bad-request',
      '--json prints the answer of the import; it goes with no --format and no --output',
    );
  }
}

/** The answer as JSON; as a report where a format is asked for, or where a workflow looks at what would be. */
async function tell(report: ImportReport, description: string, flags: ImportFlags): Promise<void> {
  const { format, output, json, dryRun = false } = flags;
  const { actions } = report.plan;
  const unfit = [...actions.flatMap(({ tool }) => unshown(tool)), ...(await unfitValues(actions))];
  const annotates = dryRun && json !== true && formatOf(flags) === 'github';
  if (format === undefined && output === undefined && !annotates) {
    show(report, flags);
    for (const { message } of unfit) remark(`warning: ${visible(message, 500)}`, flags.quiet === true);
  } else await publish(importReport(report, description, { written: !dryRun, check: false, unfit }), flags);
}

function show({ plan, ...answer }: ImportReport, flags: ImportFlags): void {
  if (flags.json === true) {
    printJson(answer);
    return;
  }
  const lines = plan.actions.flatMap(line);
  const add = (kind: EntryKind, text: string) => lines.push(marked(kind, text, paint));
  for (const { name, operation } of answer.missing)
    add('missing', `${name}: ${visible(operation, 120)} is missing from the description; the tool is left as it is`);
  for (const { from, operation, reason } of answer.renamed ?? [])
    add('renamed', `${from.name}: is it ${visible(operation, 120)} now? It ${reason}.`);
  for (const { name, operation, code } of answer.stale) {
    const what = `${visible(operation, 120)} can no longer be imported (${code})`;
    add('stale', `${name}: ${what}; the tool is left as it is`);
  }
  const counts = [
    `${count(answer.created)} created`,
    `${count(answer.refreshed)} refreshed`,
    `${count(answer.unchanged)} unchanged`,
    ...(answer.held === undefined ? [] : [`${count(answer.held)} waiting`]),
    ...(answer.skipped.length > 0 ? [`${count(answer.skipped.length)} skipped`] : []),
    ...(answer.missing.length > 0 ? [`${count(answer.missing.length)} missing`] : []),
    ...(answer.stale.length > 0 ? [`${count(answer.stale.length)} stale`] : []),
  ];
  lines.push(`${flags.dryRun === true ? 'Dry run, nothing written: ' : ''}${counts.join(', ')}`);
  print(lines.join('\n'));
  if (plan.actions.length + answer.skipped.length === 0)
    remark('the selection holds no operation', flags.quiet === true);
  remarkSkipped(answer.skipped, flags.quiet === true);
  remarkTrimmed(answer.trimmed ?? [], flags.quiet === true);
}

function remarkTrimmed(trimmed: NonNullable<ImportReport['trimmed']>, quiet: boolean): void {
  if (trimmed.length === 0) return;
  const parts = trimmed.reduce((sum, { notices }) => sum + notices.length, 0);
  remark(
    `left out ${counted(parts, 'text or optional property', 'texts and optional properties')} of ${counted(trimmed.length, 'tool')} to fit the budget; --json names them, and an import without --budget gives them back`,
    quiet,
  );
}

/** The tool with the fields that differ, and what that does to those who call it. */
function line(action: Action): readonly string[] {
  switch (action.kind) {
    case 'create':
      return [marked('create', action.tool.name, paint)];
    case 'refresh': {
      const breaking = action.differences.filter((one) => one.class === 'breaking');
      return [marked('refresh', changed(action), paint), ...differenceLines(breaking)];
    }
    case 'hold':
      return [
        marked('hold', `${changed(action)}; it waits for approval`, paint),
        ...differenceLines(action.differences),
      ];
    case 'keep':
      return [];
  }
}

function changed({ tool, fields, differences }: Action & { kind: 'refresh' | 'hold' }): string {
  if (fields.length === 0) return `${tool.name} (nothing waits any more)`;
  return `${tool.name} (${fields.join(', ')}): ${classCounts(differences)}`;
}

function remarkSkipped(skipped: ImportReport['skipped'], quiet: boolean): void {
  const groups = new Map<string, string[]>();
  for (const { code, operation } of skipped) {
    const group = groups.get(code);
    if (group === undefined) groups.set(code, [operation]);
    else group.push(operation);
  }
  for (const [code, operations] of groups) {
    const hint = code === 'other-server' ? '--override-servers sends them to this server' : 'preview says why';
    remark(`skipped ${count(operations.length)} (${code}: ${visible(few(operations), 300)}); ${hint}`, quiet);
  }
}
