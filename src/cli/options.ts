// Options that several commands share, and what they are read to.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions } from '../app/preview.js';
import type { Select, Unmatched } from '../app/select.js';
import { Failure } from '../base/failure.js';
import type { Limits } from '../base/limits.js';
import { quoted } from '../base/text.js';
import type { Source } from '../document/document.js';
import { remark } from './terminal.js';

const DEFAULT_STORE = 'file:toolwright.lock.json';

export interface OutputFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** How a description is read. */
export interface ReadingFlags {
  readonly prefix?: string;
  readonly profile: 'core' | 'extended';
  readonly limit: Record<string, number>;
  readonly allowPrivate: readonly string[];
  readonly overlay: readonly string[];
}

export interface CompileFlags extends OutputFlags, ReadingFlags {}

export interface SelectFlags {
  readonly all?: boolean;
  readonly operation: readonly string[];
  readonly tag: readonly string[];
  readonly method: readonly string[];
  readonly path: readonly string[];
}

export interface BudgetFlags {
  readonly budget?: number;
}

export interface StoreFlags extends OutputFlags {
  readonly store: string;
}

/** Adds a value to those of earlier uses of the same option. */
function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function limit(value: string, before: Record<string, number>): Record<string, number> {
  const [, name, number] = /^([a-z_]+)=([\d_]+)$/.exec(value) ?? [];
  if (name === undefined || number === undefined)
    throw new InvalidArgumentError('It is written name=value, the value a whole number.');
  return { ...before, [name]: Number(number.replaceAll('_', '')) };
}

export function withOutput(command: Command): Command {
  return command.option('--json', 'print JSON').option('-q, --quiet', 'print no remarks on stderr');
}

export function withCompile(command: Command): Command {
  return withReading(withOutput(command));
}

/** How a description is read. */
export function withReading(command: Command): Command {
  return command
    .option('--prefix <text>', 'put before every tool name')
    .addOption(new Option('--profile <name>', 'which rules apply').choices(['core', 'extended']).default('extended'))
    .addOption(new Option('--limit <name=value>', 'replace a bound (repeatable)').argParser(limit).default({}, 'none'))
    .addOption(repeatable('--overlay <file>', 'apply an OpenAPI Overlay 1.0, a path or a URL, first (repeatable)'))
    .addOption(repeatable('--allow-private <host>', 'reach this host though its address is private (repeatable)'));
}

export function withSelect(command: Command): Command {
  return command
    .option('--all', 'every operation')
    .addOption(repeatable('--operation <key>', 'the operation of this key (repeatable)'))
    .addOption(repeatable('--tag <name>', 'operations with this tag (repeatable)'))
    .addOption(repeatable('--method <name>', 'operations with this method (repeatable)'))
    .addOption(
      repeatable('--path <glob>', 'operations whose path matches; * within a segment, ** over segments (repeatable)'),
    );
}

export function withStore(command: Command): Command {
  return command.addOption(
    new Option('--store <address>', 'where the tools are').env('TOOLWRIGHT_STORE').default(DEFAULT_STORE),
  );
}

/** A set of tools within a budget. */
export function withBudget(command: Command): Command {
  return command.option('--budget <tokens>', 'leave out texts and optional properties until all fit', tokens);
}

function tokens(text: string): number {
  if (!/^[1-9][\d_]*$/.test(text)) throw new InvalidArgumentError('It is a whole number of tokens.');
  return Number(text.replaceAll('_', ''));
}

/** `--no-output`: of the schemas of answers, beside an `--output FILE` that it does not take back. */
class NoOutput extends Option {
  override attributeName(): string {
    return 'outputSchemas';
  }
}

/** Whether the tools say what they answer. */
export function withOutputSchemas(command: Command): Command {
  return command.addOption(new NoOutput('--no-output', 'give the tools no output schema'));
}

/** How a plan is written. The formats are named here so that help needs none of them. */
export function withFormat(command: Command): Command {
  return command
    .addOption(
      new Option('--format <name>', 'how the plan is written (default: text; github in its workflows)').choices([
        'text',
        'json',
        'markdown',
        'github',
        'sarif',
        'junit',
      ]),
    )
    .option('-o, --output <file>', 'write it here; without, to the standard output');
}

/** An option that may be given several times. */
export function repeatable(flags: string, text: string): Option {
  return new Option(flags, text).argParser(collect).default([], 'none');
}

/** A path, a URL, or `-` for the standard input. */
export function sourceOf(description: string): Source {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(description) ? { url: description } : { file: description };
}

export function commonOptions(flags: ReadingFlags): CommonOptions {
  return {
    profile: flags.profile,
    limits: flags.limit as Partial<Limits>,
    network: { allow: flags.allowPrivate },
    overlays: flags.overlay.map(sourceOf),
  };
}

/** The selection of the flags, keys aside; undefined where none is given. */
export function selectOf({ all, tag, method, path }: SelectFlags): Select | undefined {
  if (all !== true && tag.length + method.length + path.length === 0) return undefined;
  return {
    ...(all === true ? { all } : {}),
    ...(tag.length > 0 ? { tags: tag } : {}),
    ...(method.length > 0 ? { methods: method } : {}),
    ...(path.length > 0 ? { paths: path } : {}),
  };
}

/** Says which parts of a selection match nothing. */
export function remarkUnmatched(unmatched: readonly Unmatched[] = [], quiet: boolean): void {
  for (const { kind, value, nearest } of unmatched) {
    const what = kind === 'path' ? 'no path matches' : `no operation has the ${kind}`;
    const hint = nearest === undefined ? '' : `; did you mean ${quoted(nearest, 120)}?`;
    remark(`${what} ${quoted(value, 120)}${hint}`, quiet);
  }
}

/** Of a command that takes no whole description unless --all says so. */
export function nothingChosen(): Failure {
  return new Failure('bad-request', 'nothing is chosen: use --operation, --tag, --method, --path or --all');
}
