// One source of a manifest to what is wanted of it; nothing of its description is kept but that.
import { Failure } from '../base/failure.js';
import type { Limits } from '../base/limits.js';
import { nearest } from '../base/nearest.js';
import { under } from '../base/pointer.js';
import type { Profile } from '../base/profile.js';
import { quoted } from '../base/text.js';
import type { Network, Source } from '../document/document.js';
import { open } from '../document/open.js';
import type { Hold, ManifestSource } from '../manifest/manifest.js';
import type { PlanRequest } from '../plan/plan.js';
import { joinEndpoint, normalizeServer } from '../tool/endpoint.js';
import type { HttpTool } from '../tool/tool.js';
import { type Choice, type ChoiceRequest, choose, type Skipped, toPlanRequest } from './choose.js';
import { type Compilation, compile } from './compile.js';
import { readOpened } from './read.js';
import { unmatchedIn } from './select.js';
import { shownNames } from './shown.js';

/** A fault of one source: the others are planned all the same. */
export interface SourceFault {
  readonly source: string;
  readonly failure: Failure;
  /** A JSON pointer into the manifest. */
  readonly at: string;
}

export interface ReadSource {
  readonly name: string;
  readonly request: PlanRequest;
  readonly skipped: readonly Skipped[];
  /** Of the selection's `exclude`, what is not there. */
  readonly unmatched: readonly string[];
  /** What the manifest says of operations that are not there, or cannot be imported. */
  readonly faults: readonly SourceFault[];
  readonly digests: readonly string[];
}

export interface SourceContext {
  readonly limits: Limits;
  readonly profile: Profile;
  readonly network: Network;
  /** Whether the digests of what is read are asked for: they take a tenth of the time of parsing it. */
  readonly digested: boolean;
  readonly hold: Hold | undefined;
  /** The tools of the store. */
  readonly tools: readonly HttpTool[];
  /** One description is parsed at a time: a parsed one takes several times its text, and the machine computes no faster. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** What the created tools are connected through. */
  readonly connected: Pick<ChoiceRequest, 'connection_id' | 'connection_group'>;
}

/** The tools of one server and set, by operation. */
type Ours = ReadonlyMap<string, HttpTool>;

/**
 * Reads a source and chooses its operations. `name` is that of the manifest.
 * @throws Failure as an import does.
 */
export async function readSource(name: string, source: ManifestSource, context: SourceContext): Promise<ReadSource> {
  const { limits, profile, network, digested } = context;
  // Before anything is read for it.
  normalizeServer(source.server);
  const read = await openSource(source, { limits, profile, network, digested });
  return context.alone(async () => requested(name, source, await read(), context));
}

/** Nothing that outlives this holds the description. */
function requested(
  name: string,
  source: ManifestSource,
  { document, digests }: ReadText,
  context: SourceContext,
): ReadSource {
  const { limits, profile, hold, connected } = context;
  const server = normalizeServer(source.server);
  const ours = oursOf(context.tools, server, source.set);
  const prefix = source.prefix === undefined ? {} : { prefix: source.prefix };
  const compilation = compile(document, { limits, profile, ...prefix, shown: shownOf(source, server, context.tools) });
  const request = { ...requestOf(source, compilation, ours), ...connected };
  const { chosen, skipped } = chosenOf(compilation, request, server);
  const planned = toPlanRequest(request, server, compilation, chosen, limits);
  return {
    name,
    request: {
      ...planned,
      source: name,
      wanted: planned.wanted.map((one) => ({ ...one, name: source.tools?.[one.operation]?.name ?? one.name })),
      ...settled(planned, compilation, ours, server),
      ...(hold === undefined ? {} : { hold }),
    },
    skipped,
    unmatched: unmatchedIn(
      source.select.exclude ?? [],
      compilation.operations.map(({ head }) => head),
    ),
    faults: [...keyFaults(name, source, skipped, ours), ...toolFaults(name, source, planned, ours)],
    digests,
  };
}

type ReadText = Awaited<ReturnType<typeof readOpened>>;

/** The text of a description; what comes of it, overlays and other files included, when that is asked for. */
export async function openSource(
  { description, overlays = [] }: ManifestSource,
  { digested, ...options }: Pick<SourceContext, 'limits' | 'profile' | 'network' | 'digested'>,
): Promise<() => Promise<ReadText>> {
  const opened = await open(sourceAt(description), options);
  return () => readOpened(opened, { ...options, overlays: overlays.map(sourceAt) }, digested);
}

/** A path or a URL. */
function sourceAt(text: string): Source {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? { url: text } : { file: text };
}

function oursOf(tools: readonly HttpTool[], server: string, set: string | undefined): Ours {
  return new Map(
    tools.flatMap((tool) => {
      const { origin } = tool;
      return origin?.server === server && origin.set === set ? [[origin.operation, tool] as const] : [];
    }),
  );
}

/** By operation, what is to be shown beyond the first properties: what a person set on the tool, and what the manifest states. */
function shownOf(
  { set, tools = {} }: ManifestSource,
  server: string,
  stored: readonly HttpTool[],
): ReadonlyMap<string, readonly string[]> {
  const shown = new Map(shownNames(stored, set === undefined ? { server } : { server, set }));
  for (const [operation, { show }] of Object.entries(tools)) {
    if (show !== undefined) shown.set(operation, [...new Set([...(shown.get(operation) ?? []), ...show])]);
  }
  return shown;
}

/** A key that the description no longer holds, but the store, is missing and no mistake. */
function requestOf(source: ManifestSource, { operations }: Compilation, ours: Ours): ChoiceRequest {
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

/** What a plan asks of a description, as values: the description itself can go. */
function settled(
  { keys, wanted }: PlanRequest,
  { operations }: Compilation,
  ours: Ours,
  server: string,
): Pick<PlanRequest, 'keys' | 'known'> {
  const chosen = new Set(wanted.map(({ operation }) => operation));
  const heads = operations.map(({ head: { key, method, path } }) => ({ operation: key, method, path }));
  const codes = new Map(
    heads.map(({ operation }) => {
      return [operation, ours.has(operation) && !chosen.has(operation) ? keys.get(operation) : undefined] as const;
    }),
  );
  return {
    keys: codes,
    known: knownOf(heads, server),
  };
}

/** Made apart: a function holds everything that the functions beside it use. */
function knownOf(
  heads: readonly { readonly operation: string; readonly method: string; readonly path: string }[],
  server: string,
): NonNullable<PlanRequest['known']> {
  return () =>
    heads.map(({ operation, method, path }) => ({ operation, method, endpoint: joinEndpoint(server, path) }));
}

/** Who names an operation by its key means that one. */
function keyFaults(name: string, { select }: ManifestSource, skipped: readonly Skipped[], ours: Ours): SourceFault[] {
  const why = new Map(skipped.map((one) => [one.operation, one]));
  return (select.keys ?? []).flatMap((key, i) => {
    const one = why.get(key);
    if (one === undefined || ours.has(key)) return [];
    const message = `the operation ${quoted(key, 120)} cannot be imported (${one.code}): ${one.reason}`;
    const code = one.code === 'other-server' ? 'other-server' : 'unimportable-operation';
    return [{ source: name, failure: new Failure(code, message), at: `${under('/sources', name)}/select/keys/${i}` }];
  });
}

/** The manifest states something of an operation that is neither chosen nor a tool. */
function toolFaults(
  name: string,
  { tools = {} }: ManifestSource,
  { wanted, keys }: PlanRequest,
  ours: Ours,
): SourceFault[] {
  const chosen = wanted.map(({ operation }) => operation);
  return Object.keys(tools).flatMap((key) => {
    if (chosen.includes(key) || ours.has(key)) return [];
    const near = nearest(key, chosen);
    const hint = near === undefined ? '' : `; did you mean ${quoted(near, 120)}?`;
    const what = keys.has(key) ? 'the selection leaves out' : 'the description holds no';
    const failure = new Failure('unknown-operation', `${what} operation ${quoted(key, 120)}${hint}`, {
      operation: key,
    });
    return [{ source: name, failure, at: under(`${under('/sources', name)}/tools`, key) }];
  });
}
