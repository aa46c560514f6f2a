// Printing: data to stdout, everything else to stderr; colour and progress only where a person looks.
import { styleText } from 'node:util';
import { count } from '../base/text.js';

type Style = Parameters<typeof styleText>[0];

/** Whether a stream takes colour: `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal. */
export function takesColor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Text in a style, where stdout takes colour. */
export function paint(style: Style, text: string): string {
  return takesColor(process.stdout) ? styleText(style, text) : text;
}

/** What a text is: JSON, which stays the same value, or commands to the runner of GitHub, which are meant. */
interface Printed {
  readonly json?: boolean;
  readonly commands?: boolean;
}

/** Data: what a command is asked for. */
export function print(text: string, { json = false, commands = false }: Printed = {}): void {
  const parted = commands ? text : withoutLineCommands(text);
  process.stdout.write(`${withoutCommands(parted, json ? '\\u005b' : '\u200b[')}\n`);
}

/** One JSON value, the only thing on stdout. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2), { json: true });
}

/** Remarks: what a person reads beside the data. */
export function remark(text: string, quiet: boolean): void {
  if (!quiet) complain(text);
}

/** What a person reads in any case. */
export function complain(text: string): void {
  process.stderr.write(`${withoutCommands(withoutLineCommands(text), '\u200b[')}\n`);
}

/** The runner of GitHub takes `##[name]` for a command wherever it stands in a line, and so in text of others. */
function withoutCommands(text: string, bracket: string): string {
  return process.env.GITHUB_ACTIONS === 'true' ? text.replaceAll('##[', `##${bracket}`) : text;
}

/** It takes `::name::` for one at the beginning of a line. No line of JSON begins so. */
function withoutLineCommands(text: string): string {
  return process.env.GITHUB_ACTIONS === 'true' ? text.replace(/^([^\S\n]*)::/gm, '$1\u200b::') : text;
}

/** Progress on one line of a terminal, for work that takes longer than a moment; nothing elsewhere. */
export function progress(
  quiet: boolean,
  what = 'operations',
): {
  readonly tick: (done: number, total: number) => void;
  readonly end: () => void;
} {
  const shown = !quiet && process.stderr.isTTY === true;
  const started = performance.now();
  let drawn = false;
  return {
    tick(done, total) {
      if (!shown || performance.now() - started < 300) return;
      drawn = true;
      process.stderr.write(`\r\x1b[K${done} of ${total} ${what}`);
    },
    end() {
      if (drawn) process.stderr.write('\r\x1b[K');
    },
  };
}

/** The first few of a list, and how many more there are. */
export function few(items: readonly string[]): string {
  const shown = items.slice(0, 3).join(', ');
  return items.length > 3 ? `${shown} and ${count(items.length - 3)} more` : shown;
}

/** Rows under each other, columns padded to their widest; the last column is not padded. `right`: columns of numbers. */
export function table(rows: readonly (readonly string[])[], right: ReadonlySet<number> = new Set()): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows
    .map((row) =>
      row
        .map((cell, i) => {
          if (right.has(i)) return cell.padStart(widths[i] ?? 0);
          return i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
