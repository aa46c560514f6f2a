// Gathering the bytes of a stream up to a bound, in memory that grows with the bytes and not with the number of chunks.

const FIRST_BYTES = 64 * 1024;

/**
 * Reads a stream to its end, or until more than `most` bytes came; then it is cut off (`cut`) and the first `most` are kept.
 */
export async function gather(
  stream: AsyncIterable<Uint8Array | string>,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly cut: boolean }> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(FIRST_BYTES, most));
  let used = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const kept = Math.min(bytes.length, most - used);
    // Copied, because a kept slice of one byte would keep the whole block it was read into.
    if (used + kept > buffer.length) buffer = grown(buffer, used + kept, most);
    buffer.set(kept === bytes.length ? bytes : bytes.subarray(0, kept), used);
    used += kept;
    if (kept < bytes.length) return { bytes: buffer, cut: true };
  }
  return { bytes: buffer.subarray(0, used), cut: false };
}

/** A buffer of twice the size with the same beginning: of at least `least` and at most `most` bytes. */
export function grown(buffer: Buffer, least: number, most: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(buffer.length * 2, least), most));
  buffer.copy(larger);
  return larger;
}
