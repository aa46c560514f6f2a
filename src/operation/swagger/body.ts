// The body of a Swagger operation: its one body parameter, or its form parameters as the properties of an object.
import type { Notice } from '../../base/codes.js';
import { put } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import { Refused } from '../../base/refused.js';
import type { Lookup } from '../../document/lookup.js';
import { type Body, bodyLeftOut, type Encoding, type Head } from '../operation.js';
import type { Consumes } from './consumes.js';
import type { Field, FormField, SwaggerParameter } from './parameter.js';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

type Fields = ReadonlyMap<string, FormField>;

/** @throws Refused `malformed` for two bodies, or one beside form parameters; `body-media`. */
export function swaggerBody(
  head: Head,
  parameters: readonly SwaggerParameter[],
  consumes: Consumes,
  lookup: Lookup,
  notices: Notice[],
): Body | undefined {
  const whole: Field[] = [];
  const fields = new Map<string, FormField>();
  for (const one of parameters) {
    if (one.in === 'body') whole.push(one.field);
    else if (one.in === 'formData') fields.set(one.name, one.field);
  }
  const [first] = [...whole, ...fields.values()];
  if (first === undefined) return undefined;
  const leftOut = bodyLeftOut(head.method, first.at);
  if (leftOut !== undefined) {
    notices.push(leftOut);
    return undefined;
  }
  if (whole.length > 1) throw new Refused('malformed', first.at, 'it has several body parameters');
  if (whole.length > 0 && fields.size > 0) {
    throw new Refused('malformed', first.at, 'a body parameter stands beside form parameters');
  }
  return whole.length > 0 ? wholeBody(first, consumes) : formBody(fields, first.at, consumes, lookup, notices);
}

function wholeBody(field: Field, { whole, at }: Consumes): Body {
  if (typeof whole === 'string') throw new Refused('body-media', at, whole);
  return { ...whole, ...field };
}

/** Swagger 2.0, Parameter Object: a form is sent in several parts where a file is in it, or nothing else is taken. */
function formBody(fields: Fields, at: string, { names }: Consumes, lookup: Lookup, notices: Notice[]): Body {
  const all = [...fields.values()];
  const multipart = all.some(({ file }) => file) || (names.has(MULTIPART) && !names.has(FORM));
  const content_type = multipart ? MULTIPART : FORM;
  if (!names.has(content_type) && (multipart || names.size > 0)) {
    const message = `it consumes no ${content_type}, as which its form parameters are sent`;
    notices.push({ code: 'keyword-ignored', at, message });
  }
  return {
    form: multipart ? 'multipart' : 'form',
    content_type,
    encoding: encodings(fields),
    required: all.some(({ required }) => required),
    description: undefined,
    schema: { node: formSchema(fields), at, resource: lookup.document },
    at,
  };
}

/** An object whose properties are the form parameters. */
function formSchema(fields: Fields): unknown {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [name, field] of fields) {
    put(properties, name, field.file ? fileSchema(field) : fieldSchema(field));
    if (field.required) required.push(name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A reference to the parameter, so that notices name its own pointer; the parameter itself where that is long. */
function fieldSchema({ at, schema }: FormField): unknown {
  return at.length > FIXED_LIMITS.form_pointer_chars ? schema.node : { $ref: `#${at.replaceAll('%', '%25')}` };
}

/** A file as OpenAPI 3.0 has it. */
function fileSchema({ description }: FormField): unknown {
  return { type: 'string', format: 'binary', ...(description === undefined ? {} : { description }) };
}

/** How lists are written, where that is not one pair, or one part, for each item. */
function encodings(fields: Fields): ReadonlyMap<string, Encoding> {
  const encodings = new Map<string, Encoding>();
  for (const [name, { list }] of fields) if (list !== undefined && !list.explode) encodings.set(name, list);
  return encodings;
}
