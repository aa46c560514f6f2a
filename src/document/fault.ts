// Where a text that is not JSON first breaks, and how (RFC 8259). No recursion; memory for nothing but the open brackets.
import { quoted } from '../base/text.js';

/** `line` and `column` count from 1, columns in UTF-16 units; `what` is the end of a sentence that names the place. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

/** The first fault of the text; null where it is JSON. */
export function firstFault(text: string): Fault | null {
  /** For each open bracket: is it one of an object? */
  const open: boolean[] = [];
  let expected = VALUE;
  let at = 0;
  for (;;) {
    at = afterSpace(text, at);
    const token = tokenAt(text, at);
    if (!expected.kinds.has(token.kind)) return placed(text, unexpected(text, at, token, expected));
    if (token.problem !== null) return placed(text, token.problem);
    if (token.kind === 'end') return null;
    expected = following(token.kind, expected, open);
    at = token.end;
  }
}

function placed(text: string, { offset, what }: Problem): Fault {
  let line = 1;
  let lineStart = 0;
  for (const lineBreak of text.slice(0, offset).matchAll(/\r\n?|\n/g)) {
    line += 1;
    lineStart = lineBreak.index + lineBreak[0].length;
  }
  return { line, column: offset - lineStart + 1, what };
}

// What may come next

interface Expected {
  readonly kinds: ReadonlySet<Kind>;
  readonly name: string;
}

const VALUE: Expected = { kinds: new Set(['{', '[', 'string', 'scalar']), name: 'a value' };
const FIRST_ITEM: Expected = { kinds: new Set([...VALUE.kinds, ']']), name: 'a value or "]"' };
const KEY: Expected = { kinds: new Set(['string']), name: 'a name in double quotes' };
const FIRST_KEY: Expected = { kinds: new Set(['string', '}']), name: 'a name in double quotes or "}"' };
const AFTER_KEY: Expected = { kinds: new Set([':']), name: '":"' };
const AFTER_MEMBER: Expected = { kinds: new Set([',', '}']), name: '"," or "}"' };
const AFTER_ITEM: Expected = { kinds: new Set([',', ']']), name: '"," or "]"' };
const AFTER_ALL: Expected = { kinds: new Set(['end']), name: 'the end of the text' };

function following(kind: Kind, expected: Expected, open: boolean[]): Expected {
  if (kind === '{' || kind === '[') {
    open.push(kind === '{');
    return kind === '{' ? FIRST_KEY : FIRST_ITEM;
  }
  if (kind === ':') return VALUE;
  if (kind === ',') return open.at(-1) === true ? KEY : VALUE;
  if (kind === 'string' && (expected === KEY || expected === FIRST_KEY)) return AFTER_KEY;
  if (kind === '}' || kind === ']') open.pop();
  const inObject = open.at(-1);
  if (inObject === undefined) return AFTER_ALL;
  return inObject ? AFTER_MEMBER : AFTER_ITEM;
}

function unexpected(text: string, offset: number, token: Token, expected: Expected): Problem {
  if (token.kind === 'end') return endsEarly(text);
  if (token.kind === 'comment') return { offset, what: 'a comment stands, and JSON has none' };
  const found = text.slice(offset, Math.min(token.end, offset + 60));
  const begun = token.end === text.length && LITERALS.some((literal) => literal.startsWith(found));
  if (begun && expected.kinds.has('scalar')) return endsEarly(text);
  return { offset, what: `${expected.name} is expected, and ${quoted(found, 20)} was found` };
}

function endsEarly(text: string): Problem {
  return { offset: text.length, what: 'the text ends too early' };
}

// Tokens

type Kind = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'scalar' | 'comment' | 'other' | 'end';

interface Problem {
  readonly offset: number;
  readonly what: string;
}

interface Token {
  readonly kind: Kind;
  readonly end: number;
  /** What is wrong inside it. */
  readonly problem: Problem | null;
}

const LITERALS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORD = /[^\s{}[\],:"]{1,60}/y;

function afterSpace(text: string, from: number): number {
  let at = from;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

function tokenAt(text: string, at: number): Token {
  const first = text[at];
  switch (first) {
    case undefined:
      return { kind: 'end', end: at, problem: null };
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return { kind: first, end: at + 1, problem: null };
    case '"':
      return stringAt(text, at);
    case '/':
      if (text[at + 1] === '/' || text[at + 1] === '*') return { kind: 'comment', end: at + 2, problem: null };
      break;
    default:
      if (first === '-' || (first >= '0' && first <= '9')) return numberAt(text, at);
  }
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? first;
  return { kind: LITERALS.includes(word) ? 'scalar' : 'other', end: at + word.length, problem: null };
}

function numberAt(text: string, at: number): Token {
  NUMBER.lastIndex = at;
  const [whole = '-', fraction, exponent] = NUMBER.exec(text) ?? [];
  const end = at + whole.length;
  const rest = text.slice(end, end + 2);
  let begun = whole === '-' ? 0 : -1;
  if (exponent === undefined && /^[eE]/.test(rest)) begun = /^.[+-]/.test(rest) ? 2 : 1;
  else if (exponent === undefined && fraction === undefined && rest.startsWith('.')) begun = 1;
  return { kind: 'scalar', end, problem: begun < 0 ? null : missing(text, end + begun, 'a digit is expected') };
}

function stringAt(text: string, start: number): Token {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: 'string', end: at + 1, problem: null };
    if (code < 0x20) return broken(at, { offset: at, what: 'a string holds a control character that is not escaped' });
    if (code !== 0x5c) continue;
    const length = escapeLength(text, at);
    if (length === 0) return broken(at, wrongEscape(text, at));
    at += length - 1;
  }
  return broken(text.length, endsEarly(text));
}

function broken(end: number, problem: Problem): Token {
  return { kind: 'string', end, problem };
}

/** How many characters the escape takes; 0 for one that JSON does not have. */
function escapeLength(text: string, at: number): number {
  const kind = text[at + 1];
  if (kind === 'u') return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return kind !== undefined && '"\\/bfnrt'.includes(kind) ? 2 : 0;
}

function wrongEscape(text: string, at: number): Problem {
  const cut = /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(at, at + 6));
  return cut ? endsEarly(text) : { offset: at, what: 'a string holds an escape that JSON does not have' };
}

function missing(text: string, offset: number, what: string): Problem {
  return offset >= text.length ? endsEarly(text) : { offset, what };
}
