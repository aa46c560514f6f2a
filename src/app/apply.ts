// Use case: every source of a manifest into a store, as one plan, then written as one change.
import { Failure } from '../base/failure.js';
import { withLimits } from '../base/limits.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import { edit } from '../connection/change.js';
import type { ConnectionStore } from '../connection/connection.js';
import type { Network } from '../document/document.js';
import type { Hold, ReadManifest } from '../manifest/manifest.js';
import type { ToolStore } from '../store/store.js';
import type { HttpTool } from '../tool/tool.js';
import { withinBudgets } from './apply-budget.js';
import { type ConnectionAction, Links, laidOver, planConnections } from './apply-connection.js';
import { type ApplyPlan, Planning } from './apply-plan.js';
import type { PlanMarks } from './apply-saved.js';
import { openSource, type ReadSource, readSource, type SourceFault } from './apply-source.js';
import { profileOf } from './preview.js';
import type { ValueFault } from './tools.js';

/** Sources that are read at once. */
const SOURCES_AT_ONCE = 4;

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
  const found = await readSources(read, options, tools, links);
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
  const limits = withLimits(read.manifest.limits);
  const profile = profileOf(read.manifest.profile);
  const network = networkOf(read, options);
  const alone = oneAtATime();
  const sources = await inTurn(Object.entries(read.manifest.sources), async ([name, source]) => {
    const read = await openSource(source, { limits, profile, network, digested: true });
    return { name, digests: (await alone(read)).digests };
  });
  return { manifest: read.sha256, store: revision, sources };
}

/**
 * Writes a plan, all or nothing, where the store still is as it was. A plan without changes writes nothing.
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
  await writeConnections(plan.connections, connections);
  if (put.length > 0) await store.commit({ put, remove: [] }, plan.revision);
}

/** Before the tools, which name them: a connection that no tool names does no harm. */
function writeConnections(actions: readonly ConnectionAction[], store: ConnectionStore): Promise<void> {
  const changed = actions.filter(({ kind }) => kind !== 'keep');
  if (changed.length === 0) return Promise.resolve();
  return edit(store, (now) => {
    const put = changed.map(({ connection }) => {
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

function networkOf({ manifest }: ReadManifest, { network }: ApplyOptions): Network {
  return { ...network, allow: [...(manifest.allow_private ?? []), ...(network?.allow ?? [])] };
}

async function readSources(
  read: ReadManifest,
  options: ApplyOptions,
  tools: readonly HttpTool[],
  links: Links,
): Promise<{ readonly sources: readonly ReadSource[]; readonly faults: readonly SourceFault[] }> {
  const { manifest } = read;
  const limits = withLimits(manifest.limits);
  const network = networkOf(read, options);
  const named = Object.entries(manifest.sources);
  const faults: SourceFault[] = [];
  const alone = oneAtATime();
  let done = 0;
  const found = await inTurn(named, async ([name, source]) => {
    try {
      const linked = links.of(source);
      const connected =
        linked === undefined ? {} : 'id' in linked ? { connection_id: linked.id } : { connection_group: linked.group };
      return await readSource(name, source, {
        limits,
        profile: profileOf(manifest.profile),
        network,
        digested: options.digests === true,
        hold: options.hold ?? source.hold ?? manifest.hold,
        tools,
        alone,
        connected,
      });
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      faults.push({ source: name, failure, at: under('/sources', name) });
      return undefined;
    } finally {
      done += 1;
      options.progress?.(done, named.length);
    }
  });
  const order = named.map(([name]) => name);
  return {
    sources: found.filter((one) => one !== undefined),
    faults: faults.sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source)),
  };
}

/** The results in the order of the items; only a few at once are worked on. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [i, item] of waiting) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: SOURCES_AT_ONCE }, worker));
  return results;
}

/** Runs work after work, each when the one before it has ended. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
