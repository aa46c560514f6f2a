// A report as workflow commands of GitHub: annotations at the lines of the manifest, then the total.
import type { Failure } from '../../base/failure.js';
import { count, visible } from '../../base/text.js';
import {
  costTotal,
  type EntryKind,
  type Finding,
  findings,
  type Level,
  type Report,
  total,
  waitingLines,
} from './report.js';

/** GitHub shows so many annotations of one kind for a step. */
const MOST = 10;
/** What is told at every run would take the room of what changed. */
const STEADY: ReadonlySet<EntryKind> = new Set(['skipped', 'trimmed', 'unchosen']);
const COMMANDS: { readonly [level in Level]: string } = { error: 'error', warning: 'warning', note: 'notice' };

export function githubReport(report: Report): string {
  const found = report.entries.filter(({ kind }) => !STEADY.has(kind)).flatMap(findings);
  const lines = (['error', 'warning', 'note'] as const).flatMap((level) => {
    const ours = found.filter((finding) => finding.level === level);
    // The place of the last one says how many more there are.
    const shown = ours.length > MOST ? ours.slice(0, MOST - 1) : ours;
    const more = ours.length - shown.length;
    const rest = more > 0 ? [command(level, 'toolwright', `${count(more)} more`)] : [];
    return [...shown.map(annotation), ...rest];
  });
  const cost = report.cost === undefined ? [] : [`Cost: ${costTotal(report.cost)}`];
  return [...lines, ...cost, ...waitingLines(report), total(report)].join('\n');
}

/** A failure of the whole: each fault of a manifest at its line, anything else in one annotation. */
export function githubFailure({ code, message, data: { path, faults } }: Failure): string {
  const title = `toolwright ${code}`;
  if (typeof path !== 'string' || !Array.isArray(faults)) return command('error', title, message);
  return faults
    .map(({ line, column, message: what }) =>
      command('error', title, what, { file: path, line: String(line), col: String(column) }),
    )
    .join('\n');
}

function annotation({ level, rule, message, entry: { place } }: Finding): string {
  const where = place === undefined ? {} : { file: place.file, line: String(place.line), col: String(place.column) };
  return command(level, `toolwright ${rule}`, message, where);
}

function command(
  level: Level,
  title: string,
  message: string,
  where: { readonly [name: string]: string } = {},
): string {
  const properties = Object.entries({ ...where, title }).map(([name, value]) => `${name}=${property(value)}`);
  return `::${COMMANDS[level]} ${properties.join(',')}::${data(visible(message, 1_000))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
