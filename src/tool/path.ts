// The path of an operation as a template: its gaps, its written query, its fragment left off.
import { FIXED_LIMITS } from '../base/limits.js';
import { Refused } from '../base/refused.js';
import { count, quoted } from '../base/text.js';

/** A path without its fragment, and what is to be filled in it. */
export interface PathTemplate {
  readonly text: string;
  /** Distinct gap names in order. */
  readonly gaps: readonly string[];
  /** `{+name}` is the gap `name`; elsewhere the sign is part of the name. */
  readonly signed: boolean;
}

const GAP = /\{([^{}]*)\}/g;

/**
 * @param signed a gap may be `{+name}`, whose value may hold slashes (RFC 6570, section 3.2.3).
 * @throws Refused `path-gap` for a gap in the query, one without a name, or a brace that opens or closes none; `too-large`.
 */
export function parsePath(path: string, at: string, signed = false): PathTemplate {
  const most = FIXED_LIMITS.path_chars;
  if (path.length > most) {
    throw new Refused('too-large', at, `its path is ${count(path.length)} characters; at most ${count(most)} are read`);
  }
  const hash = path.indexOf('#');
  const text = hash < 0 ? path : path.slice(0, hash);
  if (!text.includes('{') && !text.includes('}')) return { text, gaps: [], signed };
  const mark = text.indexOf('?');
  if (mark >= 0 && /[{}]/.test(text.slice(mark))) {
    throw new Refused('path-gap', at, `the gap in the query of ${quoted(path, 120)} cannot be filled`);
  }
  const gaps = new Set<string>();
  const rest = text.replace(GAP, (_whole, gap: string) => {
    gaps.add(split(gap, signed)[1]);
    return '';
  });
  if (gaps.has('')) throw new Refused('path-gap', at, `the path ${quoted(path, 120)} has a gap without a name`);
  if (/[{}]/.test(rest)) {
    throw new Refused('path-gap', at, `the path ${quoted(path, 120)} has a brace that opens or closes no gap`);
  }
  return { text, gaps: [...gaps], signed };
}

function split(gap: string, signed: boolean): [sign: string, name: string] {
  return signed && gap.startsWith('+') ? ['+', gap.slice(1)] : ['', gap];
}

/** The template written out, each gap under the name of its argument; a sign stays. */
export function writePath({ text, gaps, signed }: PathTemplate, argument: (gap: string) => string): string {
  if (gaps.every((gap) => argument(gap) === gap)) return text;
  return text.replace(GAP, (_whole, gap: string) => {
    const [sign, name] = split(gap, signed);
    return `{${sign}${argument(name)}}`;
  });
}
