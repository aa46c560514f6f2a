// The value of a small YAML or JSON text that a person writes, with the line and the column of everything in it.
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';
import { FIXED_LIMITS } from '../base/limits.js';
import { under } from '../base/pointer.js';
import type { Opened } from './document.js';
import { readYaml } from './yaml.js';

/** Both count from 1, columns in UTF-16 units. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the values of a text stand, by their JSON pointers. */
export interface Places {
  /** Where a value begins; of what an alias repeats, the alias; of what is not there, what would hold it. */
  of(pointer: string): Place;
  /** Where the key of a value begins; of a value without a key, the value. */
  ofKey(pointer: string): Place;
}

/**
 * Reads a text as YAML, of which JSON is a part. Of two equal keys the text is refused.
 * @throws Failure `not-yaml`.
 */
export function readPlaced(opened: Opened): { readonly value: unknown; readonly places: Places } {
  const value = readYaml(opened);
  const { text } = opened;
  const found = offsets(parseEvents(text, { maxDepth: FIXED_LIMITS.yaml_depth }), text);
  const starts = lineStarts(text);
  const at = (pointer: string, part: keyof Offsets): Place => {
    for (let here = pointer; ; here = here.slice(0, here.lastIndexOf('/'))) {
      const one = found.get(here);
      if (one !== undefined) return placeAt(starts, here === pointer ? one[part] : one.value);
      if (here === '') return { line: 1, column: 1 };
    }
  };
  return { value, places: { of: (pointer) => at(pointer, 'value'), ofKey: (pointer) => at(pointer, 'key') } };
}

interface Offsets {
  readonly key: number;
  readonly value: number;
}

interface Frame {
  readonly pointer: string;
  /** How many items a list has had; -1 of a mapping. */
  items: number;
  /** Of a mapping, between a key and its value. */
  key: { readonly name: string; readonly at: number } | undefined;
  /** A mapping inside a key: nothing in it has a pointer. */
  readonly hidden: boolean;
}

function offsets(events: readonly Event[], text: string): Map<string, Offsets> {
  const found = new Map<string, Offsets>();
  const frames: Frame[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      frames.pop();
      continue;
    }
    const frame = frames.at(-1);
    const at = startOf(event, text);
    if (frame?.items === -1 && frame.key === undefined) {
      frame.key = { name: event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : '', at };
      if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) frames.push(opened(event, '', true));
      continue;
    }
    const pointer = pointerIn(frame);
    const key = frame?.key?.at ?? at;
    // A value that is not written stands at its key.
    if (frame?.hidden !== true) found.set(pointer, { key, value: at < 0 ? key : at });
    if (frame !== undefined) {
      if (frame.items >= 0) frame.items += 1;
      frame.key = undefined;
    }
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
      frames.push(opened(event, pointer, frame?.hidden === true));
  }
  return found;
}

function opened(event: Event, pointer: string, hidden: boolean): Frame {
  return { pointer, items: event.type === EVENT_ID.SEQUENCE ? 0 : -1, key: undefined, hidden };
}

function pointerIn(frame: Frame | undefined): string {
  if (frame === undefined) return '';
  return under(frame.pointer, frame.items >= 0 ? frame.items : (frame.key?.name ?? ''));
}

function startOf(
  event: Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>,
  text: string,
): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  const { valueStart } = event;
  const quote = text[valueStart - 1];
  return valueStart > 0 && (quote === '"' || quote === "'") && event.style !== SCALAR_STYLE.PLAIN
    ? valueStart - 1
    : valueStart;
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n?|\n/g)].map((found) => found.index + found[0].length)];
}

function placeAt(starts: readonly number[], offset: number): Place {
  const next = starts.findIndex((start) => start > offset);
  const line = next === -1 ? starts.length : next;
  return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
}
