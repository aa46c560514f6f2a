// The endpoint of a tool, taken apart: what stands in it as it is sent, and its gaps.
import { LRUCache } from 'lru-cache';
import { FIXED_LIMITS } from '../base/limits.js';
import { percent } from './serialize.js';

export interface Gap {
  readonly name: string;
  /** `{+name}`: the value may hold slashes (RFC 6570, section 3.2.3). */
  readonly reserved: boolean;
}

export interface Template {
  readonly origin: string;
  /** What stands between the slashes of the path: texts, encoded, and gaps. */
  readonly segments: readonly (readonly (string | Gap)[])[];
  /** Names of the gaps. */
  readonly gaps: ReadonlySet<string>;
  /** What the endpoint itself has in its query, encoded; empty where there is none. */
  readonly query: string;
}

const ENDPOINT = /^(https?:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/i;
const GAP = /\{(\+?)([^{}]*)\}/g;

/** By endpoint: a tool is called more often than it changes. */
const known = new LRUCache<string, Template>({ max: FIXED_LIMITS.compiled_schemas });

export function templateOf(endpoint: string): Template {
  let template = known.get(endpoint);
  if (template === undefined) {
    template = read(endpoint);
    known.set(endpoint, template);
  }
  return template;
}

function read(endpoint: string): Template {
  const [, origin = '', path = '', query = ''] = ENDPOINT.exec(endpoint) ?? [];
  const segments = path.split('/').map(parts);
  const gaps = segments.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.name]));
  return { origin, segments, gaps: new Set(gaps), query: literalText(query) };
}

function parts(segment: string): (string | Gap)[] {
  const found: (string | Gap)[] = [];
  let from = 0;
  for (const match of segment.matchAll(GAP)) {
    found.push(literalText(segment.slice(from, match.index)), { name: match[2] ?? '', reserved: match[1] === '+' });
    from = match.index + match[0].length;
  }
  found.push(literalText(segment.slice(from)));
  return found;
}

/** What the description writes, with what a request target cannot hold encoded; half a character is U+FFFD (WHATWG URL). */
function literalText(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd');
  return whole.replace(/[^!#$%&'()*+,./:;=?@[\]_~0-9A-Za-z-]/gu, (character) => percent(character));
}
