// The one form that operations of every kind of description are read to.
import type { Notice, RefusalCode } from '../base/codes.js';
import type { JsonObject } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import type { BodyForm } from '../base/media.js';
import { Refused } from '../base/refused.js';
import { count } from '../base/text.js';
import type { Place } from '../document/lookup.js';

export type ParameterPlace = 'path' | 'query' | 'querystring' | 'header' | 'cookie';

/** A parameter of an operation; its schema is read only where it becomes an argument. */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Place;
  /** OpenAPI's serialization, with the defaults of the place filled in. */
  readonly style: string;
  readonly explode: boolean;
  readonly allow_reserved: boolean;
  /** The media type of a parameter under `content`. */
  readonly content_type: string | undefined;
  readonly at: string;
  /** Other operations have this very parameter. */
  readonly shared: boolean;
}

/** How one property of a form or of several parts is written, where the description says so (OpenAPI 3.1.1, Encoding Object). */
export interface Encoding {
  /** The first media type of its contentType that is no range. */
  readonly content_type?: string;
  /** Every media type of its contentType, ranges included, is one of bytes. */
  readonly binary?: true;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allow_reserved?: boolean;
}

/** A body that can be carried. */
export interface Body {
  readonly form: BodyForm;
  /** As it is sent; of several parts without their boundary. */
  readonly content_type: string;
  /** Of a form or several parts, by property. */
  readonly encoding?: ReadonlyMap<string, Encoding>;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Place;
  readonly at: string;
}

/** Security schemes that hold together, with the scopes asked of each; none: no key is needed. */
export type Requirement = ReadonlyMap<string, readonly string[]>;

/** A server as the description gives it. */
export interface ServerUrl {
  /** Absolute http(s); null where it is not, or a variable has no default. */
  readonly url: string | null;
  /** What the description says, where that is relative to itself. */
  readonly relative?: string;
  /** The absolute form of it, where the description was fetched by URL. */
  readonly resolved?: string;
  readonly note?: string;
}

/** What is known of an operation before it is read: enough for every key and name. */
export interface Head {
  readonly key: string;
  /** The description's own identifier, also where it is not the key. */
  readonly identifier: string | undefined;
  /** As it goes on the wire. */
  readonly method: string;
  /** The path as the description writes it. */
  readonly path: string;
  /** As the description lists them; those that are no text match nothing. */
  readonly tags: readonly unknown[];
  /** undefined: what the description says for all. */
  readonly security: readonly Requirement[] | undefined;
  /** Servers of its own. */
  readonly servers: readonly ServerUrl[] | undefined;
  readonly place: Place;
  /** The path item it stands in, and before it the one that a reference in it leads to (OpenAPI). */
  readonly items: readonly Place[];
}

export interface Operation {
  readonly head: Head;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly notices: readonly Notice[];
}

/** Something that cannot be imported, as data. */
export interface Refusal {
  readonly key: string;
  /** Of an operation under the paths. */
  readonly method?: string;
  readonly path?: string;
  readonly code: RefusalCode;
  readonly at: string;
  readonly reason: string;
}

/** A security scheme, as far as a connection can be made of it. */
export type SecurityScheme =
  | { readonly kind: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'consent'; readonly type: string }
  | { readonly kind: 'other'; readonly type: string };

/** All of a description but what its operations hold inside. */
export interface Survey {
  readonly title: string;
  readonly servers: readonly ServerUrl[];
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly security: readonly Requirement[] | undefined;
  readonly heads: readonly Head[];
  /** Callbacks and webhooks. */
  readonly inbound: readonly Refusal[];
  /** What could not be read and is no single operation. */
  readonly notices: readonly Notice[];
}

/** A place's node, where it is an object. */
export type ObjectPlace = Place & { readonly node: JsonObject };

/**
 * A name on the wire is kept as it is, and is in no other bound.
 * @throws Refused `too-large`.
 */
export function checkName(name: string, at: string): void {
  const most = FIXED_LIMITS.name_chars;
  if (name.length <= most) return;
  throw new Refused(
    'too-large',
    at,
    `it has a name of ${count(name.length)} characters; at most ${count(most)} are read`,
  );
}

/** The notice of a body that the method does not carry (RFC 9110, sections 9.3.1 and 9.3.2); undefined where it does. */
export function bodyLeftOut(method: string, at: string): Notice | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  return { code: 'body-left-out', at, message: `${method} carries no body; it is left out` };
}
