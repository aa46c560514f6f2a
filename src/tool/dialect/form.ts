// Any JSON Schema read to alternatives of one type each, which narrower consumers are rendered from.
import { isObject, type JsonObject, own, ownString, put } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import { APPLIES, STRUCTURE } from './keyword.js';

export interface About {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
}

/** A value: one of its branches. */
export interface Form {
  readonly at: string;
  readonly about: About;
  readonly branches: readonly Branch[];
  readonly schema: unknown;
}

interface Common {
  readonly at: string;
  readonly about: About;
  readonly schema: unknown;
  /** Keywords that apply to none of the types that the schema allows. */
  readonly strays: readonly string[];
}

/** What is said of entries beside the properties; `open`: nothing. */
export type Entries = 'closed' | 'open' | 'described';

export type ScalarType = 'string' | 'number' | 'integer' | 'boolean';

export interface Property {
  readonly form: Form;
  readonly required: boolean;
}

export type Branch = Common &
  (
    | { readonly kind: ScalarType; readonly keywords: JsonObject; readonly values?: readonly unknown[] }
    | { readonly kind: 'null' }
    | { readonly kind: 'list'; readonly keywords: JsonObject; readonly items: Form }
    | {
        readonly kind: 'object';
        readonly keywords: JsonObject;
        readonly properties: ReadonlyMap<string, Property>;
        readonly entries: Entries;
      }
    /** What has no form of its own: any shape, free entries, places that differ, members of an allOf. */
    | { readonly kind: 'opaque' }
  );

/** Levels of schema nodes, and schema nodes in all, that are read; what lies beyond is opaque. */
const MOST_DEPTH = 64;
const MOST_NODES = 50_000;

const COMPOSITION = ['anyOf', 'oneOf', 'allOf', 'prefixItems', '$ref', '$dynamicRef'];

/** Reads one schema. Never throws, and reads a bounded number of nodes, also where alternatives multiply. */
export function readForm(schema: unknown, at: string): Form {
  return new FormReader().read(schema, at, 0);
}

class FormReader {
  #left = MOST_NODES;

  read(schema: unknown, at: string, depth: number): Form {
    return { at, schema, about: aboutOf(schema), branches: this.#branches(schema, at, depth, {}) };
  }

  #branches(schema: unknown, at: string, depth: number, about: About): readonly Branch[] {
    this.#left -= 1;
    const opaque: Branch = { kind: 'opaque', at, about, schema, strays: [] };
    if (!isObject(schema) || depth > MOST_DEPTH || this.#left < 0) return [opaque];
    const kinds = COMPOSITION.filter((key) => own(schema, key) !== undefined);
    const [keyword = ''] = kinds;
    const alternatives = own(schema, keyword);
    if (kinds.length > 0) {
      if (kinds.length > 1 || !/^(?:any|one)Of$/.test(keyword) || !Array.isArray(alternatives)) return [opaque];
      const branches = alternatives.flatMap((one, index) => {
        const whole = besides(schema, keyword, one);
        const own = { ...about, ...aboutOf(one) };
        return whole === false ? [] : this.#branches(whole, under(under(at, keyword), index), depth + 1, own);
      });
      return branches.length === 0 ? [opaque] : branches;
    }
    const types = typesOf(schema);
    const strays = Object.keys(schema).filter(
      (key) => !STRUCTURE.has(key) && !types.some((type) => APPLIES[type]?.has(key)),
    );
    const typed = types.flatMap((type) => this.#typed(type, schema, { at, about, schema, strays: [] }, depth));
    return typed.length === 0 ? [opaque] : typed.map((branch, index) => (index === 0 ? { ...branch, strays } : branch));
  }

  #typed(type: string, schema: JsonObject, common: Common, depth: number): readonly Branch[] {
    const all = valuesOf(schema);
    const values = all?.filter((value) => isOf(type, value));
    if (values?.length === 0) return [];
    if (type === 'null') return [{ ...common, kind: 'null' }];
    if (isScalar(type)) return [{ ...common, kind: type, keywords: schema, ...(values && { values }) }];
    if (values !== undefined) return [{ ...common, kind: 'opaque' }];
    if (type === 'array') {
      const items = this.read(own(schema, 'items'), under(common.at, 'items'), depth + 1);
      return [{ ...common, kind: 'list', keywords: schema, items }];
    }
    const properties = this.#properties(schema, common.at, depth);
    if (properties.size === 0) return [{ ...common, kind: 'opaque' }];
    return [{ ...common, kind: 'object', keywords: schema, properties, entries: entriesOf(schema) }];
  }

  /** Those that are declared, and those that are only required. */
  #properties(schema: JsonObject, at: string, depth: number): Map<string, Property> {
    const declared = own(schema, 'properties');
    const listed = own(schema, 'required');
    const required = new Set<unknown>(Array.isArray(listed) ? listed : []);
    const properties = new Map<string, Property>();
    const place = under(at, 'properties');
    for (const [name, part] of Object.entries(isObject(declared) ? declared : {})) {
      properties.set(name, { form: this.read(part, under(place, name), depth + 1), required: required.has(name) });
    }
    for (const name of required) {
      if (typeof name !== 'string' || properties.has(name)) continue;
      properties.set(name, { form: this.read({}, under(at, 'required'), depth + 1), required: true });
    }
    return properties;
  }
}

export function entriesOf(schema: JsonObject): Entries {
  const rest = own(schema, 'additionalProperties');
  if (isObject(rest) || own(schema, 'patternProperties') !== undefined) return 'described';
  return rest === false ? 'closed' : 'open';
}

/** An alternative with what is said beside it; the alternative's own word counts where both give one. */
function besides(schema: JsonObject, keyword: string, alternative: unknown): unknown {
  const beside: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key !== keyword && !ABOUT.has(key)) put(beside, key, value);
  }
  if (Object.keys(beside).length === 0) return alternative;
  if (!isObject(alternative)) return alternative === false ? false : beside;
  const united: Record<string, unknown> = { ...beside, ...alternative };
  const [ours, theirs] = [beside.properties, own(alternative, 'properties')];
  if (isObject(ours) && isObject(theirs)) united.properties = { ...ours, ...theirs };
  const [needed, needs] = [beside.required, own(alternative, 'required')];
  if (Array.isArray(needed) && Array.isArray(needs)) united.required = [...new Set([...needed, ...needs])];
  return united;
}

const ABOUT = new Set(['title', 'description', 'default']);

function aboutOf(schema: unknown): About {
  if (!isObject(schema)) return {};
  const [title, description] = [ownString(schema, 'title'), ownString(schema, 'description')];
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(Object.hasOwn(schema, 'default') ? { default: schema.default } : {}),
  };
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** Lists of one, made once. */
const ONE: { readonly [type: string]: readonly string[] } = Object.fromEntries(TYPES.map((type) => [type, [type]]));

/** The types a schema allows; none where it does not say. */
function typesOf(schema: JsonObject): readonly string[] {
  const declared = own(schema, 'type');
  if (typeof declared === 'string') return ONE[declared] ?? [];
  if (declared !== undefined) {
    const types = TYPES.filter((type) => [declared].flat().includes(type));
    return types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  }
  const values = valuesOf(schema);
  if (values !== undefined) {
    const types = TYPES.filter((type) => type !== 'number' && values.some((value) => isOf(type, value)));
    return values.some((value) => isOf('number', value) && !isOf('integer', value))
      ? ['number', ...types.filter((type) => type !== 'integer')]
      : types;
  }
  if (isObject(own(schema, 'properties'))) return ['object'];
  return isObject(own(schema, 'items')) ? ['array'] : [];
}

function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  const listed = own(schema, 'enum');
  return Array.isArray(listed) ? [...new Set(listed)] : undefined;
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function isScalar(type: string): type is ScalarType {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}
