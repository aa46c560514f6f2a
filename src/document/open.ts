// A source -> its text: from a file, the standard input, a URL or a string, never more than the bound of it.
import { constants } from 'node:buffer';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../base/failure.js';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { gather, grown } from '../wire/gather.js';
import { tooLarge, toText } from './bytes.js';
import type { Network, Opened, Source } from './document.js';
import { fetchDescription } from './fetch.js';

export interface OpenOptions {
  readonly limits?: Limits;
  readonly network?: Network;
  /** What `-` reads; the standard input by default. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

const CHUNK_BYTES = 64 * 1024;
const BOM = '\ufeff';

/**
 * Reads the text of a description.
 * @throws Failure `bad-request` (not exactly one source), `source-unreadable`, `source-too-large`, `not-utf8`,
 *   `not-a-description` (an archive, an HTML page), and of a URL `invalid-url`, `address-refused`, `fetch-failed`,
 *   `fetch-timeout`, `fetch-unauthorized`.
 */
export async function open(source: Source, options: OpenOptions = {}): Promise<Opened> {
  const limits = options.limits ?? DEFAULT_LIMITS;
  // A string has a greatest length, so a bound above it cannot be kept.
  const bound = Math.min(limits.description_bytes, constants.MAX_STRING_LENGTH);
  const [kind, value] = theOne(source);
  if (value instanceof Uint8Array) {
    const name = 'the document';
    if (value.byteLength > bound) throw tooLarge('', value.byteLength, bound);
    return { text: toText(Buffer.from(value.buffer, value.byteOffset, value.byteLength), name), name };
  }
  if (kind === 'url') {
    const { bytes, url, name } = await fetchDescription(value, bound, limits.fetch_seconds, options.network ?? {});
    return { text: toText(bytes, name), url, name };
  }
  if (kind === 'document') {
    const bytes = Buffer.byteLength(value, 'utf8');
    if (bytes > bound) throw tooLarge('', bytes, bound);
    return { text: value.startsWith(BOM) ? value.slice(1) : value, name: 'the document' };
  }
  if (value === '-') {
    const name = 'the standard input';
    return { text: toText(await readStream(options.stdin ?? process.stdin, name, bound), name), name };
  }
  const name = quoted(value, 120);
  return { text: toText(await readFile(value, name, bound), name), path: resolve(value), name };
}

function theOne(source: Source): ['file' | 'url' | 'document', string | Uint8Array] {
  const given = (['file', 'url', 'document'] as const).flatMap((kind) => {
    const value = (source as Partial<Record<typeof kind, unknown>> | null | undefined)?.[kind];
    return value === undefined ? [] : [{ kind, value }];
  });
  const [first] = given;
  if (first === undefined || given.length > 1) {
    throw new Failure(
      'bad-request',
      `${given.length} sources are given; exactly one of file, url and document is allowed`,
    );
  }
  const { kind, value } = first;
  if (typeof value !== 'string' && !(kind === 'document' && value instanceof Uint8Array)) {
    throw new Failure('bad-request', `the ${kind} of the description is not a text`);
  }
  return [kind, value];
}

async function readFile(path: string, name: string, bound: number): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await openFile(path);
    const { size } = await handle.stat();
    if (size > bound) throw tooLarge('', size, bound);
    return await readHandle(handle, size, bound);
  } catch (error) {
    throw unreadable(error, name);
  } finally {
    await handle?.close();
  }
}

/** Reads to the end or to one byte past the bound. The size is a hint: devices and pipes have none, and files grow. */
export async function readHandle(handle: FileHandle, size: number, bound: number): Promise<Buffer> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(size > 0 ? size + 1 : CHUNK_BYTES, bound + 1));
  let used = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, used, buffer.length - used, null);
    if (bytesRead === 0) return buffer.subarray(0, used);
    used += bytesRead;
    if (used > bound) throw tooLarge('at least ', used, bound);
    if (used === buffer.length) buffer = grown(buffer, used + 1, bound + 1);
  }
}

async function readStream(stream: AsyncIterable<Uint8Array | string>, name: string, bound: number): Promise<Buffer> {
  try {
    const { bytes, cut } = await gather(stream, bound);
    if (cut) throw tooLarge('at least ', bound + 1, bound);
    return bytes;
  } catch (error) {
    throw unreadable(error, name);
  }
}

/** The failure of a file that could not be read; a Failure stays what it is. */
export function unreadable(error: unknown, name: string): Failure {
  if (error instanceof Failure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: `there is no file ${name}`,
    ENOTDIR: `there is no file ${name}`,
    EISDIR: `${name} is a directory, not a file`,
    EACCES: `there is no permission to read ${name}`,
    EPERM: `there is no permission to read ${name}`,
  };
  return new Failure(
    'source-unreadable',
    sentences[code] ?? `${name} could not be read (${code})`,
    { reason: code },
    error,
  );
}
