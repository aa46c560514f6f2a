// JSON pointers (RFC 6901): writing one, and reading the tokens of one.

/** The pointer one step further down. */
export function under(pointer: string, key: string | number): string {
  const token = String(key);
  return token.includes('~') || token.includes('/')
    ? `${pointer}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `${pointer}/${token}`;
}

/** The tokens of a pointer: first `~1` becomes `/`, then `~0` becomes `~` (RFC 6901, section 4). */
export function tokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
