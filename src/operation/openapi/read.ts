// Reads one operation of an OpenAPI description to the common form.
import type { Budget } from '../../base/budget.js';
import type { Notice } from '../../base/codes.js';
import { isObject, type JsonObject, own, ownString } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import type { Profile } from '../../base/profile.js';
import { Refused } from '../../base/refused.js';
import { quoted } from '../../base/text.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { bodyMedia, type CarriedMedia, carriedMediaType, jsonMediaType } from '../media.js';
import {
  type Body,
  bodyLeftOut,
  type Head,
  type Operation,
  type Parameter,
  type ParameterPlace,
} from '../operation.js';
import { filled, namedNode, ParameterLists, unknownPlace } from '../parameters.js';
import { describe } from '../schema/shape.js';
import { type Encodings, readEncodings } from './encoding.js';
import { isNewer } from './version.js';

const PLACES = new Set<string>(['path', 'query', 'header', 'cookie', 'querystring']);
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/;
/** The styles of a place, its default first (OpenAPI 3.1.1, Parameter Object). */
const STYLES: { readonly [place in ParameterPlace]: readonly string[] } = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

const NO_ENCODINGS: Encodings = { byProperty: new Map(), notices: [] };

/** By what rules and within what budget operations are read. */
interface Terms {
  readonly budget: Budget;
  readonly profile: Profile;
}

/** Reads the operations of one description; what several of them share is parsed once. */
export class OpenApiReader {
  readonly #lookup: Lookup;
  readonly #budget: Budget;
  readonly #profile: Profile;
  readonly #newer: boolean;
  readonly #siblings: boolean;
  readonly #lists: ParameterLists<Parameter>;
  readonly #contents = new Map<JsonObject, CarriedMedia | string>();
  readonly #encodings = new Map<JsonObject, Encodings>();
  readonly #types = new Map<JsonObject, string | undefined>();

  constructor(lookup: Lookup, { budget, profile }: Terms, version: string) {
    this.#lookup = lookup;
    this.#lists = new ParameterLists(lookup, budget, {
      read: (written, place, shared) => this.#parameter(written, place, shared),
      refer: (written, parameter) => this.#referred(written, parameter),
    });
    this.#budget = budget;
    this.#profile = profile;
    this.#newer = isNewer(version);
    this.#siblings = !version.startsWith('3.0');
  }

  /** @throws Refused with the reason why the operation cannot be read. */
  read(head: Head): Operation {
    const { node, at } = this.#lookup.settle(head.place);
    if (!isObject(node)) throw new Refused('malformed', at, `the operation is ${describe(node)}, not an object`);
    if (!METHOD.test(head.method)) throw new Refused('malformed', at, `${quoted(head.method)} is no HTTP method`);
    const notices: Notice[] = [];
    return {
      head,
      summary: ownString(node, 'summary'),
      description: ownString(node, 'description'),
      deprecated: own(node, 'deprecated') === true,
      parameters: this.#parameters(head),
      body: this.#body(head, node, notices),
      notices,
    };
  }

  #parameters(head: Head): Parameter[] {
    const all = this.#lists.of(head);
    const whole = all.find(({ in: spot }) => spot === 'querystring');
    if (whole !== undefined && all.some((one) => one !== whole && one.in.startsWith('query'))) {
      throw new Refused('malformed', whole.at, 'a querystring parameter stands beside other query parameters');
    }
    return all;
  }

  #referred(written: Place, parameter: Parameter): Parameter {
    const description = this.#besides(written);
    // Another text makes it another argument: nothing that is remembered of the shared one is of this.
    return description === undefined ? parameter : { ...parameter, description, shared: false };
  }

  #parameter(written: Place, place: Place, shared: boolean): Parameter {
    const { node, name } = namedNode(written, place);
    const where = own(node, 'in');
    if (typeof where !== 'string' || !PLACES.has(where) || (where === 'querystring' && !this.#newer)) {
      throw unknownPlace(written, name, where, 'OpenAPI 3.x');
    }
    const spot = where as ParameterPlace;
    const [usual = 'form', ...others] = STYLES[spot];
    const given = ownString(node, 'style');
    const style = given !== undefined && others.includes(given) ? given : usual;
    const explode = own(node, 'explode');
    return {
      name,
      in: spot,
      required: spot === 'path' || own(node, 'required') === true,
      description: filled(ownString(node, 'description')),
      ...this.#parameterSchema(place, node),
      style,
      explode: typeof explode === 'boolean' ? explode : style === 'form',
      allow_reserved: own(node, 'allowReserved') === true && (spot === 'query' || (spot === 'path' && this.#newer)),
      at: place.at,
      shared,
    };
  }

  /** A parameter's content has one media type (OpenAPI 3.1.1, Parameter Object). */
  #firstType(content: JsonObject): string | undefined {
    if (!this.#types.has(content)) this.#types.set(content, Object.keys(content)[0]);
    return this.#types.get(content);
  }

  /** The schema itself, or that of the one media type under `content`. */
  #parameterSchema(place: Place, node: JsonObject): Pick<Parameter, 'schema' | 'content_type'> {
    const content = own(node, 'content');
    const type = isObject(content) ? this.#firstType(content) : undefined;
    if (!isObject(content) || type === undefined) {
      return { schema: this.#lookup.down(place, 'schema', own(node, 'schema')), content_type: undefined };
    }
    if (type.length > FIXED_LIMITS.media_type_chars)
      throw new Refused('malformed', place.at, `its media type is ${quoted(type)}`);
    const media = this.#lookup.settle(
      this.#lookup.down(this.#lookup.down(place, 'content', content), type, content[type]),
    );
    const schema = isObject(media.node) ? own(media.node, 'schema') : undefined;
    return { schema: this.#lookup.down(media, 'schema', schema), content_type: type };
  }

  /** The description that a Reference Object gives in the place of the target's own (OpenAPI 3.1.1, Reference Object). */
  #besides(written: Place): string | undefined {
    const { node } = written;
    return this.#siblings && isObject(node) && typeof node.$ref === 'string'
      ? filled(ownString(node, 'description'))
      : undefined;
  }

  /** The form of a content that is sent, or why there is none; looked for once where operations share it. */
  #chosen(content: JsonObject): CarriedMedia | string {
    let chosen = this.#contents.get(content);
    if (chosen === undefined) {
      const types = Object.keys(content);
      chosen =
        (this.#profile === 'core' ? jsonForm(types) : carriedMediaType(types)) ?? bodyMedia(types, this.#profile);
      this.#contents.set(content, chosen);
    }
    return chosen;
  }

  #body(head: Head, node: JsonObject, notices: Notice[]): Body | undefined {
    const given = own(node, 'requestBody');
    if (given === undefined || given === null) return undefined;
    const written = this.#lookup.down(head.place, 'requestBody', given);
    const leftOut = bodyLeftOut(head.method, written.at);
    if (leftOut !== undefined) {
      notices.push(leftOut);
      return undefined;
    }
    const place = this.#lookup.settle(written);
    if (!isObject(place.node))
      throw new Refused('malformed', written.at, `its body is ${describe(place.node)}, not an object`);
    const content = own(place.node, 'content');
    if (!isObject(content)) throw new Refused('malformed', written.at, 'its body has no content');
    const chosen = this.#chosen(content);
    if (typeof chosen === 'string') throw new Refused('body-media', written.at, chosen);
    if (chosen.form !== 'json') this.#budget.lift();
    const media = this.#lookup.settle(
      this.#lookup.down(this.#lookup.down(place, 'content', content), chosen.key, content[chosen.key]),
    );
    if (!isObject(media.node))
      throw new Refused('malformed', media.at, `its media type is ${describe(media.node)}, not an object`);
    const encodings = this.#encodingsOf(media, media.node, chosen);
    notices.push(...encodings.notices);
    return {
      form: chosen.form,
      content_type: chosen.content_type,
      ...(encodings.byProperty.size === 0 ? {} : { encoding: encodings.byProperty }),
      required: own(place.node, 'required') === true,
      description: this.#besides(written) ?? filled(ownString(place.node, 'description')),
      schema: this.#lookup.down(media, 'schema', own(media.node, 'schema')),
      at: written.at,
    };
  }

  /** Read once where operations share them. */
  #encodingsOf(media: Place, node: JsonObject, { form }: CarriedMedia): Encodings {
    const given = form === 'form' || form === 'multipart' ? own(node, 'encoding') : undefined;
    if (!isObject(given)) return NO_ENCODINGS;
    this.#budget.spendEntries(Object.keys(given).length);
    let encodings = this.#encodings.get(given);
    if (encodings === undefined) {
      encodings = readEncodings(this.#lookup.down(media, 'encoding', given), form === 'form' || this.#siblings);
      this.#encodings.set(given, encodings);
    }
    return encodings;
  }
}

function jsonForm(types: readonly string[]): CarriedMedia | undefined {
  const json = jsonMediaType(types);
  return json === undefined ? undefined : { ...json, form: 'json' };
}
