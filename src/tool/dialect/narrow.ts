// A form printed for a consumer that knows few keywords: what it cannot say becomes text, JSON text or another key, and is noted.
import type { Change, ChangeCode } from '../../base/codes.js';
import { isObject, type JsonObject, own, put } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import { quoted } from '../../base/text.js';
import type { Schema } from '../tool.js';
import type { About, Branch, Entries, Form, Property, ScalarType } from './form.js';
import { type Inverse, joined, type Key } from './inverse.js';
import { APPLIES, told, toldValues } from './keyword.js';
import { sketch } from './sketch.js';

/** What a consumer takes. */
export interface Rules {
  /** Whether a constraint stays as it is. */
  readonly keeps: (type: string, keyword: string, value: unknown) => boolean;
  /** Whether an enum stays. */
  readonly lists: (values: readonly unknown[], type: ScalarType) => boolean;
  /** The keys of an object's properties, in their order. */
  readonly keys: (names: readonly string[]) => readonly string[];
  /** Objects and lists in each other, the arguments being the first. */
  readonly levels: number;
  /** Every property is required: null or `{}` stands for one that is left out. */
  readonly everyRequired: boolean;
  /** Objects are closed; otherwise they cannot be. */
  readonly closed: boolean;
  readonly object: (properties: Schema, required: readonly string[]) => Schema;
  /** One schema for alternatives, at least one, and null where it is allowed. */
  readonly union: (branches: readonly Schema[], nullable: boolean, about: Texts) => Schema;
}

/** What is said of a value in words. */
export type Texts = Pick<About, 'title' | 'description'>;

interface Printed {
  readonly schema: Schema;
  readonly inverse: Inverse;
}

interface Alternatives {
  readonly branches: readonly Schema[];
  readonly nullable: boolean;
  readonly inverse: Inverse;
  readonly about: Texts;
}

const LEFT_OUT: Schema = {
  type: 'object',
  description: 'Leaves it out.',
  properties: {},
  required: [],
  additionalProperties: false,
};

export class Narrower {
  readonly changes: Change[] = [];
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** An object of these properties. */
  object(properties: ReadonlyMap<string, Property>, level: number): Printed {
    const names = [...properties.keys()];
    const rendered = this.#rules.keys(names);
    const schemas: Record<string, unknown> = {};
    const keys = new Map<string, Key>();
    const required: string[] = [];
    for (const [index, [name, property]] of [...properties].entries()) {
      const key = rendered[index] ?? name;
      if (key !== name)
        this.note('property-renamed', property.form.at, `${quoted(name)} is ${quoted(key)} in this form`);
      const printed = this.#property(name, property, level);
      put(schemas, key, printed.schema);
      keys.set(key, printed.key);
      if (property.required || this.#rules.everyRequired) required.push(key);
    }
    return { schema: this.#rules.object(schemas, required.sort()), inverse: { keys } };
  }

  /** Notes whether an object can be as open or closed as it is. */
  noteEntries(entries: Entries, at: string): void {
    if (entries === 'described' || (entries === 'open' && this.#rules.closed))
      this.note('entries-left-out', at, 'entries beside its properties cannot be given');
    if (entries === 'closed' && !this.#rules.closed)
      this.note('keyword-left-out', at, 'it is not said that no other property is allowed');
  }

  note(code: ChangeCode, at: string, message: string): void {
    this.changes.push({ code, at, message });
  }

  #property(name: string, { form, required }: Property, level: number): { schema: Schema; key: Key } {
    const { branches, nullable, inverse, about } = this.#alternatives(form, level);
    const { union, everyRequired } = this.#rules;
    if (required || !everyRequired) {
      return { schema: union(branches, nullable, about), key: { name, inverse, ...(nullable && { null: 'null' }) } };
    }
    if (!nullable) {
      this.note('null-for-absent', form.at, `${quoted(name)} is required, and null leaves it out`);
      return { schema: union(branches, true, about), key: { name, inverse, null: 'absent' } };
    }
    this.note('empty-for-absent', form.at, `${quoted(name)} is required and may be null, and {} leaves it out`);
    return { schema: union([...branches, LEFT_OUT], true, about), key: { name, inverse, null: 'null', empty: true } };
  }

  /** The alternatives of a value; all of them as JSON text where they could not be told apart on the way back. */
  #alternatives(form: Form, level: number): Alternatives {
    const before = this.changes.length;
    const nullable = form.branches.some(({ kind }) => kind === 'null');
    const values = form.branches.filter(({ kind }) => kind !== 'null');
    const printed = values.map((branch) => this.#branch(branch, level));
    const inverse = printed.reduce<Inverse | undefined>((all, one) => all && joined(all, one.inverse), {});
    if (inverse === undefined) {
      this.changes.length = before;
      const { schema, inverse: text } = this.#text(form.schema, form.at);
      return { branches: [schema], nullable, inverse: text, about: this.#about(form, []) };
    }
    const branches = [...new Map(printed.map(({ schema }) => [JSON.stringify(schema), schema])).values()];
    this.#noteRestated(form, nullable);
    return { branches, nullable, inverse, about: this.#about(form, values) };
  }

  #noteRestated({ schema, at, branches }: Form, nullable: boolean): void {
    if (!isObject(schema)) return;
    const type = own(schema, 'type');
    const said = Array.isArray(type) || (type === undefined && own(schema, 'anyOf') === undefined);
    const opaque = branches.every(({ kind }) => kind === 'opaque');
    if (opaque || !(said || Object.hasOwn(schema, 'const') || (nullable && !this.#rules.everyRequired))) return;
    this.note('restated', at, 'its types are said with other keywords');
  }

  #about({ about, at }: Form, values: readonly Branch[]): Texts {
    const { title, default: value } = about;
    const [only] = values;
    const kept = values.length === 1 && only !== undefined && this.#rules.keeps(only.kind, 'default', value);
    const words = value === undefined || kept ? undefined : this.#told('default', value, at);
    const description = sentences(about.description, words);
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === '' ? {} : { description }),
      ...(kept && value !== undefined ? { default: value } : {}),
    };
  }

  #branch(branch: Branch, level: number): Printed {
    const { at, about, strays } = branch;
    const listed = strays.map((key) => quoted(key)).join(', ');
    if (strays.length > 0) this.note('keyword-left-out', at, `${listed} is left out`);
    const inside = level + 1;
    const { schema, inverse } = this.#kind(branch, inside);
    const words = about.default === undefined ? undefined : this.#told('default', about.default, at);
    const description = sentences(about.description, schema.description, words);
    const title = about.title === undefined ? {} : { title: about.title };
    return { schema: { ...schema, ...title, ...(description === '' ? {} : { description }) }, inverse };
  }

  #kind(branch: Branch, level: number): Printed {
    const { at, schema } = branch;
    if (branch.kind === 'opaque' || branch.kind === 'null') return this.#text(schema, at);
    if (branch.kind === 'list' || branch.kind === 'object') {
      return level > this.#rules.levels ? this.#text(schema, at) : this.#container(branch, level);
    }
    const { kind, keywords, values } = branch;
    const { kept, words } = this.#constraints(kind, keywords, at);
    const lists = values === undefined || this.#rules.lists(values, kind);
    if (!lists) this.note('told-in-text', at, 'its values are told in the description');
    const described = lists ? words : [toldValues(values ?? []), ...words];
    return {
      schema: {
        type: kind,
        ...(values !== undefined && lists ? { enum: values } : {}),
        ...kept,
        ...inWords(described),
      },
      inverse: kind === 'string' ? { text: 'plain' } : {},
    };
  }

  #container(branch: Extract<Branch, { kind: 'list' | 'object' }>, level: number): Printed {
    const { at, keywords } = branch;
    if (branch.kind === 'list') {
      const { kept, words } = this.#constraints('array', keywords, at);
      const { branches, nullable, inverse, about } = this.#alternatives(branch.items, level);
      const items = this.#rules.union(branches, nullable, about);
      return { schema: { type: 'array', ...kept, items, ...inWords(words) }, inverse: { items: inverse } };
    }
    this.noteEntries(branch.entries, at);
    const { kept, words } = this.#constraints('object', keywords, at);
    const { schema, inverse } = this.object(branch.properties, level);
    return { schema: { ...schema, ...kept, ...inWords(words) }, inverse };
  }

  /** The constraints that stay, and the others in words. */
  #constraints(type: string, keywords: JsonObject, at: string): { kept: Schema; words: readonly string[] } {
    const kept: Record<string, unknown> = {};
    const words: string[] = [];
    for (const keyword of APPLIES[type] ?? []) {
      const value = own(keywords, keyword);
      if (value === undefined) continue;
      if (this.#rules.keeps(type, keyword, value)) kept[keyword] = value;
      else words.push(this.#told(keyword, value, at) ?? '');
    }
    return { kept, words };
  }

  #told(keyword: string, value: unknown, at: string): string | undefined {
    const words = told(keyword, value);
    if (words !== undefined) this.note('told-in-text', under(at, keyword), 'it is told in the description');
    return words;
  }

  #text(schema: unknown, at: string): Printed {
    const what = sketch(schema);
    this.note('as-json-text', at, `a value of the form ${quoted(what, 120)} is given as JSON text`);
    return { schema: { type: 'string', description: `JSON text of: ${what}` }, inverse: { text: 'json' } };
  }
}

function inWords(words: readonly string[]): { readonly description?: string } {
  const description = sentences(...words);
  return description === '' ? {} : { description };
}

/** Texts one after the other. */
export function sentences(...texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join(' ');
}
