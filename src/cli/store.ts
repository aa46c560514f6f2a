// `toolwright store`: copy, check.
import { checkStore, copyStore } from '../app/stores.js';
import { counted, visible } from '../base/text.js';
import { expectThere } from '../store/open.js';
import { withStores } from './closing.js';
import { EXIT } from './exit.js';
import type { OutputFlags, StoreFlags } from './options.js';
import { paint, print, printJson } from './terminal.js';

export async function runCopy(from: string, to: string, flags: OutputFlags): Promise<void> {
  await expectThere(from);
  const copied = await withStores(from, (source) => withStores(to, (target) => copyStore(source, target)));
  if (flags.json === true) printJson(copied);
  else print(`${counted(copied.tools, 'tool')} and ${counted(copied.connections, 'connection')} are copied.`);
}

/** @returns the exit status: 0 where no fault is found. */
export async function runCheck(address: string | undefined, flags: StoreFlags): Promise<number> {
  const checked = address ?? flags.store;
  await expectThere(checked);
  const faults = await withStores(checked, checkStore);
  if (flags.json === true) printJson(faults);
  else if (faults.length === 0) print('No fault is found.');
  else {
    const lines = faults.map(({ at, message }) => `! ${visible(at === '' ? message : `${at} ${message}`, 300)}`);
    print([...lines.map((line) => paint('red', line)), `${counted(faults.length, 'fault')} found.`].join('\n'));
  }
  return faults.length === 0 ? EXIT.done : EXIT.failed;
}
