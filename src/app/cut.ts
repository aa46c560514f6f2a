// Use case: the part of a description that holds the chosen operations, for those who must hand over a smaller file.
import { Budget } from '../base/budget.js';
import { Failure } from '../base/failure.js';
import { isWithin, type JsonObject } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count } from '../base/text.js';
import type { Source } from '../document/document.js';
import { cutTo } from '../operation/cut.js';
import { startReading, survey } from '../operation/read.js';
import { type CommonOptions, readingOf } from './preview.js';
import { readDescription } from './read.js';
import { byKeys, type Select, selector } from './select.js';

/** A description that was cut, and how much of it is left. */
export interface Cut {
  readonly description: JsonObject;
  readonly kept: number;
  readonly operations: number;
}

/**
 * Cuts a description down to the chosen operations and what they refer to, an operation that one refers into included. A
 * preview of the result shows the same tools; callbacks go with their operations, webhooks are left out.
 * @throws Failure of the reading of the description; `unknown-operation`; `bad-request` where nothing is chosen.
 */
export async function cut(source: Source, select: Select, options: CommonOptions = {}): Promise<Cut> {
  const rules = readingOf(options);
  const { limits, profile } = rules;
  const selected = selector(select);
  const document = await readDescription(source, rules);
  const reading = startReading(document, { limits, profile, budget: new Budget(limits) });
  const { heads } = survey(reading);
  byKeys(new Map(heads.map((head) => [head.key, head])), select.keys ?? []);
  const chosen = heads.filter(selected);
  if (chosen.length === 0)
    throw new Failure('bad-request', 'the selection holds no operation, so nothing would be left');
  const description = cutTo(chosen, reading);
  const most = FIXED_LIMITS.scrubbed_depth;
  if (!isWithin(description, most)) {
    throw new Failure(
      'bad-request',
      `what would be left is nested more than ${count(most)} deep, which is not written`,
    );
  }
  return { description, kept: chosen.length, operations: heads.length };
}
