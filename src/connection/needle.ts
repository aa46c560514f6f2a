// The forms of one secret that are searched for, and the search: linear in the text whatever the text and the secret are.
import { isEscape, plainView, unescaped, type View } from './escapes.js';

/** Folded units to search for. */
export interface Needle {
  readonly units: Uint16Array;
  /** Knuth, Morris and Pratt: where to go on after a mismatch. */
  readonly next: Uint32Array;
  /** Matches only where no letter, digit or underscore stands beside it. */
  readonly whole: boolean;
  /** Digits of base64 beside the match that hold bits of the secret. */
  readonly before: 0 | 1;
  readonly after: 0 | 1;
}

/** A secret of fewer characters is matched only as a whole token. */
const SHORT = 8;
/** Layers of escapes that are read. */
export const LAYERS = 4;
/** Each code point in lower case, where that keeps its length; `+` is a space, as in a form. */
const FOLDED = foldTable();

function foldTable(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit += 1) {
    const lower = String.fromCharCode(unit).toLowerCase();
    table[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
  }
  // Sigma at the end of a word is the same letter.
  table[0x3c2] = 0x3c3;
  table[0x2b] = 0x20;
  return table;
}

/** The units of a view without their case. */
export function folded({ units, length }: View): Uint16Array {
  const all = new Uint16Array(length);
  for (let i = 0; i < length; i += 1) all[i] = FOLDED[units[i] ?? 0] ?? 0;
  return all;
}

/** All that is searched for because of one secret. */
export function needlesOf(secret: string): readonly Needle[] {
  const whole = [...secret].length < SHORT;
  const needles: Needle[] = [];
  for (const text of spellings(secret)) {
    needles.push(needle(text, whole));
    for (const layer of layers(text)) needles.push(needle(layer, whole));
  }
  for (const bytes of byteForms(secret)) {
    needles.push(needle(bytes.toString('hex'), whole));
    needles.push(...(whole ? [needle(unpadded(bytes), true)] : base64Needles(bytes)));
    if (whole) needles.push(needle(bytes.toString('base64url'), true));
  }
  return distinct(needles.filter(({ units }) => units.length > 0));
}

/** As it is, in other cases, composed and decomposed, and read in a wrong character set. UTF-8 read as Latin-1 is an escape. */
function spellings(secret: string): ReadonlySet<string> {
  const plain = [secret, secret.toUpperCase(), secret.toLowerCase(), secret.replaceAll("'", "''")];
  const forms = plain.flatMap((text) => [text, text.normalize('NFC'), text.normalize('NFD')]);
  const misread = forms.filter(isLatin1).map((text) => Buffer.from(text, 'latin1').toString());
  return new Set([...forms, ...misread]);
}

/** What reading escapes makes of a secret that looks as if it held some. */
function layers(text: string): readonly string[] {
  const found: string[] = [];
  let view: View | undefined = plainView(text);
  for (let layer = 0; layer < LAYERS; layer += 1) {
    view = unescaped(view);
    if (view === undefined) break;
    found.push(String.fromCharCode(...view.units.subarray(0, view.length)));
  }
  return found;
}

function isLatin1(text: string): boolean {
  return /^[\0-\xff]*$/.test(text);
}

function byteForms(secret: string): readonly Buffer[] {
  const plain = [secret, secret.normalize('NFC'), secret.normalize('NFD')].map((text) => Buffer.from(text));
  return isLatin1(secret) ? [...plain, Buffer.from(secret, 'latin1')] : plain;
}

/** At each of the three places within a group of three bytes: the digits that hang on the secret alone. */
function base64Needles(bytes: Buffer): readonly Needle[] {
  return ([0, 1, 2] as const).flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const edges = { before: offset === 0 ? 0 : 1, after: padded.length % 3 === 0 ? 0 : 1 } as const;
    return (['base64', 'base64url'] as const).map((alphabet) =>
      needle(padded.toString(alphabet).slice(first, last), false, edges),
    );
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function needle(
  text: string,
  whole: boolean,
  edges: Pick<Needle, 'before' | 'after'> = { before: 0, after: 0 },
): Needle {
  const units = folded(plainView(text));
  const next = new Uint32Array(units.length);
  for (let i = 1, length = 0; i < units.length; i += 1) {
    while (length > 0 && units[i] !== units[length]) length = next[length - 1] ?? 0;
    if (units[i] === units[length]) length += 1;
    next[i] = length;
  }
  return { units, next, whole, ...edges };
}

function distinct(needles: readonly Needle[]): readonly Needle[] {
  const byKey = new Map(needles.map((one) => [`${one.units.join()}|${one.before}${one.after}`, one]));
  return [...byKey.values()];
}

/** Calls `found` with the end of every match within the folded units. */
export function search(text: Uint16Array, { units, next }: Needle, found: (end: number) => void): void {
  let matched = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text[i];
    while (matched > 0 && unit !== units[matched]) matched = next[matched - 1] ?? 0;
    if (unit === units[matched]) matched += 1;
    if (matched === units.length) {
      found(i + 1);
      matched = next[matched - 1] ?? 0;
    }
  }
}

/** Fewer units than this of a secret tell nothing. */
const LEAST_BEGUN = 4;

/** Where a match begins that the end of the text cuts, if need be in the middle of an escape; -1 where none does. */
export function begun(text: Uint16Array, { units, next, whole }: Needle, widest: number): number {
  let start = -1;
  let matched = 0;
  if (whole) return start;
  for (let i = Math.max(0, text.length - units.length - widest); i < text.length; i += 1) {
    const unit = text[i];
    while (matched > 0 && unit !== units[matched]) matched = next[matched - 1] ?? 0;
    if (unit === units[matched]) matched += 1;
    const rest = text.length - i - 1;
    const ends = rest === 0 || (rest <= widest && isEscape(text[i + 1] ?? 0));
    if (ends && matched >= LEAST_BEGUN) start = i + 1 - matched;
    if (matched === units.length) matched = next[matched - 1] ?? 0;
  }
  return start;
}
