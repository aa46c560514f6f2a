// A source to a parsed description of a known kind: open, decode, lay the overlays over it, identify.
import { createHash } from 'node:crypto';
import type { Notice } from '../base/codes.js';
import { isWithin } from '../base/json.js';
import { FIXED_LIMITS, type Limits } from '../base/limits.js';
import type { Profile } from '../base/profile.js';
import { decode } from '../document/decode.js';
import type { ApiDocument, Files, Network, Opened, Source } from '../document/document.js';
import { type FilesOptions, readFiles } from '../document/files.js';
import { identify } from '../document/kind.js';
import { open } from '../document/open.js';
import type { Overlaid, Overlay } from '../document/overlay.js';

/** By what rules, within what bounds and over what network a description is read. */
export interface ReadOptions {
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
  return parsed(await open(source, options), { ...options, until }, () => {});
}

/** What was read of a source: `digests` where they are asked for. */
interface Parsed {
  readonly document: ApiDocument;
  readonly digests: readonly string[];
}

/**
 * The same of a text that was opened. `digested`: with the SHA-256 of what was read, in hexadecimal: of the text of the
 * description, of each overlay, and of all other files together where there are some.
 */
export async function readOpened(opened: Opened, options: ReadOptions, digested: boolean): Promise<Parsed> {
  const digests: string[] = [];
  const seen = digested ? (text: string) => digests.push(sha256(text)) : () => {};
  const until = performance.now() + options.limits.fetch_seconds * 1_000;
  const document = await parsed(opened, { ...options, until }, seen);
  if (digested && document.files !== undefined) digests.push(filesDigest(document.files));
  return { document, digests };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function filesDigest({ read: files, base }: Files): string {
  const hash = createHash('sha256');
  for (const [uri, file] of files) {
    if (uri === base) continue;
    if ('why' in file) hash.update(file.why);
    // What nests deeper holds no operation that could be read.
    else if (isWithin(file.root, FIXED_LIMITS.yaml_depth)) hash.update(`${file.at}\n${JSON.stringify(file.root)}\n`);
  }
  return hash.digest('hex');
}

/** `seen`: shown every text that is decoded. */
async function parsed(
  opened: Opened,
  options: ReadOptions & Pick<FilesOptions, 'until'>,
  seen: (text: string) => void,
): Promise<ApiDocument> {
  seen(opened.text);
  const value = await decode(opened, options.profile);
  const { value: overlaid, unmatched } = await withOverlays(value, options.overlays, options, seen);
  const notices = unmatched.map((message): Notice => ({ code: 'overlay-unmatched', at: '', message }));
  const document = await readFiles(identify(overlaid, opened, options.profile), opened, options);
  return notices.length === 0 ? document : { ...document, notices };
}

async function withOverlays(
  value: unknown,
  sources: readonly Source[],
  options: ReadOptions,
  seen: (text: string) => void,
): Promise<Overlaid> {
  if (sources.length === 0) return { value, unmatched: [] };
  // Loaded here: few descriptions have overlays.
  const { overlay } = await import('../document/overlay.js');
  const overlays: Overlay[] = [];
  for (const [index, source] of sources.entries()) {
    const opened = await open(source, options);
    seen(opened.text);
    const name = opened.name === 'the document' ? `overlay ${index + 1}` : opened.name;
    overlays.push({ name, value: await decode({ ...opened, name }, options.profile) });
  }
  return overlay(value, overlays);
}
