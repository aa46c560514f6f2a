// Reads one operation of a Swagger 2.0 description to the common form.
import type { Budget } from '../../base/budget.js';
import type { Notice } from '../../base/codes.js';
import { isObject, own, ownString } from '../../base/json.js';
import { Refused } from '../../base/refused.js';
import type { Lookup } from '../../document/lookup.js';
import type { Head, Operation } from '../operation.js';
import { ParameterLists } from '../parameters.js';
import { describe } from '../schema/shape.js';
import { swaggerBody } from './body.js';
import { ConsumesLists } from './consumes.js';
import { readParameter, type SwaggerParameter } from './parameter.js';

/** Reads the operations of one description; what several of them share is read once. */
export class SwaggerReader {
  readonly #lookup: Lookup;
  readonly #consumes: ConsumesLists;
  readonly #lists: ParameterLists<SwaggerParameter>;

  constructor(lookup: Lookup, budget: Budget) {
    this.#lookup = lookup;
    this.#consumes = new ConsumesLists(lookup);
    this.#lists = new ParameterLists(lookup, budget, {
      read: (written, place, shared) => readParameter(lookup, written, place, shared),
    });
  }

  /** @throws Refused with the reason why the operation cannot be read. */
  read(head: Head): Operation {
    const { node, at } = head.place;
    if (!isObject(node)) throw new Refused('malformed', at, `the operation is ${describe(node)}, not an object`);
    const all = this.#lists.of(head);
    const notices: Notice[] = all.flatMap((one) => one.notices);
    return {
      head,
      summary: ownString(node, 'summary'),
      description: ownString(node, 'description'),
      deprecated: own(node, 'deprecated') === true,
      parameters: all.flatMap((one) => ('parameter' in one ? [one.parameter] : [])),
      body: swaggerBody(head, all, this.#consumes.of(node, head.place), this.#lookup, notices),
      notices,
    };
  }
}
