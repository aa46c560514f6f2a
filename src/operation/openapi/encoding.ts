// How the properties of a form or of several parts are written (OpenAPI 3.1.1, Encoding Object).
import type { Notice } from '../../base/codes.js';
import { isObject, type JsonObject, own } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import { bodyForm } from '../../base/media.js';
import { under } from '../../base/pointer.js';
import type { Place } from '../../document/lookup.js';
import type { Encoding } from '../operation.js';
import { describe } from '../schema/shape.js';

/** Those of a query (OpenAPI 3.1.1, Encoding Object, style). */
const STYLES = new Set<unknown>(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']);
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/(?:[\w!#$&^.+-]+|\*)(?:[ \t]*;[\x20-\x7e]*)?$|^\*\/\*$/;

export interface Encodings {
  readonly byProperty: ReadonlyMap<string, Encoding>;
  /** What is not sent, or not what the specification allows: the first of each kind. */
  readonly notices: readonly Notice[];
}

/** `styled`: style, explode and allowReserved mean something here; in several parts of OpenAPI 3.0 they do not. */
export function readEncodings({ node, at }: Place, styled: boolean): Encodings {
  const byProperty = new Map<string, Encoding>();
  const ignored = new Map<string, Notice>();
  const note = (name: string, key: string, message: string) => {
    if (!ignored.has(key)) ignored.set(key, { code: 'keyword-ignored', at: under(under(at, name), key), message });
  };
  for (const [name, given] of Object.entries(isObject(node) ? node : {})) {
    if (!isObject(given)) continue;
    if (own(given, 'headers') !== undefined) note(name, 'headers', 'the headers of a part are not sent');
    const [type, style] = [own(given, 'contentType'), own(given, 'style')];
    const media = type === undefined ? {} : mediaOf(type);
    if (media === undefined) note(name, 'contentType', `contentType is ${describe(type)}, which is no media type`);
    if (styled && style !== undefined && !STYLES.has(style))
      note(name, 'style', `the style ${describe(style)} is none of a query`);
    const encoding: Encoding = { ...media, ...(styled ? styleOf(given) : {}) };
    if (Object.keys(encoding).length > 0) byProperty.set(name, encoding);
  }
  return { byProperty, notices: [...ignored.values()] };
}

/** A list of media types and ranges, separated by commas. */
function mediaOf(value: unknown): Pick<Encoding, 'content_type' | 'binary'> | undefined {
  if (typeof value !== 'string' || value.length > FIXED_LIMITS.media_type_chars) return undefined;
  const types = value.split(',').map((type) => type.trim());
  if (!types.every((type) => MEDIA_TYPE.test(type))) return undefined;
  const named = types.find((type) => !type.includes('*'));
  return {
    ...(named === undefined ? {} : { content_type: named }),
    ...(types.every((type) => bodyForm(type) === 'binary') ? { binary: true } : {}),
  };
}

function styleOf(given: JsonObject): Pick<Encoding, 'style' | 'explode' | 'allow_reserved'> {
  const [style, explode, reserved] = [own(given, 'style'), own(given, 'explode'), own(given, 'allowReserved')];
  return {
    ...(typeof style === 'string' && STYLES.has(style) ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(typeof reserved === 'boolean' ? { allow_reserved: reserved } : {}),
  };
}
