// A source to a parsed description of a known kind: open, decode, identify.
import type { Limits } from '../base/limits.js';
import type { Profile } from '../base/profile.js';
import { decode } from '../document/decode.js';
import type { ApiDocument, Network, Source } from '../document/document.js';
import { identify } from '../document/kind.js';
import { open } from '../document/open.js';

/** By what rules, within what bounds and over what network a description is read. */
interface ReadOptions {
  readonly limits: Limits;
  readonly profile: Profile;
  readonly network: Network;
}

/** @throws Failure of any of the three stages. */
export async function readDescription(source: Source, { limits, profile, network }: ReadOptions): Promise<ApiDocument> {
  const opened = await open(source, { limits, network });
  return identify(decode(opened), opened, profile);
}
