// Reads one method of a Google Discovery document to the common form.
import type { Budget } from '../../base/budget.js';
import type { Notice } from '../../base/codes.js';
import { isObject, type JsonObject, own, ownString, put } from '../../base/json.js';
import { Refused } from '../../base/refused.js';
import { quoted } from '../../base/text.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { type Body, bodyLeftOut, checkName, type Head, type Operation, type Parameter } from '../operation.js';
import { describe } from '../schema/shape.js';

/** Keys of a parameter that are of the parameter, not of its value. */
const OF_THE_PARAMETER = new Set(['repeated', 'required', 'location', 'description']);

/** @throws Refused with the reason why the method cannot be read. */
export function readDiscovery(head: Head, lookup: Lookup, budget: Budget): Operation {
  const { node, at } = head.place;
  if (!isObject(node)) throw new Refused('malformed', at, `the method is ${describe(node)}, not an object`);
  for (const key of ['path', 'httpMethod']) {
    if (ownString(node, key) === undefined) throw new Refused('malformed', at, `the method has no ${key}`);
  }
  const notices: Notice[] = [];
  if (own(node, 'supportsMediaUpload') === true || own(node, 'mediaUpload') !== undefined) {
    notices.push({
      code: 'media-upload',
      at,
      message: 'the call carries the metadata alone; the media itself is not uploaded',
    });
  }
  if (own(node, 'supportsMediaDownload') === true) {
    notices.push({
      code: 'media-download',
      at,
      message: 'the call answers the metadata; the media itself is not downloaded',
    });
  }
  return {
    head,
    summary: undefined,
    description: ownString(node, 'description'),
    deprecated: own(node, 'deprecated') === true,
    parameters: parameters(head, node, lookup, budget),
    body: body(head, node, lookup, notices),
    notices,
  };
}

function parameters(head: Head, node: JsonObject, lookup: Lookup, budget: Budget): Parameter[] {
  const declared = own(node, 'parameters');
  if (declared === undefined || declared === null) return [];
  const place = lookup.down(head.place, 'parameters', declared);
  if (!isObject(declared))
    throw new Refused('malformed', place.at, `its parameters are ${describe(declared)}, not an object`);
  return Object.keys(declared).map((name) => parameter(name, lookup.down(place, name, declared[name]), head, budget));
}

function parameter(name: string, place: Place, head: Head, budget: Budget): Parameter {
  budget.spend(1);
  const { node, at } = place;
  checkName(name, at);
  if (!isObject(node))
    throw new Refused('malformed', at, `the parameter ${quoted(name)} is ${describe(node)}, not an object`);
  const location = own(node, 'location');
  if (location !== 'path' && location !== 'query') {
    throw new Refused('malformed', at, `the parameter ${quoted(name)} has location ${describe(location)}`);
  }
  return {
    name,
    in: location,
    required: location === 'path' || own(node, 'required') === true,
    description: ownString(node, 'description'),
    schema: own(node, 'repeated') === true ? { ...place, node: repeated(node) } : place,
    style: location === 'path' ? 'simple' : 'form',
    explode: location === 'query',
    // RFC 6570, reserved expansion: the value may hold slashes.
    allow_reserved: location === 'path' && head.path.includes(`{+${name}}`),
    content_type: undefined,
    at,
    shared: false,
  };
}

/** A repeated parameter is a list of what it describes. */
function repeated(node: JsonObject): JsonObject {
  const items: Record<string, unknown> = {};
  for (const key of Object.keys(node)) if (!OF_THE_PARAMETER.has(key)) put(items, key, node[key]);
  return { type: 'array', items };
}

/** A method with a request sends one, if only `{}`. */
function body(head: Head, node: JsonObject, lookup: Lookup, notices: Notice[]): Body | undefined {
  const request = own(node, 'request');
  if (request === undefined || request === null) return undefined;
  const schema = lookup.down(head.place, 'request', request);
  const leftOut = bodyLeftOut(head.method, schema.at);
  if (leftOut !== undefined) {
    notices.push(leftOut);
    return undefined;
  }
  if (!isObject(request))
    throw new Refused('malformed', schema.at, `its request is ${describe(request)}, not an object`);
  return {
    form: 'json',
    content_type: 'application/json',
    required: true,
    description: undefined,
    schema,
    at: schema.at,
  };
}
