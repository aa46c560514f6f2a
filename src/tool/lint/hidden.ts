// Characters that no reader sees in a text that a model reads: all but those that scripts and emoji are written with.

/** Controls but white space; fillers, joiners, marks of direction, variation selectors, tags; annotation marks. */
const HIDDEN = /(?![\t\n\v\f\r\u0085])\p{Cc}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
/** What can carry a text of its own, or turn one round. */
const GRAVE = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u;
/** So many hidden characters are no slip of the keyboard. */
const MANY = 4;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const JOINED = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const PICTURE = /^\p{Extended_Pictographic}|^[\u2640\u2642]/u;
/** Letters of scripts that join: not those that are read without joiners. */
const LETTER_BEFORE = /(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}])[\p{L}\p{M}]$/u;
const VARIED = /[\p{Emoji}\p{S}\p{Script=Han}\p{Script=Mongolian}]$/u;
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/gu;

export interface Hidden {
  /** As `U+200B`, each once. */
  readonly points: readonly string[];
  readonly grave: boolean;
}

/** The hidden characters of a text; undefined where there are none. */
export function hiddenIn(text: string): Hidden | undefined {
  if (PLAIN.test(text)) return undefined;
  const whole = text.includes('\u{1f3f4}') ? text.replace(FLAG, '\u{1f3f4}') : text;
  const found = [...whole.matchAll(HIDDEN)].filter(({ 0: sign, index }) => !isWritten(whole, sign, index));
  if (found.length === 0) return undefined;
  const points = new Set(found.map(({ 0: sign }) => codePoint(sign)));
  return { points: [...points], grave: found.length >= MANY || found.some(({ 0: sign }) => GRAVE.test(sign)) };
}

/** Whether a character belongs to how the text around it is written. */
function isWritten(text: string, sign: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  const after = text.slice(index + sign.length, index + sign.length + 2);
  if (sign === '\u200d' || sign === '\u200c') {
    return (JOINED.test(before) && PICTURE.test(after)) || LETTER_BEFORE.test(before);
  }
  if (/[\ufe00-\ufe0f]/.test(sign)) return VARIED.test(before);
  return /[\u200e\u200f\u061c]/.test(sign) && RIGHT_TO_LEFT.test(text);
}

function codePoint(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
