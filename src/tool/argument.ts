// The names of a tool's arguments: legal for every provider, one for each value, stable.
import { trimmed, UniqueNames } from './name.js';

export type ArgumentPlace = 'path' | 'query' | 'header' | 'body';

/** A value that becomes an argument. */
export interface Value {
  readonly place: ArgumentPlace;
  /** Its name on the wire. */
  readonly name: string;
}

export interface NamedArguments {
  /** One for each value, in order. */
  readonly names: readonly string[];
  /** Indices of the values whose own name was taken by another. */
  readonly moved: ReadonlySet<number>;
}

const PLACES: readonly ArgumentPlace[] = ['path', 'query', 'header', 'body'];
const LEGAL = /^[A-Za-z0-9_.-]{1,64}$/;
const ILLEGAL = /[^A-Za-z0-9_.-]+/g;
const LONGEST = 64;
const NONE: ReadonlySet<number> = new Set();

/**
 * A name for each value, in order. Of values that would share one, the first keeps it, in the order path, query, header, body;
 * within one place a name legal as written comes first. The later ones are called after their place, then numbered.
 */
export function nameArguments(values: readonly Value[]): NamedArguments {
  if (plain(values)) return { names: values.map(({ name }) => name), moved: NONE };
  const names: (string | undefined)[] = values.map(() => undefined);
  const taken = new Set<string>();
  const later: [number, string][] = [];
  for (const place of PLACES) {
    for (const legal of [true, false]) {
      for (const [i, value] of values.entries()) {
        if (value.place !== place || LEGAL.test(value.name) !== legal) continue;
        const name = legal ? value.name : cleaned(value);
        if (taken.has(name)) later.push([i, name]);
        else {
          taken.add(name);
          names[i] = name;
        }
      }
    }
  }
  const unique = new UniqueNames(LONGEST, taken);
  for (const [i, name] of later) names[i] = unique.claim(`${values[i]?.place}_${name}`);
  return { names: names.map((name) => name ?? ''), moved: new Set(later.map(([i]) => i)) };
}

/** True of values whose names are all legal and distinct, as most are. */
function plain(values: readonly Value[]): boolean {
  const names = new Set<string>();
  for (const { name } of values) {
    if (!LEGAL.test(name) || names.has(name)) return false;
    names.add(name);
  }
  return true;
}

function cleaned({ name, place }: Value): string {
  const clean = trimmed(name, ILLEGAL).slice(0, LONGEST);
  return clean === '' ? place : clean;
}
