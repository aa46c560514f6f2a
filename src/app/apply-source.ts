// One source of a manifest to what is wanted of it; nothing of its description is kept but that.
import type { FailureCode, RefusalCode } from '../base/codes.js';
import type { Failure } from '../base/failure.js';
import type { Limits } from '../base/limits.js';
import { nearest } from '../base/nearest.js';
import { under } from '../base/pointer.js';
import type { Profile } from '../base/profile.js';
import { quoted } from '../base/text.js';
import type { Alone } from '../base/turns.js';
import type { Network, Source } from '../document/document.js';
import { open } from '../document/open.js';
import type { Hold, ManifestSource } from '../manifest/manifest.js';
import type { Head } from '../operation/operation.js';
import type { PlanRequest } from '../plan/plan.js';
import { type Choice, type ChoiceRequest, choose, type Skipped, toPlanRequest } from './choose.js';
import { type Compilation, compile } from './compile.js';
import { readOpened } from './read.js';
import { unmatchedIn } from './select.js';

/** What a person states and a description does not hold; a Failure of the plan. */
interface StatedFault {
  /** A JSON pointer into the manifest. */
  readonly at: string;
  readonly code: FailureCode;
  readonly message: string;
  readonly data?: Failure['data'];
}

/** What is wanted of a source. Plain data: it may come from another thread. */
export interface ReadSource {
  readonly name: string;
  readonly request: Omit<PlanRequest, 'keys' | 'known'> & {
    readonly keys: ReadonlyMap<string, RefusalCode | undefined>;
  };
  /** All operations of the description where a tool of its server and set is not among them; else none. */
  readonly heads: readonly Pick<Head, 'key' | 'method' | 'path'>[];
  readonly skipped: readonly Skipped[];
  /** Of the selection's `exclude`, what is not there. */
  readonly unmatched: readonly string[];
  /** What the manifest says of operations that are not there, or cannot be imported. */
  readonly faults: readonly StatedFault[];
  readonly digests: readonly string[];
}

/** One source, and what the store has to do with it. Plain data: it may go to another thread. */
export interface SourceTask {
  /** That of the manifest. */
  readonly name: string;
  readonly source: ManifestSource;
  /** Normalized. */
  readonly server: string;
  readonly hold: Hold | undefined;
  /** The operations of its server and set that are tools. */
  readonly ours: ReadonlySet<string>;
  /** By operation, what a person wants shown of these tools. */
  readonly shown: ReadonlyMap<string, readonly string[]>;
  /** What the created tools are connected through. */
  readonly connected: Pick<ChoiceRequest, 'connection_id' | 'connection_group'>;
}

/** How the sources are read. */
export interface SourceOptions {
  readonly limits: Limits;
  readonly profile: Profile;
  readonly network: Network;
  /** Whether the digests of what is read are asked for: they take a tenth of the time of parsing it. */
  readonly digested: boolean;
}

/**
 * Reads a source and chooses its operations. `alone`: one description is parsed at a time in a thread, since a parsed one takes
 * several times its text, and a thread computes no faster.
 * @throws Failure as an import does.
 */
export async function readSource(task: SourceTask, options: SourceOptions, alone: Alone): Promise<ReadSource> {
  const read = await openSource(task.source, options);
  return alone(async () => requested(task, await read(), options));
}

/** Nothing that outlives this holds the description. */
function requested(task: SourceTask, { document, digests }: ReadText, { limits, profile }: SourceOptions): ReadSource {
  const { name, source, server, hold, ours, connected } = task;
  const prefix = source.prefix === undefined ? {} : { prefix: source.prefix };
  const compilation = compile(document, { limits, profile, ...prefix, shown: shownOf(task) });
  const request = { ...choiceOf(source, compilation, ours), ...connected };
  const { chosen, skipped } = chosenOf(compilation, request, server);
  const { known: _all, ...planned } = toPlanRequest(request, server, compilation, chosen, limits);
  return {
    name,
    request: {
      ...planned,
      source: name,
      wanted: planned.wanted.map((one) => ({ ...one, name: source.tools?.[one.operation]?.name ?? one.name })),
      keys: codesOf(planned, compilation, ours),
      ...(hold === undefined ? {} : { hold }),
    },
    heads: headsOf(planned, compilation, ours),
    skipped,
    unmatched: unmatchedIn(
      source.select.exclude ?? [],
      compilation.operations.map(({ head }) => head),
    ),
    faults: [...keyFaults(task, skipped), ...toolFaults(task, planned)],
    digests,
  };
}

type Ours = SourceTask['ours'];
type Planned = Omit<PlanRequest, 'known'>;
type ReadText = Awaited<ReturnType<typeof readOpened>>;

/** The text of a description; what comes of it, overlays and other files included, when that is asked for. */
export async function openSource(
  { description, overlays = [] }: ManifestSource,
  { digested, ...options }: SourceOptions,
): Promise<() => Promise<ReadText>> {
  const opened = await open(sourceAt(description), options);
  return () => readOpened(opened, { ...options, overlays: overlays.map(sourceAt) }, digested);
}

/** A path or a URL. */
function sourceAt(text: string): Source {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? { url: text } : { file: text };
}

/** By operation, what is to be shown beyond the first properties: what a person set on the tool, and what the manifest states. */
function shownOf({ source: { tools = {} }, shown: stored }: SourceTask): ReadonlyMap<string, readonly string[]> {
  const shown = new Map(stored);
  for (const [operation, { show }] of Object.entries(tools)) {
    if (show !== undefined) shown.set(operation, [...new Set([...(shown.get(operation) ?? []), ...show])]);
  }
  return shown;
}

/** A key that the description no longer holds, but the store, is missing and no mistake. */
function choiceOf(source: ManifestSource, { operations }: Compilation, ours: Ours): ChoiceRequest {
  const { select, set, override_servers } = source;
  const heads = new Set(operations.map(({ head }) => head.key));
  const keys = select.keys?.filter((key) => heads.has(key) || !ours.has(key));
  return {
    select: keys === undefined ? select : { ...select, keys },
    ...(set === undefined ? {} : { set }),
    ...(override_servers === undefined ? {} : { override_servers }),
  };
}

function chosenOf(compilation: Compilation, request: ChoiceRequest, server: string): Choice {
  // All the keys that were listed are gone.
  if (request.select?.keys?.length === 0) return { chosen: [], skipped: [] };
  return choose(compilation, request, server);
}

/** Every key; why it cannot be imported where a tool that was not chosen asks for it. */
function codesOf({ keys, wanted }: Planned, { operations }: Compilation, ours: Ours): ReadSource['request']['keys'] {
  const chosen = new Set(wanted.map(({ operation }) => operation));
  return new Map(
    operations.map(({ head: { key } }) => {
      return [key, ours.has(key) && !chosen.has(key) ? keys.get(key) : undefined] as const;
    }),
  );
}

function headsOf({ keys }: Planned, { operations }: Compilation, ours: Ours): ReadSource['heads'] {
  if ([...ours].every((operation) => keys.has(operation))) return [];
  return operations.map(({ head: { key, method, path } }) => ({ key, method, path }));
}

/** Who names an operation by its key means that one. */
function keyFaults({ name, source, ours }: SourceTask, skipped: readonly Skipped[]): StatedFault[] {
  const why = new Map(skipped.map((one) => [one.operation, one]));
  return (source.select.keys ?? []).flatMap((key, i) => {
    const one = why.get(key);
    if (one === undefined || ours.has(key)) return [];
    const message = `the operation ${quoted(key, 120)} cannot be imported (${one.code}): ${one.reason}`;
    const code = one.code === 'other-server' ? 'other-server' : 'unimportable-operation';
    return [{ at: `${under('/sources', name)}/select/keys/${i}`, code, message }];
  });
}

/** The manifest states something of an operation that is neither chosen nor a tool. */
function toolFaults({ name, source: { tools = {} }, ours }: SourceTask, { wanted, keys }: Planned): StatedFault[] {
  const chosen = wanted.map(({ operation }) => operation);
  return Object.keys(tools).flatMap((key) => {
    if (chosen.includes(key) || ours.has(key)) return [];
    const near = nearest(key, chosen);
    const hint = near === undefined ? '' : `; did you mean ${quoted(near, 120)}?`;
    const what = keys.has(key) ? 'the selection leaves out' : 'the description holds no';
    const message = `${what} operation ${quoted(key, 120)}${hint}`;
    const at = under(`${under('/sources', name)}/tools`, key);
    return [{ at, code: 'unknown-operation', message, data: { operation: key } }];
  });
}
