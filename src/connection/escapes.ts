// A text as a reader of escapes sees it, with the place that each character came from. Percent, backslash, character
// references and bytes of UTF-8 that were read as Latin-1 are read together, and what nobody sees is left out, since what
// is searched for was read in the same way.
import { referenced } from '../base/plain.js';
import { isInvisible } from '../base/text.js';

/** UTF-16 units, and of each the part of the original text it stands for. */
export interface View {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly length: number;
}

/** A character reference is no longer than this: `&CounterClockwiseContourIntegral;`. */
const REFERENCE_CHARS = 34;
const LETTERS: { readonly [letter: string]: number } = {
  n: 10,
  t: 9,
  r: 13,
  b: 8,
  f: 12,
  v: 11,
  a: 7,
  e: 27,
  0: 0,
  _: 160,
};
const [PERCENT, BACKSLASH, AMPERSAND, NEWLINE, RETURN, SPACE, TAB] = [0x25, 0x5c, 0x26, 10, 13, 32, 9];
/** Bytes from 0x80 that windows-1252, as the decoders of the web have it, reads otherwise than Latin-1. */
const WINDOWS_1252 = new Map(
  [...Array(32).keys()].map((i) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + i)).charCodeAt(0),
    0x80 + i,
  ]),
);

/** The view in which nothing is read. */
export function plainView(text: string): View {
  const length = text.length;
  const units = new Uint16Array(length);
  const starts = new Uint32Array(length);
  const ends = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) {
    units[i] = text.charCodeAt(i);
    starts[i] = i;
    ends[i] = i + 1;
  }
  return { units, starts, ends, length };
}

/** One layer of escapes read; undefined where there is none. */
export function unescaped(view: View): View | undefined {
  const first = view.units.subarray(0, view.length).findIndex(isMark);
  return first < 0 ? undefined : new Reader(view).read();
}

function isMark(unit: number): boolean {
  if (unit >= SPACE && unit < 0x7f) return isEscape(unit);
  return isLead(unit) || isHighSurrogate(unit) || isInvisible(unit);
}

/** A sign that an escape begins with. */
export function isEscape(unit: number): boolean {
  return unit === PERCENT || unit === BACKSLASH || unit === AMPERSAND;
}

/** The first of several bytes of UTF-8. */
function isLead(unit: number): boolean {
  return unit >= 0xc2 && unit < 0xf5;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Units, and how many of the original they stand for. */
type Piece = readonly [units: readonly number[], taken: number];

/** Reads from the left, each unit once but for bounded looks ahead; what it writes is never longer than what it read. */
class Reader {
  readonly #from: View;
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #at = 0;
  #length = 0;

  constructor(from: View) {
    this.#from = from;
    this.#units = new Uint16Array(from.length);
    this.#starts = new Uint32Array(from.length);
    this.#ends = new Uint32Array(from.length);
  }

  read(): View {
    while (this.#at < this.#from.length) this.#write(...this.#piece());
    return { units: this.#units, starts: this.#starts, ends: this.#ends, length: this.#length };
  }

  #piece(): Piece {
    const unit = this.#from.units[this.#at] ?? 0;
    if (!isMark(unit)) return this.#plain();
    if (unit === PERCENT) return this.#percent();
    if (unit === BACKSLASH) return this.#backslash();
    if (unit === AMPERSAND) return this.#reference();
    // A line break with the white space after it is one space: folded lines.
    if (unit === NEWLINE || unit === RETURN) return [[SPACE], this.#blankEnd(this.#at) - this.#at];
    if (unit === TAB) return [[SPACE], 1];
    return this.#misread() ?? this.#unseen();
  }

  /** Bytes of UTF-8, each of which was read as a character of its own. */
  #misread(): Piece | undefined {
    const character = this.#utf8((i) => byteOf(this.#from.units[this.#at + i] ?? 0));
    return character === undefined || character.size === 1 ? undefined : [unitsOf(character.code), character.size];
  }

  /** What nobody sees is nothing. */
  #unseen(): Piece {
    const unit = this.#from.units[this.#at] ?? 0;
    const low = this.#from.units[this.#at + 1] ?? 0;
    if (!isHighSurrogate(unit)) return isInvisible(unit) ? [[], 1] : this.#plain();
    if (low >> 10 !== 0x37) return this.#plain();
    return isInvisible(0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)) ? [[], 2] : [[unit, low], 2];
  }

  #plain(): Piece {
    return [[this.#from.units[this.#at] ?? 0], 1];
  }

  /** Writes units that `taken` units of the original stand for. */
  #write(units: readonly number[], taken: number): void {
    const start = this.#from.starts[this.#at] ?? 0;
    this.#at += taken;
    const end = this.#from.ends[this.#at - 1] ?? 0;
    for (const unit of units) {
      this.#units[this.#length] = unit;
      this.#starts[this.#length] = start;
      this.#ends[this.#length] = end;
      this.#length += 1;
    }
  }

  /** The number of `digits` hexadecimal digits at an offset, -1 where they are not all there. */
  #hex(offset: number, digits: number): number {
    let number = 0;
    for (let i = this.#at + offset; i < this.#at + offset + digits; i += 1) {
      const digit = i < this.#from.length ? hexDigit(this.#from.units[i] ?? 0) : -1;
      if (digit < 0) return -1;
      number = number * 16 + digit;
    }
    return number;
  }

  /** True where nothing but hexadecimal digits stands from there to the end. */
  #areHex(from: number): boolean {
    return this.#from.units.subarray(from, this.#from.length).every((unit) => hexDigit(unit) >= 0);
  }

  /** One character of UTF-8, or a byte of Latin-1 where it is none. */
  #percent(): Piece {
    const lead = this.#hex(1, 2);
    if (lead < 0) return this.#plain();
    const byteAt = (i: number) => (this.#from.units[this.#at + i * 3] === PERCENT ? this.#hex(i * 3 + 1, 2) : -1);
    const { code, size } = this.#utf8(byteAt) ?? { code: lead, size: 1 };
    return [unitsOf(code), size * 3];
  }

  /** The character that begins with byte 0, and its bytes; undefined where they are none. */
  #utf8(byteAt: (index: number) => number): { readonly code: number; readonly size: number } | undefined {
    const lead = byteAt(0);
    if (lead < 0x80) return { code: lead, size: 1 };
    if (!isLead(lead)) return undefined;
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    let code = lead & (0x7f >> size);
    for (let i = 1; i < size; i += 1) {
      const next = byteAt(i);
      if (next >> 6 !== 2) return undefined;
      code = code * 64 + (next & 63);
    }
    return code > 0x10ffff ? undefined : { code, size };
  }

  /** JSON (RFC 8259, section 7), YAML 1.2.2 (section 5.7) and JavaScript; any other escaped character is itself. */
  #backslash(): Piece {
    const next = this.#from.units[this.#at + 1];
    if (this.#at + 1 >= this.#from.length || next === undefined) return this.#plain();
    if (next === NEWLINE || next === RETURN) return [[], this.#blankEnd(this.#at + 1) - this.#at];
    const letter = String.fromCharCode(next);
    for (const [sign, digits] of [
      ['u', 4],
      ['x', 2],
      ['U', 8],
    ] as const) {
      if (letter !== sign) continue;
      // One that the end of the text cuts is no letter.
      if (this.#at + 2 + digits > this.#from.length && this.#areHex(this.#at + 2)) return this.#plain();
      const code = this.#hex(2, digits);
      if (code >= 0 && code <= 0x10ffff) return [unitsOf(code), 2 + digits];
    }
    return [[Object.hasOwn(LETTERS, letter) ? (LETTERS[letter] ?? next) : next], 2];
  }

  #blankEnd(at: number): number {
    let end = at;
    while (end < this.#from.length && isBlank(this.#from.units[end] ?? 0)) end += 1;
    return end;
  }

  #reference(): Piece {
    let end = this.#at + 1;
    const most = Math.min(this.#from.length, this.#at + REFERENCE_CHARS);
    while (end < most && isReferencePart(this.#from.units[end] ?? 0)) end += 1;
    if (end >= most || this.#from.units[end] !== 0x3b || end === this.#at + 1) return this.#plain();
    const token = String.fromCharCode(...this.#from.units.subarray(this.#at, end + 1));
    const character = referenced(token);
    if (character === token) return this.#plain();
    return [[...Array(character.length).keys()].map((i) => character.charCodeAt(i)), token.length];
  }
}

/** The byte that a character was read from; -1 where it is no Latin-1. */
function byteOf(unit: number): number {
  return unit < 0x100 ? unit : (WINDOWS_1252.get(unit) ?? -1);
}

function unitsOf(code: number): readonly number[] {
  if (code < 0x10000) return [code];
  return [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)];
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB || unit === NEWLINE || unit === RETURN;
}

function isReferencePart(unit: number): boolean {
  return unit === 35 || (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 122);
}
