// Canonical JSON and its digest: equality of records, ids made from identities. Only for values we built.
import { createHash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';

/** One text for all JSON values that differ in the order of keys alone. */
export function canonical(value: unknown): string {
  return stringify(value);
}

/** SHA-256 of the canonical JSON, in hexadecimal. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** The same value with the keys of every object sorted, so that it prints to the same bytes anywhere. */
export function sorted<T>(value: T): T {
  return JSON.parse(canonical(value)) as T;
}
