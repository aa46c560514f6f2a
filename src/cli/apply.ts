// `toolwright apply`: a manifest, planned, shown, asked about and written; or a plan that was saved.
import { dirname, join, relative } from 'node:path';
import { type ApplyOptions, currentMarks, hasChanges, planApply, writeApply } from '../app/apply.js';
import { planConnections } from '../app/apply-connection.js';
import type { ApplyPlan } from '../app/apply-plan.js';
import {
  checkConnections,
  checkMarks,
  decodePlan,
  encodePlan,
  isPlan,
  marksOf,
  type SavedPlan,
} from '../app/apply-saved.js';
import { costOf } from '../app/cost.js';
import { unfitValues, unshown } from '../app/unfit.js';
import { Failure } from '../base/failure.js';
import { count, quoted } from '../base/text.js';
import type { Opened } from '../document/document.js';
import { open } from '../document/open.js';
import type { Hold, ReadManifest } from '../manifest/manifest.js';
import { readManifest } from '../manifest/read.js';
import { replanned } from '../store/replan.js';
import { withStores } from './closing.js';
import { confirmed, isAttended } from './confirm.js';
import { optimizeLate } from './engine.js';
import { EXIT } from './exit.js';
import { applyReport } from './format/build.js';
import { githubFailure } from './format/github.js';
import { type FormatFlags, formatOf, publish } from './format/publish.js';
import { endInterrupted, interruptible, sayOnInterrupt } from './interrupt.js';
import type { BudgetFlags } from './options.js';
import { refuseOverwrite, writeOutput } from './output.js';
import { complain, print, progress, remark } from './terminal.js';

interface ApplyFlags extends BudgetFlags, FormatFlags {
  readonly store?: string;
  readonly environment?: string;
  readonly allowPrivate: readonly string[];
  readonly hold?: Hold;
  readonly yes?: boolean;
  readonly check?: boolean;
  readonly cost?: boolean;
  readonly plan?: string;
  readonly quiet?: boolean;
}

/** @returns the exit status. */
export async function runApply(file: string, flags: ApplyFlags): Promise<number> {
  // First: what cannot be printed is not written either.
  const format = formatOf(flags);
  sayOnInterrupt('interrupted; nothing was written');
  try {
    return await applied(file, flags);
  } catch (error) {
    if (error instanceof Failure && format === 'github') print(githubFailure(error), { commands: true });
    throw error;
  }
}

async function applied(file: string, flags: ApplyFlags): Promise<number> {
  const started = performance.now();
  optimizeLate();
  const opened = await open({ file });
  const saved = isPlan(opened.text);
  const status = saved ? await applySaved(opened, file, flags) : await applyManifest(opened, file, flags);
  remark(`in ${((performance.now() - started) / 1000).toFixed(2)} s`, flags.quiet === true);
  return status;
}

async function applyManifest({ text }: Opened, file: string, flags: ApplyFlags): Promise<number> {
  const read = readManifest(text, file, flags.environment);
  await refuseOverwrite([flags.output, flags.plan], { store: storeOf(read, flags), sources: [file] });
  return withOptions(storeOf(read, flags), flags, async (options) => {
    if (flags.check === true || flags.plan !== undefined) return looked(read, options, flags);
    if (flags.yes === true) return written(read, options, flags);
    return asked(read, options, flags);
  });
}

/** Writes nothing to the store. */
async function looked(read: ReadManifest, options: ApplyOptions, flags: ApplyFlags): Promise<number> {
  const plan = await planApply(read, { ...options, digests: flags.plan !== undefined });
  await tell(plan, read, flags, false);
  if (plan.faults.length > 0) return failed(plan);
  if (flags.plan !== undefined) await writeOutput(flags.plan, encodePlan(savedPlan(plan, read, options, flags.plan)));
  return flags.check === true && (hasChanges(plan) || plan.missing.length > 0) ? EXIT.changes : EXIT.done;
}

/** Nobody looks at the plan first: where another writer was faster, it is made again. */
async function written(read: ReadManifest, options: ApplyOptions, flags: ApplyFlags): Promise<number> {
  const plan = await replanned(async () => {
    const made = await planApply(read, options);
    if (made.faults.length === 0) await write(made, options);
    return made;
  });
  const faulty = plan.faults.length > 0;
  await tell(plan, read, flags, !faulty);
  return faulty ? failed(plan) : EXIT.done;
}

/** What a person saw is what is written, or nothing. */
async function asked(read: ReadManifest, options: ApplyOptions, flags: ApplyFlags): Promise<number> {
  const plan = await planApply(read, options);
  await tell(plan, read, flags, false);
  if (plan.faults.length > 0) return failed(plan);
  if (!hasChanges(plan)) return EXIT.done;
  if (!(await isConfirmed())) {
    remark('nothing is written', flags.quiet === true);
    return EXIT.failed;
  }
  await write(plan, options);
  remark('written', flags.quiet === true);
  return EXIT.done;
}

/** The writing is short: a Ctrl-C waits for its end, and then ends the process. A second one does not wait. */
async function write(plan: ApplyPlan, options: ApplyOptions): Promise<void> {
  if (!hasChanges(plan)) return writeApply(plan, options);
  await interruptible(async (signal) => {
    sayOnInterrupt('interrupted while it was written; `apply` again writes what is left');
    await writeApply(plan, options).catch((error: unknown) => {
      // It would be planned again.
      if (signal.aborted && error instanceof Failure && error.code === 'store-moved') endInterrupted();
      throw error;
    });
    sayOnInterrupt('interrupted; everything was written');
    if (signal.aborted) endInterrupted();
  });
}

/** @throws Failure `bad-request` where nobody can be asked: what is piped or runs in CI never waits for an answer. */
function isConfirmed(): Promise<boolean> {
  if (isAttended()) return confirmed('Write this?');
  throw new Failure(
    'bad-request',
    'nothing is written, since nobody can be asked here: use --yes to write, --check to look, or --plan to save the plan',
  );
}

async function tell(plan: ApplyPlan, read: ReadManifest, flags: ApplyFlags, written: boolean): Promise<void> {
  const cost = flags.cost === true ? await costOf(plan.actions.map(({ tool }) => tool)) : undefined;
  const unfit = [...plan.unshown, ...(await unfitValues(plan.actions))];
  await publish(applyReport(plan, read, { written, check: flags.check === true, cost, unfit }), flags);
}

/** The faults stand in the report, which may be in a file. */
function failed({ faults }: Pick<ApplyPlan, 'faults'>): number {
  const lines = faults.slice(0, 4).map(({ source, failure }) => `  ${quoted(source, 80)}: ${failure.message}`);
  const more = faults.length > lines.length ? [`  and ${count(faults.length - lines.length)} more`] : [];
  const what = faults.length === 1 ? 'a source' : `${count(faults.length)} parts of the manifest`;
  complain([`error[source-failed]: nothing is written: ${what} could not be planned`, ...lines, ...more].join('\n'));
  return EXIT.failed;
}

function savedPlan(plan: ApplyPlan, read: ReadManifest, { store }: ApplyOptions, file: string): SavedPlan {
  return {
    manifest: relative(dirname(file), read.path).split('\\').join('/'),
    ...(read.environment === undefined ? {} : { environment: read.environment }),
    store: store.address,
    marks: marksOf(read, plan),
    actions: plan.actions.filter(({ kind }) => kind !== 'keep'),
    connections: plan.connections.filter(({ kind }) => kind !== 'keep').map(({ label }) => label),
    unchanged: plan.actions.filter(({ kind }) => kind === 'keep').length,
    waiting: plan.waiting,
  };
}

async function applySaved({ text, name }: Opened, file: string, flags: ApplyFlags): Promise<number> {
  const plan = decodePlan(text, name);
  refuseOther(plan, flags);
  const path = join(dirname(file), plan.manifest);
  const read = readManifest((await open({ file: path })).text, path, plan.environment);
  await refuseOverwrite([flags.output], { store: storeOf(read, flags), sources: [file, path] });
  return withOptions(storeOf(read, flags), flags, async (options) => {
    checkMarks(plan.marks, await currentMarks(read, options), options.store.address);
    const { connections: existing } = await options.connections.list();
    const connections = planConnections(read.manifest.connections ?? {}, existing);
    checkConnections(plan, connections, existing);
    const { store, sources } = plan.marks;
    const absent = plan.actions.flatMap(({ tool }) => unshown(tool));
    const whole: ApplyPlan = {
      ...EMPTY,
      revision: store,
      sources,
      actions: plan.actions,
      connections,
      unshown: absent,
      unchanged: plan.unchanged ?? 0,
      waiting: plan.waiting ?? [],
    };
    if (flags.check === true) {
      await tell(whole, read, flags, false);
      return hasChanges(whole) ? EXIT.changes : EXIT.done;
    }
    const wanted = flags.yes === true || !hasChanges(whole) || (await isWanted(whole, read, flags));
    if (!wanted) return EXIT.failed;
    await write(whole, options);
    await tell(whole, read, flags, true);
    return EXIT.done;
  });
}

/** A saved plan is written as it was shown: what would make another one of it is refused, never passed over. */
function refuseOther(plan: SavedPlan, { plan: file, hold, budget, environment }: ApplyFlags): void {
  if (file !== undefined) throw new Failure('bad-request', '--plan saves the plan of a manifest; this is a saved plan');
  if (hold !== undefined) throw new Failure('bad-request', '--hold goes with a manifest; this is a saved plan');
  if (budget !== undefined) {
    throw new Failure('bad-request', 'a saved plan is within the budget it was made with; it goes with no --budget');
  }
  if (environment === undefined || environment === plan.environment) return;
  const made = plan.environment === undefined ? 'no environment' : `the environment ${quoted(plan.environment, 80)}`;
  const message = `the plan was made for ${made}, and ${quoted(environment, 80)} is asked for`;
  throw new Failure('bad-request', message);
}

const EMPTY = {
  skipped: [],
  trimmed: [],
  missing: [],
  stale: [],
  renamed: [],
  unmatched: [],
  empty: [],
  unchosen: [],
  faults: [],
};

async function isWanted(plan: ApplyPlan, read: ReadManifest, flags: ApplyFlags): Promise<boolean> {
  await tell(plan, read, flags, false);
  return isConfirmed();
}

/** A flag or the environment, then the manifest, which has a default. */
function storeOf({ manifest }: ReadManifest, flags: ApplyFlags): string {
  return flags.store ?? manifest.store ?? 'file:toolwright.lock.json';
}

function withOptions(
  address: string,
  flags: ApplyFlags,
  work: (options: ApplyOptions) => Promise<number>,
): Promise<number> {
  const { tick, end } = progress(flags.quiet === true, 'sources');
  return withStores(address, ({ tools, connections }) =>
    work({
      store: tools,
      connections,
      network: { allow: flags.allowPrivate },
      ...(flags.hold === undefined ? {} : { hold: flags.hold }),
      ...(flags.budget === undefined ? {} : { budget_tokens: flags.budget }),
      progress: (done, total) => (done === total ? end() : tick(done, total)),
    }),
  ).finally(end);
}
