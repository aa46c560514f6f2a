// The path of an operation as a template: its gaps, its written query, its fragment left off.
import { FIXED_LIMITS } from '../base/limits.js';
import { Refused } from '../base/refused.js';
import { count, quoted } from '../base/text.js';

/** A path without its fragment, and what is to be filled in it. */
export interface PathTemplate {
  readonly text: string;
  /** Distinct gap names in order. */
  readonly gaps: readonly string[];
}

const GAP = /\{([^{}]*)\}/g;

/**
 * @throws Refused `path-gap` for a gap in the query, one without a name, or a brace that opens or closes none; `too-large`.
 */
export function parsePath(path: string, at: string): PathTemplate {
  const most = FIXED_LIMITS.path_chars;
  if (path.length > most) {
    throw new Refused('too-large', at, `its path is ${count(path.length)} characters; at most ${count(most)} are read`);
  }
  const hash = path.indexOf('#');
  const text = hash < 0 ? path : path.slice(0, hash);
  if (!text.includes('{') && !text.includes('}')) return { text, gaps: [] };
  const mark = text.indexOf('?');
  if (mark >= 0 && /[{}]/.test(text.slice(mark))) {
    throw new Refused('path-gap', at, `the gap in the query of ${quoted(path, 120)} cannot be filled`);
  }
  const gaps = new Set<string>();
  const rest = text.replace(GAP, (_whole, gap: string) => {
    gaps.add(gap);
    return '';
  });
  if (gaps.has('')) throw new Refused('path-gap', at, `the path ${quoted(path, 120)} has a gap without a name`);
  if (/[{}]/.test(rest)) {
    throw new Refused('path-gap', at, `the path ${quoted(path, 120)} has a brace that opens or closes no gap`);
  }
  return { text, gaps: [...gaps] };
}

/** The template written out, each gap under the name of its argument. */
export function writePath({ text, gaps }: PathTemplate, argument: (gap: string) => string): string {
  if (gaps.every((gap) => argument(gap) === gap)) return text;
  return text.replace(GAP, (_whole, gap: string) => `{${argument(gap)}}`);
}
