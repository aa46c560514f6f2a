// A report for a terminal: a symbol and a line for each entry, its differences below it, the total at the end.
import type { styleText } from 'node:util';
import { count, counted, printable, visible } from '../../base/text.js';
import { differenceLines } from '../difference.js';
import { table } from '../terminal.js';
import { costTotal, type Entry, type EntryKind, type Report, type ReportCost, total, waitingLines } from './report.js';

type Style = Parameters<typeof styleText>[0];

const SYMBOLS: { readonly [kind in EntryKind]: readonly [symbol: string, style: Style] } = {
  create: ['+', 'green'],
  refresh: ['~', 'yellow'],
  edit: ['~', 'yellow'],
  hold: ['=', 'cyan'],
  connection: ['+', 'green'],
  unchosen: ['-', 'dim'],
  renamed: ['?', 'cyan'],
  missing: ['!', 'red'],
  stale: ['!', 'red'],
  skipped: ['-', 'dim'],
  trimmed: ['-', 'dim'],
  unmatched: ['!', 'yellow'],
  unfit: ['!', 'yellow'],
  failed: ['!', 'red'],
};

/** Differences that are shown of one tool. */
const MOST_DIFFERENCES = 20;
/** Skipped operations are shown one by one up to so many of a source. */
const MOST_SKIPPED = 5;

/** The line of an entry: its symbol before it. */
export function marked(kind: EntryKind, line: string, paint: (style: Style, text: string) => string): string {
  const [symbol, style] = SYMBOLS[kind];
  return paint(style, `${symbol} ${line}`);
}

/** `paint` puts a text in a style, or leaves it as it is. */
export function textReport(report: Report, paint: (style: Style, text: string) => string): string {
  const skipped = new Map<string, number>();
  const lines: string[] = [];
  for (const entry of report.entries) {
    if (entry.kind === 'skipped') {
      const number = (skipped.get(entry.source) ?? 0) + 1;
      skipped.set(entry.source, number);
      if (number > MOST_SKIPPED) continue;
    }
    lines.push(
      marked(entry.action === 'change' ? 'edit' : entry.kind, headline(entry), paint),
      ...differences(entry, paint),
    );
  }
  for (const [source, number] of skipped) {
    if (number > MOST_SKIPPED)
      lines.push(paint('dim', `- ${visible(source, 80)}: ${count(number - MOST_SKIPPED)} more skipped`));
  }
  if (report.cost !== undefined) lines.push(costTable(report.cost));
  lines.push(...waitingLines(report), total(report));
  return lines.join('\n');
}

function costTable(cost: ReportCost): string {
  const rows = cost.tools.map(({ source, tool, bytes, tokens }) => [
    tool,
    visible(source, 80),
    count(bytes),
    count(tokens),
  ]);
  return `${table([['TOOL', 'SOURCE', 'BYTES', 'TOKENS'], ...rows], new Set([2, 3]))}\nCost: ${costTotal(cost)}`;
}

/** A change names the tool and its fields, anything else is a sentence, and says of which source where it names no tool. */
function headline({ kind, source, tool, fields, message }: Entry): string {
  if (kind === 'failed' || kind === 'unmatched') {
    return `${visible(source, 80)}: ${printable(message).replaceAll('\n', ' ')}`;
  }
  if (tool === undefined || (kind !== 'create' && kind !== 'refresh' && kind !== 'edit' && kind !== 'hold')) {
    return printable(message).replaceAll('\n', ' ');
  }
  const what = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return `${tool}${what}${kind === 'hold' ? ': held until it is approved' : ''}`;
}

function differences({ differences: list }: Entry, paint: (style: Style, text: string) => string): string[] {
  const lines = differenceLines(list, paint);
  const more = lines.length - MOST_DIFFERENCES;
  return [...lines.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`    ${counted(more, 'more difference')}`] : [])];
}
