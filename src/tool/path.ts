// The path of an operation as a template: its gaps, its written query, its fragment left off.
import { Refused } from '../base/refused.js';
import { quoted } from '../base/text.js';

/** A path cut at its gaps: texts and gap names in turn, a text first and last. */
export interface PathTemplate {
  readonly pieces: readonly { readonly text: string; readonly gap: string | undefined }[];
  /** Distinct gap names in order. */
  readonly gaps: readonly string[];
}

const GAP = /\{([^{}]*)\}/g;

/**
 * @throws Refused `path-gap` for a gap in the query, one without a name, or a brace that closes nothing.
 */
export function parsePath(path: string, at: string): PathTemplate {
  const hash = path.indexOf('#');
  const target = hash < 0 ? path : path.slice(0, hash);
  const mark = target.indexOf('?');
  if (mark >= 0 && /[{}]/.test(target.slice(mark))) {
    throw new Refused('path-gap', at, `the gap in the query of ${quoted(path, 120)} cannot be filled`);
  }
  const pieces: { text: string; gap: string | undefined }[] = [];
  const gaps = new Set<string>();
  let from = 0;
  for (const match of target.matchAll(GAP)) {
    const [whole, gap = ''] = match;
    if (gap === '') throw new Refused('path-gap', at, `the path ${quoted(path, 120)} has a gap without a name`);
    pieces.push({ text: target.slice(from, match.index), gap });
    gaps.add(gap);
    from = match.index + whole.length;
  }
  pieces.push({ text: target.slice(from), gap: undefined });
  if (pieces.some(({ text }) => /[{}]/.test(text))) {
    throw new Refused('path-gap', at, `the path ${quoted(path, 120)} has a brace that opens or closes no gap`);
  }
  return { pieces, gaps: [...gaps] };
}

/** The template written out, each gap under the name of its argument. */
export function writePath({ pieces }: PathTemplate, argument: (gap: string) => string): string {
  return pieces.map(({ text, gap }) => (gap === undefined ? text : `${text}{${argument(gap)}}`)).join('');
}
