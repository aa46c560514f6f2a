// A body that is too long for a model, cut: a JSON list after a whole element, any other text after a whole character.
import { count, visible } from '../base/text.js';

export interface CutText {
  readonly text: string;
  /** What was left out; empty where nothing was. */
  readonly notes: readonly string[];
  /** The text is still JSON. */
  readonly json: boolean;
}

/** Lists of one JSON that are cut: each is another walk through it. */
const MOST_LISTS = 8;

/** A text of at most `most` bytes. */
export function cutText(text: string, most: number): CutText {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return { text, notes: [], json: false };
  const kept = beginning(text, most);
  const note = `only the beginning is shown: ${count(Buffer.byteLength(kept))} of ${count(bytes)} bytes`;
  return { text: kept, notes: [note], json: false };
}

/**
 * JSON of at most `most` bytes: its largest list is cut after an element, then the next, until it fits; a JSON without such
 * a list is cut as a text. The text is handled, not its value, so that the digits of large numbers survive.
 * @param whole false where the JSON itself is only a beginning
 */
export function cutJson(text: string, most: number, whole: boolean): CutText {
  let now = text;
  const notes: string[] = [];
  for (let open = !whole; open || Buffer.byteLength(now) > most; open = false) {
    const list = largest(listsOf(now).filter(({ end, ends }) => (open ? end === undefined : ends.length > 0)));
    if (list === undefined || notes.length === MOST_LISTS) return cutText(text, most);
    const { ends, at, end } = list;
    const rest = end === undefined ? `]${'}'.repeat(list.depth)}` : now.slice(end);
    const room = most - Buffer.byteLength(rest);
    const shown = fitting(now, list, room);
    const elements = end === undefined ? `more than ${count(ends.length)}` : count(ends.length);
    notes.push(`the list at ${visible(at, 120)} holds ${elements} elements; the first ${count(shown)} are shown`);
    now = now.slice(0, shown === 0 ? list.start : ends[shown - 1]) + rest;
  }
  return { text: now, notes, json: true };
}

/** A list inside objects alone. Offsets into the text. */
interface List {
  /** A pointer: `/data/items`; `/` for the root. */
  readonly at: string;
  readonly depth: number;
  /** After the opening bracket. */
  readonly start: number;
  /** After each element. */
  readonly ends: number[];
  /** Of the closing bracket; undefined where the text ends before it. */
  end?: number;
  size: number;
}

/** How many elements end within `room` bytes of the text. */
function fitting(text: string, { start, ends }: List, room: number): number {
  let bytes = Buffer.byteLength(text.slice(0, start));
  let from = start;
  for (const [i, end] of ends.entries()) {
    bytes += Buffer.byteLength(text.slice(from, end));
    if (bytes > room) return i;
    from = end;
  }
  return ends.length;
}

function largest(lists: readonly List[]): List | undefined {
  return lists.reduce<List | undefined>(
    (best, list) => (best === undefined || list.size > best.size ? list : best),
    undefined,
  );
}

/** The lists of a JSON text, or of its beginning, that lie in no other list. */
function listsOf(text: string): List[] {
  const lists: List[] = [];
  const keys: string[] = [];
  let list: List | undefined;
  /** Brackets that are open inside the list. */
  let inside = 0;
  let key = '';
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i];
    if (sign === '"') {
      const end = stringEnd(text, i);
      if (list === undefined) key = text.slice(i + 1, end);
      i = end;
    } else if (list !== undefined) {
      if (sign === '[' || sign === '{') inside += 1;
      else if (sign === ',' && inside === 0) list.ends.push(i);
      else if (sign === ']' || sign === '}') {
        if (inside > 0) inside -= 1;
        else {
          if (/\S/.test(text.slice(list.ends.at(-1) ?? list.start, i))) list.ends.push(i);
          list.end = i;
          list.size = i - list.start;
          list = undefined;
        }
      }
    } else if (sign === '{') keys.push(key);
    else if (sign === '}') keys.pop();
    else if (sign === '[') {
      const at = keys.length === 0 ? '/' : `/${[...keys.slice(1), key].join('/')}`;
      list = { at, depth: keys.length, start: i + 1, ends: [], size: text.length - i };
      lists.push(list);
    }
  }
  return lists;
}

/** The offset of the closing quote; the end of the text where there is none. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i;
  }
  return text.length;
}

/** The beginning of at most `most` bytes that splits no character. */
function beginning(text: string, most: number): string {
  const bytes = Buffer.from(text.slice(0, most));
  let end = Math.min(most, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
