// What the command line says when it cannot go on, and the exit status of every failure.
import type { FailureCode } from '../base/codes.js';
import { Failure } from '../base/failure.js';
import { DEFAULT_LIMITS } from '../base/limits.js';

export const EXIT = { done: 0, failed: 1, usage: 2, changes: 3, unauthorized: 4, interrupted: 130 } as const;

/** Failures that are wrong usage; every other one is a refusal. */
const USAGE: ReadonlySet<FailureCode> = new Set([
  'bad-request',
  'unknown-limit',
  'invalid-limit',
  'invalid-prefix',
  'invalid-store',
  'unknown-environment',
]);

/** A connection is broken, or its secret is not there. */
const UNAUTHORIZED: ReadonlySet<FailureCode> = new Set([
  'connection-broken',
  'secret-missing',
  'no-connection',
  'unopened-secret',
  'no-oauth-client',
]);

/** What the command line offers where a request was refused. */
const HINTS: { readonly [code in FailureCode]?: string } = {
  'too-many-chosen': '--batch',
  'other-server': '--override-servers',
  'address-refused': '--allow-private HOST lifts this for one host',
};

/** Commands that take `--limit`. */
const LIMITED: ReadonlySet<string> = new Set(['preview', 'cut', 'import', 'lint', 'mcp']);

/** What lifts a refusal by a command: an option of its own, or the bound that was met. */
function hintOf({ code, data }: Failure, command: string): string | undefined {
  const { limit } = data;
  const isBound = typeof limit === 'string' && Object.hasOwn(DEFAULT_LIMITS, limit);
  return HINTS[code] ?? (isBound && LIMITED.has(command) ? `--limit ${limit}=N` : undefined);
}

/** The message for stderr, at most six lines and never a stack trace, and the exit status; `command`: its name. */
export function explain(error: unknown, command = ''): { readonly message: string; readonly status: number } {
  if (error instanceof Failure) {
    const message = error.message.split('\n').slice(0, 6).join('\n');
    const hint = hintOf(error, command);
    const text = hint === undefined ? message : `${message} (${hint})`;
    return { message: `error[${error.code}]: ${text}`, status: statusOf(error.code) };
  }
  const text = error instanceof Error ? error.message : String(error);
  return {
    message: `error[internal]: ${text.split('\n')[0]}; this is a fault of toolwright, please report it`,
    status: EXIT.failed,
  };
}

function statusOf(code: FailureCode): number {
  if (USAGE.has(code)) return EXIT.usage;
  return UNAUTHORIZED.has(code) ? EXIT.unauthorized : EXIT.failed;
}
