// The arguments of a body: its properties, or one for the whole of it; and how each property is written.
import { put } from '../base/json.js';
import { Refused } from '../base/refused.js';
import type { Body } from '../operation/operation.js';
import type { Reading } from '../operation/read.js';
import type { BodyProperty, BodyShape } from '../operation/schema/body.js';
import type { Emitted } from '../operation/schema/build.js';
import type { PartEncoding, ToolBody } from './tool.js';

/** What becomes arguments; `whole`: the one of them is the whole body. */
export interface BodyArguments {
  readonly whole: boolean;
  readonly properties: readonly BodyProperty[];
}

const FIELDS: Emitted = { schema: { type: 'object' }, bytes: 17, hidden: false, never: false };
/** Keywords of a schema that still allows an object of any shape. */
const ANNOTATIONS = new Set(['title', 'description', 'default']);

/** @throws Refused `body-not-object`; those of reading a schema. */
export function bodyArguments(body: Body, reading: Reading): BodyArguments {
  const { bodies } = reading;
  if (body.form === 'text') return whole(body, bodies.text(body.schema), reading);
  if (body.form === 'binary') return bytes(body, reading);
  const isBinary = (name: string) => body.encoding?.get(name)?.binary === true;
  const shape = bodies.read(body.schema, body.form === 'multipart' ? isBinary : undefined);
  if (shape.kind === 'properties') return { whole: false, properties: shape.properties };
  if (shape.kind === 'free') return whole(body, shape.emitted, reading);
  return body.form === 'json' ? anyJson(body, shape, reading) : anyFields(body, shape, reading);
}

/** An object is no bytes: what would be sent of it is not known. */
function bytes(body: Body, reading: Reading): BodyArguments {
  const emitted = reading.bodies.bytes(body.schema, body.description);
  if (emitted !== undefined) return whole(body, emitted, reading);
  const reason = `its body is ${body.content_type} of an object; how that is written is not known`;
  throw new Refused('body-media', body.at, reason);
}

/** A JSON value that is no object. */
function anyJson(body: Body, { found }: BodyShape & { kind: 'other' }, reading: Reading): BodyArguments {
  const { bodies, budget, profile } = reading;
  if (profile === 'core') throw new Refused('body-not-object', body.at, `its JSON body is ${found}, not an object`);
  budget.lift();
  return whole(body, bodies.whole(body.schema), reading);
}

/** Fields of which nothing is said. */
function anyFields(body: Body, { found }: BodyShape & { kind: 'other' }, reading: Reading): BodyArguments {
  const { bodies, schemas } = reading;
  const { schema, never } = bodies.whole(body.schema);
  if (never || !Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))) {
    const what = body.form === 'form' ? 'its form' : 'its body of several parts';
    throw new Refused('body-not-object', body.at, `${what} is ${found}, not an object`);
  }
  const { description } = schema;
  return whole(body, typeof description === 'string' ? schemas.annotated(FIELDS, { description }) : FIELDS, reading);
}

/** One argument, under the description of the body where its schema has none. */
function whole(body: Body, found: Emitted, { schemas }: Reading): BodyArguments {
  const { description, required } = body;
  if (found.never) throw new Refused('body-not-object', body.at, 'its body allows no value');
  const bare = found.schema.description === undefined && description !== undefined;
  const emitted = bare ? schemas.annotated(found, { description }) : found;
  return { whole: true, properties: [{ name: 'body', emitted, required }] };
}

/** The body of a tool whose arguments are named; `names` are those of its properties. */
export function toolBody(body: Body, read: BodyArguments, names: readonly string[]): ToolBody {
  const { content_type, required } = body;
  if (read.whole) return { content_type, required, whole: names[0] ?? 'body' };
  const encoding: Record<string, PartEncoding> = {};
  for (const property of read.properties) {
    const part = partEncoding(body, property);
    if (Object.keys(part).length > 0) put(encoding, property.name, part);
  }
  return Object.keys(encoding).length === 0 ? { content_type, required } : { content_type, required, encoding };
}

/** Where a style is given, the media type is not looked at (OpenAPI 3.1.1, Encoding Object); bytes have no style. */
function partEncoding({ encoding }: Body, { name, file }: BodyProperty): PartEncoding {
  const { binary: _, content_type, ...style } = encoding?.get(name) ?? {};
  const type = content_type ?? file?.content_type;
  if (file === undefined && Object.keys(style).length > 0) return style;
  return { ...(type === undefined ? {} : { content_type: type }), ...(file === undefined ? {} : { file: true }) };
}
