// Media types of bodies: which of them are carried, and how the value of a body becomes their bytes.
import { FIXED_LIMITS } from './limits.js';

/** How a value is written: as JSON, each property on its own in a form or in several parts, as text, as bytes. */
export type BodyForm = 'json' | 'form' | 'multipart' | 'text' | 'binary';

const TYPES = new Set('text image audio video font model application'.split(' '));
/** Text that is registered, or in use, under `application`. */
const TEXTUAL =
  /^(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|yaml|toml|graphql|javascript|ecmascript|sql|sparql-query|sparql-update|jwt|pem-file)$|\+(?:yaml|json-seq|jwt)$/;
const XML = /^(?:[^+]*\+)*xml$|^xml-/;

/** One type, no range, with or without parameters. */
const WHOLE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\x20-\x7e]*)?$/;

/** True of a media type that can be sent as it is. */
export function isMediaType(type: string): boolean {
  return type.length <= FIXED_LIMITS.media_type_chars && WHOLE.test(type);
}

/** A media type without its parameters, in lower case. */
export function essence(type: string): string {
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}

/** The form of a body of this media type; undefined where none is carried: XML, parts that are no form's. */
export function bodyForm(type: string): BodyForm | undefined {
  const [name, subtype, ...more] = essence(type).split('/');
  if (name === undefined || subtype === undefined || subtype === '' || more.length > 0) return undefined;
  if (subtype === 'json' || subtype.endsWith('+json')) return 'json';
  if (XML.test(subtype)) return undefined;
  if (name === 'multipart') return subtype === 'form-data' ? 'multipart' : undefined;
  if (!TYPES.has(name)) return undefined;
  if (name === 'text') return 'text';
  if (name !== 'application') return 'binary';
  if (subtype === 'x-www-form-urlencoded') return 'form';
  if (subtype === '*') return undefined;
  return TEXTUAL.test(subtype) ? 'text' : 'binary';
}
