// What differs between the schema languages of the descriptions; all else is read alike.
import { isObject, type JsonObject, own } from '../../base/json.js';

export interface Dialect {
  /** Keywords beside a `$ref` apply (JSON Schema 2020-12, section 8.2.3.1; Discovery); OpenAPI 3.0 ignores them. */
  readonly siblings: boolean;
  /** `nullable: true` beside a `type` adds null (OpenAPI 3.0.4, Schema Object). */
  readonly nullable: boolean;
  /** The reference of a node as a URI reference, where it is one. */
  reference(node: JsonObject): string | undefined;
  /** The methods for which a property is required, where the property itself says so (Discovery's `annotations`). */
  readonly requiredBy?: (property: unknown) => readonly unknown[];
}

const NONE: readonly unknown[] = [];

function pointerReference(node: JsonObject): string | undefined {
  const reference = own(node, '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

export const OPENAPI_30: Dialect = {
  siblings: false,
  nullable: true,
  reference: pointerReference,
};

export const JSON_SCHEMA_2020: Dialect = {
  siblings: true,
  nullable: false,
  reference: pointerReference,
};

export const DISCOVERY: Dialect = {
  siblings: true,
  nullable: false,
  /** A bare name of the description's `schemas`. */
  reference(node) {
    const name = pointerReference(node);
    if (name === undefined || name.startsWith('#')) return name;
    return `#/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`;
  },
  requiredBy(property) {
    const annotations = isObject(property) ? own(property, 'annotations') : undefined;
    const methods = isObject(annotations) ? own(annotations, 'required') : undefined;
    return Array.isArray(methods) ? methods : NONE;
  },
};
