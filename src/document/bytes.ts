// The bytes of a description: their bound, and the one decoding of them to text.
import { isAscii, isUtf8 } from 'node:buffer';
import { Failure } from '../base/failure.js';
import { count } from '../base/text.js';

/** The failure of `description_bytes`. */
export function tooLarge(atLeast: 'at least ' | '', bytes: number, bound: number): Failure {
  return new Failure(
    'source-too-large',
    `the description is ${atLeast}${count(bytes)} bytes; at most ${count(bound)} are read`,
    { bytes, limit: 'description_bytes', bound },
  );
}

const MAGIC: readonly (readonly [bytes: string, found: string])[] = [
  ['PK\x03\x04', 'a zip archive'],
  ['\x1f\x8b', 'a gzip file'],
  ['%PDF-', 'a PDF file'],
];

/**
 * The text of a description, decoded once, without its byte order mark.
 * @throws Failure `not-utf8`, or `not-a-description` for an archive.
 */
export function toText(bytes: Buffer, name: string): string {
  const start = bytes.toString('latin1', 0, 5);
  for (const [magic, found] of MAGIC) {
    if (!start.startsWith(magic)) continue;
    throw new Failure('not-a-description', `${name} is ${found}, not a description`, { found });
  }
  const encoding = otherEncoding(start);
  if (encoding !== null) throw notUtf8(`${name} is ${encoding} text; UTF-8 is read`, encoding);
  // ASCII, as most descriptions are, is a copy; to decode it would take twice as long.
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw notUtf8(`${name} holds bytes that are not UTF-8 text; UTF-8 is read`, 'unknown');
  return bytes.toString('utf8', start.startsWith('\xef\xbb\xbf') ? 3 : 0);
}

function notUtf8(message: string, encoding: string): Failure {
  return new Failure('not-utf8', message, { encoding });
}

/** By a byte order mark, or by where the zero bytes of the first ASCII characters stand (RFC 4627, section 3). */
function otherEncoding(start: string): string | null {
  if (/^(?:\0\0\xfe\xff|\xff\xfe\0\0|\0\0\0[^\0]|[^\0]\0\0\0)/.test(start)) return 'UTF-32';
  if (/^(?:\xfe\xff|\xff\xfe|\0[^\0]|[^\0]\0)/.test(start)) return 'UTF-16';
  return null;
}
