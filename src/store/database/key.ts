// Any text as the key of an index: databases bound its length, and some refuse characters that JSON has.
import { digest } from '../../base/canonical.js';

/** The text itself where it is short and plain, else its digest. Different texts have different keys. */
export function keyOf(text: string): string {
  return /^[\x20-\x22\x24-\x7e][\x20-\x7e]{0,199}$/.test(text) ? text : `#${digest(text)}`;
}
