// The bytes of an answer's body to what they are: JSON, text, or binary, with a note of what was cut or is odd.
import { isUtf8 } from 'node:buffer';
import { CALL_LIMITS } from '../base/limits.js';
import { count, quoted } from '../base/text.js';
import { isHtml } from '../document/decode.js';
import type { AnswerBody } from './call.js';

export interface Content {
  readonly body: AnswerBody;
  readonly notes: readonly string[];
}

const JSON_TYPE = /^(?:(?:application|text)\/(?:x-)?json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)$/;
const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:xml|x-www-form-urlencoded|(?:x-)?(?:java|ecma)script|(?:x-)?ndjson|(?:x-)?jsonl|json-seq|(?:x-)?yaml)|.*\+(?:xml|yaml|json-seq))$/;
/** RFC 9110, section 8.3.1, in lower case. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/;
const OCTETS = 'application/octet-stream';

/**
 * Decodes a body.
 * @param header the Content-Type as it came
 * @param cutOff the bytes are only the beginning of the body
 */
export function contentOf(bytes: Buffer, header: string | undefined, cutOff: boolean): Content {
  if (bytes.length === 0) return { body: { kind: 'empty' }, notes: cutOff ? ['the body was not read'] : [] };
  const type = essenceOf(header);
  const charset = /;\s*charset\s*=\s*"?([^";,\s]+)/i.exec(header ?? '')?.[1];
  if (type === undefined) return untyped(bytes, cutOff);
  if (JSON_TYPE.test(type)) return promisedJson(decoded(bytes, charset, cutOff), type, cutOff);
  if (TEXT_TYPE.test(type)) return textual(decoded(bytes, charset, cutOff));
  return binary(bytes, type, cutOff);
}

/** `type/subtype` in lower case; undefined where the header is missing or no media type. */
function essenceOf(header: string | undefined): string | undefined {
  const essence = (header ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(essence) ? essence : undefined;
}

function untyped(bytes: Buffer, cutOff: boolean): Content {
  const read = decoded(bytes, undefined, cutOff);
  // A control character that no text holds tells binary from text as well as an invalid sequence does.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
  if (!read.valid || /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(read.text)) return binary(bytes, OCTETS, cutOff);
  if (cutOff || !/^\s*[[{]/.test(read.text)) return textual(read);
  return json(read) ?? textual(read);
}

function promisedJson(read: Decoded, type: string, cutOff: boolean): Content {
  const html = isHtml(read.text);
  if (cutOff && !html) return textual(read);
  const found = cutOff ? undefined : json(read);
  if (found !== undefined) return found;
  const why = html ? 'it is an HTML page' : 'it is shown as it came';
  return textual(read, [`the body is not valid JSON, though its type is ${quoted(type)}: ${why}`]);
}

/** A JSON text, also one that is shown as text since it nests too deep; undefined for any other text. */
function json(read: Decoded): Content | undefined {
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return undefined;
  }
  if (nestsDeeper(read.text, CALL_LIMITS.answer_depth)) {
    const note = `the JSON nests more than ${count(CALL_LIMITS.answer_depth)} levels deep; it is shown as text`;
    return textual(read, [note]);
  }
  return { body: { kind: 'json', value, text: read.text }, notes: read.notes };
}

const [QUOTE, BRACKET, BACKSLASH, BRACE] = [0x22, 0x5b, 0x5c, 0x7b];

/** Of a valid JSON text. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  let quotedPart = false;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (quotedPart && unit === BACKSLASH) i += 1;
    else if (unit === QUOTE) quotedPart = !quotedPart;
    else if (quotedPart) continue;
    else if (unit === BRACKET || unit === BRACE) depth += 1;
    // The closing ones come two later in ASCII.
    else if (unit === BRACKET + 2 || unit === BRACE + 2) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

function textual(read: Decoded, notes: readonly string[] = []): Content {
  return { body: { kind: 'text', text: read.text }, notes: [...notes, ...read.notes] };
}

function binary(bytes: Buffer, type: string, cutOff: boolean): Content {
  const body: AnswerBody = { kind: 'binary', base64: bytes.toString('base64'), content_type: type };
  return { body, notes: cutOff ? [cutNote(bytes.length)] : [] };
}

function cutNote(bytes: number): string {
  return `the body is longer than what is read: its first ${count(bytes)} ${bytes === 1 ? 'byte is' : 'bytes are'} shown`;
}

interface Decoded {
  /** Without a byte order mark. */
  readonly text: string;
  /** False where bytes that are no character were replaced. */
  readonly valid: boolean;
  readonly notes: readonly string[];
}

/** A byte order mark wins over the charset; without either it is UTF-8. Half a character at a cut end is left out. */
function decoded(bytes: Buffer, charset: string | undefined, cutOff: boolean): Decoded {
  const notes: string[] = [];
  const marked = markedEncoding(bytes);
  // What nearly every answer is needs no decoder of its own.
  if (marked === undefined && !cutOff && (charset === undefined || /^utf-?8$/i.test(charset)) && isUtf8(bytes)) {
    return { text: bytes.toString(), valid: true, notes };
  }
  let encoding = marked ?? 'utf-8';
  if (charset !== undefined && marked === undefined) {
    if (isKnown(charset)) encoding = new TextDecoder(charset).encoding;
    else notes.push(`the charset ${quoted(charset)} is not known; the text is read as UTF-8`);
  }
  const kept = cutOff && encoding === 'utf-8' ? bytes.subarray(0, wholeCharacters(bytes)) : bytes;
  let valid = true;
  let text: string;
  try {
    text = decodedAs(new TextDecoder(encoding, { fatal: true }), kept, cutOff);
  } catch {
    valid = false;
    text = decodedAs(new TextDecoder(encoding), kept, cutOff);
    notes.push(`some bytes are no text in ${encoding} and are shown as U+FFFD`);
  }
  if (cutOff) notes.push(cutNote(kept.length));
  return { text, valid, notes };
}

function isKnown(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return true;
  } catch {
    return false;
  }
}

/** As a stream, which leaves half a character out at a cut end; Node 20 also reads windows-1252 rightly only this way. */
function decodedAs(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, cutOff: boolean): string {
  const text = decoder.decode(bytes, { stream: true });
  return cutOff ? text : text + decoder.decode();
}

function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** The length without a character of UTF-8 that is begun at the end and not finished. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
