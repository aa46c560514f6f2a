// What lint says of a tool or a description.
import type { LintCode } from '../../base/codes.js';

/** From the gravest to the least. */
export const SEVERITIES = ['error', 'warn', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Finding {
  readonly code: LintCode;
  readonly severity: Severity;
  /** A JSON pointer: into the description, or into the stored tool. */
  readonly at: string;
  /** The name of the tool, where it is about one. */
  readonly tool?: string;
  readonly message: string;
}

/** What the rules look at: a stored tool, or an operation that can become one. */
export interface Subject {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly input_schema: { readonly [keyword: string]: unknown };
  /** Where it is. */
  readonly at: string;
}
