// Gathering the bytes of a stream up to a bound, in memory that grows with the bytes and not with the number of chunks.

const NOTHING = Buffer.alloc(0);

/** Bytes that come in pieces, of which the first `most` are kept. */
export class Gathered {
  readonly most: number;
  #buffer: Buffer = NOTHING;
  #used = 0;

  constructor(most: number) {
    this.most = most;
  }

  get bytes(): Buffer {
    return this.#used === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#used);
  }

  /** False where a part of the chunk is past the bound. */
  add(chunk: Uint8Array): boolean {
    const kept = Math.min(chunk.length, this.most - this.#used);
    const used = this.#used + kept;
    // Copied, because a kept slice of one byte would keep the whole block it was read into.
    if (used > this.#buffer.length) this.#buffer = grown(this.#buffer, used, this.most);
    this.#buffer.set(kept === chunk.length ? chunk : chunk.subarray(0, kept), this.#used);
    this.#used = used;
    return kept === chunk.length;
  }
}

/**
 * Reads a stream to its end, or until more than `most` bytes came; then it is cut off (`cut`) and the first `most` are kept.
 */
export async function gather(
  stream: AsyncIterable<Uint8Array | string>,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly cut: boolean }> {
  const gathered = new Gathered(most);
  for await (const chunk of stream) {
    const fits = gathered.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    if (!fits) return { bytes: gathered.bytes, cut: true };
  }
  return { bytes: gathered.bytes, cut: false };
}

/** A buffer of twice the size with the same beginning: of at least `least` and at most `most` bytes. */
export function grown(buffer: Buffer, least: number, most: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(buffer.length * 2, least), most));
  buffer.copy(larger);
  return larger;
}
