// Use case: every source of a manifest into a store, as one plan, then written as one change.
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { edit } from '../connection/change.js';
import type { ConnectionStore } from '../connection/connection.js';
import type { Network } from '../document/document.js';
import type { Hold, ReadManifest } from '../manifest/manifest.js';
import { expectRevision } from '../store/change.js';
import type { ToolStore } from '../store/store.js';
import { withinBudgets } from './apply-budget.js';
import { type ConnectionAction, Links, laidOver, planConnections } from './apply-connection.js';
import { type ApplyPlan, Planning } from './apply-plan.js';
import { digestsOf, readSources } from './apply-read.js';
import type { PlanMarks } from './apply-saved.js';
import type { ValueFault } from './tools.js';

export interface ApplyOptions {
  readonly store: ToolStore;
  readonly connections: ConnectionStore;
  /** In the place of what the manifest says. */
  readonly hold?: Hold;
  /** What all chosen operations together may cost a model, in tokens, beside the `budget_tokens` of each source. */
  readonly budget_tokens?: number;
  /** Hosts beside those of the manifest. */
  readonly network?: Network;
  /** The plan is to be saved: it has the digests of everything it was made from. */
  readonly digests?: boolean;
  /** Told when a source was read: how many are, how many there are. */
  readonly progress?: (done: number, total: number) => void;
}

/** True where applying the plan would write something. */
export function hasChanges({ actions, connections }: Pick<ApplyPlan, 'actions' | 'connections'>): boolean {
  return actions.some(({ kind }) => kind !== 'keep') || connections.some(({ kind }) => kind !== 'keep');
}

/**
 * Plans a manifest. A source that cannot be read or chosen from is a fault of the plan; the others are planned.
 * @throws Failure of the manifest as a whole: `unknown-limit`, `invalid-limit`, `invalid-secret`, `over-budget`; those of the
 * stores.
 */
export async function planApply(read: ReadManifest, options: ApplyOptions): Promise<ApplyPlan> {
  const { tools, revision } = await options.store.read();
  const { connections: existing } = await options.connections.list();
  const connections = planConnections(read.manifest.connections ?? {}, existing);
  const links = new Links(connections, existing);
  const found = await readSources(read, tools, links, options);
  const { sources, faults, trimmed } = await withinBudgets(found.sources, read, options.budget_tokens);
  return new Planning(read, tools, links, await validatorOf(read)).plan(sources, [...found.faults, ...faults], {
    revision,
    connections,
    trimmed,
  });
}

/**
 * What the plans of a manifest are made from, as it is now.
 * @throws Failure where a source cannot be read; those of the store.
 */
export async function currentMarks(read: ReadManifest, options: ApplyOptions): Promise<PlanMarks> {
  const { revision } = await options.store.read();
  return { manifest: read.sha256, store: revision, sources: await digestsOf(read, options) };
}

/**
 * Writes a plan where the store still is as it was; for one that moved nothing is written. A plan without changes writes nothing.
 * The order: the connections that are created, which do no harm alone and which tools may name; the tools; the connections that
 * change, which live tools use. Each is written all or nothing. After an end in between there are connections that no tool names
 * yet, or new tools behind connections as they were: the next `apply` writes the rest.
 * @throws Failure `source-failed` while there are faults; those of the stores.
 */
export async function writeApply(
  plan: Pick<ApplyPlan, 'actions' | 'connections' | 'revision' | 'faults'>,
  { store, connections }: Pick<ApplyOptions, 'store' | 'connections'>,
): Promise<void> {
  const [fault] = plan.faults;
  if (fault !== undefined) {
    const message = `nothing is written: the source ${quoted(fault.source, 80)} could not be planned`;
    throw new Failure('source-failed', message, { source: fault.source, code: fault.failure.code });
  }
  const put = plan.actions.flatMap(({ kind, tool }) => (kind === 'keep' ? [] : [tool]));
  const writeAll = (kind: ConnectionAction['kind']) =>
    writeConnections(
      plan.connections.filter((action) => action.kind === kind),
      connections,
    );
  // The commit of the tools asks again, but connections are written before it.
  if (put.length > 0) expectRevision(store.address, (await store.read({ references: [] })).revision, plan.revision);
  await writeAll('create');
  if (put.length > 0) await store.commit({ put, remove: [] }, plan.revision);
  await writeAll('change');
}

function writeConnections(actions: readonly ConnectionAction[], store: ConnectionStore): Promise<void> {
  if (actions.length === 0) return Promise.resolve();
  return edit(store, (now) => {
    const put = actions.map(({ connection }) => {
      const there = now.find(({ id }) => id === connection.id);
      return there === undefined ? connection : laidOver(there, connection);
    });
    return { put, result: undefined };
  });
}

async function validatorOf({ manifest }: ReadManifest): Promise<ValueFault> {
  const fixes = Object.values(manifest.sources).some(({ tools = {} }) => {
    return Object.values(tools).some(({ fixed_parameters }) => fixed_parameters !== undefined);
  });
  // Only a fixed value needs the validator, which takes longer to load than all the rest.
  return fixes ? (await import('../tool/value.js')).valueFault : () => undefined;
}
