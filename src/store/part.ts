// Which tools belong to a part, for stores that have them all at hand.
import type { HttpTool } from '../tool/tool.js';
import type { Part } from './store.js';

/** A name without the number at its end: `list_2` is `list`; undefined where it has none. */
export function stemOf(name: string): string | undefined {
  return /^(.*)_[0-9]+$/.exec(name)?.[1];
}

/** The tools of a part, in their order; all of them where no part is named. */
export function partOf(tools: readonly HttpTool[], part: Part | undefined): readonly HttpTool[] {
  return part === undefined ? tools : tools.filter(inPart(part));
}

function inPart(part: Part): (tool: HttpTool) => boolean {
  if ('references' in part) {
    const wanted = new Set(part.references);
    return ({ id, name }) => wanted.has(id) || wanted.has(name);
  }
  if ('server' in part) return ({ origin }) => origin?.server === part.server && origin.set === part.set;
  if ('connection_id' in part) return ({ connection_id }) => connection_id === part.connection_id;
  const [names, stems] = [new Set(part.names), new Set<string | undefined>(part.stems)];
  return ({ name }) => names.has(name) || stems.has(stemOf(name));
}
