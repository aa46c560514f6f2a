// What a plan comes to for a reader: one list of entries, which every format writes in its own way.
import { count, counted } from '../../base/text.js';
import type { Difference } from '../../plan/plan.js';

/** Where an entry has its cause. `file` as it was given, on any system with slashes; both numbers count from 1. */
export interface EntryPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Level = 'error' | 'warning' | 'note';

/** Every kind of entry, with one line of meaning. */
export const ENTRY_KINDS = {
  create: 'a tool is created',
  refresh: 'a tool follows its operation',
  edit: 'a tool takes what the manifest states of it',
  hold: 'a change of a tool waits for an approval',
  connection: 'a connection is created or changed',
  renamed: 'an operation is gone, and a new one looks like it under another key',
  missing: 'the operation of a tool is gone from its description; the tool is left as it is',
  stale: 'the operation of a tool can no longer be imported; the tool is left as it is',
  skipped: 'a selected operation cannot be imported',
  trimmed: 'texts or optional properties of an operation are left out to fit a budget',
  unmatched: 'the manifest names an operation that is not there',
  unchosen: 'tools of the store are chosen by no source of the manifest; they are left as they are',
  unfit: 'what is set on a tool does not fit its API: a fixed value, or a property that is to be shown',
  failed: 'a source could not be planned; nothing is written',
} as const;

export type EntryKind = keyof typeof ENTRY_KINDS;

/** One thing that a reader should see. Its texts may quote a description: each format makes them safe for its readers. */
export interface Entry {
  readonly kind: EntryKind;
  readonly level: Level;
  readonly source: string;
  readonly tool?: string;
  readonly operation?: string;
  /** Why: the code of a refusal or a failure. */
  readonly code?: string;
  /** Of a connection: what becomes of it. */
  readonly action?: 'create' | 'change';
  /** What of the tool changes. */
  readonly fields: readonly string[];
  readonly differences: readonly Difference[];
  /** What is left out of it: pointers into its input schema. */
  readonly left_out?: readonly string[];
  /** One sentence. */
  readonly message: string;
  readonly place?: EntryPlace;
}

interface Counts {
  readonly created: number;
  readonly refreshed: number;
  readonly edited: number;
  readonly held: number;
  readonly unchanged: number;
  /** Tools that wait for an approval after this, those that are held now among them. */
  readonly waiting: number;
  readonly skipped: number;
  readonly missing: number;
  readonly stale: number;
  readonly failed: number;
}

/** What the tools cost a model: UTF-8 bytes and tokens, of each and of all. */
export interface ReportCost {
  readonly bytes: number;
  readonly tokens: number;
  /** The dearest first. */
  readonly tools: readonly {
    readonly source: string;
    readonly tool: string;
    readonly bytes: number;
    readonly tokens: number;
  }[];
}

export interface Report {
  /** `planned`: nothing is written yet, or nothing at all. */
  readonly state: 'planned' | 'written';
  /** Anything that would change, or did. */
  readonly changes: boolean;
  /** Changes are a fault here: nothing was to change. */
  readonly check: boolean;
  readonly sources: readonly string[];
  readonly counts: Counts;
  /** By source, the tools that wait for an approval; only where some do. */
  readonly waiting?: readonly { readonly source: string; readonly tools: number }[];
  readonly entries: readonly Entry[];
  /** Of all tools that the plan looked at, as they are after it; where it is asked for. */
  readonly cost?: ReportCost;
}

/** The cost in one line: `12 tools, 8,021 bytes, 2,034 tokens`. */
export function costTotal({ tools, bytes, tokens }: ReportCost): string {
  return `${counted(tools.length, 'tool')}, ${counted(bytes, 'byte')}, ${counted(tokens, 'token')}`;
}

/** The total in one line: `Plan: 3 to create, 1 to refresh; 12 unchanged`. */
export function total({ counts, state }: Pick<Report, 'counts' | 'state'>): string {
  const planned = state === 'planned';
  const { created, refreshed, edited, held, unchanged, skipped, missing, stale, failed } = counts;
  const part = (number: number, future: string, past: string) => `${count(number)} ${planned ? `to ${future}` : past}`;
  const changes = [
    part(created, 'create', 'created'),
    part(refreshed, 'refresh', 'refreshed'),
    ...(edited > 0 ? [part(edited, 'edit', 'edited')] : []),
    ...(held > 0 ? [part(held, 'hold', 'held')] : []),
  ];
  const rest = [
    `${count(unchanged)} unchanged`,
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
    ...(missing > 0 ? [`${count(missing)} missing`] : []),
    ...(stale > 0 ? [`${count(stale)} stale`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
  ];
  return `${planned ? 'Plan' : 'Done'}: ${changes.join(', ')}; ${rest.join(', ')}`;
}

/** The tools that wait for an approval, in one line; none where none does. */
export function waitingLines({
  counts: { waiting, held },
  state,
}: Pick<Report, 'counts' | 'state'>): readonly string[] {
  if (waiting === 0) return [];
  const fresh = state === 'planned' && held > 0 ? ' once this is written' : '';
  const wait = waiting === 1 ? 'waits' : 'wait';
  const how = '`toolwright tools approve --dry-run` shows what waits';
  return [`${counted(waiting, 'tool')} ${wait} for an approval${fresh}; ${how}`];
}

/** One finding: an entry, or one difference of it that breaks who calls the tool. */
export interface Finding {
  /** The code of the difference, or the kind of the entry. */
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  readonly entry: Entry;
}

/** What a reader of findings is told of an entry: its breaking differences one by one, else the entry itself. */
export function findings(entry: Entry): readonly Finding[] {
  const breaking = entry.differences.filter((difference) => difference.class === 'breaking');
  if (breaking.length === 0) return [{ rule: entry.kind, level: entry.level, message: entry.message, entry }];
  return breaking.map(({ code, message }) => ({
    rule: code,
    level: entry.level === 'error' ? 'error' : 'warning',
    message: `${entry.tool ?? entry.source}: ${message}`,
    entry,
  }));
}
