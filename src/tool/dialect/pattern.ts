// Which regular expressions every engine reads alike: what JavaScript and RE2 share, without word boundaries.

const MOST_CHARS = 1_000;
/** RE2 repeats nothing more often, what is repeated inside of it counted. */
const MOST_TIMES = 1_000;

/** Groups that are more than groups; escapes but of classes, line signs and punctuation; empty classes. */
const UNSHARED = /\(\?(?!:)|\\(?![dDwWsStnrfv^$\\.*+?()[\]{}|/-])|\[\^?\]/;

/** True of an expression without look-around, back references, names and \b. May say no of one that is plain. */
export function isPlainPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern.length > MOST_CHARS || UNSHARED.test(pattern)) return false;
  const times = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  const nested = /\)\{/.test(pattern);
  if (times.reduce((all, one) => (nested ? all * Math.max(one, 1) : Math.max(all, one)), 1) > MOST_TIMES) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
