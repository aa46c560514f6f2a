// A source to a parsed description of a known kind: open, decode, lay the overlays over it, identify.
import type { Notice } from '../base/codes.js';
import type { Limits } from '../base/limits.js';
import type { Profile } from '../base/profile.js';
import { decode } from '../document/decode.js';
import type { ApiDocument, Network, Source } from '../document/document.js';
import { readFiles } from '../document/files.js';
import { identify } from '../document/kind.js';
import { open } from '../document/open.js';
import type { Overlaid, Overlay } from '../document/overlay.js';

/** By what rules, within what bounds and over what network a description is read. */
interface ReadOptions {
  readonly limits: Limits;
  readonly profile: Profile;
  readonly network: Network;
  /** OpenAPI Overlays, applied in this order before it is known what the description is. */
  readonly overlays: readonly Source[];
}

/**
 * Reads the files beside the description as well, where its references lead to some.
 * @throws Failure of any of the three stages, and `invalid-overlay`.
 */
export async function readDescription(source: Source, options: ReadOptions): Promise<ApiDocument> {
  const until = performance.now() + options.limits.fetch_seconds * 1_000;
  const opened = await open(source, options);
  const value = await decode(opened, options.profile);
  const { value: overlaid, unmatched } = await withOverlays(value, options.overlays, options);
  const notices = unmatched.map((message): Notice => ({ code: 'overlay-unmatched', at: '', message }));
  const document = await readFiles(identify(overlaid, opened, options.profile), opened, { ...options, until });
  return notices.length === 0 ? document : { ...document, notices };
}

async function withOverlays(value: unknown, sources: readonly Source[], options: ReadOptions): Promise<Overlaid> {
  if (sources.length === 0) return { value, unmatched: [] };
  // Loaded here: few descriptions have overlays.
  const { overlay } = await import('../document/overlay.js');
  const overlays: Overlay[] = [];
  for (const [index, source] of sources.entries()) {
    const opened = await open(source, options);
    const name = opened.name === 'the document' ? `overlay ${index + 1}` : opened.name;
    overlays.push({ name, value: await decode({ ...opened, name }, options.profile) });
  }
  return overlay(value, overlays);
}
