// `toolwright export`: the tools of a store in the form of a consumer; what was changed for it goes to stderr.
import { exportTools } from '../app/export.js';
import { findTool } from '../app/tools.js';
import type { Change } from '../base/codes.js';
import { count, counted } from '../base/text.js';
import { openStore } from '../store/open.js';
import type { Consumer } from '../tool/dialect/dialect.js';
import type { HttpTool } from '../tool/tool.js';
import type { StoreFlags } from './options.js';
import { refuseOverwrite, writeOutput } from './output.js';
import { printJson, remark } from './terminal.js';

interface ExportFlags extends StoreFlags {
  readonly for: Consumer;
  readonly output?: string;
  readonly changes?: boolean;
}

/** `names`: ids or names; none: all tools. With `--changes` the changes are the data, and no tool is printed. */
export async function runExport(names: readonly string[], flags: ExportFlags): Promise<void> {
  await refuseOverwrite([flags.output], { store: flags.store });
  const store = await openStore(flags.store);
  let tools: readonly HttpTool[];
  try {
    const all = (await store.read()).tools;
    tools = names.length === 0 ? all : names.map((name) => findTool(all, name));
  } finally {
    await store.close();
  }
  const { renderings, warnings } = exportTools(tools, flags.for);
  const changes = renderings.flatMap((one, index) =>
    one.changes.map((change) => ({ tool: tools[index]?.name ?? '', ...change })),
  );
  const data = flags.changes === true ? changes : renderings.map(({ tool }) => tool);
  if (flags.output === undefined) printJson(data);
  else await writeOutput(flags.output, `${JSON.stringify(data, null, 2)}\n`);
  const quiet = flags.quiet === true;
  if (tools.length === 0) remark(`no tools in ${store.address}`, quiet);
  for (const warning of warnings) remark(`warning: ${warning}`, quiet);
  remark(summary(tools.length, flags.for, changes), quiet);
}

/** How many tools, and how many changes of each code. */
function summary(tools: number, consumer: Consumer, changes: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { code } of changes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const head = `${counted(tools, 'tool')} for ${consumer}: ${counted(changes.length, 'change')}`;
  const lines = [...counts].sort().map(([code, number]) => `  ${code}: ${count(number)}`);
  return [lines.length === 0 ? head : `${head} (--changes lists them)`, ...lines].join('\n');
}
