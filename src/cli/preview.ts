// `toolwright preview`: a table for a person, or the answer as JSON.
import { type Preview, type PreviewedOperation, preview } from '../app/preview.js';
import type { Select } from '../app/select.js';
import { count, counted, visible } from '../base/text.js';
import type { Refusal } from '../operation/operation.js';
import type { ToolDraft } from '../tool/emit.js';
import type { SuggestedServer, Suggestion } from '../tool/suggestion.js';
import {
  type BudgetFlags,
  type CompileFlags,
  commonOptions,
  remarkUnmatched,
  type SelectFlags,
  selectOf,
  sourceOf,
} from './options.js';
import { few, paint, print, printJson, progress, remark, table } from './terminal.js';

/** Reasons listed under one code before the rest is counted. */
const MOST_REASONS = 5;

interface PreviewFlags extends BudgetFlags, CompileFlags, SelectFlags {
  readonly cost?: boolean;
  readonly outputSchemas?: boolean;
}

export async function runPreview(description: string, flags: PreviewFlags): Promise<void> {
  const { tick, end } = progress(flags.quiet === true);
  const select: Select | undefined =
    flags.operation.length > 0 ? { ...selectOf(flags), keys: flags.operation } : selectOf(flags);
  let answer: Preview;
  try {
    answer = await preview(sourceOf(description), {
      ...commonOptions(flags),
      progress: tick,
      ...(flags.prefix === undefined ? {} : { name_prefix: flags.prefix }),
      ...(select === undefined ? {} : { select }),
      // An estimate beside a budget that was counted would contradict it.
      ...(flags.cost === true || (flags.budget !== undefined && flags.json !== true) ? { cost: true } : {}),
      ...(flags.outputSchemas === true ? { output: true } : {}),
      ...(flags.budget === undefined ? {} : { budget_tokens: flags.budget }),
    });
  } finally {
    end();
  }
  for (const { code, message } of answer.notices) {
    if (code === 'overlay-unmatched') remark(message, flags.quiet === true);
  }
  remarkUnmatched(answer.unmatched, flags.quiet === true);
  if (flags.json === true) {
    printJson(answer);
    remark(counts(answer), flags.quiet === true);
    return;
  }
  print(render(answer));
  remarkCuts(answer, flags.quiet === true);
  if (flags.outputSchemas === true) remark('what each answers is shown with --json alone', flags.quiet === true);
}

function remarkCuts({ operations: tools }: Preview, quiet: boolean): void {
  const cuts = tools.map(({ notices }) => notices.filter(({ code }) => code === 'budget-cut').length);
  const [parts, cut] = [cuts.reduce((sum, one) => sum + one, 0), cuts.filter((one) => one > 0).length];
  if (parts === 0) return;
  const what = `left out ${counted(parts, 'text or optional property', 'texts and optional properties')} of ${counted(cut, 'tool')} to fit the budget`;
  remark(`${what}; --json names them, and a preview without --budget shows them`, quiet);
}

function render(answer: Preview): string {
  const sections = [
    heading(answer),
    section('Servers', answer.servers.map(server).join('\n')),
    section('Operations', operations(answer.operations)),
    section('Not importable', unimportable(answer.unimportable)),
    section(
      'With servers of their own (import needs one of them, or --override-servers)',
      ownServers(answer.operations),
    ),
    section('Not read', notRead(answer.notices)),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

function notRead(notices: Preview['notices']): string {
  return notices
    .filter(({ code }) => code !== 'overlay-unmatched')
    .map(({ at, message }) => `  ${visible(at, 300)}: ${message}`)
    .join('\n');
}

function section(title: string, text: string): string {
  return text === '' ? '' : `${paint('bold', title)}\n${text}`;
}

function counts({ operations: tools, unimportable: refused }: Preview): string {
  const inbound = refused.filter(({ code }) => code === 'inbound').length;
  const not = refused.length - inbound;
  const parts = [`${count(tools.length)} importable`, `${count(not)} not importable`];
  if (inbound > 0) parts.push(counted(inbound, 'callback or webhook', 'callbacks and webhooks'));
  return `${counted(tools.length + not, 'operation')}: ${parts.join(', ')}`;
}

function heading(answer: Preview): string {
  const { title, kind, description_version } = answer;
  const name = { openapi: 'OpenAPI', swagger: 'Swagger', discovery: 'Google Discovery' }[kind];
  return [
    `${paint('bold', title === '' ? 'Untitled' : title)} (${name} ${visible(description_version, 40)})`,
    counts(answer),
    `A model would read ${price(answer)} for the importable ones.`,
  ].join('\n');
}

/** Counted where that is asked for, else an estimate of the tokens. */
function price({ cost, operations: tools }: Preview): string {
  if (cost !== undefined) return `${counted(cost.bytes, 'byte')}, ${counted(cost.tokens, 'token')}`;
  const bytes = tools.reduce((sum, tool) => sum + toolBytes(tool), 0);
  return `${counted(bytes, 'byte')}, about ${counted(tokens(bytes), 'token')}`;
}

/** Bytes of what a model is shown of a tool: name, description and schema, as compact JSON. */
function toolBytes({ name, description, input_schema }: ToolDraft): number {
  return Buffer.byteLength(JSON.stringify({ name, description, input_schema }));
}

/** An estimate: four bytes of JSON schema make about one token. */
function tokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function server({ url, resolved, suggestion, note }: SuggestedServer): string {
  const where = url ?? (resolved === undefined ? '(give it with --server)' : `${resolved} (give it with --server)`);
  const lines = [
    `  ${visible(where, 200)}`,
    `    ${suggestion === null ? 'no suggested connection' : visible(suggested(suggestion), 200)}`,
  ];
  if (note !== undefined) lines.push(`    ${note}`);
  return lines.join('\n');
}

function suggested(suggestion: Suggestion): string {
  if (suggestion.provider === 'google') return `connection: google, ${counted(suggestion.scopes.length, 'scope')}`;
  switch (suggestion.placement) {
    case 'basic':
      return 'connection: http_key, basic (user name and password)';
    case 'query':
      return `connection: http_key, query parameter ${suggestion.parameter}`;
    case 'header':
      return `connection: http_key, header ${suggestion.header}${suggestion.prefix === undefined ? '' : ` with "${suggestion.prefix}"`}`;
  }
}

function operations(tools: readonly PreviewedOperation[]): string {
  if (tools.length === 0) return '';
  const counted = tools[0]?.cost !== undefined;
  const rows = tools.map((tool) => {
    const properties = Object.keys(tool.input_schema.properties as object).length;
    const notes = [...new Set(tool.notices.map(({ code }) => code))].join(', ');
    const { bytes = toolBytes(tool), tokens: each = 0 } = tool.cost ?? {};
    const sizes = counted ? [count(bytes), count(each)] : [count(bytes)];
    return [visible(tool.key, 120), tool.name, String(properties), ...sizes, notes];
  });
  const sizes = counted ? ['BYTES', 'TOKENS'] : ['BYTES'];
  return table([['KEY', 'TOOL', 'ARGUMENTS', ...sizes, 'NOTICES'], ...rows], new Set(counted ? [2, 3, 4] : [2, 3]));
}

/** Key, method and path: where the key is made of those two, once. */
function called({ key, method, path }: Refusal): string {
  const route = `${method} ${path}`;
  return visible(method === undefined || key === route ? key : `${key} (${route})`, 300);
}

/** Operations by the servers that they have of their own. */
function ownServers(tools: readonly ToolDraft[]): string {
  const groups = new Map<string, string[]>();
  for (const { key, servers } of tools) {
    if (servers === undefined) continue;
    const urls = servers.slice(0, 3).map(({ url, resolved, relative }) => url ?? resolved ?? relative ?? '(unknown)');
    const label = visible(urls.join(', '), 200);
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [key]);
    else group.push(key);
  }
  return [...groups].map(([label, keys]) => `  ${label}: ${visible(few(keys), 300)}`).join('\n');
}

function unimportable(refusals: readonly Refusal[]): string {
  const groups = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    const group = groups.get(refusal.code);
    if (group === undefined) groups.set(refusal.code, [refusal]);
    else group.push(refusal);
  }
  const parts = [...groups].map(([code, group]) => {
    const shown = group
      .slice(0, MOST_REASONS)
      .map((refusal) => `    ${called(refusal)}: ${refusal.reason}, at ${visible(refusal.at, 300)}`);
    if (group.length > MOST_REASONS)
      shown.push(`    and ${count(group.length - MOST_REASONS)} more (--json lists all)`);
    return [`  ${paint('yellow', code)} (${count(group.length)})`, ...shown].join('\n');
  });
  return parts.join('\n');
}
