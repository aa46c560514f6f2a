// Which headers, query values and cookies belong to the connection and are never an argument.
import type { Parameter, SecurityScheme } from '../operation/operation.js';

/** `left-out`: without a word; `unsupplied`: required, and no security scheme names it. */
export type Verdict = 'argument' | 'left-out' | 'unsupplied';

/** Headers that the call itself sets (OpenAPI 3.1.1, Parameter Object: `Accept` and `Content-Type` are ignored). */
const OURS = new Set(['accept', 'content-type', 'idempotency-key']);
const CREDENTIAL = /^(?:authorization|proxy-authorization|cookie|x-api-key)$|key|token|secret|auth/;

/** True of a header whose name carries a credential, in any case. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL.test(name.toLowerCase());
}

/** Whether a header or query parameter is an argument, given the security schemes of the description. */
export function judge(parameter: Parameter, schemes: readonly SecurityScheme[]): Verdict {
  const header = parameter.in === 'header';
  const name = header ? parameter.name.toLowerCase() : parameter.name;
  if (header && OURS.has(name)) return 'left-out';
  let signs = false;
  for (const scheme of schemes) {
    if (scheme.kind === 'key') {
      if (scheme.in === parameter.in && (header ? scheme.name.toLowerCase() : scheme.name) === name) return 'left-out';
    } else if (scheme.kind !== 'other') signs = true;
  }
  if (!header || !isCredentialHeader(name)) return 'argument';
  return parameter.required && !(signs && name === 'authorization') ? 'unsupplied' : 'left-out';
}

/** True of a cookie that a security scheme names as its key. */
export function isKeyCookie(parameter: Parameter, schemes: readonly SecurityScheme[]): boolean {
  for (const scheme of schemes)
    if (scheme.kind === 'key' && scheme.in === 'cookie' && scheme.name === parameter.name) return true;
  return false;
}
