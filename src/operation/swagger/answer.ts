// Where the schema of the good answer of a Swagger operation stands (Swagger 2.0, Response Object and `produces`).
import { isObject, type JsonObject, own } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { goodAnswer } from '../good.js';
import { jsonMediaType } from '../media.js';
import type { Head } from '../operation.js';

export class SwaggerAnswers {
  readonly #lookup: Lookup;
  readonly #general: unknown;
  /** Whether a list of media types holds JSON, looked through once where operations share it. */
  readonly #json = new Map<unknown, boolean>();

  constructor(lookup: Lookup) {
    const { root } = lookup.document;
    this.#lookup = lookup;
    this.#general = isObject(root) ? own(root, 'produces') : undefined;
  }

  /** @throws Refused `unresolved-reference`. */
  of({ place, method }: Head): Place | undefined {
    const { node } = place;
    const responses = isObject(node) ? own(node, 'responses') : undefined;
    if (!isObject(node) || !isObject(responses) || method === 'HEAD' || !this.#producesJson(node)) return undefined;
    const inside = this.#lookup.down(place, 'responses', responses);
    return goodAnswer(responses, (status) => this.#schema(this.#lookup.down(inside, status, responses[status])));
  }

  #schema(written: Place): Place | undefined {
    const response = this.#lookup.settle(written);
    const schema = isObject(response.node) ? own(response.node, 'schema') : undefined;
    // A file is what Swagger calls bytes of any kind.
    if (!isObject(schema) || own(schema, 'type') === 'file') return undefined;
    return this.#lookup.down(response, 'schema', schema);
  }

  /** An operation's list stands for that of the description; where nothing is listed JSON is meant. */
  #producesJson(operation: JsonObject): boolean {
    const listed = own(operation, 'produces');
    const list = Array.isArray(listed) ? listed : this.#general;
    let json = this.#json.get(list);
    if (json === undefined) {
      json = holdsJson(list);
      this.#json.set(list, json);
    }
    return json;
  }
}

function holdsJson(list: unknown): boolean {
  if (!Array.isArray(list) || list.length === 0) return true;
  const most = FIXED_LIMITS.media_type_chars + 1;
  const types = list.filter((type): type is string => typeof type === 'string').map((type) => type.slice(0, most));
  return jsonMediaType(types) !== undefined;
}
