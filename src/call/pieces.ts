// A body in pieces, each turned to bytes only as it is sent, so that a large one is never held twice.
import type { ChunkedBody } from '../wire/exchange.js';
import { percent } from './serialize.js';

/** A part of a body: `form` is percent-encoded and `base64` decoded on the way. */
export interface Piece {
  readonly kind: 'text' | 'form' | 'base64';
  readonly text: string;
}

/** Characters that become bytes at once; a multiple of 4, so that base64 is cut between its groups. */
const SLICE = 64 * 1024;

/** As HTML forms are written: a space is `+` (WHATWG URL, section 5.2; what it leaves may be left or encoded). */
export function formText(text: string): string {
  return percent(text).replaceAll('%20', '+');
}

export function text(content: string): Piece {
  return { kind: 'text', text: content };
}

/** The body that these pieces make. */
export function chunked(pieces: readonly Piece[]): ChunkedBody {
  let bytes = 0;
  for (const piece of pieces) bytes += bytesOf(piece);
  return { bytes, chunks: () => gathered(pieces) };
}

function bytesOf({ kind, text: content }: Piece): number {
  if (kind === 'text') return Buffer.byteLength(content);
  if (kind === 'base64') return Math.floor((unpadded(content) * 3) / 4);
  let bytes = 0;
  for (const slice of slices(content)) bytes += formText(slice).length;
  return bytes;
}

function unpadded(base64: string): number {
  let length = base64.length;
  while (base64[length - 1] === '=') length -= 1;
  return length;
}

/** Small pieces together: each chunk is a write to the socket. */
function* gathered(pieces: readonly Piece[]): Generator<Uint8Array> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const { kind, text: content } of pieces) {
    for (const slice of slices(content)) {
      const bytes =
        kind === 'base64' ? Buffer.from(slice, 'base64') : Buffer.from(kind === 'form' ? formText(slice) : slice);
      waiting.push(bytes);
      size += bytes.length;
      if (size < SLICE) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}

function* slices(content: string): Generator<string> {
  for (let from = 0; from < content.length; ) {
    let to = Math.min(from + SLICE, content.length);
    // Both halves of a character go together.
    if (to < content.length && /[\ud800-\udbff]/.test(content[to - 1] ?? '')) to += 1;
    yield content.slice(from, to);
    from = to;
  }
}
