// A report for a comment on a pull request: the total, then each group of entries folded, capped to what a comment can hold.
import { count, visible } from '../../base/text.js';
import { costTotal, type Entry, type EntryKind, type Report, type ReportCost, total, waitingLines } from './report.js';

/** A comment on GitHub holds 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const MOST_OF_A_GROUP = 50;
const MOST_DIFFERENCES = 10;

interface Group {
  readonly title: string;
  readonly kinds: readonly EntryKind[];
  /** Shown without a click. */
  readonly open: boolean;
}

const GROUPS: readonly Group[] = [
  { title: 'Could not be planned', kinds: ['failed'], open: true },
  { title: 'Missing from their description', kinds: ['missing', 'stale'], open: true },
  { title: 'Set, and not fitting', kinds: ['unfit'], open: true },
  { title: 'Perhaps renamed', kinds: ['renamed'], open: true },
  { title: 'Waiting for an approval', kinds: ['hold'], open: true },
  { title: 'Changed', kinds: ['refresh', 'edit'], open: false },
  { title: 'New', kinds: ['create'], open: false },
  { title: 'Connections', kinds: ['connection'], open: false },
  { title: 'Left out', kinds: ['skipped', 'trimmed', 'unmatched', 'unchosen'], open: false },
];

export function markdownReport(report: Report): string {
  const breaking = report.entries.filter(breaks).length;
  const head = [
    '### toolwright',
    '',
    [
      `**${total(report)}**`,
      ...(breaking > 0 ? [`${count(breaking)} with breaking differences`] : []),
      ...waitingLines(report),
    ].join('<br>'),
  ];
  const parts = [head.join('\n'), ...(report.cost === undefined ? [] : [costText(report.cost)])];
  let room = MOST_CHARACTERS - parts.join('').length;
  for (const group of GROUPS) {
    const entries = report.entries.filter(({ kind }) => group.kinds.includes(kind));
    if (entries.length === 0) continue;
    const text = groupText(group, entries, room);
    parts.push(text);
    room -= text.length + 2;
  }
  return parts.join('\n\n');
}

function costText(cost: ReportCost): string {
  const rows = cost.tools
    .slice(0, MOST_OF_A_GROUP)
    .map(
      ({ tool, source, bytes, tokens }) => `| \`${tool}\` | ${escaped(source)} | ${count(bytes)} | ${count(tokens)} |`,
    );
  const more = cost.tools.length > rows.length ? [`\n${count(cost.tools.length - rows.length)} more`] : [];
  const lines = ['| tool | source | bytes | tokens |', '|---|---|--:|--:|', ...rows, ...more];
  return `<details><summary>Cost: ${costTotal(cost)}</summary>\n\n${lines.join('\n')}\n\n</details>`;
}

function breaks({ differences }: Entry): boolean {
  return differences.some((difference) => difference.class === 'breaking');
}

function groupText({ title, open }: Group, entries: readonly Entry[], room: number): string {
  const lines: string[] = [];
  // What breaks comes first: the end may be cut.
  const ordered = [...entries.filter(breaks), ...entries.filter((entry) => !breaks(entry))];
  let used = 200;
  let shown = 0;
  for (const entry of ordered.slice(0, MOST_OF_A_GROUP)) {
    const text = entryText(entry);
    if (used + text.length > room) break;
    used += text.length + 1;
    shown += 1;
    lines.push(text);
  }
  if (shown < entries.length) lines.push(`- ${count(entries.length - shown)} more`);
  const summary = `<summary>${title} (${count(entries.length)})</summary>`;
  return `<details${open ? ' open' : ''}>${summary}\n\n${lines.join('\n')}\n\n</details>`;
}

function entryText(entry: Entry): string {
  const { tool, fields, differences, source } = entry;
  const what = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const plain = entry.kind === 'create' || entry.kind === 'refresh' || entry.kind === 'edit' || entry.kind === 'hold';
  // Their messages do not say of which source they are.
  const of = entry.kind === 'failed' || entry.kind === 'unmatched' ? `${escaped(source)}: ` : '';
  const head =
    tool !== undefined && plain ? `- \`${tool}\`${what}, of ${escaped(source)}` : `- ${of}${escaped(entry.message)}`;
  const lines = differences
    .slice(0, MOST_DIFFERENCES)
    .map(({ class: kind, message }) => `  - ${kind === 'breaking' ? '**breaking**' : kind}: ${escaped(message)}`);
  if (differences.length > MOST_DIFFERENCES) lines.push(`  - ${count(differences.length - MOST_DIFFERENCES)} more`);
  return [head, ...lines].join('\n');
}

/**
 * Text of others: on one line, nothing in it is markup, an address, or the name of a person or an issue. GitHub looks for those
 * in what was rendered, where an entity or a backslash is gone: only a character in between, of no width, keeps them apart.
 */
function escaped(text: string): string {
  return visible(text, 500)
    .replaceAll('&', '&amp;')
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[@#]|:(?=\/\/)|www(?=\.)/gi, '$&\u200b');
}
