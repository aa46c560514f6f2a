// A report to where it is read: stdout or a file, and under GitHub the summary of the step as well.
import { Failure } from '../../base/failure.js';
import { appendOutput, writeOutput } from '../output.js';
import { print, remark, takesColor } from '../terminal.js';
import { version } from '../version.js';
import { FORMATS, type FormatName, formatted } from './format.js';
import { type Report, total, waitingLines } from './report.js';

export interface FormatFlags {
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: string;
  readonly quiet?: boolean;
}

/**
 * The format that is asked for; under GITHUB_ACTIONS its annotations, else text.
 * @throws Failure `bad-request`.
 */
export function formatOf({ json, format }: FormatFlags, env: NodeJS.ProcessEnv = process.env): FormatName {
  if (json === true && format !== undefined && format !== 'json') {
    throw new Failure('bad-request', '--json is --format json; it goes with no other format');
  }
  if (json === true) return 'json';
  const named = FORMATS.find((name) => name === format);
  return named ?? (env.GITHUB_ACTIONS === 'true' ? 'github' : 'text');
}

/** @throws Failure `output-unwritable`. */
export async function publish(report: Report, flags: FormatFlags): Promise<void> {
  const name = formatOf(flags);
  const colour = flags.output === undefined && takesColor(process.stdout);
  const text = await formatted(report, name, { colour, version: version() });
  if (flags.output === undefined)
    print(text, { json: name === 'json' || name === 'sarif', commands: name === 'github' });
  else {
    await writeOutput(flags.output, `${text}\n`);
    remark([...waitingLines(report), total(report)].join('\n'), flags.quiet === true);
  }
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (name !== 'github' || !summary) return;
  await appendOutput(summary, `${await formatted(report, 'markdown', { colour: false, version: version() })}\n`);
}
