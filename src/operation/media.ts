// Which of the media types of a body is JSON.

const TOKEN = '[!#$&^_.+0-9A-Za-z-]+';
const MEDIA_TYPE = new RegExp(`^\\s*(${TOKEN}|\\*)/(${TOKEN}|\\*)\\s*(;[\\x20-\\x7e]*)?$`);

/** The JSON form among the keys of a `content`: the key, and the Content-Type it is sent under. */
export function jsonMediaType(keys: readonly string[]): { key: string; content_type: string } | undefined {
  let found: { key: string; content_type: string } | undefined;
  for (const key of keys) {
    const [, type, subtype, parameters] = MEDIA_TYPE.exec(key) ?? [];
    if (type === undefined || subtype === undefined) continue;
    const name = `${type}/${subtype}`.toLowerCase();
    if (name === 'application/json') return { key, content_type: parameters === undefined ? name : key.trim() };
    if (found !== undefined) continue;
    // A range is for Accept: what is sent is JSON itself.
    if (name === '*/*' || name === '*/json') found = { key, content_type: 'application/json' };
    else if (name.endsWith('/json') || name.endsWith('+json')) found = { key, content_type: key.trim() };
  }
  return found;
}
