// A stored tool and its values to the request that goes out: pure, byte for byte, with no credential in it.
import { own, put } from '../base/json.js';
import { CALL_LIMITS } from '../base/limits.js';
import { bodyForm } from '../base/media.js';
import { count, quoted } from '../base/text.js';
import type { HttpTool, PartEncoding, Place, ToolBody } from '../tool/tool.js';
import { formBody, formFields, multipartBody, partsOf, type WrittenBody, wholeBody } from './body.js';
import type { BoundRequest, Problem } from './call.js';
import {
  inQuery,
  inSegment,
  isRecord,
  isVoid,
  percent,
  percentReserved,
  primitive,
  Unsendable,
  type Wire,
} from './serialize.js';
import { type Gap, type Template, templateOf } from './template.js';

/** Where a tool without locations sends its values in the query; other methods send them as a JSON body. */
const QUERY_METHODS = new Set(['GET', 'HEAD', 'DELETE']);
/** What would end a query or a path segment, though it is reserved and may pass (OpenAPI 3.2.0, allowReserved). */
const ENDS_QUERY = /[#&]/;
const ENDS_SEGMENT = /[/?#]/;
const EMPTY: WrittenBody = { content_type: 'application/json', body: '' };
/** RFC 9110, section 5.5, as Latin-1: no line break, no NUL. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Binds values to the places of a tool. A value that has no place is left out.
 * @returns the request, or every argument that cannot be sent.
 */
export function bind(tool: HttpTool, values: { readonly [name: string]: unknown }): BoundRequest | readonly Problem[] {
  const binder = new Binder(tool, values);
  const request = binder.bind();
  return binder.problems.length > 0 ? binder.problems : request;
}

/** A value of the body, under its name on the wire. */
interface BodyValue {
  readonly argument: string;
  readonly name: string;
  readonly value: unknown;
}

class Binder {
  readonly problems: Problem[] = [];
  readonly #tool: HttpTool;
  readonly #values: { readonly [name: string]: unknown };
  readonly #query: string[] = [];
  readonly #headers: Record<string, string> = {};
  readonly #body: BodyValue[] = [];

  constructor(tool: HttpTool, values: { readonly [name: string]: unknown }) {
    this.#tool = tool;
    this.#values = values;
  }

  bind(): BoundRequest {
    const { config } = this.#tool;
    const { origin, segments, gaps, query } = templateOf(config.endpoint);
    if (query !== '') this.#query.push(query);
    for (const [name, value] of Object.entries(config.headers ?? {})) put(this.#headers, name, value);
    for (const name of Object.keys(this.#values)) if (!gaps.has(name)) this.#send(name);
    const target = this.#path(segments);
    const sent = this.#sentBody();
    return {
      method: config.method,
      origin,
      target: this.#query.length === 0 ? target : `${target}?${this.#query.join('&')}`,
      headers: this.#headers,
      ...(sent === undefined ? {} : { body: sent }),
    };
  }

  /** Every gap filled; a segment that would be empty, `.` or `..` addresses another resource. */
  #path(segments: Template['segments']): string {
    const texts = segments.map((parts, i) => {
      const text = parts.map((part) => (typeof part === 'string' ? part : this.#gap(part))).join('');
      if (i === 0 || parts.length === 1) return text;
      const moved = text.split('/').find((part) => isMoving(part));
      if (moved !== undefined) this.#refuseAll(parts, moved);
      return text;
    });
    const joined = texts.join('/');
    return joined.startsWith('/') ? joined : `/${joined}`;
  }

  #refuseAll(parts: readonly (string | Gap)[], segment: string): void {
    for (const part of parts) {
      if (typeof part === 'string' || this.problems.some(({ argument }) => argument === part.name)) continue;
      this.#refuse(part.name, 'a value that makes a path segment', `one that makes it ${quoted(segment)}`);
    }
  }

  #gap({ name, reserved }: Gap): string {
    const value = own(this.#values, name);
    const place = this.#place(name) ?? { in: 'path' };
    if (value === undefined || value === null || (place.content_type === undefined && isVoid(value))) {
      this.#refuse(name, 'a value', 'none');
      return 'x';
    }
    const encode = place.allow_reserved === true ? (text: string) => percentReserved(text, ENDS_SEGMENT) : percent;
    return this.#tried(
      name,
      () => {
        if (reserved) return reservedPath(primitive(value));
        if (place.content_type !== undefined) return percent(this.#content(place.content_type, value));
        const wire: Wire = { style: place.style ?? 'simple', explode: place.explode ?? false, encode };
        return inSegment(place.name ?? name, value, wire);
      },
      'x',
    );
  }

  #place(name: string): Place | undefined {
    const place = own(this.#tool.config.locations ?? {}, name);
    if (typeof place === 'string') return { in: place as Place['in'] };
    return isRecord(place) ? (place as unknown as Place) : undefined;
  }

  /** Puts a value where it goes. An absent one goes nowhere. */
  #send(name: string): void {
    const value = this.#values[name];
    if (value === undefined) return;
    const place = this.#tool.config.locations === undefined ? this.#usualPlace() : this.#place(name);
    if (place === undefined || place.in === 'path') return;
    if (place.in === 'body') {
      this.#body.push({ argument: name, name: place.name ?? name, value });
      return;
    }
    if (value === null) return;
    this.#tried(
      name,
      () => (place.in === 'header' ? this.#addHeader(name, place, value) : this.#addQuery(name, place, value)),
      undefined,
    );
  }

  #usualPlace(): Place {
    return { in: QUERY_METHODS.has(this.#tool.config.method.toUpperCase()) ? 'query' : 'body' };
  }

  #addQuery(name: string, place: Place, value: unknown): void {
    const wireName = place.name ?? name;
    if (place.in === 'querystring') {
      const text = this.#wholeQuery(place.content_type ?? '', value);
      if (text !== '') this.#query.push(text);
    } else if (place.content_type !== undefined) {
      this.#query.push(`${percent(wireName)}=${percent(this.#content(place.content_type, value))}`);
    } else {
      const style = place.style ?? 'form';
      const encode = place.allow_reserved === true ? (text: string) => percentReserved(text, ENDS_QUERY) : percent;
      this.#query.push(...inQuery(wireName, value, { style, explode: place.explode ?? style === 'form', encode }));
    }
  }

  #addHeader(name: string, place: Place, value: unknown): void {
    if (place.content_type === undefined && isVoid(value)) return;
    const text =
      place.content_type === undefined
        ? inSegment(name, value, { style: 'simple', explode: place.explode ?? false, encode: (plain) => plain })
        : this.#content(place.content_type, value);
    if (!HEADER_VALUE.test(text))
      throw new Unsendable('it holds a line break, or a character that no header can carry');
    put(this.#headers, place.name ?? name, text);
  }

  /** A value under `content`, written in its media type. */
  #content(type: string, value: unknown): string {
    const [essence = ''] = type.toLowerCase().split(';');
    if (/[/+]json\s*$/.test(essence)) return JSON.stringify(value);
    if (/^\s*text\//.test(essence)) return primitive(value);
    throw new Unsendable(`how it is written as ${quoted(type)} is not defined`);
  }

  #wholeQuery(type: string, value: unknown): string {
    if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return percent(this.#content(type, value));
    if (!isRecord(value)) throw new Unsendable('a whole query string is written from an object');
    const wire: Wire = { style: 'form', explode: true, encode: percent };
    return Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .flatMap(([key, one]) =>
        isRecord(one) ? [`${percent(key)}=${percent(JSON.stringify(one))}`] : inQuery(key, one, wire),
      )
      .join('&');
  }

  /** A required body with no arguments is `{}`; an optional one with none is no body. */
  #sentBody(): BoundRequest['body'] {
    const { body, locations } = this.#tool.config;
    const written = this.#writtenBody();
    if (written !== undefined) return this.#checked(written, body?.whole ?? this.#body[0]?.argument ?? 'body');
    const empty = this.#body.length === 0;
    if (body === undefined && (locations !== undefined || empty)) return undefined;
    if (empty && body?.required !== true) return undefined;
    return this.#checked(this.#properties(body ?? { content_type: 'application/json', required: true }), 'body');
  }

  /** The one argument that is the whole body, where there is one. */
  #writtenBody(): WrittenBody | undefined {
    const { body } = this.#tool.config;
    const whole = body?.whole === undefined ? undefined : own(this.#values, body.whole);
    if (body?.whole === undefined || whole === undefined) return undefined;
    return this.#tried(body.whole, () => wholeBody(body.content_type, whole), EMPTY);
  }

  #properties({ content_type, encoding = {} }: ToolBody): WrittenBody {
    const form = bodyForm(content_type);
    const each = <T>(write: (name: string, value: unknown, encoding: PartEncoding | undefined) => T[]): T[] =>
      this.#body.flatMap(({ argument, name, value }) =>
        this.#tried<T[]>(argument, () => write(name, value, own(encoding, name) as PartEncoding | undefined), []),
      );
    if (form === 'form') return formBody(content_type, each(formFields));
    if (form === 'multipart') return multipartBody(each(partsOf));
    const object: Record<string, unknown> = {};
    for (const { name, value } of this.#body) put(object, name, value);
    return { content_type, body: JSON.stringify(object) };
  }

  #checked({ content_type, body }: WrittenBody, argument: string): BoundRequest['body'] {
    const most = CALL_LIMITS.request_bytes;
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.bytes;
    if (bytes > most) this.#refuse(argument, `a body of at most ${count(most)} bytes`, `one of ${count(bytes)}`);
    put(this.#headers, 'Content-Type', content_type);
    return body;
  }

  #tried<T>(name: string, work: () => T, instead: T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error;
      this.#refuse(name, 'a value that can be sent', error.reason);
      return instead;
    }
  }

  #refuse(argument: string, expected: string, received: string): void {
    this.problems.push({ argument, expected, received });
  }
}

/** True of a segment that is none, or that servers take for a step in the path, escaped or not. */
function isMoving(segment: string): boolean {
  return /^(?:\.|%2e){0,2}$/i.test(segment);
}

/** A value with slashes that stay; what would end the path, or be read as such once decoded, has no form. */
function reservedPath(value: string): string {
  const sign = /[\p{Cc}?#]|%(?:3f|23|[01][0-9a-f]|7f)/iu.exec(value)?.[0];
  if (sign !== undefined) throw new Unsendable(`it holds ${quoted(sign)}, which would end or change the path`);
  return percentReserved(value, /[?#]/);
}
