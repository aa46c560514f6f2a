// A file as an argument: base64 or a data URI, with a name and a media type where they are given.
import { FIXED_LIMITS } from '../base/limits.js';
import type { Piece } from './pieces.js';
import { isRecord, Unsendable } from './serialize.js';

export interface FileContent {
  readonly content: Piece;
  readonly filename?: string;
  readonly content_type?: string;
}

const MEDIA_TYPE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*;[\t\x20-\x7e]*)?$/;
/** RFC 2397; the header of a data URI is short, whatever follows. */
const DATA_URI = /^data:([^,]{0,512}),/i;

/** Reads `{ data, filename?, content_type? }`, or the data alone. */
export function fileOf(value: unknown): FileContent {
  if (typeof value === 'string') return dataOf(value);
  if (!isRecord(value) || typeof value.data !== 'string') throw new Unsendable('it is no file: its data is missing');
  const { filename, content_type } = value;
  const file = dataOf(value.data);
  return {
    ...file,
    ...(typeof filename === 'string' && filename !== '' ? { filename } : {}),
    ...(typeof content_type === 'string' && content_type !== '' ? { content_type: checkedType(content_type) } : {}),
  };
}

function dataOf(data: string): FileContent {
  const [head, parameters] = DATA_URI.exec(data) ?? [];
  if (head === undefined || parameters === undefined) return { content: base64(data) };
  const coded = /;[\t ]*base64[\t ]*$/i.exec(parameters);
  const type = coded === null ? parameters : parameters.slice(0, coded.index);
  const rest = data.slice(head.length);
  return {
    content: coded === null ? { kind: 'base64', text: unescaped(rest).toString('base64') } : base64(rest),
    ...(type === '' ? {} : { content_type: checkedType(type) }),
  };
}

/** The alphabets of RFC 4648, sections 4 and 5, with or without padding and line breaks. */
function base64(data: string): Piece {
  const clean = /[\s_-]/.test(data) ? data.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/') : data;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(clean) || clean.replace(/={1,2}$/, '').length % 4 === 1) {
    throw new Unsendable('its data is neither base64 nor a data URI');
  }
  return { kind: 'base64', text: clean };
}

/** The bytes of a text with percent-encoded bytes in it. */
function unescaped(data: string): Buffer {
  const latin = Buffer.from(data).toString('latin1');
  return Buffer.from(
    latin.replace(/%([0-9A-Fa-f]{2})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
}

function checkedType(type: string): string {
  if (type.length <= FIXED_LIMITS.media_type_chars && MEDIA_TYPE.test(type)) return type;
  throw new Unsendable('its content type is no media type');
}
