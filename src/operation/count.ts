// The bound on how many operations a description may hold.
import { Failure } from '../base/failure.js';
import type { Limits } from '../base/limits.js';
import { count } from '../base/text.js';

/** @throws Failure `too-many-operations`. */
export function checkCount(operations: number, limits: Limits): void {
  const most = limits.operations_listed;
  if (operations <= most) return;
  const message = `the description holds ${count(operations)} operations; at most ${count(most)} are listed`;
  throw new Failure('too-many-operations', message, { operations, limit: 'operations_listed', bound: most });
}
