// The reports of a plan: of a manifest, where each entry has the line that it follows from, and of one import.
import { basename, relative, sep } from 'node:path';
import type { ApplyAction, ApplyPlan } from '../../app/apply-plan.js';
import type { SetCost } from '../../app/cost.js';
import type { ImportReport, TrimmedOperation } from '../../app/import.js';
import type { Unfit } from '../../app/unfit.js';
import { under } from '../../base/pointer.js';
import { count, counted, quoted, visible } from '../../base/text.js';
import type { ReadManifest } from '../../manifest/manifest.js';
import type { Action, Missing, Renamed, Stale } from '../../plan/plan.js';
import type { Entry, EntryKind, EntryPlace, Level, Report, ReportCost } from './report.js';

/** How a report is to be read. `check`: nothing was to change. `unfit`: of tools that the plan looked at. */
interface Reading {
  readonly unfit: readonly Unfit[];
  readonly written: boolean;
  readonly check: boolean;
}

/** `cost`: of the tools of the plan's actions, in their order. */
export function applyReport(
  plan: ApplyPlan,
  read: ReadManifest,
  { written, check, unfit, cost }: Reading & { readonly cost?: SetCost | undefined },
): Report {
  const at = placer(read);
  const sourceAt = (source: string) => under('/sources', source);
  const connections = plan.connections.flatMap(({ kind, ...one }) => (kind === 'keep' ? [] : [{ kind, ...one }]));
  const changed = plan.actions.filter(({ kind }) => kind !== 'keep');
  const entries = [
    ...plan.faults.map(({ source, failure, at: pointer }) => {
      return { ...entry('failed', 'error', source, failure.message), code: failure.code, place: at(pointer) };
    }),
    ...connections.map(({ kind, label, connection }) => {
      const message = `the connection ${quoted(label)} is ${kind === 'create' ? 'created' : 'changed'} (${connection.id})`;
      return { ...entry('connection', 'note', label, message), action: kind, place: at(under('/connections', label)) };
    }),
    ...changed.map((action) => ({ ...changeEntry(action), place: at(toolAt(action, read)) })),
    ...unfit.flatMap((one) => {
      const action = plan.actions.find(({ tool }) => tool.id === one.tool.id);
      return action === undefined ? [] : [{ ...unfitEntry(one, action.source), place: at(toolAt(action, read)) }];
    }),
    ...leftEntries(plan).map((one) => ({ ...one, place: at(sourceAt(one.source)) })),
    ...plan.unmatched.map(({ source, what }) => {
      const message = `"exclude" names ${quoted(what, 120)}, which the description does not hold`;
      return { ...entry('unmatched', 'warning', source, message), place: at(`${sourceAt(source)}/select/exclude`) };
    }),
    ...plan.empty.map((source) => {
      const found = entry('unmatched', 'warning', source, 'the selection holds no operation');
      return { ...found, place: at(`${sourceAt(source)}/select`) };
    }),
    ...unchosenEntries(plan.unchosen, read.path).map((one) => ({ ...one, place: at('/sources') })),
  ];
  return {
    state: written ? 'written' : 'planned',
    changes: changed.length + connections.length > 0,
    check,
    sources: Object.keys(read.manifest.sources),
    counts: counts(plan.actions, plan, { failed: plan.faults.length, unchanged: plan.unchanged ?? 0 }),
    waiting: plan.waiting,
    entries,
    ...(cost === undefined ? {} : { cost: costOfReport(plan.actions, cost) }),
  };
}

function costOfReport(actions: readonly ApplyAction[], { bytes, tokens, tools }: SetCost): ReportCost {
  const priced = actions.flatMap(({ source, tool: { name: tool } }, i) => {
    const cost = tools[i];
    return cost === undefined ? [] : [{ source, tool, ...cost }];
  });
  return { bytes, tokens, tools: priced.sort((a, b) => b.tokens - a.tokens) };
}

/** `source`: what messages call the description. */
export function importReport(
  { plan, skipped, trimmed = [] }: ImportReport,
  source: string,
  { written, check, unfit }: Reading,
): Report {
  const of = <T>(list: readonly T[]) => list.map((one) => ({ ...one, source }));
  const actions = plan.actions.map((action) => ({ ...imported(action), source }));
  const left = {
    skipped: of(skipped),
    trimmed: of(trimmed),
    missing: of(plan.missing),
    stale: of(plan.stale),
    renamed: of(plan.renamed),
  };
  const changed = actions.filter(({ kind }) => kind !== 'keep');
  const tools = actions.filter(({ tool }) => tool.pending !== undefined).length;
  const waiting = tools === 0 ? [] : [{ source, tools }];
  return {
    state: written ? 'written' : 'planned',
    changes: changed.length > 0,
    check,
    sources: [source],
    counts: counts(actions, { ...left, waiting }, { failed: 0, unchanged: 0 }),
    waiting,
    entries: [...changed.map(changeEntry), ...unfit.map((one) => unfitEntry(one, source)), ...leftEntries(left)],
  };
}

function imported(action: Action): Omit<ApplyAction, 'source'> {
  const { kind, tool } = action;
  if (kind === 'create' || kind === 'keep') return { kind, tool, fields: [], differences: [] };
  return { kind, tool, fields: action.fields, differences: action.differences };
}

/** Cuts of one operation, or tools, that a message names. */
const MOST_NAMED = 5;

function entry(kind: EntryKind, level: Level, source: string, message: string): Entry {
  return { kind, level, source, fields: [], differences: [], message };
}

const VERBS = {
  create: 'is created',
  refresh: 'is refreshed',
  edit: 'is edited',
  hold: 'waits for an approval',
  keep: 'stays',
};

function changeEntry({ kind, source, tool, fields, differences }: ApplyAction): Entry {
  const breaks = differences.some((difference) => difference.class === 'breaking');
  const what = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return {
    ...entry(
      kind === 'keep' ? 'edit' : kind,
      breaks || kind === 'hold' ? 'warning' : 'note',
      source,
      `${tool.name} ${VERBS[kind]}${what}`,
    ),
    tool: tool.name,
    ...(tool.origin === undefined ? {} : { operation: tool.origin.operation }),
    fields,
    differences,
  };
}

function unfitEntry({ tool: { name, origin }, message }: Unfit, source: string): Entry {
  const of = origin === undefined ? {} : { operation: origin.operation };
  return { ...entry('unfit', 'warning', source, message), tool: name, ...of };
}

/** What a plan leaves as it is, though somebody should look at it. */
interface Left {
  readonly skipped: readonly {
    readonly source: string;
    readonly operation: string;
    readonly code: string;
    readonly reason: string;
  }[];
  readonly trimmed: readonly (TrimmedOperation & { readonly source: string })[];
  readonly missing: readonly (Missing & { readonly source: string })[];
  readonly stale: readonly (Stale & { readonly source: string })[];
  readonly renamed: readonly (Renamed & { readonly source: string })[];
}

function leftEntries({ skipped, trimmed, missing, stale, renamed }: Left): Entry[] {
  const left = ({ name, operation }: Missing) => ({ tool: name, operation });
  const key = (operation: string) => visible(operation, 120);
  return [
    ...missing.map((one) => {
      const message = `${one.name}: ${key(one.operation)} is missing from the description; the tool is left as it is`;
      return { ...entry('missing', 'error', one.source, message), ...left(one) };
    }),
    ...stale.map((one) => {
      const message = `${one.name}: ${key(one.operation)} can no longer be imported (${one.code}); the tool is left as it is`;
      return { ...entry('stale', 'warning', one.source, message), ...left(one), code: one.code };
    }),
    ...renamed.map(({ source, from, operation, reason }) => {
      const message = `${from.name}: ${key(from.operation)} is missing, and ${key(operation)} ${reason}; it may be the same under another key`;
      return { ...entry('renamed', 'note', source, message), ...left(from) };
    }),
    ...skipped.map(({ source, operation, code, reason }) => {
      const message = `${key(operation)} is skipped (${code}): ${visible(reason, 300)}`;
      return { ...entry('skipped', 'note', source, message), operation, code };
    }),
    ...trimmed.map(({ source, operation, notices }) => {
      const leftOut = notices.map(({ at }) => (at === '' ? 'its own text' : at));
      const named = leftOut.slice(0, MOST_NAMED).map((at) => visible(at, 80));
      const more = leftOut.length > named.length ? ` and ${count(leftOut.length - named.length)} more` : '';
      const message = `${key(operation)} is cut to fit the budget: ${named.join(', ')}${more}`;
      return { ...entry('trimmed', 'note', source, message), operation, left_out: notices.map(({ at }) => at) };
    }),
  ];
}

/** They may be of a server that the manifest no longer names: what tells of them is the manifest. */
function unchosenEntries(names: readonly string[], path: string): Entry[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ` and ${count(names.length - MOST_NAMED)} more` : '';
  const are = names.length === 1 ? 'is' : 'are';
  const message = `${counted(names.length, 'tool')} of the store ${are} chosen by no source: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
  return [entry('unchosen', 'note', basename(path), message)];
}

function counts(
  actions: readonly Pick<ApplyAction, 'kind'>[],
  left: Omit<Left, 'renamed' | 'trimmed'> & Pick<ApplyPlan, 'waiting'>,
  { failed, unchanged }: { readonly failed: number; readonly unchanged: number },
): Report['counts'] {
  const of = (kind: ApplyAction['kind']) => actions.filter((action) => action.kind === kind).length;
  return {
    created: of('create'),
    refreshed: of('refresh'),
    edited: of('edit'),
    held: of('hold'),
    unchanged: of('keep') + unchanged,
    waiting: left.waiting.reduce((all, { tools }) => all + tools, 0),
    skipped: left.skipped.length,
    missing: left.missing.length,
    stale: left.stale.length,
    failed,
  };
}

/** The place of a pointer into the manifest, of the nearest thing above it that is written there. */
function placer({ path, places }: ReadManifest): (pointer: string) => EntryPlace {
  // What annotates a file names it from the folder of the run.
  const file = relative(process.cwd(), path).split(sep).join('/') || path;
  return (pointer) => ({ file, ...places.ofKey(pointer) });
}

/** Where the manifest states something of the tool, else its source. */
function toolAt({ source, tool: { origin } }: ApplyAction, { manifest }: ReadManifest): string {
  const at = under('/sources', source);
  const operation = origin?.operation ?? '';
  return Object.hasOwn(manifest.sources[source]?.tools ?? {}, operation) ? under(`${at}/tools`, operation) : at;
}
