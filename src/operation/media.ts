// Which of the media types of a body is JSON.
import { FIXED_LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';

const TOKEN = '[!#$&^_.+0-9A-Za-z-]+';
const MEDIA_TYPE = new RegExp(`^\\s*(${TOKEN}|\\*)/(${TOKEN}|\\*)\\s*(;[\\x20-\\x7e]*)?$`);

/** A key of a `content`, and the Content-Type that is sent for it. */
export interface ChosenMedia {
  readonly key: string;
  readonly content_type: string;
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

/** A JSON Patch is a list of steps (RFC 6902): any other JSON form that is offered beside it is the body itself. */
function isPatch(type: string): boolean {
  return /^\s*application\/json-patch\+json\b/i.test(type);
}

/** Why none of the media types of a body is sent. */
export function bodyMedia(types: readonly string[]): string {
  if (types.length === 0) return 'its body offers no media type';
  const listed = types.slice(0, 4).map((type) => quoted(type).slice(1, -1));
  const more = types.length > 4 ? ` and ${types.length - 4} more` : '';
  return `its body is ${listed.join(' or ')}${more}; only a JSON body is carried`;
}
