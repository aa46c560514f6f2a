// Keeps secrets out of whatever is shown: they are found by value, in the encodings that texts carry them in.
import { LRUCache } from 'lru-cache';
import { isObject, put } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { plainView, unescaped, type View } from './escapes.js';
import { begun, folded, LAYERS, type Needle, needlesOf, search } from './needle.js';

const MARK = '[redacted]';
/** Units of text that one unit of a needle may take: `&amp;#x000041;`, `%25%34%31`. */
const WIDEST = 24;
/** A long key of digits: as a number it loses its last ones, or the zeros before it. */
const NUMBER = /^\d{8,}$/;
const WORD = /^[\p{L}\p{N}_]$/u;
const BASE64_DIGIT = /^[A-Za-z0-9+/_-]$/;

/** Takes a text in pieces; what it has answered so far never holds a part of a secret. */
interface ScrubbedStream {
  /** Bytes are UTF-8, and may be cut anywhere. */
  push(piece: string | Uint8Array): string;
  /** The rest. */
  end(): string;
}

export interface Scrubber {
  /** Linear in the text. Of one whose end was cut off, also what it holds of a secret at its end. */
  text(text: string, cut?: boolean): string;
  /** A copy of a JSON value, keys and values scrubbed; what lies too deep is left out. */
  value<T>(value: T): T;
  stream(): ScrubbedStream;
}

/** From `start` up to `end` of the original text. */
type Span = readonly [start: number, end: number];

/**
 * A scrubber of these secrets. A secret of under 8 characters is found only where it stands as a whole token.
 * Found are: the text in any case, composed or decomposed, read in a wrong character set; behind up to four layers of
 * escapes (JSON, percent, form, HTML, YAML) in any mixture; base64 and base64url at any offset; hexadecimal.
 */
export function scrubber(secrets: readonly string[]): Scrubber {
  const key = JSON.stringify(secrets);
  const known = scrubbers.get(key) ?? newScrubber(secrets);
  scrubbers.set(key, known);
  return known;
}

/** Of the secrets last used: the forms of one take longer to find than most answers to search. */
const scrubbers = new LRUCache<string, Scrubber>({ max: FIXED_LIMITS.scrubbers_kept });

function newScrubber(secrets: readonly string[]): Scrubber {
  const needles = [...new Set(secrets)].filter((secret) => secret !== '').flatMap(needlesOf);
  const numbers = new Set(secrets.filter((secret) => NUMBER.test(secret)).map(Number));
  const least = Math.min(...needles.map(({ units }) => units.length));
  const plain = needles.map(({ units }) => String.fromCharCode(...units));
  const text = (raw: string, cut = false): string =>
    !cut && isClean(raw, least, plain) ? raw : render(raw, spansOf(raw, needles, cut), 0, raw.length);
  const leaf = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'number' && typeof value !== 'bigint') return value;
    return numbers.has(Number(value)) || text(String(value)) !== String(value) ? MARK : value;
  };
  return {
    text,
    value: <T>(value: T): T => (needles.length === 0 ? value : (scrubbed(value, leaf, text, 0) as T)),
    stream: () => new Stream(needles),
  };
}

/** ASCII without a control character and without a sign that an escape begins with: it has one reading. */
const ONE_READING = /^[ !"#$'-[\]-~]*$/;

/** True of a text that is seen at once to hold none of the needles; said of most, and faster than the search. */
function isClean(raw: string, least: number, needles: readonly string[]): boolean {
  // No reading of escapes makes a text longer.
  if (raw.length < least) return true;
  if (!ONE_READING.test(raw)) return false;
  const folded = raw.toLowerCase().replaceAll('+', ' ');
  return !needles.some((needle) => folded.includes(needle));
}

/** The parts to hide, in order, apart from each other. */
function spansOf(raw: string, needles: readonly Needle[], cut = false): readonly Span[] {
  const spans: Span[] = [];
  let view: View | undefined = needles.length === 0 ? undefined : plainView(raw);
  for (let layer = 0; view !== undefined && layer <= LAYERS; layer += 1) {
    const units = folded(view);
    for (const needle of needles) {
      collect(raw, view, units, needle, spans);
      const start = cut ? begun(units, needle, WIDEST) : -1;
      if (start >= 0) spans.push([view.starts[start] ?? 0, raw.length]);
    }
    view = layer < LAYERS ? unescaped(view) : undefined;
  }
  return merged(spans);
}

function collect(raw: string, view: View, units: Uint16Array, needle: Needle, spans: Span[]): void {
  search(units, needle, (end) => {
    const start = end - needle.units.length;
    if (needle.whole && (isWord(view, start - 1) || isWord(view, end))) return;
    spans.push(widened(raw, [view.starts[start] ?? 0, view.ends[end - 1] ?? 0], needle));
  });
}

function isWord({ units, length }: View, index: number): boolean {
  return index >= 0 && index < length && WORD.test(String.fromCharCode(units[index] ?? 0));
}

/** With the digits of base64 beside it that hold bits of the secret, and the padding. */
function widened(raw: string, [start, end]: Span, { before, after }: Needle): Span {
  const from = before === 1 && start > 0 && BASE64_DIGIT.test(raw[start - 1] ?? '') ? start - 1 : start;
  let to = after === 1 && BASE64_DIGIT.test(raw[end] ?? '') ? end + 1 : end;
  while (to > end && to < end + 3 && raw[to] === '=') to += 1;
  return [from, to];
}

function merged(spans: Span[]): readonly Span[] {
  const result: [number, number][] = [];
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** The text from `from` to `to`, with a mark for each span that begins there. */
function render(raw: string, spans: readonly Span[], from: number, to: number): string {
  const parts: string[] = [];
  let at = from;
  for (const [start, end] of spans) {
    if (end <= at || start >= to) continue;
    if (start >= at) parts.push(raw.slice(at, start), MARK);
    at = end;
  }
  if (at < to) parts.push(raw.slice(at, to));
  return parts.join('');
}

function scrubbed(
  value: unknown,
  leaf: (value: unknown) => unknown,
  text: (raw: string) => string,
  level: number,
): unknown {
  if (typeof value !== 'object' || value === null) return leaf(value);
  if (level >= FIXED_LIMITS.scrubbed_depth) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, leaf, text, level + 1));
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    put(result, freeKey(result, text(key)), scrubbed(item, leaf, text, level + 1));
  return result;
}

/** Two keys may come to one. */
function freeKey(object: Record<string, unknown>, key: string): string {
  if (!key.includes(MARK)) return key;
  let free = key;
  for (let number = 2; Object.hasOwn(object, free); number += 1) free = `${key} ${number}`;
  return free;
}

/** Holds back as much as the longest spelling of a secret may take, and keeps as much of what went before. */
class Stream implements ScrubbedStream {
  readonly #needles: readonly Needle[];
  readonly #window: number;
  readonly #decoder = new TextDecoder();
  /** What was answered already, as far as it is kept, then what was not. */
  #raw = '';
  #answered = 0;

  constructor(needles: readonly Needle[]) {
    this.#needles = needles;
    this.#window = Math.max(0, ...needles.map(({ units }) => units.length)) * WIDEST + 64;
  }

  push(piece: string | Uint8Array): string {
    const text = typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true });
    if (this.#needles.length === 0) return text;
    this.#raw += text;
    // Twice the window, so that each search frees as much as it keeps: linear in the whole, however small the pieces.
    const held = this.#raw.length - this.#answered;
    return held < this.#window * 2 ? '' : this.#answer(this.#raw.length - this.#window);
  }

  end(): string {
    this.#raw += this.#decoder.decode();
    return this.#answer(this.#raw.length);
  }

  #answer(upTo: number): string {
    const spans = spansOf(this.#raw, this.#needles);
    const across = spans.find(([start, end]) => start < upTo && end > upTo);
    const to = across?.[1] ?? upTo;
    const answer = render(this.#raw, spans, this.#answered, to);
    const dropped = Math.max(0, to - this.#window);
    this.#raw = this.#raw.slice(dropped);
    this.#answered = to - dropped;
    return answer;
  }
}
