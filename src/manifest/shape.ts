// A small language for what a record that a person writes may hold: read by the check and rendered as JSON Schema.

interface Described {
  /** One sentence for the reference and for editors. */
  readonly about: string;
}

/** A text; `pattern` (with the u flag) and `expected`, its name in messages, where not any will do. */
export interface TextShape extends Described {
  readonly kind: 'text';
  readonly pattern: string;
  readonly expected: string;
  /** What stands there may be a secret in the wrong place: it is never repeated. */
  readonly secret?: true;
}

interface WholeShape extends Described {
  readonly kind: 'whole';
  readonly least: number;
  readonly most: number;
}

interface FlagShape extends Described {
  readonly kind: 'flag';
}

/** One of a few values. */
interface ChoiceShape extends Described {
  readonly kind: 'choice';
  readonly values: readonly (string | boolean)[];
}

/** Any JSON value. */
interface AnyShape extends Described {
  readonly kind: 'any';
}

/** A list of at least one. */
export interface ListShape extends Described {
  readonly kind: 'list';
  readonly items: Shape;
}

/** Values under names that a person chooses. */
export interface MapShape extends Described {
  readonly kind: 'map';
  readonly values: Shape;
  /** The least number of them; 0 by default. */
  readonly least?: number;
}

/** Values under names that are known; no others. */
export interface RecordShape extends Described {
  readonly kind: 'record';
  /** With its article: `a source`. */
  readonly name: string;
  readonly fields: { readonly [field: string]: Shape };
  readonly required?: readonly string[];
  readonly rules?: readonly Rule[];
}

export type Rule =
  /** Not both. */
  | { readonly kind: 'apart'; readonly fields: readonly [string, string] }
  /** At least one. */
  | { readonly kind: 'some'; readonly fields: readonly string[] }
  /** Where a field has a value, or is not there and has it by default. */
  | {
      readonly kind: 'when';
      readonly field: string;
      readonly is: string;
      readonly byDefault: boolean;
      readonly needs: readonly string[];
      readonly refuses: readonly string[];
    };

export type Shape = TextShape | WholeShape | FlagShape | ChoiceShape | AnyShape | ListShape | MapShape | RecordShape;

/** The shape of every field of a type, so that none is forgotten and none too many. */
export type FieldsOf<T> = { readonly [field in keyof T]-?: Shape };
