// Text for messages, terminals and counts: invisible characters out, white space folded, cut.

/** Characters that no reader sees or that reorder the text: never in a text meant for a model. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const INVISIBLE_ONCE = new RegExp(INVISIBLE.source, 'u');
/** Not what scripts and emoji are written with (joiners, variation selectors), nor line breaks and tabs. */
const UNPRINTABLE =
  /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/gu;
const UNPRINTABLE_ONCE = new RegExp(UNPRINTABLE.source, 'u');
const NONE: readonly string[] = [];
/** By code point: 0 not asked yet, 1 invisible, 2 visible. */
const KNOWN = new Uint8Array(0x110000);
/** True of a text of one line in ASCII. */
export const PRINTABLE = /^[\x20-\x7e]*$/;

/** A number with thousands separators, for messages. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number of things: `1 tool`, `1,200 tools`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Foreign text for a person: invisible characters out, white space folded, cut at `most` characters. */
export function visible(text: string, most: number): string {
  return cut(
    text
      .slice(0, most * 4)
      .replace(/\s+/g, ' ')
      .replace(INVISIBLE, ''),
    most,
  );
}

/** Foreign text for a message: invisible characters out, white space folded, cut at `most` characters, in double quotes. */
export function quoted(text: string, most = 60): string {
  return `"${visible(text, most)}"`;
}

/** Whether a code point is one that no reader sees or that reorders the text. Remembered: a text holds few different ones. */
export function isInvisible(code: number): boolean {
  if (KNOWN[code] === 0) KNOWN[code] = INVISIBLE_ONCE.test(String.fromCodePoint(code)) ? 1 : 2;
  return KNOWN[code] === 1;
}

/** Foreign text of several lines for a terminal: what controls it, turns the text round or hides a message shows as `\u{1b}`. */
export function printable(text: string): string {
  if (!UNPRINTABLE_ONCE.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The invisible code points of a text that stays as it is, as `U+200B`; empty where there are none. */
export function invisibleCodePoints(text: string): readonly string[] {
  if (PRINTABLE.test(text) || !INVISIBLE_ONCE.test(text)) return NONE;
  const found = new Set<string>();
  for (const [character] of text.matchAll(INVISIBLE)) {
    found.add(`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    if (found.size === 8) break;
  }
  return [...found];
}

/** The text cut at `most` code points; a cut one ends with … */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  let characters = 0;
  for (const character of text) {
    characters += 1;
    if (characters > most) return `${text.slice(0, end).trimEnd()}…`;
    if (characters < most) end += character.length;
  }
  return text;
}

/** UTF-8 bytes of a string as JSON. */
export function jsonBytes(text: string): number {
  if (!PRINTABLE.test(text)) return Buffer.byteLength(JSON.stringify(text));
  return text.length + 2 + occurrences(text, '"') + occurrences(text, '\\');
}

function occurrences(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found += 1;
  return found;
}
