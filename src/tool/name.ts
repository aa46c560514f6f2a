// The names of tools: legal everywhere, unique, numbered where two would be equal.
import { Failure } from '../base/failure.js';
import type { Limits } from '../base/limits.js';
import { quoted } from '../base/text.js';

const ILLEGAL = /[^A-Za-z0-9_-]+/g;

/** What a tool's name is made of. */
export interface Nameable {
  readonly identifier: string | undefined;
  readonly method: string;
  readonly path: string;
}

/**
 * A name for each operation, in order: prefix and identifier, or method and path; equal ones numbered `_2`, `_3`, the next free.
 * @throws Failure `invalid-prefix`.
 */
export function assignNames(operations: readonly Nameable[], prefix: string, limits: Limits): string[] {
  if (/[^A-Za-z0-9_-]/.test(prefix)) {
    throw new Failure(
      'invalid-prefix',
      `the prefix ${quoted(prefix)} holds a character that is none of A-Z a-z 0-9 _ -`,
    );
  }
  const names = new UniqueNames(limits.tool_name_chars);
  return operations.map(({ identifier, method, path }) => {
    const own = clean(identifier ?? '');
    return names.claim(prefix + (own === '' ? clean(`${method.toLowerCase()} ${path}`) : own));
  });
}

/** The most digits that a number at the end of a name is looked for with. */
const MOST_DIGITS = 7;

/** Every name that one of these could come to: themselves, and their stems with a number (`UniqueNames`). */
export function namesFrom(
  wanted: readonly string[],
  most: number,
): { readonly names: readonly string[]; readonly stems: readonly string[] } {
  const whole = wanted.map((name) => name.slice(0, most));
  const digits = Array.from({ length: MOST_DIGITS }, (_, index) => index + 1);
  const stems = whole.flatMap((name) => digits.map((count) => name.slice(0, most - 1 - count)));
  return { names: [...new Set(whole)], stems: [...new Set(stems)] };
}

/** Hands out names, numbering those that are taken; the cut leaves room for the number. */
export class UniqueNames {
  readonly #most: number;
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(most: number, taken: Iterable<string> = []) {
    this.#most = most;
    this.#taken = new Set(taken);
  }

  claim(name: string): string {
    const whole = name.slice(0, this.#most);
    let free = whole;
    // Counting on from the last number keeps thousands of equal names linear.
    for (let n = this.#next.get(whole) ?? 2; this.#taken.has(free); n += 1) {
      const number = `_${n}`;
      free = `${whole.slice(0, this.#most - number.length)}${number}`;
      this.#next.set(whole, n + 1);
    }
    this.#taken.add(free);
    return free;
  }
}

/** Runs of illegal characters become one `_`; none is added at the ends. */
function clean(text: string): string {
  return trimmed(text, ILLEGAL);
}

/** Replaces each run of illegal characters by `_`, and drops the runs at both ends. */
export function trimmed(text: string, illegal: RegExp): string {
  // Only as much as any bound can show: an identifier may be megabytes long.
  const shown = text.slice(0, 1_000);
  const marked = shown.replace(illegal, '\0');
  return marked.replace(/^\0|\0$/g, '').replaceAll('\0', '_');
}
