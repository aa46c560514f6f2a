// Whether the body of a tool written by hand is one that can be sent.
import { isObject, own, put } from '../base/json.js';
import { type BodyForm, bodyForm } from '../base/media.js';
import { quoted } from '../base/text.js';
import { type Arguments, checkMediaType, closed, filledText, flag, invalid } from './field.js';
import type { Locations, PartEncoding, ToolBody } from './tool.js';

/** They send no body (RFC 9110, sections 9.3.1 and 9.3.2). */
const BODILESS = new Set(['GET', 'HEAD']);
/** Without locations they send their values in the query. */
const IN_QUERY = new Set(['GET', 'HEAD', 'DELETE']);
/** Those of a query (OpenAPI 3.1.1, Encoding Object). */
const STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'];
const JSON_BODY: ToolBody = { content_type: 'application/json', required: false };
const FIELD = 'config.body';

/** What else is known of the request. */
interface Request {
  readonly method: string;
  readonly gaps: ReadonlySet<string>;
  readonly known: Arguments;
}

/**
 * The body that is sent; one of JSON where an argument goes there and nothing is said of it.
 * @throws Failure `invalid-tool`.
 */
export function checkBody(value: unknown, locations: Locations | undefined, request: Request): ToolBody | undefined {
  const { method, known } = request;
  const inBody = argumentsInBody(locations, request);
  const carries = !BODILESS.has(method);
  const [first] = inBody;
  if (!carries && first !== undefined)
    throw invalid('config.locations', `puts ${quoted(first)} in the body, and ${method} has none`);
  if (value === undefined) return locations === undefined || inBody.length === 0 ? undefined : JSON_BODY;
  const given = closed(value, FIELD, ['content_type', 'required', 'whole', 'encoding']);
  if (!carries) throw invalid(FIELD, `is for a method that has one; ${method} has none`);
  const [type, required, whole] = [own(given, 'content_type'), own(given, 'required'), own(given, 'whole')];
  const { content_type, form } = checkForm(type);
  const body = {
    content_type,
    required: required === undefined ? JSON_BODY.required : flag(required, `${FIELD}.required`),
  };
  const encoding = checkEncoding(own(given, 'encoding'), form, wireNames(inBody, locations));
  if (whole === undefined) {
    if (form === 'text' || form === 'binary')
      throw invalid(`${FIELD}.whole`, `must name the argument that is the whole body: ${content_type} has no parts`);
    return encoding === undefined ? body : { ...body, encoding };
  }
  const name = filledText(whole, `${FIELD}.whole`);
  known.expect(name, `${FIELD}.whole`);
  checkWhole(name, inBody, locations, request);
  if (encoding !== undefined) throw invalid(`${FIELD}.encoding`, 'stands beside whole, which has no parts');
  return { ...body, whole: name };
}

function checkForm(type: unknown): { readonly content_type: string; readonly form: BodyForm } {
  const field = `${FIELD}.content_type`;
  const content_type = type === undefined ? JSON_BODY.content_type : checkMediaType(type, field);
  const form = bodyForm(content_type);
  if (form === undefined)
    throw invalid(field, 'must be one that is carried: XML is not, and of several parts form-data');
  return { content_type, form };
}

/** The arguments in the body, by their names on the wire. */
function wireNames(inBody: readonly string[], locations: Locations | undefined): ReadonlySet<string> {
  return new Set(
    inBody.map((name) => {
      const place = locations?.[name];
      return typeof place === 'object' ? (place.name ?? name) : name;
    }),
  );
}

function checkEncoding(value: unknown, form: BodyForm, names: ReadonlySet<string>): ToolBody['encoding'] {
  if (value === undefined) return undefined;
  const field = `${FIELD}.encoding`;
  if (form !== 'form' && form !== 'multipart') throw invalid(field, 'is for a form or several parts');
  if (!isObject(value)) throw invalid(field, 'must be an object of encodings by name');
  const encoding: Record<string, PartEncoding> = {};
  for (const [name, part] of Object.entries(value)) {
    if (!names.has(name)) throw invalid(field, `names ${quoted(name)}, which is no name in the body`);
    put(encoding, name, checkPart(part, `${field}.${name}`, form));
  }
  return encoding;
}

function checkPart(value: unknown, field: string, form: BodyForm): PartEncoding {
  const part = closed(value, field, ['style', 'explode', 'allow_reserved', 'content_type', 'file']);
  const [style, type, file] = [own(part, 'style'), own(part, 'content_type'), own(part, 'file')];
  if (style !== undefined && !(typeof style === 'string' && STYLES.includes(style)))
    throw invalid(`${field}.style`, `must be one of ${STYLES.join(', ')}`);
  for (const key of ['explode', 'allow_reserved'])
    if (own(part, key) !== undefined) flag(own(part, key), `${field}.${key}`);
  if (type !== undefined) checkMediaType(type, `${field}.content_type`);
  const styled = ['style', 'explode', 'allow_reserved'].find((key) => Object.hasOwn(part, key));
  if (file !== undefined && file !== true) throw invalid(`${field}.file`, 'must be true');
  if (file === true && form !== 'multipart') throw invalid(`${field}.file`, 'is for multipart/form-data');
  if (styled !== undefined && (file === true || type !== undefined))
    throw invalid(
      `${field}.${styled}`,
      `stands beside ${file === true ? 'file' : 'content_type'}; one of them is allowed`,
    );
  return part as PartEncoding;
}

function argumentsInBody(locations: Locations | undefined, { method, gaps, known }: Request): readonly string[] {
  if (locations === undefined) return IN_QUERY.has(method) ? [] : known.names.filter((name) => !gaps.has(name));
  return Object.entries(locations).flatMap(([name, place]) =>
    place === 'body' || (typeof place === 'object' && place.in === 'body') ? [name] : [],
  );
}

function checkWhole(
  whole: string,
  inBody: readonly string[],
  locations: Locations | undefined,
  request: Request,
): void {
  const field = `${FIELD}.whole`;
  const elsewhere = request.gaps.has(whole) || (locations !== undefined && Object.hasOwn(locations, whole));
  if (elsewhere && !inBody.includes(whole)) throw invalid(field, `names ${quoted(whole)}, which goes elsewhere`);
  const other = inBody.find((name) => name !== whole);
  if (other === undefined) return;
  throw invalid(
    field,
    `names ${quoted(whole)}, and ${quoted(other)} would go in the body too; config.locations moves it`,
  );
}
