// A source to a parsed description of a known kind: open, decode, identify.
import type { Limits } from '../base/limits.js';
import { decode } from '../document/decode.js';
import type { ApiDocument, Network, Source } from '../document/document.js';
import { identify } from '../document/kind.js';
import { open } from '../document/open.js';

/** @throws Failure of any of the three stages. */
export async function readDescription(source: Source, limits: Limits, network: Network = {}): Promise<ApiDocument> {
  const opened = await open(source, { limits, network });
  return identify(decode(opened), opened);
}
