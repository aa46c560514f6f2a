// Where the schema of the good answer of an OpenAPI operation stands (OpenAPI 3.1.1, Responses Object).
import { isObject, type JsonObject, own } from '../../base/json.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { goodAnswer } from '../good.js';
import { jsonMediaType } from '../media.js';
import type { Head } from '../operation.js';

export class OpenApiAnswers {
  readonly #lookup: Lookup;
  /** The JSON form of a content, looked for once where operations share it. */
  readonly #types = new Map<JsonObject, string | undefined>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** @throws Refused `unresolved-reference`. */
  of({ place, method }: Head): Place | undefined {
    const operation = this.#lookup.settle(place);
    const responses = isObject(operation.node) ? own(operation.node, 'responses') : undefined;
    if (!isObject(responses) || method === 'HEAD') return undefined;
    const inside = this.#lookup.down(operation, 'responses', responses);
    return goodAnswer(responses, (status) => this.#schema(this.#lookup.down(inside, status, responses[status])));
  }

  /** The schema of the JSON form of one response; undefined where it has none. */
  #schema(written: Place): Place | undefined {
    const response = this.#lookup.settle(written);
    const content = isObject(response.node) ? own(response.node, 'content') : undefined;
    if (!isObject(content)) return undefined;
    const type = this.#jsonType(content);
    if (type === undefined) return undefined;
    const media = this.#lookup.settle(
      this.#lookup.down(this.#lookup.down(response, 'content', content), type, content[type]),
    );
    const schema = isObject(media.node) ? own(media.node, 'schema') : undefined;
    return isObject(schema) ? this.#lookup.down(media, 'schema', schema) : undefined;
  }

  #jsonType(content: JsonObject): string | undefined {
    if (!this.#types.has(content)) this.#types.set(content, jsonMediaType(Object.keys(content))?.key);
    return this.#types.get(content);
  }
}
