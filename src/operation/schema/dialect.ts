// What differs between the schema languages of the descriptions; all else is read alike.
import { isObject, type JsonObject, own } from '../../base/json.js';

export interface Dialect {
  /** Keywords beside a `$ref` apply (JSON Schema 2020-12, section 8.2.3.1; Discovery); OpenAPI 3.0 ignores them. */
  readonly siblings: boolean;
  /** The keyword that adds null where it is true beside a `type` (OpenAPI 3.0.4, Schema Object); undefined: there is none. */
  readonly nullable: string | undefined;
  /** The reference of a node as a URI reference, where it is one. */
  reference(node: JsonObject): string | undefined;
  /** `$id` and `$anchor` name schemas. */
  readonly identifiers: boolean;
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
  identifiers: false,
  nullable: 'nullable',
  reference: pointerReference,
};

/** Swagger has no word for null; what most descriptions write is `x-nullable`. */
export const SWAGGER: Dialect = { ...OPENAPI_30, nullable: 'x-nullable' };

export const JSON_SCHEMA_2020: Dialect = {
  siblings: true,
  identifiers: true,
  nullable: undefined,
  reference: pointerReference,
};

/** What `annotations` say is required of requests. */
export const DISCOVERY_ANSWER: Dialect = {
  siblings: true,
  identifiers: false,
  nullable: undefined,
  /** A bare name of the description's `schemas`. */
  reference(node) {
    const name = pointerReference(node);
    if (name === undefined || name.startsWith('#')) return name;
    return `#/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`;
  },
};

export const DISCOVERY: Dialect = {
  ...DISCOVERY_ANSWER,
  requiredBy(property) {
    const annotations = isObject(property) ? own(property, 'annotations') : undefined;
    const methods = isObject(annotations) ? own(annotations, 'required') : undefined;
    return Array.isArray(methods) ? methods : NONE;
  },
};
