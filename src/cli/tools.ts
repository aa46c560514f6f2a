// `toolwright tools`: create, list, show, set, remove.
import { DIGEST_DIGITS, pendingDifferences } from '../app/approve.js';
import { costOf } from '../app/cost.js';
import { createTool, parseValue, readTool, removeTools, setTool, type ToolChanges } from '../app/tools.js';
import { digest } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { put } from '../base/json.js';
import { count, counted, quoted, visible } from '../base/text.js';
import { openConnections } from '../connection/open.js';
import { parse } from '../document/decode.js';
import { open } from '../document/open.js';
import { openStore } from '../store/open.js';
import type { ToolStore } from '../store/store.js';
import type { NewTool } from '../tool/check.js';
import type { HttpTool } from '../tool/tool.js';
import { closing } from './closing.js';
import { differenceLines } from './difference.js';
import type { StoreFlags } from './options.js';
import { print, printJson, remark, table } from './terminal.js';

interface SetFlags extends StoreFlags {
  readonly name?: string;
  /** false: --no-description. */
  readonly description?: string | false;
  readonly fix: readonly string[];
  readonly unfix: readonly string[];
  readonly show: readonly string[];
  readonly unshow: readonly string[];
  readonly hide: readonly string[];
  readonly unhide: readonly string[];
  readonly deadline?: number;
  /** false: --no-connection. */
  readonly connection?: string | false;
  readonly group?: string;
}

export async function withTools<T>(flags: StoreFlags, work: (store: ToolStore) => Promise<T>): Promise<T> {
  return closing(await openStore(flags.store), work);
}

/** `file`: a path, or `-` for the standard input. */
export async function runCreate(file: string, flags: StoreFlags): Promise<void> {
  const input = parse(await open({ file })) as NewTool;
  const tool = await withTools(flags, (store) =>
    closing(openConnections(flags.store), (connections) => createTool(store, input, { connections })),
  );
  if (flags.json === true) printJson(tool);
  else print(`+ ${tool.name}  ${tool.id}`);
}

export async function runList(flags: StoreFlags & { readonly cost?: boolean }): Promise<void> {
  const { tools, address } = await withTools(flags, async (store) => ({
    ...(await store.read()),
    address: store.address,
  }));
  const cost = flags.cost === true ? await costOf(tools) : undefined;
  if (flags.json === true) {
    printJson(cost === undefined ? tools : tools.map((tool, i) => ({ ...tool, cost: cost.tools[i] })));
    return;
  }
  if (tools.length === 0) {
    print(`No tools in ${address}.`);
    return;
  }
  const rows = tools.map((tool, i) => {
    const { bytes = 0, tokens = 0 } = cost?.tools[i] ?? {};
    const sizes = cost === undefined ? [] : [count(bytes), count(tokens)];
    return [tool.name, tool.config.method, ...sizes, visible(tool.config.endpoint, 300), visible(owned(tool), 300)];
  });
  const sizes = cost === undefined ? [] : ['BYTES', 'TOKENS'];
  const listed = table([['TOOL', 'METHOD', ...sizes, 'ENDPOINT', 'YOURS'], ...rows], new Set(cost && [2, 3]));
  const sum = cost === undefined ? '' : `: ${counted(cost.bytes, 'byte')}, ${counted(cost.tokens, 'token')}`;
  const waiting = tools.filter(({ pending }) => pending !== undefined).length;
  const held = waiting === 0 ? '' : `, ${count(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for approval`;
  print(`${listed}\n${counted(tools.length, 'tool')}${held}${sum}`);
}

/** What a person set on a tool, by name. */
function owned(tool: HttpTool): string {
  const parts = Object.entries(tool.fixed_parameters).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  if (tool.imported_description !== undefined) parts.push('description');
  if (tool.deadline_seconds !== 30) parts.push(`${tool.deadline_seconds} s`);
  if (tool.connection_id !== undefined) parts.push(tool.connection_id);
  if (tool.connection_group !== undefined) parts.push(`group ${tool.connection_group}`);
  for (const name of tool.shown_parameters ?? []) parts.push(`shows ${name}`);
  for (const name of tool.hidden_parameters ?? []) parts.push(`hides ${name}`);
  if (tool.pending !== undefined) parts.push('waits for approval');
  return parts.join(', ');
}

export async function runShow(reference: string, flags: StoreFlags): Promise<void> {
  const tool = await withTools(flags, (store) => readTool(store, reference));
  printJson(tool);
  if (tool.pending === undefined) return;
  const lines = differenceLines(pendingDifferences(tool)).join('\n');
  const approval = `toolwright tools approve ${tool.name} --digest ${digest(tool.pending).slice(0, DIGEST_DIGITS)}`;
  remark(`${tool.name} waits for approval (${approval}):\n${lines}`, flags.quiet === true);
}

export async function runSet(reference: string, flags: SetFlags): Promise<void> {
  const tool = await withTools(flags, async (store) => {
    const changes = changesOf(await readTool(store, reference), flags);
    return closing(openConnections(flags.store), (connections) => setTool(store, reference, changes, { connections }));
  });
  if (flags.json === true) printJson(tool);
  else print(`${tool.name} is set.`);
  if (flags.show.length + flags.unshow.length + flags.unhide.length > 0) {
    remark('what is shown beyond that comes with the next import', flags.quiet === true);
  }
}

export async function runRemove(references: readonly string[], flags: StoreFlags): Promise<void> {
  const removed = await withTools(flags, (store) => removeTools(store, references));
  if (flags.json === true) printJson(removed);
  else print(removed.map(({ name }) => `- ${name}`).join('\n'));
}

function changesOf(tool: HttpTool, flags: SetFlags): ToolChanges {
  if (typeof flags.connection === 'string' && flags.group !== undefined) {
    throw new Failure('bad-request', 'a tool has a connection or a group, not both');
  }
  const fixed: Record<string, unknown> = {};
  for (const pair of flags.fix) {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || text === undefined)
      throw new Failure('bad-request', `--fix ${quoted(pair)} is not name=value`);
    put(fixed, name, parseValue(tool, name, text));
  }
  const changes = {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.description === undefined ? {} : { description: flags.description === false ? null : flags.description }),
    ...(flags.fix.length === 0 ? {} : { fixed_parameters: fixed }),
    ...(flags.unfix.length === 0 ? {} : { unfixed: flags.unfix }),
    ...(flags.show.length === 0 ? {} : { shown_parameters: flags.show }),
    ...(flags.unshow.length === 0 ? {} : { unshown: flags.unshow }),
    ...(flags.hide.length === 0 ? {} : { hidden_parameters: flags.hide }),
    ...(flags.unhide.length === 0 ? {} : { unhidden: flags.unhide }),
    ...(flags.deadline === undefined ? {} : { deadline_seconds: flags.deadline }),
    ...connectionOf(flags),
  };
  if (Object.keys(changes).length === 0) throw new Failure('bad-request', 'nothing is set; --help lists what can be');
  return changes;
}

function connectionOf({ connection, group }: SetFlags): Pick<ToolChanges, 'connection'> {
  if (group !== undefined) return { connection: { group } };
  if (connection === false) return { connection: null };
  return connection === undefined ? {} : { connection: { id: connection } };
}
