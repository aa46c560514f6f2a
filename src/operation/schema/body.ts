// The root of a body: one flat set of properties, with alternatives united; or a whole value.
import { canonical } from '../../base/canonical.js';
import { isObject, ownString } from '../../base/json.js';
import { quoted } from '../../base/text.js';
import type { Place } from '../../document/lookup.js';
import { ANY, type Emitted, NEVER, ObjectBuilder } from './build.js';
import { type FileShape, fileSchema, fileShape } from './file.js';
import { type Annotation, propertyParts, type SchemaReader, selectProperties } from './reader.js';
import { type Alternatives, isObjectShape, type PropertySource, type Shape, shapeOf } from './shape.js';
import type { Memory, Part, Walk } from './walk.js';

/** One property of a body, as an argument. */
export interface BodyProperty {
  readonly name: string;
  readonly emitted: Emitted;
  readonly required: boolean;
  /** Of several parts: it is a file, or a list of files. */
  readonly file?: FileShape;
}

/** What a body is. */
export type BodyShape =
  | { readonly kind: 'properties'; readonly properties: readonly BodyProperty[] }
  /** Free-form entries: one value, sent whole. */
  | { readonly kind: 'free'; readonly emitted: Emitted }
  /** Not an object; `found` says what it is instead. */
  | { readonly kind: 'other'; readonly found: string };

/** A property's descriptions in the alternatives that have it; each is one or several parts that hold together. */
type Form = readonly Part[];

/** The root of a body with its alternatives united: like a Shape, but a property may have several forms. */
interface View {
  readonly sources: readonly PropertySource[];
  readonly required: ReadonlySet<string>;
  readonly forms: (name: string) => readonly Form[];
  /** undefined: nothing is said of what it is. */
  readonly object: boolean | undefined;
  readonly entries: boolean;
}

/** Whether the description encodes a part as bytes. */
export type IsBinary = (name: string) => boolean;

const TEXT: Emitted = { ...ANY, schema: { type: 'string' }, bytes: 17 };
const BYTES = 'Base64 or a data URI';

/** Reads the root of a body; of one without files what was read is remembered by node. */
export class BodyReader {
  readonly #schemas: SchemaReader;
  readonly #walk: Walk;
  /** Bodies that a reference led to, and those that stand in their place: their nodes are open, or not. */
  readonly #referred: Memory<BodyShape> = new Map();
  readonly #inline: Memory<BodyShape> = new Map();

  constructor(schemas: SchemaReader) {
    this.#schemas = schemas;
    this.#walk = schemas.walk;
  }

  /**
   * A body of JSON, a form; with `parts` of several parts, each of which may be a file. Of the optional properties the first ones
   * are kept, and those that are `wished` for.
   */
  read(place: Place, parts?: IsBinary, wished?: ReadonlySet<string>): BodyShape {
    const start = this.#walk.start(place);
    const reference = isObject(place.node) ? this.#walk.dialect.reference(place.node) : undefined;
    const settled = reference === undefined || this.#besides(place.node) ? start : this.#walk.follow(start, reference);
    if (settled === undefined) return { kind: 'other', found: 'a reference that leads back to itself' };
    // Which parts are files, and what is wished for, depends on more than the node.
    if (parts !== undefined || wished !== undefined) return this.#read(settled, parts, wished);
    const memory = settled.open?.target === settled.node ? this.#referred : this.#inline;
    return this.#walk.recall(memory, settled) ?? this.#walk.remember(memory, settled, () => this.#read(settled));
  }

  /** A value of any kind, as one argument. */
  whole(place: Place): Emitted {
    return this.#schemas.whole(this.#walk.start(place));
  }

  /** A body of text: the schema where that is one of a string, else any string. */
  text(place: Place): Emitted {
    const { types, format, never, title, description } = this.#rootOf(place);
    const isString = types?.length === 1 && types[0] === 'string' && format !== 'binary';
    if (isString || never) return this.whole(place);
    return this.#schemas.annotated(TEXT, given({ title, description }));
  }

  /** A body of bytes, as JSON can hold them; `description` where the schema has none. Undefined for one that has properties. */
  bytes(place: Place, description: string | undefined): Emitted | undefined {
    const shape = this.#rootOf(place);
    if (shape.never) return NEVER;
    if (shape.sources.length > 0) return undefined;
    const text = shape.description ?? description;
    const said = text === undefined ? BYTES : `${BYTES}: ${text}`;
    return this.#schemas.annotated(TEXT, given({ title: shape.title, description: said }));
  }

  #rootOf(place: Place): Shape {
    return shapeOf(this.#walk, [this.#walk.start(place)]);
  }

  #besides(node: unknown): boolean {
    return this.#walk.dialect.siblings && Object.keys(node as object).length > 1;
  }

  #read(part: Part, parts?: IsBinary, wished?: ReadonlySet<string>): BodyShape {
    const shape = shapeOf(this.#walk, [part]);
    const view = this.#view(shape);
    if (view.object !== true) return { kind: 'other', found: kindOf(shape) };
    if (view.sources.length === 0 && shape.additional !== false) {
      return { kind: 'free', emitted: this.#schemas.whole(part) };
    }
    if (view.entries) {
      this.#walk.note('entries-left-out', part.at, 'its free-form entries beside the named properties are left out');
    }
    return { kind: 'properties', properties: this.#properties(view, part.at, parts, wished) };
  }

  #properties(
    view: View,
    at: string,
    parts: IsBinary | undefined,
    wished: ReadonlySet<string> | undefined,
  ): BodyProperty[] {
    const properties: BodyProperty[] = [];
    const most = this.#schemas.limits.optional_properties;
    const cut = selectProperties({ ...view, ...(wished === undefined ? {} : { wished }) }, most, (name) => {
      const forms = view.forms(name);
      const noticed = this.#walk.notices.length;
      const emitted = this.#united(forms);
      if (emitted === undefined) return false;
      const required = view.required.has(name);
      const file = parts === undefined ? undefined : fileShape(this.#walk, forms, parts(name));
      // What is odd about the schema of bytes is of nothing that is shown.
      if (file !== undefined) this.#walk.notices.length = noticed;
      this.#schemas.checkName(name, at);
      properties.push(
        file === undefined ? { name, emitted, required } : { name, emitted: this.#file(file, emitted), required, file },
      );
      return true;
    });
    this.#schemas.noteCut(cut, at);
    this.#noteUndeclared(view, at);
    return properties;
  }

  /** A file, under what the description calls it. */
  #file(file: FileShape, { schema: { title, description } }: Emitted): Emitted {
    return this.#schemas.annotated(fileSchema(file), given({ title, description }));
  }

  /** A name that is required and declared nowhere is more often left over than meant: nobody is made to invent a value. */
  #noteUndeclared({ required, sources }: View, at: string): void {
    this.#walk.budget.spendEntries(required.size);
    for (const name of required) {
      if (sources.some((source) => Object.hasOwn(source.properties, name))) continue;
      this.#walk.note('keyword-ignored', at, `it requires ${quoted(name)}, which it does not declare`);
      return;
    }
  }

  /** One schema for all forms; undefined where no alternative lets a request hold the property. */
  #united(forms: readonly Form[]): Emitted | undefined {
    const emitted: Emitted[] = [];
    for (const form of forms) {
      const one = this.#schemas.property(form);
      if (!one.hidden && !one.never) emitted.push(one);
    }
    const distinct = emitted.length > 1 ? unitedValues(emitted) : emitted;
    const [first] = distinct;
    if (first === undefined || distinct.length === 1) return first;
    const builder = new ObjectBuilder();
    let bytes = 2 + distinct.length - 1;
    for (const one of distinct) bytes += one.bytes;
    builder.add(
      'anyOf',
      distinct.map((one) => one.schema),
      bytes,
    );
    return { schema: builder.value, bytes: builder.bytes, hidden: false, never: false };
  }

  #view(shape: Shape): View {
    const own: View = {
      sources: shape.sources,
      required: shape.required,
      forms: (name) => {
        const form = propertyParts(this.#walk, shape.sources, name);
        return form.length === 0 ? [] : [form];
      },
      object: isObjectShape(shape) ? true : shape.types === null && shape.items === undefined ? undefined : false,
      entries: Array.isArray(shape.additional),
    };
    return shape.alternatives.reduce((view, group) => this.#unite(view, group), own);
  }

  /** A view and, beside it, one group of alternatives. */
  #unite(view: View, group: Alternatives): View {
    const shapes = group.branches.map((branch) => shapeOf(this.#walk, [branch]));
    const branches: View[] = [];
    const names: string[] = [];
    for (const [i, shape] of shapes.entries()) {
      const branch = this.#view(shape);
      if (shape.never || branch.object === false) continue;
      branches.push(branch);
      names.push(branchName(group.branches[i], shape, i));
    }
    const object = view.object ?? (branches.some((branch) => branch.object) ? true : undefined);
    if (branches.length === 0 || object !== true) return { ...view, object };
    this.#noteUnited(group, names);
    this.#walk.budget.spendEntries(view.required.size + (branches[0]?.required.size ?? 0) * branches.length);
    const required = new Set(view.required);
    for (const name of branches[0]?.required ?? []) {
      if (branches.every((branch) => branch.required.has(name))) required.add(name);
    }
    return {
      sources: [...view.sources, ...branches.flatMap((branch) => branch.sources)],
      required,
      forms: (name) =>
        this.#unitedForms(
          view.forms(name),
          branches.map((branch) => branch.forms(name)),
        ),
      object,
      entries: view.entries || branches.some((branch) => branch.entries),
    };
  }

  /** The forms of a property that the object itself may describe, and each of its alternatives may describe further. */
  #unitedForms(own: readonly Form[], branches: readonly (readonly Form[])[]): readonly Form[] {
    const forms = new Map<string, Form>();
    const add = (form: Form) => forms.set(form.map((part) => part.at).join(' '), form);
    for (const branch of branches) {
      // Each form is copied part by part.
      const parts = (own[0]?.length ?? 1) + (branch[0]?.length ?? 0);
      this.#walk.budget.spendEntries(Math.max(1, own.length) * Math.max(1, branch.length) * parts);
      if (branch.length === 0) own.forEach(add);
      else if (own.length === 0) branch.forEach(add);
      else for (const form of own) for (const other of branch) add([...form, ...other]);
    }
    return [...forms.values()];
  }

  #noteUnited(group: Alternatives, names: readonly string[]): void {
    const total = group.branches.length;
    const listed = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
    this.#walk.note(
      'alternatives-united',
      group.at,
      `the body is one of ${total} alternatives, shown as one: ${listed}`,
    );
    if (names.length < total) {
      const left = total - names.length;
      this.#walk.note(
        'alternatives-left-out',
        group.at,
        `${left} of its ${total} alternatives ${left === 1 ? 'is no object and is' : 'are no objects and are'} not shown`,
      );
    }
  }
}

/** Without what is missing. */
function given({ title, description }: { title: unknown; description: unknown }): Annotation {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** The distinct ones; those that differ in their enum or const alone become one whose enum holds the values of all. */
function unitedValues(forms: readonly Emitted[]): Emitted[] {
  const groups = new Map<string, { first: Emitted; values: Map<string, unknown> | undefined }>();
  for (const form of forms) {
    const { title: _t, description: _d, default: _f, enum: listed, const: constant, ...rest } = form.schema;
    const values = Array.isArray(listed) ? listed : constant !== undefined ? [constant] : undefined;
    const key = canonical(rest);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: form, values: values && valueMap(values) });
    // A form without an enum allows the values of all others.
    else if (values === undefined) groups.set(key, { first: form, values: undefined });
    else if (group.values !== undefined) for (const [text, value] of valueMap(values)) group.values.set(text, value);
  }
  return [...groups.values()].map(({ first, values }) => (values === undefined ? first : withEnum(first, values)));
}

function valueMap(values: readonly unknown[]): Map<string, unknown> {
  return new Map(values.map((value) => [canonical(value), value]));
}

function withEnum(emitted: Emitted, values: Map<string, unknown>): Emitted {
  const builder = new ObjectBuilder();
  for (const [key, value] of Object.entries(emitted.schema)) {
    if (key !== 'enum' && key !== 'const') builder.add(key, value, Buffer.byteLength(JSON.stringify(value)));
  }
  const list = [...values.values()];
  builder.add('enum', list, Buffer.byteLength(JSON.stringify(list)));
  return { schema: builder.value, bytes: builder.bytes, hidden: false, never: false };
}

/** What a reader calls an alternative: the component it refers to, its title, or its number. */
function branchName(branch: Part | undefined, shape: Shape, index: number): string {
  const reference = isObject(branch?.node) ? ownString(branch.node, '$ref') : undefined;
  const name = reference?.split('/').at(-1) ?? shape.title;
  return name === undefined || name === '' ? `#${index + 1}` : quoted(name, 40);
}

function kindOf(shape: Shape): string {
  if (shape.types !== null)
    return shape.types.map((type) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`).join(' or ');
  if (shape.items !== undefined || shape.prefixItems !== undefined) return 'an array';
  return shape.alternatives.length > 0 ? 'one of several values' : 'any value';
}
