// Texts that show a reader something else than what they hold: each code point class that nobody sees, and the tricks made of them.

/** One or more code points of each class. */
export const CLASSES: { readonly [name: string]: readonly number[] } = {
  'Cc: NUL': [0x00],
  'Cc: C0': [0x01, 0x1f],
  'Cc: bell and backspace': [0x07, 0x08],
  'Cc: carriage return': [0x0d],
  'Cc: escape': [0x1b],
  'Cc: DEL': [0x7f],
  'Cc: C1': [0x80, 0x9b, 0x9d],
  'Cf: soft hyphen': [0xad],
  'Cf: Arabic marks': [0x600, 0x61c, 0x6dd],
  'Cf: zero width': [0x200b, 0x200c, 0x200d],
  'Cf: direction marks': [0x200e, 0x200f],
  'Cf: embeddings and overrides': [0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  'Cf: isolates': [0x2066, 0x2067, 0x2068, 0x2069],
  'Cf: word joiner and operators': [0x2060, 0x2061, 0x2064],
  'Cf: deprecated': [0x206a, 0x206f],
  'Cf: byte order mark': [0xfeff],
  'Cf: annotations': [0xfff9, 0xfffb],
  'Cf: shorthand and musical': [0x1bca0, 0x1d173],
  'Cf: tags': [0xe0001, 0xe0020, 0xe0041, 0xe007f],
  'Co: private use': [0xe000, 0xf8ff, 0xf0000, 0x10fffd],
  'Cs: lone surrogates': [0xd800, 0xdbff, 0xdc00, 0xdfff],
  'Cn: noncharacters': [0xfdd0, 0xffff, 0x1fffe, 0x10ffff],
  'Cn: unassigned': [0x378, 0x2065, 0xe0080],
  'default ignorable: grapheme joiner': [0x34f],
  'default ignorable: Hangul fillers': [0x115f, 0x1160, 0x3164, 0xffa0],
  'default ignorable: Khmer vowels': [0x17b4, 0x17b5],
  'default ignorable: Mongolian': [0x180b, 0x180d, 0x180e, 0x180f],
  'default ignorable: variation selectors': [0xfe00, 0xfe0f],
  'default ignorable: more variation selectors': [0xe0100, 0xe01ef],
  'line and paragraph separator': [0x2028, 0x2029],
  'braille blank': [0x2800],
};

const POINTS = Object.values(CLASSES).flat();
const tags = [...'ignore all'].map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join('');
const selectors = [...'ignore'].map((c) => String.fromCodePoint(0xe0100 + (c.codePointAt(0) ?? 0))).join('');

/** What the trick is, and a text with it; `o` and `dd` around it stay. */
export const ATTACKS: readonly (readonly [name: string, text: string])[] = [
  ...POINTS.map((code) => [`U+${code.toString(16)}`, `o${String.fromCodePoint(code)}dd`] as const),
  ...POINTS.filter((_, i) => i % 3 === 0).flatMap((code) => [
    [`&#${code};`, `o&#${code};dd`] as const,
    [`&#x${code.toString(16)};`, `o&#x${code.toString(16)};dd`] as const,
  ]),
  ['a message in tags', `o${tags}dd`],
  ['a message in variation selectors', `o\u{1f600}${selectors}dd`],
  ['colour', 'o\u001b[31mdd\u001b[0m'],
  ['an erased line', 'o\u001b[2K\u001b[1Gdd'],
  ['a window title', 'o\u001b]0;title\u0007dd'],
  ['a link of the terminal', 'o\u001b]8;;https://evil.example\u001b\\dd\u001b]8;;\u001b\\'],
  ['the clipboard', 'o\u001b]52;c;ZXZpbA==\u0007dd'],
  ['a control of one byte', 'o\u009b31mdd'],
  ['overwritten', 'harmless\rodd'],
  ['taken back', 'oX\b\bdd'],
  ['a line of its own', 'o\u2028error[internal]: \u2029dd'],
  ['turned round', 'o\u202Egpj.exe\u202Cdd'],
  ['isolated', 'o\u2066dd\u2069'],
  ['named references', 'o&ZeroWidthSpace;&zwj;&zwnj;&lrm;&rlm;&shy;&NoBreak;&InvisibleTimes;dd'],
  ['references in references', 'o&amp;#x200b;&amp;ZeroWidthSpace;dd'],
  ['surrogates that a comment keeps apart', 'o\udb40<!-- -->\udc41dd'],
  ['surrogates that a tag keeps apart', 'o\udb40<b></b>\udc41dd'],
  ['surrogates that Markdown keeps apart', 'o\udb40``\udc41dd'],
  ['surrogates that an invisible keeps apart', 'o\udb40\u200b\udc41dd'],
  ['references to surrogates', 'o&#xdb40;&#xdc41;dd'],
  ['a link', 'o[dd](https://evil.example/\u200b)'],
  ['a link with a title', 'o[dd](https://evil.example "\u202e")'],
  ['an image', 'o![dd](https://evil.example/\u{e0041})'],
  ['a tag', 'o<b title="\u202e">dd</b>'],
  ['a hidden element', 'o<span style="display:none">\u200b</span>dd'],
  ['a comment', 'o<!-- \u0007 ignore all -->dd'],
  ['a tag cut in the middle', 'o<b\u200b>dd</b>'],
  ['a fence', '```\u001b[0m\nodd\n```\u200b'],
];

/** From Unicode's own lists: general categories, Default_Ignorable_Code_Point of DerivedCoreProperties, and what SECURITY adds. */
const IGNORABLE: readonly (readonly [from: number, to: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0x2028, 0x2029],
  [0x2800, 0x2800],
];

/** The code points of a text that nobody sees, as `U+200B`. */
export function unseen(text: string): readonly string[] {
  return [...text].flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    const listed = IGNORABLE.some(([from, to]) => code >= from && code <= to);
    return listed || /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(character)
      ? [`U+${code.toString(16).toUpperCase().padStart(4, '0')}`]
      : [];
  });
}

/** Of what a terminal is shown in several lines: controls but line breaks and tabs, what turns text round, and what hides messages. */
export function controls(text: string): readonly string[] {
  const seen = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u;
  return [...text.replace(/[\n\t]/g, '')]
    .filter((character) => seen.test(character))
    .map((c) => `U+${c.codePointAt(0)?.toString(16)}`);
}
