// What a media type says of how a value becomes bytes.

/** A form and several parts: property by property; JSON, text and bytes: the whole value. */
export type BodyForm = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** Types that are text, though their names do not begin with it. */
const TEXTUAL =
  /^application\/(?:xml|yaml|x-yaml|graphql|javascript|ecmascript|sql|x-ndjson|jsonl|toml)$|\+(?:xml|yaml)$/;

/** The form of a body of this media type; its parameters play no part. */
export function bodyForm(contentType: string): BodyForm {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (/[/+]json$/.test(type) || type === '*/*') return 'json';
  return type.startsWith('text/') || TEXTUAL.test(type) ? 'text' : 'binary';
}
