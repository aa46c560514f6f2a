// Builds one emitted schema node and counts the bytes it takes as compact JSON, so that nothing is printed to be measured.
import { put } from '../../base/json.js';
import { jsonBytes } from '../../base/text.js';

/** A finished schema node in JSON Schema 2020-12. Shared between tools: never changed. */
export interface Emitted {
  readonly schema: { readonly [keyword: string]: unknown };
  /** UTF-8 bytes of its compact JSON. */
  readonly bytes: number;
  /** A property that does not travel in the direction that is read: read-only in a body, write-only in an answer. */
  readonly hidden: boolean;
  /** No value is allowed. */
  readonly never: boolean;
}

/** The schema of an answer; `object`: its root is an object. */
export interface AnswerSchema {
  readonly emitted: Emitted;
  readonly object: boolean;
}

/** Any value. */
export const ANY: Emitted = { schema: {}, bytes: 2, hidden: false, never: false };
export const HIDDEN: Emitted = { ...ANY, hidden: true };
export const NEVER: Emitted = { ...ANY, never: true };

/** A JSON object under construction, with its bytes. */
export class ObjectBuilder {
  readonly value: Record<string, unknown> = {};
  #size = 0;
  #bytes = 2;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#size;
  }

  /** A keyword of JSON Schema. `bytes`: of the value. */
  add(keyword: string, value: unknown, bytes: number): void {
    this.value[keyword] = value;
    this.#bytes += keyword.length + 3 + bytes + (this.#size > 0 ? 1 : 0);
    this.#size += 1;
  }

  /** An entry under a foreign name. */
  addEntry(name: string, value: unknown, bytes: number): void {
    put(this.value, name, value);
    this.#bytes += jsonBytes(name) + 1 + bytes + (this.#size > 0 ? 1 : 0);
    this.#size += 1;
  }

  addString(key: string, value: string): void {
    this.add(key, value, jsonBytes(value));
  }

  addStrings(key: string, values: readonly string[]): void {
    let bytes = 2 + Math.max(0, values.length - 1);
    for (const value of values) bytes += jsonBytes(value);
    this.add(key, values, bytes);
  }
}
