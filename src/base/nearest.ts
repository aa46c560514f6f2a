// The name that was meant: the one that differs from what was written in its case or in few letters.

/** So many candidates are looked at: a list of others may be of any length. */
const MOST_CANDIDATES = 3_000;

/** The candidate that differs from a text in its case or in few letters; undefined where none is near. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  const most = Math.max(1, Math.floor(text.length / 4));
  let best: { readonly distance: number; readonly candidate: string } | undefined;
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) {
    if (Math.abs(candidate.length - text.length) > most) continue;
    const distance = edits(lower, candidate.toLowerCase());
    if (distance <= most && (best === undefined || distance < best.distance)) best = { distance, candidate };
  }
  return best?.candidate;
}

/** Levenshtein distance of two short texts. */
function edits(a: string, b: string): number {
  if (a.length > 200 || b.length > 200) return a === b ? 0 : Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
