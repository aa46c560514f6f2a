// Where each argument goes on the wire, written as short as the defaults allow.
import type { Parameter } from '../operation/operation.js';
import type { Place } from './tool.js';

/** The location of a parameter under an argument's name; undefined for a plain gap of the path. */
export function parameterLocation(parameter: Parameter, argument: string): 'query' | 'header' | Place | undefined {
  const { in: spot } = parameter;
  if (spot === 'cookie') return undefined;
  const usual = spot === 'query' || spot === 'querystring' ? 'form' : 'simple';
  const plain = isPlain(parameter, usual);
  if (spot === 'path' && plain) return undefined;
  if (plain && parameter.name === argument && (spot === 'query' || spot === 'header')) return spot;
  const place: { -readonly [key in keyof Place]: Place[key] } = { in: spot };
  // The whole query string has no name on the wire.
  if (parameter.name !== argument && spot !== 'querystring') place.name = parameter.name;
  if (parameter.content_type !== undefined) place.content_type = parameter.content_type;
  else {
    if (parameter.style !== usual) place.style = parameter.style;
    if (parameter.explode !== (parameter.style === 'form')) place.explode = parameter.explode;
  }
  if (parameter.allow_reserved) place.allow_reserved = true;
  return place;
}

/** True of a parameter that is written as the default of its place says. */
function isPlain({ content_type, style, explode, allow_reserved }: Parameter, usual: string): boolean {
  return content_type === undefined && style === usual && explode === (usual === 'form') && !allow_reserved;
}

/** The location of a property of the body, or of the whole of it. */
export function bodyLocation(name: string, argument: string): 'body' | Place {
  return name === argument ? 'body' : { in: 'body', name };
}
