// Where the schema of the answer of a Google Discovery method stands.
import { isObject, own } from '../../base/json.js';
import type { Lookup, Place } from '../../document/lookup.js';
import type { Head } from '../operation.js';

/** The `response` of the method. */
export function discoveryAnswer({ place }: Head, lookup: Lookup): Place | undefined {
  const response = isObject(place.node) ? own(place.node, 'response') : undefined;
  return isObject(response) ? lookup.down(place, 'response', response) : undefined;
}
