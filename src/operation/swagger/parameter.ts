// One parameter of a Swagger operation: where it goes, and how a list in it is written.
import type { Notice } from '../../base/codes.js';
import { isObject, type JsonObject, own, ownString } from '../../base/json.js';
import { Refused } from '../../base/refused.js';
import { quoted } from '../../base/text.js';
import type { Lookup, Place } from '../../document/lookup.js';
import type { Parameter } from '../operation.js';
import { filled, namedNode, unknownPlace } from '../parameters.js';
import { describe } from '../schema/shape.js';

const PLACES = new Set<unknown>(['path', 'query', 'header', 'body', 'formData']);

/** How a list is written: OpenAPI's styles, and `tabDelimited`, which OpenAPI has not. */
interface ListStyle {
  readonly style: string;
  readonly explode: boolean;
}

/** Swagger 2.0, Parameter Object, `collectionFormat`. */
const STYLES: ReadonlyMap<unknown, ListStyle> = new Map([
  ['csv', { style: 'form', explode: false }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['tsv', { style: 'tabDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
  ['multi', { style: 'form', explode: true }],
]);

/** A parameter as Swagger has it: one for a place, a field of a form, or the whole body. */
export type SwaggerParameter =
  | { readonly in: 'body'; readonly name: string; readonly field: Field; readonly notices: readonly Notice[] }
  | { readonly in: 'formData'; readonly name: string; readonly field: FormField; readonly notices: readonly Notice[] }
  | {
      readonly in: 'path' | 'query' | 'header';
      readonly name: string;
      readonly parameter: Parameter;
      readonly notices: readonly Notice[];
    };

/** A part of the body, or all of it. */
export interface Field {
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Place;
  readonly at: string;
}

export interface FormField extends Field {
  readonly file: boolean;
  /** Of a list. */
  readonly list: ListStyle | undefined;
}

/** @throws Refused `malformed` where the specification has no such parameter. */
export function readParameter(lookup: Lookup, written: Place, place: Place, shared: boolean): SwaggerParameter {
  const { node, name } = namedNode(written, place);
  const where = own(node, 'in');
  if (!PLACES.has(where)) throw unknownPlace(written, name, where, 'Swagger 2.0');
  const spot = where as SwaggerParameter['in'];
  const field = {
    required: spot === 'path' || own(node, 'required') === true,
    description: filled(ownString(node, 'description')),
    schema: place,
    at: place.at,
  };
  if (spot === 'body') {
    const schema = lookup.down(place, 'schema', own(node, 'schema'));
    return { in: spot, name, field: { ...field, schema }, notices: [] };
  }
  const file = own(node, 'type') === 'file';
  if (file && spot !== 'formData') {
    throw new Refused('malformed', written.at, `the parameter ${quoted(name)} in ${spot} is a file`);
  }
  const notices: Notice[] = [];
  const list = isList(node) ? listStyle(node, spot, written, name, notices) : undefined;
  if (spot === 'formData') return { in: spot, name, field: { ...field, file, list }, notices };
  const usual = spot === 'query' ? { style: 'form', explode: true } : { style: 'simple', explode: false };
  const parameter: Parameter = {
    ...field,
    name,
    in: spot,
    ...(list !== undefined && spot === 'query' ? list : usual),
    allow_reserved: false,
    content_type: undefined,
    shared,
  };
  return { in: spot, name, parameter, notices };
}

function isList(node: JsonObject): boolean {
  const type = own(node, 'type');
  return type === 'array' || (type === undefined && isObject(own(node, 'items')));
}

function listStyle(
  node: JsonObject,
  spot: 'path' | 'query' | 'header' | 'formData',
  written: Place,
  name: string,
  notices: Notice[],
): ListStyle {
  const format = own(node, 'collectionFormat');
  const ignore = (at: string, why: string) => {
    notices.push({ code: 'keyword-ignored', at: `${written.at}${at}/collectionFormat`, message: why });
  };
  const items = own(node, 'items');
  if (isObject(items) && isList(items) && own(items, 'collectionFormat') !== undefined) {
    ignore('/items', 'a list in a list has no form of its own on the wire');
  }
  const csv = STYLES.get('csv') as ListStyle;
  if (format === undefined || format === null) return csv;
  const style = STYLES.get(format);
  const repeats = style?.explode === true && (spot === 'path' || spot === 'header');
  if (style === undefined || repeats) {
    ignore('', `collectionFormat is ${describe(format)}, which ${spot} does not have; csv is taken`);
    return csv;
  }
  if (style.style !== 'form' && (spot === 'path' || spot === 'header')) {
    const found = `the parameter ${quoted(name)} in ${spot} has collectionFormat ${String(format)}`;
    throw new Refused('malformed', written.at, `${found}; there only csv can be sent`);
  }
  return style;
}
