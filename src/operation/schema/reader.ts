// The one bounded walker: a schema of a description, read to a JSON Schema 2020-12 that is closed, cut and without references.
import { isObject, type JsonObject, own } from '../../base/json.js';
import type { Limits } from '../../base/limits.js';
import type { Texts } from '../../base/plain.js';
import { under } from '../../base/pointer.js';
import { count, invisibleCodePoints, jsonBytes, quoted } from '../../base/text.js';
import type { Place } from '../../document/lookup.js';
import { ANY, type AnswerSchema, type Emitted, HIDDEN, NEVER, ObjectBuilder } from './build.js';
import { type Literal, literal } from './literal.js';
import { isObjectShape, type PropertySource, type Shape, shapeOf } from './shape.js';
import type { Memory, Part, Walk } from './walk.js';

/** Where a value stands: only a property of a body or an answer may be hidden, and only those have few optional properties. */
type Side = 'parameter' | 'body' | 'property';

/**
 * What the schemas are of: arguments, which are closed, or an answer, which may hold more than is described and of which nothing
 * is asserted that a good answer often breaks.
 */
export type Direction = 'request' | 'answer';

/** What a value is called by whoever holds it; stands in the place of what the schema says of itself. */
export interface Annotation {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** The value is a member of an allOf: it does not close the object. */
  readonly member?: boolean;
}

/** Keywords that do not narrow a value: a node with only these beside one reference is that reference. */
const ANNOTATIONS = new Set(
  `$ref allOf title description default deprecated readOnly writeOnly example examples externalDocs xml $comment
  discriminator`.split(/\s+/),
);
const TEXTS = new Set(['title', 'description']);
/** Of what was cut, so many are named. */
const CUT_NAMED = 10;
const FORMAT = /^[\w.+/:-]{1,64}$/;

export class SchemaReader {
  readonly walk: Walk;
  readonly limits: Limits;
  readonly #texts: Texts;
  readonly #answer: boolean;
  readonly #hidden: 'readOnly' | 'writeOnly';
  /** By side, then by room. */
  readonly #memories: { readonly [side in Side]: Memory<Emitted>[] } = { parameter: [], body: [], property: [] };
  readonly #parameters: Memory<Emitted> = new Map();
  readonly #literals = new Map<unknown, Literal | undefined>();
  readonly #enums = new Map<unknown, Literal | undefined>();
  readonly #nullable = new Map<readonly unknown[], readonly unknown[]>();
  /** The bytes of a pattern as JSON; 0 where it is none. */
  readonly #patterns = new Map<string, number>();

  constructor(walk: Walk, limits: Limits, texts: Texts, direction: Direction = 'request') {
    this.walk = walk;
    this.limits = limits;
    this.#texts = texts;
    this.#answer = direction === 'answer';
    this.#hidden = this.#answer ? 'writeOnly' : 'readOnly';
  }

  /** The schema of a whole body that is one argument. Level 1. */
  whole(part: Part): Emitted {
    return this.#remembered(part, this.limits.nesting - 1, 'body');
  }

  /** The schema of an answer. The properties of an object are level 1; any other value is level 1 itself, inside one. */
  answer(place: Place): AnswerSchema {
    const part = this.walk.start(place);
    const types = typesOf(shapeOf(this.walk, [part]));
    const object = types?.length === 1 && types[0] === 'object' && !this.#saysNull([part]);
    const emitted = this.#remembered(part, this.limits.nesting - (object ? 0 : 1), 'body');
    return { emitted, object };
  }

  /**
   * The schema of a parameter under its own description. Level 1.
   * @param shared many operations have this very parameter: what is read of it is used again.
   */
  parameter(place: Place, description: string | undefined, shared: boolean): Emitted {
    const part = this.walk.start(place);
    if (!shared || !isObject(part.node)) return this.#parameter(part, description);
    return (
      this.walk.recall(this.#parameters, part, place) ??
      this.walk.remember(this.#parameters, part, () => this.#parameter(part, description), place)
    );
  }

  #parameter(part: Part, description: string | undefined): Emitted {
    const room = this.limits.nesting - 1;
    const through = isObject(part.node) ? this.#through(part, part.node, room, 'parameter') : undefined;
    if (through !== undefined) return description === undefined ? through : this.annotated(through, { description });
    const shape = shapeOf(this.walk, [part]);
    if (description !== undefined) shape.description = description;
    return this.#emit(shape, room, 'parameter');
  }

  /** The schema of one property of a body's root, described by one or several parts. Level 1. */
  property(parts: readonly Part[]): Emitted {
    return this.#value(parts, this.limits.nesting - 1, 'property');
  }

  /** The same schema under another title, description or default. */
  annotated(emitted: Emitted, annotation: Annotation): Emitted {
    const { schema } = emitted;
    const builder = new ObjectBuilder();
    // The bytes of what is not replaced are known without a look at it.
    let kept = emitted.bytes - 2 - Math.max(0, Object.keys(schema).length - 1);
    const rest: [string, unknown][] = [];
    for (const [key, value] of Object.entries(schema)) {
      const opens = annotation.member === true && key === 'additionalProperties' && value === false;
      const replaced = key === 'type' || TEXTS.has(key) || (key === 'default' && annotation.default !== undefined);
      if (opens || replaced) kept -= key.length + 3 + (this.#literal(value)?.bytes ?? 0);
      else rest.push([key, value]);
    }
    if (schema.type !== undefined) this.#addLiteral(builder, 'type', schema.type, '');
    for (const key of TEXTS) {
      const own = annotation[key as 'title' | 'description'];
      if (own !== undefined) this.#addText(builder, key, own);
      else if (typeof schema[key] === 'string') builder.addString(key, schema[key]);
    }
    if (annotation.default !== undefined) this.#addDefault(builder, annotation.default, schema.type, '');
    const bytes = builder.bytes + kept + rest.length - (builder.size === 0 ? Math.min(1, rest.length) : 0);
    for (const [key, one] of rest) builder.add(key, one, 0);
    return { ...emitted, schema: builder.value, bytes };
  }

  /** A part as a reference led to it or as it stands; what is read of a node is used again. */
  #remembered(part: Part, room: number, side: Side): Emitted {
    const { node } = part;
    const byReference = part.open?.target === node;
    if (!isObject(node) || !byReference || this.walk.dialect.reference(node) !== undefined) {
      return this.#value([part], room, side);
    }
    let memory = this.#memories[side][room];
    if (memory === undefined) {
      memory = new Map();
      this.#memories[side][room] = memory;
    }
    return this.walk.recall(memory, part) ?? this.walk.remember(memory, part, () => this.#value([part], room, side));
  }

  /** `room`: how many levels below this one are shown. */
  #value(parts: readonly Part[], room: number, side: Side): Emitted {
    const emitted = this.#described(parts, room, side);
    return this.#answer && this.#saysNull(parts) ? orNull(emitted) : emitted;
  }

  /** Answers hold null wherever `nullable` stands, also where the language ignores it (beside a reference, an allOf, a type). */
  #saysNull(parts: readonly Part[]): boolean {
    const { nullable } = this.walk.dialect;
    return nullable !== undefined && parts.every(({ node }) => isObject(node) && own(node, nullable) === true);
  }

  #described(parts: readonly Part[], room: number, side: Side): Emitted {
    const [part] = parts;
    if (part !== undefined && parts.length === 1 && isObject(part.node)) {
      const through = this.#through(part, part.node, room, side);
      if (through !== undefined) return through;
    }
    return this.#emit(shapeOf(this.walk, parts), room, side);
  }

  /** A node that is one other node, under another description at most: the short way, and the remembered one. */
  #through(part: Part, node: JsonObject, room: number, side: Side): Emitted | undefined {
    const { dialect } = this.walk;
    const reference = dialect.reference(node);
    if (reference !== undefined && (!dialect.siblings || this.walk.keys(node).length === 1)) {
      return this.#target(part, reference, room, side);
    }
    const members = own(node, 'allOf');
    const alone = reference === undefined ? Array.isArray(members) && members.length === 1 : members === undefined;
    if (!alone || !this.walk.keys(node).every((key) => isAnnotation(key) && key !== dialect.nullable)) return undefined;
    this.walk.budget.spend(1);
    if (side === 'property' && own(node, this.#hidden) === true) return HIDDEN;
    const inner =
      reference !== undefined
        ? this.#target(part, reference, room, side)
        : this.#value([this.walk.down(part, (members as unknown[])[0], `${part.at}/allOf/0`)], room, side);
    if (inner.hidden || inner.never) return inner;
    const annotation: { title?: string; description?: string; default?: unknown; member?: boolean } = {};
    if (reference === undefined && inner.schema.additionalProperties === false) annotation.member = true;
    for (const key of ['title', 'description'] as const) {
      const text = own(node, key);
      if (typeof text === 'string') annotation[key] = text;
    }
    const value = own(node, 'default');
    if (value !== undefined && !this.#answer) annotation.default = value;
    return Object.keys(annotation).length === 0 ? inner : this.annotated(inner, annotation);
  }

  #target(part: Part, reference: string, room: number, side: Side): Emitted {
    const target = this.walk.follow(part, reference);
    return target === undefined ? ANY : this.#remembered(target, room, side);
  }

  #emit(shape: Shape, room: number, side: Side): Emitted {
    if (shape.never) return NEVER;
    const hidden = shape[this.#hidden];
    if (side === 'property' && hidden) return HIDDEN;
    const builder = new ObjectBuilder();
    const types = typesOf(shape);
    if (types !== null) this.#addLiteral(builder, 'type', types.length === 1 ? types[0] : types, '');
    if (shape.title !== undefined) this.#addText(builder, 'title', shape.title);
    if (shape.description !== undefined) this.#addText(builder, 'description', shape.description);
    this.#addValues(builder, shape, types);
    if (types === null || types.includes('object')) this.#addObject(builder, shape, room, side);
    if (types?.includes('array')) this.#addArray(builder, shape, room, side);
    for (const [keyword, number] of shape.bounds ?? []) {
      // 19.99 is no multiple of 0.01 in binary.
      if (this.#answer && keyword === 'multipleOf' && !Number.isInteger(number)) continue;
      if (applies(keyword, types)) builder.add(keyword, number, String(number).length);
    }
    this.#addAlternatives(builder, shape, types, room, side);
    return { schema: builder.value, bytes: builder.bytes, hidden, never: false };
  }

  #addText(builder: ObjectBuilder, key: string, raw: string): void {
    const { text, bytes } = this.#texts.plain(raw, this.limits.parameter_description_chars);
    if (text !== '') builder.add(key, text, bytes);
  }

  #addValues(builder: ObjectBuilder, shape: Shape, types: readonly string[] | null): void {
    const orNull = this.#answer && types?.includes('null') === true;
    if (shape.enum !== undefined) this.#addEnum(builder, orNull ? this.#withNull(shape.enum) : shape.enum, shape.at);
    if (shape.const !== undefined && !orNull) this.#addLiteral(builder, 'const', shape.const.value, shape.at);
    if (shape.default !== undefined && !this.#answer) this.#addDefault(builder, shape.default, types, shape.at);
    if (shape.format !== undefined && FORMAT.test(shape.format)) builder.addString('format', shape.format);
    if (shape.pattern !== undefined && applies('pattern', types)) this.#addPattern(builder, shape.pattern, shape.at);
    // To look for equal items of an answer takes the square of their number.
    if (shape.uniqueItems && !this.#answer && applies('uniqueItems', types)) builder.add('uniqueItems', true, 4);
  }

  /** The same list for the same enum, which is remembered by its identity. */
  #withNull(values: readonly unknown[]): readonly unknown[] {
    if (values.includes(null)) return values;
    let known = this.#nullable.get(values);
    if (known === undefined) {
      known = [...values, null];
      this.#nullable.set(values, known);
    }
    return known;
  }

  /** An enum with a value that cannot be shown is not shown at all: a cut may widen, never remove. */
  #addEnum(builder: ObjectBuilder, values: readonly unknown[], at: string): void {
    let known = this.#enums.get(values);
    if (known === undefined && !this.#enums.has(values)) {
      // What no JSON can say, no caller can send: leaving it out takes nothing away.
      const said = [...new Set(values)].filter((value) => typeof value !== 'number' || Number.isFinite(value));
      known = said.length === 0 ? undefined : literal(said);
      this.#enums.set(values, known);
    }
    this.#add(builder, 'enum', known, at);
  }

  #addLiteral(builder: ObjectBuilder, key: string, value: unknown, at: string): void {
    const known = this.#literal(value);
    if (known !== undefined) this.walk.budget.spendEntries(known.entries);
    this.#add(builder, key, known, at);
  }

  #add(builder: ObjectBuilder, key: string, known: Literal | undefined, at: string): void {
    if (known === undefined) {
      this.walk.note(
        'keyword-ignored',
        `${at}/${key}`,
        `${key} holds a number that JSON cannot, or is nested too deep`,
      );
      return;
    }
    const most = this.limits.operation_schema_bytes;
    if (known.bytes > most) {
      throw this.walk.tooLarge(`its ${key} alone is ${count(known.bytes)} bytes; at most ${count(most)} are allowed`);
    }
    builder.add(key, known.value, known.bytes);
    if (known.invisible.length > 0) this.#noteInvisible(known.invisible, `${at}/${key}`, 'a value');
  }

  #literal(value: unknown): Literal | undefined {
    let known = this.#literals.get(value);
    if (known === undefined && !this.#literals.has(value)) {
      known = literal(value);
      this.#literals.set(value, known);
    }
    return known;
  }

  /** A default given as a string for a number or boolean is read as that (Discovery). */
  #addDefault(builder: ObjectBuilder, value: unknown, types: unknown, at: string): void {
    const type = Array.isArray(types) ? (types.length === 1 ? types[0] : undefined) : types;
    if (typeof value === 'string' && (type === 'integer' || type === 'number')) {
      if (value.trim() !== '' && Number.isFinite(Number(value)))
        this.#addLiteral(builder, 'default', Number(value), at);
    } else if (typeof value === 'string' && type === 'boolean') {
      if (value === 'true' || value === 'false') builder.add('default', value === 'true', value.length);
    } else this.#addLiteral(builder, 'default', value, at);
  }

  #addPattern(builder: ObjectBuilder, pattern: string, at: string): void {
    let bytes = this.#patterns.get(pattern);
    if (bytes === undefined) {
      bytes = isPattern(pattern) ? jsonBytes(pattern) : 0;
      this.#patterns.set(pattern, bytes);
    }
    if (bytes > 0) builder.add('pattern', pattern, bytes);
    else this.walk.note('keyword-ignored', `${at}/pattern`, 'its pattern is no regular expression with the u flag');
  }

  #addObject(builder: ObjectBuilder, shape: Shape, room: number, side: Side): void {
    const { additional } = shape;
    if (room <= 0) {
      if (shape.sources.length > 0 || Array.isArray(additional)) this.#noteNesting(shape.at);
      return;
    }
    const kept = new ObjectBuilder();
    const leftOut = new Set<string>();
    let every = true;
    if (shape.sources.length > 0) {
      every = this.#addProperties(kept, leftOut, shape, room, side);
      builder.add('properties', kept.value, kept.bytes);
    }
    const closed = additional === false && every;
    const required: string[] = [];
    for (const name of shape.required) {
      if (Object.hasOwn(kept.value, name) || !(leftOut.has(name) || closed)) required.push(name);
    }
    // Sorted, so that a description that only reorders its keys gives the same schema.
    if (required.length > 0) builder.addStrings('required', required.sort());
    // What was cut must still be allowed: a cut may widen, never remove.
    if (closed && !this.#answer) builder.add('additionalProperties', false, 5);
    else if (every && additional !== undefined && additional !== false && !(this.#answer && leftOut.size > 0))
      this.#addEntries(builder, additional, room, side);
  }

  #addEntries(builder: ObjectBuilder, entries: readonly Part[], room: number, side: Side): void {
    const [only] = entries;
    if (entries.length === 1 && only?.node === true) {
      // An answer is open as it is.
      if (!this.#answer) builder.add('additionalProperties', true, 4);
      return;
    }
    const emitted = this.#value(entries, room - 1, side === 'property' ? 'body' : side);
    builder.add('additionalProperties', emitted.schema, emitted.bytes);
  }

  /** False when optional properties were cut. */
  #addProperties(kept: ObjectBuilder, leftOut: Set<string>, shape: Shape, room: number, side: Side): boolean {
    const below = side === 'parameter' ? 'parameter' : 'property';
    const most = side === 'parameter' ? Number.POSITIVE_INFINITY : this.limits.optional_properties;
    const cut = selectProperties(shape, most, (name) => {
      const parts = propertyParts(this.walk, shape.sources, name);
      const emitted = this.#value(parts, room - 1, below);
      if (emitted.never || (emitted.hidden && below === 'property')) {
        leftOut.add(name);
        return false;
      }
      this.checkName(name, parts[0]?.at ?? shape.at);
      kept.addEntry(name, emitted.schema, emitted.bytes);
      return true;
    });
    this.noteCut(cut, shape.at);
    return cut.length === 0;
  }

  /** Names what was left out, since a person may have it shown. */
  noteCut(cut: readonly string[], at: string): void {
    if (cut.length === 0) return;
    const most = this.limits.optional_properties;
    const names = cut.slice(0, CUT_NAMED).map((name) => quoted(name, 40));
    const more = cut.length > CUT_NAMED ? [`${cut.length - CUT_NAMED} more`] : [];
    this.walk.note(
      'properties-cut',
      at,
      `${cut.length} of its optional properties ${cut.length === 1 ? 'is' : 'are'} left out (${[...names, ...more].join(', ')}); the first ${most} are shown`,
    );
  }

  /** Notes a name that stays as it is on the wire and holds characters that nobody sees. */
  checkName(name: string, at: string): void {
    const invisible = invisibleCodePoints(name);
    if (invisible.length > 0) this.#noteInvisible(invisible, at, 'the name');
  }

  #noteInvisible(codePoints: readonly string[], at: string, what: string): void {
    const listed = [...new Set(codePoints)].slice(0, 8).join(', ');
    this.walk.note('invisible-characters', at, `${what} holds ${listed}`);
  }

  #noteNesting(at: string): void {
    this.walk.note('nesting-cut', at, `below ${this.limits.nesting} levels any value is allowed`);
  }

  #addArray(builder: ObjectBuilder, shape: Shape, room: number, side: Side): void {
    const { items, severalTuples } = shape;
    const prefixItems = severalTuples ? undefined : shape.prefixItems;
    const below = side === 'property' ? 'body' : side;
    if (room <= 0 || severalTuples) {
      const lost = (items !== undefined && items !== false) || prefixItems !== undefined;
      if (lost && !severalTuples) this.#noteNesting(shape.at);
      builder.add('items', {}, 2);
      return;
    }
    if (prefixItems !== undefined) {
      let bytes = 2 + prefixItems.length - 1;
      const list = prefixItems.map((part) => {
        const emitted = this.#value([part], room - 1, below);
        bytes += emitted.bytes;
        return emitted.schema;
      });
      builder.add('prefixItems', list, bytes);
    }
    if (items === false) {
      shape.bounds ??= new Map();
      shape.bounds.set(
        'maxItems',
        Math.min(shape.bounds.get('maxItems') ?? Number.POSITIVE_INFINITY, prefixItems?.length ?? 0),
      );
    }
    const emitted = items === undefined || items === false ? ANY : this.#value(items, room - 1, below);
    builder.add('items', emitted.schema, emitted.bytes);
  }

  #addAlternatives(
    builder: ObjectBuilder,
    shape: Shape,
    types: readonly string[] | null,
    room: number,
    side: Side,
  ): void {
    const [first, ...others] = shape.alternatives;
    if (first === undefined) return;
    if (others.length > 0) {
      this.walk.note(
        'alternatives-left-out',
        others[0]?.at ?? shape.at,
        'alternatives beside other alternatives are not shown',
      );
    }
    const list: unknown[] = [];
    let bytes = 2;
    for (const branch of first.branches) {
      const emitted = this.#value([branch], room, side === 'property' ? 'body' : side);
      if (emitted.never) continue;
      list.push(emitted.schema);
      bytes += emitted.bytes + (list.length > 1 ? 1 : 0);
    }
    const orNull = shape.types === null ? shape.nullable : this.#answer && types?.includes('null') === true;
    if (orNull && list.length > 0) {
      list.push({ type: 'null' });
      bytes += 16;
    }
    if (list.length > 0) builder.add('anyOf', list, bytes);
  }
}

/** What declares the properties of an object, and which of them are required. */
export interface Declared {
  readonly sources: readonly PropertySource[];
  readonly required: ReadonlySet<string>;
  /** Optional ones that are shown wherever they stand. */
  readonly wished?: ReadonlySet<string>;
}

/**
 * Visits the properties of an object that are shown: every required one, the first optional ones, and those wished for, in the
 * description's order.
 * @param visit reads one, and says whether it is shown.
 * @returns the names of those that were cut.
 */
export function selectProperties(
  { sources, required, wished }: Declared,
  most: number,
  visit: (name: string) => boolean,
): readonly string[] {
  const seen = sources.length > 1 ? new Set<string>() : undefined;
  let optional = 0;
  const cut: string[] = [];
  for (const { names } of sources) {
    for (const name of names) {
      if (seen !== undefined) {
        if (seen.has(name)) continue;
        seen.add(name);
      }
      if (required.has(name)) visit(name);
      else if (optional < most) optional += visit(name) ? 1 : 0;
      else if (wished?.has(name) === true) visit(name);
      else cut.push(name);
    }
  }
  return cut;
}

/** Everything that describes one property: a part of each conjunct that declares it. */
export function propertyParts(walk: Walk, sources: readonly PropertySource[], name: string): Part[] {
  const parts: Part[] = [];
  for (const { part, properties } of sources) {
    if (Object.hasOwn(properties, name))
      parts.push(walk.down(part, properties[name], under(`${part.at}/properties`, name)));
  }
  return parts;
}

/** The same schema, or null. */
function orNull(emitted: Emitted): Emitted {
  const { schema, hidden, never } = emitted;
  if (hidden || never || Object.keys(schema).length === 0 || [schema.type].flat().includes('null')) return emitted;
  const builder = new ObjectBuilder();
  builder.add('anyOf', [schema, { type: 'null' }], emitted.bytes + 18);
  return { ...emitted, schema: builder.value, bytes: builder.bytes };
}

function isAnnotation(key: string): boolean {
  return ANNOTATIONS.has(key) || key.startsWith('x-');
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The declared types, or the one that the other keywords leave. */
function typesOf(shape: Shape): readonly string[] | null {
  const types = shape.types ?? inferredTypes(shape);
  return types !== null && shape.nullable && !types.includes('null') ? [...types, 'null'] : types;
}

function inferredTypes(shape: Shape): readonly string[] | null {
  if (isObjectShape(shape)) return ['object'];
  return shape.items !== undefined || shape.prefixItems !== undefined ? ['array'] : null;
}

/** Keywords that say nothing of values of other types than these. */
const OF_TYPE: { readonly [keyword: string]: readonly string[] } = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
};

/** Whether a keyword means anything beside these types. */
function applies(keyword: string, types: readonly string[] | null): boolean {
  return types === null || (OF_TYPE[keyword] ?? types).some((type) => types.includes(type));
}
