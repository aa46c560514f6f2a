// What is the same for consumers that narrow: the arguments as a whole, read and printed.
import type { Change } from '../../base/codes.js';
import { own, put } from '../../base/json.js';
import { quoted } from '../../base/text.js';
import type { Schema } from '../tool.js';
import { entriesOf, readForm } from './form.js';
import type { Inverse } from './inverse.js';
import { Narrower, type Rules } from './narrow.js';

export const INPUT = '/input_schema';

interface Narrowed {
  readonly schema: Schema;
  readonly changes: readonly Change[];
  readonly inverse: Inverse;
}

const ROOT = new Set(['type', 'properties', 'required', 'additionalProperties', 'patternProperties']);
const COMPOSITION = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'];

/** The arguments under the rules of a consumer. */
export function narrowed(schema: Schema, rules: Rules): Narrowed {
  const narrower = new Narrower(rules);
  const { rest, changes } = withoutComposition(schema, COMPOSITION);
  const strays = Object.keys(rest).filter((key) => !ROOT.has(key));
  if (strays.length > 0) {
    const listed = strays.map((key) => quoted(key)).join(', ');
    narrower.note('keyword-left-out', INPUT, `${listed} is left out`);
  }
  const [branch] = readForm({ ...rest, type: 'object' }, INPUT).branches;
  const object = branch?.kind === 'object' ? branch : undefined;
  narrower.noteEntries(entriesOf(rest), INPUT);
  const printed = narrower.object(object?.properties ?? new Map(), 1);
  return { schema: printed.schema, changes: [...changes, ...narrower.changes], inverse: printed.inverse };
}

/** An object schema without alternatives at its root; the schema itself where it has none. */
export function withoutComposition(
  schema: Schema,
  keywords: readonly string[],
): { readonly rest: Schema; readonly changes: readonly Change[] } {
  const found = keywords.filter((keyword) => own(schema, keyword) !== undefined);
  if (found.length === 0) return { rest: schema, changes: [] };
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) if (!found.includes(key)) put(rest, key, value);
  const message = `${found.map((key) => quoted(key)).join(', ')} of the arguments as a whole is left out`;
  return { rest, changes: [{ code: 'root-composition-left-out', at: INPUT, message }] };
}
