// The keys of operations: an identifier that is one operation's alone, else method and path.

/** What a key is made of. */
export interface Keyed {
  /** The description's identifier; blank counts as none. */
  readonly identifier: string | undefined;
  /** `METHOD /path`. */
  readonly route: string;
}

/** One key for each operation, in order; no two are equal. An identifier borne twice identifies neither. */
export function assignKeys(operations: readonly Keyed[]): string[] {
  const bearers = new Map<string, number>();
  const routes = new Map<string, number>();
  for (const { identifier, route } of operations) {
    if (identifier !== undefined) bearers.set(identifier, (bearers.get(identifier) ?? 0) + 1);
    routes.set(route, (routes.get(route) ?? 0) + 1);
  }
  const taken = new Set<string>();
  return operations.map(({ identifier, route }) => {
    const identifies =
      identifier !== undefined && bearers.get(identifier) === 1 && (identifier === route || !routes.has(identifier));
    return claim(identifies ? identifier : route, taken);
  });
}

/** The key itself, or where it is taken the key with the next free number. */
export function claim(key: string, taken: Set<string>): string {
  let free = key;
  for (let n = 2; taken.has(free); n += 1) free = `${key} (${n})`;
  taken.add(free);
  return free;
}

/** An identifier that identifies: a string that is not blank. */
export function identifierOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
