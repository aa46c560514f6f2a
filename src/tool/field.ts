// Reading the fields of a tool that a person wrote: each by hand, the first fault named by its field.
import { Failure } from '../base/failure.js';
import { isObject, type JsonObject } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { isMediaType } from '../base/media.js';
import { nearest } from '../base/nearest.js';
import { count, quoted } from '../base/text.js';

/** A token of RFC 9110, section 5.6.2: what a method and the name of a header are. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** `message` continues the name of the field. */
export function invalid(field: string, message: string): Failure {
  return new Failure('invalid-tool', `${field} ${message}`, { field });
}

/** A hint at the name that was meant; empty where none is near. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `; did you mean ${quoted(near)}?`;
}

/**
 * An object with these fields and no others.
 * @throws Failure `invalid-tool`.
 */
export function closed(value: unknown, field: string, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw invalid(field, 'must be an object');
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  if (stranger === undefined) return value;
  throw invalid(
    field,
    `has no field ${quoted(stranger)}${hint(stranger, known) || `; its fields are ${known.join(', ')}`}`,
  );
}

/** @throws Failure `invalid-tool`. */
export function filledText(value: unknown, field: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw invalid(field, 'must be a text that is not blank');
}

/** @throws Failure `invalid-tool`. */
export function wholeNumber(value: unknown, field: string, least: number, most: number): number {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw invalid(field, `must be a whole number from ${least} to ${most}`);
}

/** @throws Failure `invalid-tool`. */
export function flag(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  throw invalid(field, 'must be true or false');
}

/** @throws Failure `invalid-tool`. */
export function checkWireName(name: string, field: string): void {
  const most = FIXED_LIMITS.name_chars;
  if (name.length <= most) return;
  throw invalid(field, `is ${count(name.length)} characters; at most ${count(most)} are allowed`);
}

/** @throws Failure `invalid-tool`. */
export function checkMediaType(value: unknown, field: string): string {
  if (typeof value === 'string' && isMediaType(value)) return value;
  throw invalid(field, 'must be a media type, as in application/json');
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The names of arguments, and whether a text is one of them. */
export class Arguments {
  readonly names: readonly string[];
  readonly #known: ReadonlySet<string>;

  constructor(properties: JsonObject) {
    this.names = Object.keys(properties);
    this.#known = new Set(this.names);
  }

  /** @throws Failure `invalid-tool` for a name that is no argument of the tool. */
  expect(name: string, field: string, names = 'names'): void {
    if (this.#known.has(name)) return;
    throw invalid(field, `${names} ${quoted(name)}, which is no argument of input_schema${hint(name, this.names)}`);
  }
}
