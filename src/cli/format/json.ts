// A report for programs: versioned, the same for the same plan.
import type { Report } from './report.js';

const VERSION = 1;

export function jsonReport({ state, changes, counts, sources, entries, cost }: Report): string {
  return JSON.stringify(
    { format: 'toolwright-report', version: VERSION, state, changes, counts, sources, entries, cost },
    null,
    2,
  );
}
