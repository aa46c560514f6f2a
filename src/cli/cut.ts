// `toolwright cut`: a smaller description, to stdout or a file.
import { cut } from '../app/cut.js';
import { count, counted } from '../base/text.js';
import { type CompileFlags, commonOptions, nothingChosen, type SelectFlags, selectOf, sourceOf } from './options.js';
import { refuseOverwrite, writeOutput } from './output.js';
import { printJson, remark } from './terminal.js';

interface CutFlags extends CompileFlags, SelectFlags {
  readonly output?: string;
}

export async function runCut(description: string, flags: CutFlags): Promise<void> {
  const select = selectOf(flags);
  if (select === undefined && flags.operation.length === 0) throw nothingChosen();
  await refuseOverwrite([flags.output], { sources: [description, ...flags.overlay] });
  const keys = flags.operation.length > 0 ? { keys: flags.operation } : {};
  const {
    description: smaller,
    kept,
    operations,
  } = await cut(sourceOf(description), { ...select, ...keys }, commonOptions(flags));
  if (flags.output === undefined) printJson(smaller);
  else await writeOutput(flags.output, `${JSON.stringify(smaller, null, 2)}\n`);
  remark(
    `${count(kept)} of ${counted(operations, 'operation')} ${kept === 1 ? 'is' : 'are'} kept`,
    flags.quiet === true,
  );
}
