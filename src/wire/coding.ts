// Content codings (RFC 9110, section 8.4): which ones a body has, and the chain that undoes them as it comes.
import { type Duplex, pipeline, Writable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

const MOST_CODINGS = 3;

/** The codings of a Content-Encoding in their order, without `identity`. @throws where there are too many. */
export function codingsOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  const names = (typeof header === 'string' ? header : header.join(','))
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MOST_CODINGS) throw unread('too many codings');
  return names;
}

/**
 * Where the bytes of a body go to be decoded. Destroying it ends the whole chain.
 * @param codings one at least; the last one is undone first
 * @param decoded called with each piece
 * @param done called once, after the last piece or with what went wrong
 * @throws for a coding that is not known
 */
export function decoding(
  codings: readonly string[],
  decoded: (chunk: Buffer) => void,
  done: (error: Error | null | undefined) => void,
): Duplex {
  const decoders = codings.map(decoderOf).reverse();
  const end = new Writable({
    write: (chunk: Buffer, _encoding, next) => {
      decoded(chunk);
      next();
    },
  });
  pipeline([...decoders, end], done);
  return decoders[0] as Duplex;
}

function decoderOf(coding: string): Duplex {
  const chunkSize = 64 * 1024;
  if (coding === 'br') return createBrotliDecompress({ chunkSize });
  if (coding === 'gzip' || coding === 'x-gzip' || coding === 'deflate') return createUnzip({ chunkSize });
  throw unread('unknown coding');
}

function unread(message: string): Error {
  return Object.assign(new Error(message), { code: 'CONTENT_ENCODING' });
}
