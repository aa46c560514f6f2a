// A request back to the arguments it was made of, from nothing but the stored tool and the specifications.
import type { HttpTool, Place } from '../../src/index.js';
import {
  decoded,
  grouped,
  itemsOf,
  joinedOf,
  leafOf,
  nestedOf,
  type Pair,
  pairOf,
  partOf,
  recordOf,
  type Schema,
  segmentOf,
  shapeOf,
} from './parse-back-styles.js';

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** Where an argument goes, with every default of OpenAPI written out. */
export interface Spot extends Place {
  readonly argument: string;
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
  readonly schema: unknown;
}

/** RFC 3986, section 3.3 and 3.4; brackets are what allowReserved lets through as well. */
const TARGET = /^\/[\w.~!$&'()*+,;=:@/%[\]-]*(?:\?[\w.~!$&'()*+,;=:@/?%[\]-]*)?$/;
const GAP = /\{([^{}]*)\}/g;

/** Every argument a tool has, each gap of the path included. */
export function spotsOf({ input_schema, config }: HttpTool): Spot[] {
  const { locations = {} } = config;
  return Object.entries(input_schema.properties as Schema).map(([argument, schema]) => {
    const given = Object.hasOwn(locations, argument) ? locations[argument] : undefined;
    const place: Place = typeof given === 'string' ? { in: given } : (given ?? { in: 'path' });
    const style = place.style ?? (place.in === 'query' ? 'form' : 'simple');
    return { name: argument, explode: style === 'form', ...place, argument, style, schema };
  });
}

/** The gaps of each segment of an endpoint's path. */
export function segmentsOf({ config }: HttpTool): string[] {
  return pathOf(config.endpoint.replace(/^https?:\/\/[^/?#]*/, '')).split('/');
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

function queryOf(target: string): string[] {
  const mark = target.indexOf('?');
  return mark < 0 || mark === target.length - 1 ? [] : target.slice(mark + 1).split('&');
}

/** @throws where the request holds anything that no argument accounts for. */
export function readBack(tool: HttpTool, sent: Sent): Record<string, unknown> {
  if (!TARGET.test(sent.target)) throw new Error(`${sent.target} is no target`);
  if (sent.method !== tool.config.method) throw new Error(`${sent.method} is another method`);
  const spots = spotsOf(tool);
  const found: [string, unknown][] = [
    ...fromPath(tool, spots, sent.target),
    ...fromQuery(tool, spots, sent.target),
    ...fromHeaders(spots, sent.headers),
    ...fromBody(tool, spots, sent),
  ];
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function contentOf(type: string, text: string): unknown {
  if (/^text\/(?!json)/.test(type)) return text;
  return JSON.parse(text);
}

function fromPath(tool: HttpTool, spots: readonly Spot[], target: string): [string, unknown][] {
  const wanted = segmentsOf(tool);
  const segments = pathOf(target).split('/');
  if (wanted.join('/') !== '' && wanted.length !== segments.length) throw new Error(`${target} has other segments`);
  return wanted.flatMap((segment, i) => {
    const expression = segment.split(GAP).map((part, n) => (n % 2 === 1 ? '(.*?)' : literal(part)));
    const values = new RegExp(`^${expression.join('')}$`).exec(segments[i] ?? '')?.slice(1);
    if (values === undefined) throw new Error(`${segments[i]} is not ${segment}`);
    return [...segment.matchAll(GAP)].map(([, gap], n): [string, unknown] => {
      const spot = spots.find(({ argument }) => argument === gap);
      if (spot === undefined) throw new Error(`no argument fills ${gap}`);
      const text = values[n] ?? '';
      if (spot.content_type !== undefined) return [spot.argument, contentOf(spot.content_type, decoded(text))];
      return [spot.argument, segmentOf(text, spot.name, { ...spot, decode: decoded })];
    });
  });
}

/** A piece of the template, with what no path may hold encoded; half a character is U+FFFD, as a URL parser has it. */
function literal(text: string): string {
  const legal = text.replace(/[^\w.~!$&'()*+,;=:@%[\]-]/gu, (sign) => encodeURIComponent(Buffer.from(sign).toString()));
  return legal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function fromQuery(tool: HttpTool, spots: readonly Spot[], target: string): [string, unknown][] {
  let pairs = queryOf(target).map(pairOf);
  const fixed = queryOf(tool.config.endpoint).map(pairOf);
  fixed.forEach(([name, value], i) => {
    if (decoded(pairs[i]?.[0] ?? '') !== decodedLeniently(name)) throw new Error(`${name} of the endpoint is not sent`);
    if (decoded(pairs[i]?.[1] ?? '') !== decodedLeniently(value ?? ''))
      throw new Error(`${name} is sent with another value`);
  });
  pairs = pairs.slice(fixed.length);
  const take = (own: (name: string) => boolean): Pair[] => {
    const taken = pairs.filter(([name]) => own(decoded(name)));
    pairs = pairs.filter((pair) => !taken.includes(pair));
    return taken;
  };
  const inQuery = spots.filter((spot) => spot.in === 'query' || spot.in === 'querystring');
  const found = inQuery
    .toSorted((one, other) => order(one) - order(other))
    .map((spot): [string, unknown] => [spot.argument, queryValue(spot, take)]);
  if (pairs.length > 0) throw new Error(`no argument accounts for ${pairs.join()}`);
  return found;
}

function decodedLeniently(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
}

/** What has a name of its own first, then what is known by its properties, then what takes all that is left. */
function order(spot: Spot): number {
  if (spot.in === 'querystring') return 4;
  if (isSpread(spot)) return isOpen(spot) ? 3 : 2;
  return spot.style === 'deepObject' ? 1 : 0;
}

/** An object of which each property is a pair of its own. */
export function isSpread({ in: place, style, explode, schema, content_type }: Spot): boolean {
  return place === 'query' && style === 'form' && explode && content_type === undefined && shapeOf(schema) === 'object';
}

function isOpen({ schema }: Spot): boolean {
  return ((schema ?? {}) as Schema).additionalProperties !== false;
}

function queryValue(spot: Spot, take: (own: (name: string) => boolean) => Pair[]): unknown {
  const { name, style, explode, schema, content_type: type } = spot;
  const written = { style, explode, schema, decode: decoded };
  if (spot.in === 'querystring')
    return wholeQuery(
      take(() => true),
      type ?? '',
      schema,
    );
  if (isSpread(spot)) {
    const known = (key: string) => Object.hasOwn(((schema as Schema).properties ?? {}) as Schema, key);
    const pairs = take((key) => isOpen(spot) || known(key));
    return pairs.length === 0 ? undefined : recordOf(pairs, written);
  }
  if (style === 'deepObject') {
    const pairs = take((key) => key.startsWith(`${name}[`) && key.endsWith(']'));
    const entries = pairs.map(([key, value = '']) => {
      return [
        decoded(key)
          .slice(name.length + 1, -1)
          .split(']['),
        decoded(value),
      ] as const;
    });
    return entries.length === 0 ? undefined : nestedOf(entries, schema);
  }
  const values = take((key) => key === name).map(([, value = '']) => value);
  if (values.length === 0) return undefined;
  if (shapeOf(schema) === 'array' && explode && type === undefined) return itemsOf(values, written);
  const [value = '', ...others] = values;
  if (others.length > 0) throw new Error(`${name} is there ${values.length} times`);
  if (type !== undefined) return contentOf(type, decoded(value));
  if (shapeOf(schema) === 'leaf') return leafOf(decoded(value), schema);
  return joinedOf(value, { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',', written);
}

/** OpenAPI 3.2.0, `in: querystring`: the media type's own text, or a form of which each value is a field. */
function wholeQuery(pairs: readonly Pair[], type: string, schema: unknown): unknown {
  if (pairs.length === 0) return undefined;
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    return contentOf(type, decoded(pairs.map((pair) => pair.filter((part) => part !== undefined).join('=')).join('&')));
  }
  const groups = grouped(pairs, ([name]) => decoded(name));
  const fields = [...groups].map(([name, group]): [string, unknown] => {
    const part = partOf(schema, name);
    const texts = group.map(([, value = '']) => value);
    const written = { style: 'form', explode: true, schema: part, decode: decoded };
    if (shapeOf(part) === 'array') return [name, itemsOf(texts, written)];
    const text = decoded(texts.join('&'));
    return [name, shapeOf(part) === 'object' ? JSON.parse(text) : leafOf(text, part)];
  });
  return Object.fromEntries(fields);
}

function fromHeaders(spots: readonly Spot[], headers: Sent['headers']): [string, unknown][] {
  const left = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  if (left.size !== headers.length) throw new Error('a header is there twice');
  left.delete('content-type');
  const found = spots
    .filter((spot) => spot.in === 'header')
    .map((spot): [string, unknown] => {
      const text = left.get(spot.name.toLowerCase());
      left.delete(spot.name.toLowerCase());
      if (text === undefined) return [spot.argument, undefined];
      if (spot.content_type !== undefined) return [spot.argument, contentOf(spot.content_type, text)];
      // Nothing in a header is encoded (OpenAPI 3.1.1, Style Values: simple).
      return [spot.argument, segmentOf(text, spot.name, { ...spot, decode: (plain) => plain })];
    });
  if (left.size > 0) throw new Error(`no argument accounts for the headers ${[...left.keys()].join()}`);
  return found;
}

function fromBody({ config }: HttpTool, spots: readonly Spot[], { headers, body }: Sent): [string, unknown][] {
  const types = headers.filter(([name]) => name.toLowerCase() === 'content-type').map(([, value]) => value);
  if (body === undefined) {
    if (types.length > 0 || config.body?.required === true) throw new Error('a body is missing');
    return [];
  }
  if (types.join() !== config.body?.content_type) throw new Error(`the body is called ${types.join()}`);
  const value: unknown = JSON.parse(body);
  if (config.body.whole !== undefined && spots.some(({ argument }) => argument === config.body?.whole)) {
    return [[config.body.whole, value]];
  }
  const mine = new Map(spots.filter((spot) => spot.in === 'body').map((spot) => [spot.name, spot.argument]));
  return Object.entries(value as object).map(([name, part]) => {
    const argument = mine.get(name);
    if (argument === undefined) throw new Error(`no argument accounts for ${name} of the body`);
    return [argument, part];
  });
}
