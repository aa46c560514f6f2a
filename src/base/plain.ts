// Foreign text made plain: markup out, entities decoded, invisible characters out, white space folded, cut.
import { decodeHTMLStrict } from 'entities';
import { cut, INVISIBLE, jsonBytes, PRINTABLE } from './text.js';

/** True of a text that holds nothing to clean: one cheap test, since most texts are plain. */
const NEEDS_CLEANING = /[^\x20-\x7e]|[<&*_`#[\\~]| {2}|^[ >+=|:-]| $/;
const UNCLOSED = /<\/?[a-zA-Z][^<>]*$|\]\([^()\s]*$/;

const BLOCKS = new Set(
  `address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2
  h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
);
const INLINES = new Set(
  `a abbr b bdi bdo big button cite code col colgroup data del dfn em font i iframe img input ins kbd label mark meta
  link q s samp script select small span strike strong style sub sup textarea time tt u var video wbr`.split(/\s+/),
);

/**
 * Markdown and HTML as plain text of at most `most` code points. Reads no more of a long text than the bound can show.
 */
export function plainText(raw: string, most: number): string {
  if (raw.length <= most && !NEEDS_CLEANING.test(raw)) return raw;
  for (let window = most * 4 + 256; ; window *= 2) {
    const whole = window >= raw.length;
    const part = whole ? raw : raw.slice(0, window);
    const text = clean(part);
    // Markup that the window's end cuts must not lie in what is shown: not a tag or a link, however long.
    if (whole || (text.length > most + 128 && !UNCLOSED.test(part))) return cut(text, most);
  }
}

/** A plain text, and the UTF-8 bytes it takes as JSON. */
export interface PlainText {
  readonly text: string;
  readonly bytes: number;
}

/** plainText, remembered by string: descriptions repeat themselves. */
export class Texts {
  readonly #known = new Map<number, Map<string, PlainText>>();

  plain(raw: string, most: number): PlainText {
    let known = this.#known.get(most);
    if (known === undefined) {
      known = new Map();
      this.#known.set(most, known);
    }
    let plain = known.get(raw);
    if (plain === undefined) {
      const text = plainText(raw, most);
      plain = { text, bytes: jsonBytes(text) };
      known.set(raw, plain);
    }
    return plain;
  }
}

/** What one character reference of HTML (`&quot;`, `&#34;`) stands for; the text as it is where it is none. */
export function referenced(reference: string): string {
  return decodeHTMLStrict(reference);
}

/** Every expression here is linear: none has two ways to match one character in a row. */
function clean(raw: string): string {
  let text = raw;
  if (text.includes('<')) text = withoutTags(withoutComments(text));
  text = withoutMarkdown(text);
  if (text.includes('&')) text = decodeHTMLStrict(text);
  text = text.replace(/\s+/g, ' ');
  if (!PRINTABLE.test(text)) text = text.replace(INVISIBLE, '').replace(/ {2,}/g, ' ');
  return text.trim();
}

function withoutComments(text: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    if (start < 0) return out + text.slice(from);
    out += text.slice(from, start);
    const end = text.indexOf('-->', start + 4);
    if (end < 0) return out;
    from = end + 3;
  }
}

/** Only elements of HTML are markup: `<owner>` in a path example is text. */
function withoutTags(text: string): string {
  return text
    .replace(/<\/?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*)?>/g, (tag, name: string) => {
      const element = name.toLowerCase();
      if (BLOCKS.has(element)) return ' ';
      return INLINES.has(element) ? '' : tag;
    })
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, '$1');
}

function withoutMarkdown(text: string): string {
  // Each expression runs only where the character that it is about stands: most texts hold one or two of them.
  let out = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (out.includes('```') || out.includes('~~~')) out = out.replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '');
  if (/[-=*_|:]{2}/.test(out)) out = out.replace(/^[ \t:|=*_-]+$/gm, '');
  if (out.includes('#')) out = out.replace(/^[ \t]{0,3}#{1,6}[ \t]+/gm, '');
  if (out.includes('>')) out = out.replace(/^[ \t]{0,3}>[ \t]?/gm, '');
  if (out.includes('* ') || out.includes('+ ')) out = out.replace(/^[ \t]*[*+][ \t]+/gm, '- ');
  if (out.includes('[')) {
    out = out
      .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s{1,9}"[^"\n]*")?\)/g, '$1')
      .replace(/\[([^[\]]+)\]\[[^[\]]*\]/g, '$1');
  }
  if (out.includes('`')) out = out.replace(/`+/g, '');
  if (out.includes('**')) out = out.replace(/\*\*(?=\S)([^*\n]*[^*\s])\*\*/g, '$1');
  if (out.includes('*')) out = out.replace(/(^|[^*\w\\])\*(?=[^\s*])([^*\n]*[^*\s])\*(?![*\w])/gm, '$1$2');
  if (out.includes('__')) out = out.replace(/(^|[^\w\\])__(?=[^\s_])([^_\n]*[^_\s])__(?!\w)/gm, '$1$2');
  if (out.includes('_')) out = out.replace(/(^|[^\w\\])_(?=[^\s_])([^_\n]*[^_\s])_(?!\w)/gm, '$1$2');
  if (out.includes('~~')) out = out.replace(/~~([^~\n]+)~~/g, '$1');
  if (out.includes('\\')) out = out.replace(/\\([\\`*_{}[\]()#+!<>|~-])/g, '$1');
  return out;
}
