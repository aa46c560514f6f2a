// The JSON that a good answer of an operation holds: where it is described, and its schema, read within a budget of its own.
import { Budget } from '../base/budget.js';
import { FIXED_LIMITS, type Limits } from '../base/limits.js';
import { Texts } from '../base/plain.js';
import { Refused } from '../base/refused.js';
import type { ApiDocument } from '../document/document.js';
import { Lookup, type Place } from '../document/lookup.js';
import { discoveryAnswer } from './discovery/answer.js';
import { OpenApiAnswers } from './openapi/answer.js';
import type { Head } from './operation.js';
import { dialectOf } from './read.js';
import type { AnswerSchema } from './schema/build.js';
import { DISCOVERY, DISCOVERY_ANSWER } from './schema/dialect.js';
import { SchemaReader } from './schema/reader.js';
import { Walk } from './schema/walk.js';
import { SwaggerAnswers } from './swagger/answer.js';

/** Finds where the schema of the good answer of an operation stands; undefined where it is not described, or is no JSON. */
type Find = (head: Head) => Place | undefined;

/** The answers of the operations of one description. Nothing of them is shared with what decides whether an operation is importable. */
export class Answers {
  readonly limits: Limits;
  readonly #budget: Budget;
  readonly #walk: Walk;
  readonly #texts = new Texts();
  readonly #find: Find;
  /** By the levels that are shown. */
  readonly #readers = new Map<number, SchemaReader>();

  /**
   * @param operations how many the description has: they have equal shares of `answer_steps`, so that what is read of one does not
   * depend on which others are asked for.
   */
  constructor(document: ApiDocument, limits: Limits, operations: number) {
    const share = Math.floor(FIXED_LIMITS.answer_steps / Math.max(1, operations));
    const steps = Math.max(1, Math.min(limits.operation_steps, share));
    this.limits = limits;
    this.#budget = new Budget({ ...limits, operation_steps: steps, description_steps: Number.POSITIVE_INFINITY });
    const dialect = dialectOf(document);
    const lookup = new Lookup(document, this.#budget, limits.reference_chain, dialect.identifiers);
    this.#walk = new Walk(lookup, this.#budget, dialect === DISCOVERY ? DISCOVERY_ANSWER : dialect);
    this.#find = finderOf(document, lookup);
  }

  /**
   * Where the schema of the good answer stands; undefined where none is described, or it is no JSON.
   * @throws Refused where a reference does not resolve.
   */
  find(head: Head): Place | undefined {
    this.#begin(head);
    return this.#find(head);
  }

  /**
   * The schema at a place that was found, with so many levels.
   * @throws Refused `too-large`, `unresolved-reference`, `malformed`.
   */
  read(head: Head, place: Place, nesting: number): AnswerSchema {
    let reader = this.#readers.get(nesting);
    if (reader === undefined) {
      reader = new SchemaReader(this.#walk, { ...this.limits, nesting }, this.#texts, 'answer');
      this.#readers.set(nesting, reader);
    }
    // What it took to find it is not counted, since that is remembered.
    this.#begin(head);
    return reader.answer(place);
  }

  #begin({ place }: Head): void {
    this.#budget.begin(place.at);
    this.#walk.begin('', place.at);
  }
}

function finderOf({ kind }: ApiDocument, lookup: Lookup): Find {
  if (kind === 'discovery') return (head) => discoveryAnswer(head, lookup);
  const answers = kind === 'swagger' ? new SwaggerAnswers(lookup) : new OpenApiAnswers(lookup);
  const known = new Map<unknown, Place | Refused | undefined>();
  return (head) => {
    const { node } = head.place;
    if (!known.has(node))
      known.set(
        node,
        attempted(() => answers.of(head)),
      );
    const found = known.get(node);
    if (found instanceof Refused) throw found;
    return found;
  };
}

/** A refusal is remembered as well: operations may share one node. */
function attempted(find: () => Place | undefined): Place | Refused | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}
