// The values of a body to its bytes: JSON, form fields, parts, text, or a file; each as OpenAPI's Encoding Object says. Pure.
import { randomUUID } from 'node:crypto';
import { bodyForm } from '../base/media.js';
import type { PartEncoding } from '../tool/tool.js';
import type { ChunkedBody } from '../wire/exchange.js';
import { fileOf } from './file.js';
import { chunked, formText, type Piece, text } from './pieces.js';
import { isRecord, type PairWire, pairsOf, percentReserved, primitive, Unsendable } from './serialize.js';

/** A body and the type it goes under. */
export interface WrittenBody {
  readonly content_type: string;
  readonly body: string | ChunkedBody;
}

/** One field of a form: its name as it is sent, and its value. */
export type Field = readonly [name: string, value: Piece];

/** One part of a multipart body (RFC 7578). */
export interface Part {
  /** Its header fields, without the line end. */
  readonly head: string;
  readonly content: Piece;
}

/** Up to here a form is one text, which a person can read in a dry run. */
const SHORT_FORM = 64 * 1024;
/** What would end a value, though it is reserved and may pass; `+` would be read as a space. */
const ENDS_VALUE = /[&+]/;
const BINARY = 'application/octet-stream';

/** A whole value as a body of its media type. */
export function wholeBody(type: string, value: unknown): WrittenBody {
  // What is neither of these, XML above all, is text that somebody wrote.
  const form = bodyForm(type) ?? 'text';
  if (form === 'json') return { content_type: type, body: JSON.stringify(value) };
  if (form === 'text') return { content_type: type, body: wellFormed(primitive(value)) };
  if (form === 'binary') {
    const { content, content_type } = fileOf(value);
    // A range is for Accept; what is sent says what it is.
    return { content_type: type.includes('*') ? (content_type ?? BINARY) : type, body: chunked([content]) };
  }
  if (!isRecord(value)) throw new Unsendable('it is no object, whose entries would be the fields');
  const entries = Object.entries(value);
  return form === 'form'
    ? formBody(
        type,
        entries.flatMap(([name, one]) => formFields(name, one)),
      )
    : multipartBody(entries.flatMap(([name, one]) => partsOf(name, one)));
}

/** The fields of one property (OpenAPI 3.1.1, Encoding Object): by style where one is named, else by media type. */
export function formFields(name: string, value: unknown, encoding: PartEncoding = {}): Field[] {
  if (isStyled(encoding)) {
    const encode = encoding.allow_reserved === true ? reservedText : formText;
    return pairsOf(name, value, wireOf(encoding, encode, formText)).map(([key, one]) => [key, text(one)]);
  }
  return textsOf(value, encoding.content_type).map((one) => [formText(name), { kind: 'form', text: one.text }]);
}

function reservedText(value: string): string {
  return percentReserved(value, ENDS_VALUE);
}

export function formBody(type: string, fields: readonly Field[]): WrittenBody {
  const pieces = fields.flatMap(([name, value], i) => [text(`${i === 0 ? '' : '&'}${name}=`), value]);
  const body = chunked(pieces);
  return { content_type: type, body: body.bytes > SHORT_FORM ? body : Buffer.concat([...body.chunks()]).toString() };
}

/** The parts of one property: one for each item of a list. */
export function partsOf(name: string, value: unknown, encoding: PartEncoding = {}): Part[] {
  const { content_type } = encoding;
  if (encoding.file === true) return filesOf(name, value, content_type);
  if (isStyled(encoding)) {
    const plain = (one: string) => one;
    return pairsOf(name, value, wireOf(encoding, plain, plain)).map(([key, one]) => ({
      head: headOf({ name: key }),
      content: text(one),
    }));
  }
  return textsOf(value, content_type).map(({ text: one, json }) => {
    const type = content_type ?? (json ? 'application/json' : undefined);
    return { head: headOf({ name, content_type: type }), content: text(one) };
  });
}

function filesOf(name: string, value: unknown, usual: string | undefined): Part[] {
  const files = Array.isArray(value) ? value : [value];
  return files
    .filter((one) => one !== null && one !== undefined)
    .map((one) => {
      const { content, filename = name, content_type = usual ?? BINARY } = fileOf(one);
      return { head: headOf({ name, filename, content_type }), content };
    });
}

/** Parts between boundaries (RFC 2046, section 5.1.1); the boundary is too random to stand in one of them. */
export function multipartBody(parts: readonly Part[]): WrittenBody {
  const boundary = `----toolwright-${randomUUID()}`;
  const pieces = parts.flatMap(({ head, content }) => [
    text(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    text('\r\n'),
  ]);
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    body: chunked([...pieces, text(`--${boundary}--\r\n`)]),
  };
}

interface PartHead {
  readonly name: string;
  readonly filename?: string;
  readonly content_type?: string | undefined;
}

function headOf({ name, filename, content_type }: PartHead): string {
  const file = filename === undefined ? '' : `; filename="${headerText(filename)}"`;
  const type = content_type === undefined ? '' : `\r\nContent-Type: ${content_type}`;
  return `Content-Disposition: form-data; name="${headerText(name)}"${file}${type}`;
}

/** What would end the parameter or the line is percent-encoded (RFC 7578, section 2; the HTML Standard, multipart/form-data). */
function headerText(value: string): string {
  return wellFormed(value).replace(
    /["\r\n\0]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function isStyled({ style, explode, allow_reserved }: PartEncoding): boolean {
  return style !== undefined || explode !== undefined || allow_reserved !== undefined;
}

function wireOf(
  { style = 'form', explode }: PartEncoding,
  encode: PairWire['encode'],
  encodeName: PairWire['encode'],
): PairWire {
  return { style, explode: explode ?? style === 'form', encode, encodeName };
}

/** A value by media type: a list item by item, objects as JSON, nothing for null. */
function textsOf(value: unknown, type: string | undefined): { readonly text: string; readonly json: boolean }[] {
  const items = Array.isArray(value) ? value : [value];
  const form = type === undefined ? undefined : bodyForm(type.split(',', 1)[0] ?? '');
  return items
    .filter((item) => item !== null && item !== undefined)
    .map((item) => {
      const json = form === 'json' || (form === undefined && typeof item === 'object');
      if (!json && typeof item === 'object')
        throw new Unsendable('how a list or an object is written in its media type is not defined');
      return { text: json ? JSON.stringify(item) : wellFormed(primitive(item)), json };
    });
}

function wellFormed(value: string): string {
  if (!/\p{Surrogate}/u.test(value)) return value;
  throw new Unsendable('it holds half a character (a lone surrogate)');
}
