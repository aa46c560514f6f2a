// What a consumer's form of a tool is, and what it is made from.
import type { Change } from '../../base/codes.js';
import type { Schema } from '../tool.js';

/** Of a stored tool what a model is shown: the schema is without what is fixed. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly input_schema: Schema;
  readonly output_schema?: Schema;
}

export type Values = { readonly [name: string]: unknown };

export interface Rendering {
  /** In the consumer's own form. */
  readonly tool: Values;
  /** Everything that it says otherwise than the stored tool. */
  readonly changes: readonly Change[];
  /** Arguments as a model writes them for this form, to those of the stored tool. */
  readonly arguments: (given: Values) => Values;
}

export interface Dialect {
  /** A pure function of the tool; never throws. */
  readonly render: (tool: ShownTool) => Rendering;
  /** What one request with all of these would come up against, one sentence each. */
  readonly warn: (tools: readonly Rendering[]) => readonly string[];
}
