// Reads one operation of an OpenAPI description to the common form.
import type { Budget } from '../../base/budget.js';
import type { Notice } from '../../base/codes.js';
import { isObject, type JsonObject, own, ownString } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import type { Profile } from '../../base/profile.js';
import { Refused } from '../../base/refused.js';
import { quoted } from '../../base/text.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { type CarriedMedia, carriedMediaType, jsonMediaType } from '../media.js';
import { type Body, checkName, type Head, type Operation, type Parameter, type ParameterPlace } from '../operation.js';
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

/** The parameters of one list, and the steps that reading them took. */
interface ReadList {
  readonly parameters: readonly Parameter[];
  readonly steps: number;
}

/** Reads the operations of one description; what several of them share is parsed once. */
export class OpenApiReader {
  readonly #lookup: Lookup;
  readonly #budget: Budget;
  readonly #profile: Profile;
  readonly #newer: boolean;
  readonly #siblings: boolean;
  /** Parameters that references lead to, by their nodes. */
  readonly #referred = new Map<JsonObject, { readonly parameter: Parameter; readonly steps: number }>();
  /** Those of path items, which their operations share. */
  readonly #lists = new Map<unknown, ReadList>();
  readonly #contents = new Map<JsonObject, CarriedMedia | string>();
  readonly #encodings = new Map<JsonObject, Encodings>();
  readonly #types = new Map<JsonObject, string | undefined>();

  constructor(lookup: Lookup, { budget, profile }: Terms, version: string) {
    this.#lookup = lookup;
    this.#budget = budget;
    this.#profile = profile;
    this.#newer = isNewer(version);
    this.#siblings = !version.startsWith('3.0');
  }

  /** @throws Refused with the reason why the operation cannot be read. */
  read(head: Head): Operation {
    const { node, at } = head.place;
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

  /** Those of the path item, overridden by those of the operation, by name and place; header names in any case. */
  #parameters(head: Head): Parameter[] {
    const effective = new Map<string, Parameter>();
    const add = (parameter: Parameter) => {
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      effective.set(`${parameter.in} ${name}`, parameter);
    };
    for (const item of head.items) this.#sharedList(item).forEach(add);
    this.#list(head.place, false).forEach(add);
    const all = [...effective.values()];
    const whole = all.find(({ in: spot }) => spot === 'querystring');
    if (whole !== undefined && all.some((one) => one !== whole && one.in.startsWith('query'))) {
      throw new Refused('malformed', whole.at, 'a querystring parameter stands beside other query parameters');
    }
    return all;
  }

  #sharedList(item: Place): readonly Parameter[] {
    const known = this.#lists.get(item.node);
    if (known !== undefined) {
      this.#budget.spend(known.steps);
      return known.parameters;
    }
    const before = this.#budget.operation;
    const parameters = this.#list(item, true);
    this.#lists.set(item.node, { parameters, steps: this.#budget.operation - before });
    return parameters;
  }

  #list(owner: Place, shared: boolean): readonly Parameter[] {
    const list = isObject(owner.node) ? own(owner.node, 'parameters') : undefined;
    if (list === undefined || list === null) return [];
    const place = this.#lookup.down(owner, 'parameters', list);
    if (!Array.isArray(list)) {
      throw new Refused('malformed', place.at, `its parameters are ${describe(list)}, not a list`);
    }
    return list.map((node, i) => this.#parameterAt(this.#lookup.down(place, i, node), shared));
  }

  #parameterAt(written: Place, shared: boolean): Parameter {
    this.#budget.spend(1);
    const place = this.#lookup.settle(written);
    if (place === written || !isObject(place.node)) return this.#parameter(written, place, shared);
    let known = this.#referred.get(place.node);
    if (known === undefined) {
      const before = this.#budget.operation;
      const parameter = this.#parameter(written, place, true);
      known = { parameter, steps: this.#budget.operation - before };
      this.#referred.set(place.node, known);
    } else this.#budget.spend(known.steps);
    const description = this.#besides(written);
    // Another text makes it another argument: nothing that is remembered of the shared one is of this.
    return description === undefined ? known.parameter : { ...known.parameter, description, shared: false };
  }

  #parameter(written: Place, place: Place, shared: boolean): Parameter {
    const { node, at } = place;
    if (!isObject(node)) throw new Refused('malformed', written.at, `a parameter is ${describe(node)}, not an object`);
    const name = ownString(node, 'name');
    if (name === undefined || name === '') throw new Refused('malformed', written.at, 'a parameter has no name');
    checkName(name, written.at);
    const where = own(node, 'in');
    if (typeof where !== 'string' || !PLACES.has(where) || (where === 'querystring' && !this.#newer)) {
      const found =
        where === undefined ? 'has no "in"' : `has in: ${describe(where)}, which is not allowed in OpenAPI 3.x`;
      throw new Refused('malformed', written.at, `the parameter ${quoted(name)} ${found}`);
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
      at,
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
    if (head.method === 'GET' || head.method === 'HEAD') {
      notices.push({
        code: 'body-left-out',
        at: written.at,
        message: `${head.method} carries no body; it is left out`,
      });
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

/** A text that is not blank. */
function filled(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}

function bodyMedia(types: readonly string[], profile: Profile): string {
  if (types.length === 0) return 'its body offers no media type';
  const listed = types.slice(0, 4).map((type) => quoted(type).slice(1, -1));
  const more = types.length > 4 ? ` and ${types.length - 4} more` : '';
  const carried = profile === 'core' ? 'only a JSON body is' : 'JSON, a form, several parts of one, text and bytes are';
  return `its body is ${listed.join(' or ')}${more}; ${carried} carried`;
}
