// All sources of a manifest: what is wanted of each that can be read, and the faults of the others.
import { Failure } from '../base/failure.js';
import { withLimits } from '../base/limits.js';
import { under } from '../base/pointer.js';
import { oneAtATime } from '../base/turns.js';
import type { Network } from '../document/document.js';
import type { Hold, ManifestSource, ReadManifest } from '../manifest/manifest.js';
import { normalizeServer } from '../tool/endpoint.js';
import type { HttpTool } from '../tool/tool.js';
import type { Links } from './apply-connection.js';
import { inLanes, type Outcome } from './apply-lanes.js';
import { openSource, type ReadSource, type SourceOptions, type SourceTask } from './apply-source.js';
import { readAll } from './apply-threads.js';
import { profileOf } from './preview.js';
import { shownNames } from './shown.js';

/** A fault of one source: the others are planned all the same. */
export interface SourceFault {
  readonly source: string;
  readonly failure: Failure;
  /** A JSON pointer into the manifest. */
  readonly at: string;
}

/** As those of `planApply`. */
interface ReadingOptions {
  readonly hold?: Hold;
  readonly network?: Network;
  readonly digests?: boolean;
  readonly progress?: (done: number, total: number) => void;
}

/** In the order of the manifest, both. */
export async function readSources(
  read: ReadManifest,
  tools: readonly HttpTool[],
  links: Links,
  options: ReadingOptions,
): Promise<{ readonly sources: readonly ReadSource[]; readonly faults: readonly SourceFault[] }> {
  const { manifest } = read;
  const reading = sourceOptions(read, options.network, options.digests === true);
  const named = Object.entries(manifest.sources);
  const outcomes = new Map<string, Outcome>();
  const keep = (outcome: Outcome) => {
    outcomes.set(outcome.name, outcome);
    options.progress?.(outcomes.size, named.length);
  };
  const tasks: SourceTask[] = [];
  for (const [name, source] of named) {
    try {
      tasks.push(taskOf(name, source, options.hold ?? source.hold ?? manifest.hold, tools, links));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      keep({ name, failure });
    }
  }
  await readAll(tasks, reading, keep);
  const sources: ReadSource[] = [];
  const faults: SourceFault[] = [];
  for (const [name] of named) {
    const outcome = outcomes.get(name);
    if (outcome === undefined) continue;
    if ('read' in outcome) sources.push(outcome.read);
    else faults.push({ source: name, failure: outcome.failure, at: under('/sources', name) });
  }
  return { sources, faults };
}

/**
 * The digests of all sources, as they are now.
 * @throws Failure where one cannot be read.
 */
export async function digestsOf(
  read: ReadManifest,
  { network }: Pick<ReadingOptions, 'network'>,
): Promise<readonly { readonly name: string; readonly digests: readonly string[] }[]> {
  const options = sourceOptions(read, network, true);
  const named = Object.entries(read.manifest.sources);
  const alone = oneAtATime();
  const digests: (readonly string[])[] = [];
  await inLanes(named.entries(), 4, async ([at, [, source]]) => {
    digests[at] = (await alone(await openSource(source, options))).digests;
  });
  return named.map(([name], at) => ({ name, digests: digests[at] ?? [] }));
}

function sourceOptions({ manifest }: ReadManifest, network: Network = {}, digested: boolean): SourceOptions {
  const allow = [...(manifest.allow_private ?? []), ...(network.allow ?? [])];
  return {
    limits: withLimits(manifest.limits),
    profile: profileOf(manifest.profile),
    network: { ...network, allow },
    digested,
  };
}

/** @throws Failure `unknown-connection`, `invalid-server`. */
function taskOf(
  name: string,
  source: ManifestSource,
  hold: Hold | undefined,
  tools: readonly HttpTool[],
  links: Links,
): SourceTask {
  const linked = links.of(source);
  const connected =
    linked === undefined ? {} : 'id' in linked ? { connection_id: linked.id } : { connection_group: linked.group };
  const server = normalizeServer(source.server);
  const ours = tools.flatMap(({ origin }) => {
    return origin?.server === server && origin.set === source.set ? [origin.operation] : [];
  });
  const shown = shownNames(tools, source.set === undefined ? { server } : { server, set: source.set });
  return { name, source, server, hold, connected, ours: new Set(ours), shown };
}
