// JSON pointers (RFC 6901): writing one, and reading the tokens of one.

/** The pointer one step further down. */
export function under(pointer: string, key: string | number): string {
  if (typeof key === 'number') return `${pointer}/${key}`;
  if (!key.includes('~') && !key.includes('/')) return `${pointer}/${key}`;
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The tokens of a pointer: first `~1` becomes `/`, then `~0` becomes `~` (RFC 6901, section 4). */
export function tokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
