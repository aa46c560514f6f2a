// Which headers, query values and cookies belong to the connection and are never an argument.
import type { Parameter, SecurityScheme } from '../operation/operation.js';

/** `left-out`: without a word; `unsupplied`: required, and no security scheme names it. */
export type Verdict = 'argument' | 'left-out' | 'unsupplied';

/** What the security schemes of a description take, by place; header names in lower case. */
export interface Credentials {
  readonly headers: ReadonlySet<string>;
  readonly queries: ReadonlySet<string>;
  readonly cookies: ReadonlySet<string>;
  /** Some scheme sends `Authorization`. */
  readonly signs: boolean;
}

/** Headers that the call itself sets (OpenAPI 3.1.1, Parameter Object: `Accept` and `Content-Type` are ignored). */
const OURS = new Set(['accept', 'content-type', 'idempotency-key']);
const CREDENTIAL = /^cookie$|key|token|secret|auth/;
/** What nobody writes in a tool; more lenient than what an import leaves out, since here a person chose the name. */
const WITHHELD = /^(?:proxy-)?authorization$|^cookie$|key|token|secret/;

/** What the schemes take together. */
export function credentialsOf(schemes: Iterable<SecurityScheme>): Credentials {
  const headers = new Set<string>();
  const queries = new Set<string>();
  const cookies = new Set<string>();
  let signs = false;
  for (const scheme of schemes) {
    if (scheme.kind !== 'key') signs ||= scheme.kind !== 'other';
    else if (scheme.in === 'header') headers.add(scheme.name.toLowerCase());
    else (scheme.in === 'query' ? queries : cookies).add(scheme.name);
  }
  return { headers, queries, cookies, signs };
}

/** True of a header whose name carries a credential, in any case. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL.test(name.toLowerCase());
}

/** True of a header that a tool written by hand may not set, in any case: it carries a credential, or is `Idempotency-Key`. */
export function isWithheldHeader(name: string): boolean {
  return WITHHELD.test(name.toLowerCase());
}

/** Whether a header or query parameter is an argument. */
export function judge({ in: spot, name, required }: Parameter, { headers, queries, signs }: Credentials): Verdict {
  if (spot !== 'header') return spot === 'query' && queries.has(name) ? 'left-out' : 'argument';
  const header = name.toLowerCase();
  if (OURS.has(header) || headers.has(header)) return 'left-out';
  if (!isCredentialHeader(header)) return 'argument';
  return required && !(signs && header === 'authorization') ? 'unsupplied' : 'left-out';
}
