// Whether a value fits a schema of ours. Foreign patterns run in linear time, formats are not asserted.
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { isObject, own } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { tokens } from '../base/pointer.js';
import type { Schema } from './tool.js';

/** One way in which a value does not fit. */
export interface ValueFault {
  /** Where: property names and indices, joined by dots; empty for the value itself. */
  readonly path: string;
  /** In a few words. */
  readonly expected: string;
  /** What stands there; undefined where nothing does. */
  readonly value: unknown;
}

/** A pattern as ajv runs it. */
interface Expression {
  test(text: string): boolean;
  toString(): string;
}

/**
 * A pattern that the linear engine does not know (look-around, back references, counts over 1,000) is not asserted, nor
 * one whose size times that of the text is more than `mayCost` allows: the API judges those itself.
 */
function expression(pattern: string, mayCost: (steps: number) => boolean): Expression {
  // ajv keeps expressions apart by their text.
  const text = () => pattern;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const size = compiled.programSize();
    return { test: (value) => !mayCost(size * value.length) || compiled.test(value), toString: text };
  } catch {
    return { test: () => true, toString: text };
  }
}

/** Against one text as much as it may cost. */
function engine(pattern: string): Expression {
  return expression(pattern, (steps) => steps <= FIXED_LIMITS.pattern_steps);
}

/** What the patterns of the answer that is held against its schema now have cost. */
let spent = 0;

/** An answer holds any number of texts: against all of them as much as against one argument. */
function answerEngine(pattern: string): Expression {
  return expression(pattern, (steps) => {
    spent += steps;
    return spent <= FIXED_LIMITS.pattern_steps;
  });
}

// ajv prints this into code that it would write to a file, which is never done here.
engine.code = 'engine';
answerEngine.code = 'answerEngine';

const OPTIONS = {
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  logger: false,
  verbose: true,
  allErrors: true,
  // A property called `constructor` is one that was given, not one that every object has.
  ownProperties: true,
  // What is stored was checked when it was made; compiling the schema of schemas costs ten times the rest.
  meta: false,
  validateSchema: false,
  code: { regExp: engine },
} as const;

/** Of an answer the first fault is enough, and nothing is kept of its values. */
const ANSWER_OPTIONS = { ...OPTIONS, verbose: false, allErrors: false, code: { regExp: answerEngine } } as const;

/** Every way in which a value does not fit, as ajv has them. */
type Validate = (value: unknown) => readonly ErrorObject[];

/** Compiled schemas, the last used ones. */
class Validators {
  readonly #options: Options;
  /** By the text of the schema: a tool is read anew for each call, and its schema is the same text until it changes. */
  readonly #compiled = new LRUCache<string, Validate>({ max: FIXED_LIMITS.compiled_schemas });
  /** By the schema itself, for who keeps his tools. */
  readonly #known = new WeakMap<Schema, Validate>();

  constructor(options: Options) {
    this.#options = options;
  }

  of(schema: Schema): Validate {
    let validate = this.#known.get(schema);
    if (validate === undefined) {
      validate = this.#byText(schema);
      this.#known.set(schema, validate);
    }
    return validate;
  }

  #byText(schema: Schema): Validate {
    const text = JSON.stringify(schema);
    let validate = this.#compiled.get(text);
    if (validate === undefined) {
      validate = this.#compile(schema);
      this.#compiled.set(text, validate);
    }
    return validate;
  }

  #compile(schema: Schema): Validate {
    try {
      // An instance of its own, so that what the cache drops is gone.
      const validate = new Ajv2020(this.#options).compile(withProto(schema));
      return (value) => {
        try {
          return validate(value) ? [] : (validate.errors ?? []);
        } catch (error) {
          // Objects with a property `valueOf` or `toString` cannot be compared by ajv; the API judges them itself.
          if (error instanceof TypeError) return [];
          throw error;
        }
      };
    } catch (error) {
      // Half a character in the name of a property cannot be compiled; the API judges those values itself.
      if (error instanceof URIError) return () => [];
      throw error;
    }
  }
}

const ARGUMENTS = new Validators(OPTIONS);
const ANSWERS = new Validators(ANSWER_OPTIONS);

/** A property `__proto__` by pattern as well, since ajv takes none of that name for declared. */
function withProto(schema: Schema): Schema {
  const proto = isObject(schema.properties) ? own(schema.properties, '__proto__') : undefined;
  return proto === undefined ? schema : { ...schema, patternProperties: { '^__proto__$': proto } };
}

/** Every way in which a value does not fit its schema, each place once. */
export function valueFaults(schema: Schema, value: unknown): ValueFault[] {
  const errors = ARGUMENTS.of(schema)(value);
  if (errors.length === 0) return [];
  const faults = new Map<string, ValueFault>();
  for (const error of errors) {
    const fault = faultOf(error);
    // The branches of an anyOf fail in the same place; the first of what is said of it is enough.
    if (!faults.has(fault.path)) faults.set(fault.path, fault);
  }
  return [...faults.values()];
}

/**
 * What keeps an answer from its output schema, in a few words; undefined where nothing does, or the two are too large together to
 * be held against each other.
 */
export function answerFault(schema: Schema, value: unknown): string | undefined {
  if (values(schema) * values(value) > FIXED_LIMITS.answer_checks) return undefined;
  let validate: Validate;
  try {
    validate = ANSWERS.of(schema);
  } catch {
    // What somebody wrote into the store by hand and is no schema says nothing of an answer that has come.
    return undefined;
  }
  spent = 0;
  const [first] = validate(value);
  return first === undefined ? undefined : said(faultOf(first));
}

/** How many values there are in a JSON value, itself included. It nests as deep as an answer may. */
function values(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let found = 1;
  for (const part of Object.values(value)) found += values(part);
  return found;
}

/** Why a schema does not compile, patterns with the u flag included; undefined where it does. */
export function schemaFault(schema: Schema): string | undefined {
  try {
    new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What keeps a value from its schema, in a few words; undefined where nothing does. */
export function valueFault(schema: Schema, value: unknown): string | undefined {
  const [first] = valueFaults(schema, value);
  return first === undefined ? undefined : said(first);
}

function said({ path, expected }: ValueFault): string {
  return path === '' ? `${expected} is expected` : `${expected} is expected at ${path}`;
}

function faultOf({ instancePath, keyword, params, message, data }: ErrorObject): ValueFault {
  const at = tokens(instancePath);
  if (keyword === 'required')
    return { path: [...at, params.missingProperty].join('.'), expected: 'a value', value: undefined };
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return {
      path: [...at, name].join('.'),
      expected: 'no argument of that name',
      value: isObject(data) ? own(data, name) : undefined,
    };
  }
  const path = at.join('.');
  if (keyword === 'enum') return { path, expected: `one of ${listed(params.allowedValues)}`, value: data };
  if (keyword === 'const') return { path, expected: JSON.stringify(params.allowedValue), value: data };
  if (keyword === 'type') return { path, expected: [params.type].flat().join(' or '), value: data };
  return { path, expected: message === undefined ? 'a value that fits' : wanted(message), value: data };
}

/** What ajv says has to be, so that "is expected" may follow. */
function wanted(message: string): string {
  return message
    .replace(/^must NOT have fewer than /, 'at least ')
    .replace(/^must NOT have more than /, 'at most ')
    .replace(/^must NOT have /, 'no ')
    .replace(/^must (?:be|have|match) /, '');
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 12).map((one) => JSON.stringify(one));
  return values.length > 12 ? `${shown.join(', ')} and ${values.length - 12} more` : shown.join(', ');
}
