// Which of the media types of a body is sent.
import { FIXED_LIMITS } from '../base/limits.js';
import { type BodyForm, bodyForm, essence } from '../base/media.js';
import type { Profile } from '../base/profile.js';
import { quoted } from '../base/text.js';

const TOKEN = '[!#$&^_.+0-9A-Za-z-]+';
const MEDIA_TYPE = new RegExp(`^\\s*(${TOKEN}|\\*)/(${TOKEN}|\\*)\\s*(;[\\x20-\\x7e]*)?$`);

const OCTETS = 'application/octet-stream';

/** A key of a `content`, and the Content-Type that is sent for it. */
export interface ChosenMedia {
  readonly key: string;
  readonly content_type: string;
}

/** The same, and how a value is written under it. */
export interface CarriedMedia extends ChosenMedia {
  readonly form: BodyForm;
}

/** The JSON form among the keys of a `content`: the key, and the Content-Type it is sent under. */
export function jsonMediaType(keys: readonly string[]): ChosenMedia | undefined {
  let found: ChosenMedia | undefined;
  for (const key of keys) {
    if (key.length > FIXED_LIMITS.media_type_chars) continue;
    const [, type, subtype, parameters] = MEDIA_TYPE.exec(key) ?? [];
    if (type === undefined || subtype === undefined) continue;
    const name = `${type}/${subtype}`.toLowerCase();
    if (name === 'application/json') return { key, content_type: parameters === undefined ? name : key.trim() };
    if (found !== undefined && !isPatch(found.key)) continue;
    // A range is for Accept: what is sent is JSON itself.
    if (name === '*/*' || name === '*/json') found = { key, content_type: 'application/json' };
    else if ((name.endsWith('/json') || name.endsWith('+json')) && !(isPatch(name) && found !== undefined)) {
      found = { key, content_type: key.trim() };
    }
  }
  return found;
}

/** The order in which they are taken, by form and media type; one that is named comes before others of its form. */
const ORDER: readonly (BodyForm | string)[] = ['form', 'multipart', 'text/plain', 'text', OCTETS, 'binary'];

/** The form that the extended profile sends: JSON, else the first in its order. */
export function carriedMediaType(keys: readonly string[]): CarriedMedia | undefined {
  const json = jsonMediaType(keys);
  if (json !== undefined) return { ...json, form: 'json' };
  let found: CarriedMedia | undefined;
  let rank = ORDER.length;
  for (const key of keys) {
    if (key.length > FIXED_LIMITS.media_type_chars || !MEDIA_TYPE.test(key)) continue;
    const form = bodyForm(key);
    if (form === undefined) continue;
    const name = essence(key);
    const place = ORDER.indexOf(ORDER.includes(name) ? name : form);
    if (place >= rank) continue;
    rank = place;
    found = { key, content_type: sentAs(key, name, form), form };
  }
  return found;
}

/** A range is for Accept: what is sent is the plainest type of its form. The boundary of parts is made when they are sent. */
function sentAs(key: string, name: string, form: BodyForm): string {
  if (form === 'multipart') return name;
  if (name.endsWith('*')) return form === 'text' ? 'text/plain' : OCTETS;
  return key.includes(';') ? key.trim() : name;
}

/** A JSON Patch is a list of steps (RFC 6902): any other JSON form that is offered beside it is the body itself. */
function isPatch(type: string): boolean {
  return /^\s*application\/json-patch\+json\b/i.test(type);
}

/** Why none of the media types of a body is sent. */
export function bodyMedia(types: readonly string[], profile: Profile): string {
  if (types.length === 0) return 'its body offers no media type';
  const listed = types.slice(0, 4).map((type) => quoted(type).slice(1, -1));
  const more = types.length > 4 ? ` and ${types.length - 4} more` : '';
  const carried = profile === 'core' ? 'only a JSON body is' : 'JSON, a form, several parts of one, text and bytes are';
  return `its body is ${listed.join(' or ')}${more}; ${carried} carried`;
}
