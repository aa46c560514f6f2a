// The text of a YAML 1.2 description -> its JSON value: the core schema and merge keys, every node and alias within a bound.
import {
  CORE_SCHEMA,
  constructFromEvents,
  defineMappingTag,
  defineSequenceTag,
  EVENT_ID,
  type Event,
  getScalarValue,
  mapTag,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type Schema,
  seqTag,
  YAMLException,
} from 'js-yaml';
import { Failure } from '../base/failure.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count, quoted, visible } from '../base/text.js';
import type { Opened } from './document.js';

/**
 * The value of a YAML text (YAML 1.2.2, section 10.3, and merge keys). Keys are texts as they are written; what an alias
 * names is shared, never copied; a text of comments alone is null.
 * @throws Failure `not-yaml` with the line and the column (from 1, in UTF-16 units) in `data` where there is one place.
 */
export function readYaml({ text, name }: Opened): unknown {
  if (marks(text) > FIXED_LIMITS.yaml_marks) {
    const bound = FIXED_LIMITS.yaml_marks;
    throw new Failure('not-yaml', `${name} is YAML of more than ${count(bound)} lines, keys and items`, { bound });
  }
  try {
    const events = parseEvents(text, { maxDepth: FIXED_LIMITS.yaml_depth });
    const aliased = prepare(events, text);
    const schema = aliased ? measured(text.length + FIXED_LIMITS.alias_growth) : PLAIN;
    const [value = null] = constructFromEvents(events, {
      source: text,
      schema,
      maxTotalMergeKeys: FIXED_LIMITS.yaml_marks,
    });
    return value;
  } catch (error) {
    throw notYaml(error, name);
  }
}

/** An upper bound, but for a small factor, of the nodes in the text: the parser keeps a record of each. */
function marks(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x0a: // line feed
      case 0x0d: // carriage return
      case 0x2c: // ,
      case 0x3a: // :
      case 0x5b: // [
      case 0x7b: // {
        found += 1;
        break;
      case 0x2d: // -
      case 0x3f: // ?
        if (!(text.charCodeAt(at + 1) > 0x20)) found += 1;
    }
  }
  return found;
}

// Keys are texts, also `200`, `1.10`, `null` and `true`; so is the version of a description, which people write without quotes.

const VERSION_KEYS = new Set(['openapi', 'swagger', 'overlay', 'asyncapi', 'arazzo']);

interface Frame {
  readonly kind: 'document' | 'mapping' | 'sequence';
  /** Of a mapping: a key comes next. */
  key: boolean;
  /** Of the mapping at the root: the value that comes next is a version. */
  version: boolean;
}

/** Marks what is read as a text, and refuses a second document. True where there are aliases. */
function prepare(events: readonly Event[], text: string): boolean {
  const frames: Frame[] = [];
  let documents = 0;
  let aliased = false;
  for (const [i, event] of events.entries()) {
    if (event.type === EVENT_ID.POP) {
      frames.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      documents += 1;
      if (documents > 1) {
        YAMLException.throwAt(text, startOf(events[i + 1], text), 'a second document begins, and one is read');
      }
      frames.push({ kind: 'document', key: false, version: false });
      continue;
    }
    const frame = frames.at(-1);
    const key = frame?.key === true;
    if (event.type === EVENT_ID.SCALAR) {
      if (key || frame?.version === true) asText(event, text);
      if (frame !== undefined)
        frame.version = key && frames.length === 2 && VERSION_KEYS.has(getScalarValue(text, event));
    } else if (frame !== undefined) frame.version = false;
    if (frame?.kind === 'mapping') frame.key = !key;
    if (event.type === EVENT_ID.ALIAS) aliased = true;
    if (event.type === EVENT_ID.MAPPING) frames.push({ kind: 'mapping', key: true, version: false });
    if (event.type === EVENT_ID.SEQUENCE) frames.push({ kind: 'sequence', key: false, version: false });
  }
  return aliased;
}

/** A plain scalar of one line is the same text in quotes, and then nothing else than text. The merge key stays what it is. */
function asText(event: ScalarEvent, text: string): void {
  if (event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0) return;
  if (event.fast && text.slice(event.valueStart, event.valueEnd) === '<<') return;
  if (event.fast || event.valueStart < 0) event.style = SCALAR_STYLE.SINGLE_QUOTED;
}

function startOf(event: Event | undefined, text: string): number {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return text.length;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  const start = event.type === EVENT_ID.SCALAR ? event.valueStart : event.start;
  return start < 0 ? text.length : start;
}

// Tags: those of the core schema. What has another tag is refused.

const PLAIN = CORE_SCHEMA.withTags(mergeTag);

/**
 * The same for a text with aliases. Where one names a list or an object that it lies in itself, it is refused (the parser
 * does so for a tag with `finalize`), and so is what would be over `most` characters with its aliases written out: whoever
 * reads the value may then walk it as a tree.
 */
function measured(most: number): Schema {
  const sizes = new Map<unknown, number>();
  /** An error, or nothing. */
  const grow = (container: unknown, item: unknown, key: string): string => {
    const size = key.length + 1 + (typeof item === 'string' ? item.length : (sizes.get(item) ?? 1));
    const total = (sizes.get(container) ?? 1) + size;
    sizes.set(container, total);
    return total > most ? 'what the aliases name makes the text too long when it is written out' : '';
  };
  return PLAIN.withTags(
    defineSequenceTag('tag:yaml.org,2002:seq', {
      ...seqTag,
      addItem: (list: unknown[], item) => {
        list.push(item);
        return grow(list, item, '');
      },
      finalize: (list) => list,
    }),
    defineMappingTag('tag:yaml.org,2002:map', {
      ...mapTag,
      addPair: (object: Record<string, unknown>, key, value) =>
        mapTag.addPair(object, key, value) || grow(object, value, String(key)),
      finalize: (object) => object,
    }),
  );
}

function notYaml(error: unknown, name: string): Failure {
  if (!(error instanceof YAMLException)) {
    // The parser recurses: a small stack may end before the bound of the depth.
    return new Failure('not-yaml', `${name} is not YAML that can be read`, {}, error);
  }
  // Why the parser refuses it is a matter of its own.
  const what = visible(error.reason.replace(/ is not supported for tag .*/s, ', which holds itself'), 200);
  if (error.mark === undefined) return new Failure('not-yaml', `${name} is not YAML: ${what}`);
  const { line, column, position, buffer } = error.mark;
  const place = { line: line + 1, column: column + 1 };
  const [found = ''] = /^[^\r\n]*/.exec(buffer.slice(position, position + 60)) ?? [];
  const shown = found.trim() === '' ? '' : `, at ${quoted(found, 40)}`;
  return new Failure(
    'not-yaml',
    `${name} is not YAML: at line ${place.line}, column ${place.column} ${what}${shown}`,
    place,
  );
}
