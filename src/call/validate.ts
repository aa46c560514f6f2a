// Arguments from a model against the schema it was shown: read as their declared types, then checked, every problem named. An answer against its own: only noted.
import { isObject, isWithin, own, put, readJson } from '../base/json.js';
import { CALL_LIMITS } from '../base/limits.js';
import { count, visible } from '../base/text.js';
import { structuredAnswer } from '../tool/structured.js';
import type { HttpTool, Schema } from '../tool/tool.js';
import { answerFault, valueFaults } from '../tool/value.js';
import type { CallResult, Problem } from './call.js';
import { type Overlay, shownSchema } from './shown.js';

/**
 * The values of a call: the model's arguments, then what is fixed, then what is overridden; the later wins.
 * @returns the values, or every argument that breaks the schema.
 */
export function valuesOf(
  tool: HttpTool,
  args: { readonly [name: string]: unknown },
  overrides: Overlay['param_overrides'] = {},
): { readonly values: { readonly [name: string]: unknown } } | { readonly problems: readonly Problem[] } {
  const schema = shownSchema(tool, overrides);
  const properties = schema.properties as { readonly [name: string]: unknown };
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (Object.hasOwn(tool.fixed_parameters, name) || Object.hasOwn(overrides, name)) continue;
    const read = readAs(own(properties, name), value);
    if (read !== undefined) put(given, name, read);
  }
  const deep = Object.keys(given).filter((name) => !isWithin(given[name], CALL_LIMITS.argument_depth));
  if (deep.length > 0) return { problems: deep.map(tooDeep) };
  const problems = valueFaults(schema, given).map(({ path, expected, value }): Problem => {
    return {
      argument: path,
      expected,
      received: value === undefined ? 'nothing' : visible(JSON.stringify(value) ?? 'nothing', 120),
    };
  });
  if (problems.length > 0) return { problems };
  for (const layer of [tool.fixed_parameters, overrides])
    for (const [name, value] of Object.entries(layer)) put(given, name, value);
  return { values: given };
}

/** Nothing that recurses over such a value is safe, not even printing it. */
function tooDeep(argument: string): Problem {
  const levels = count(CALL_LIMITS.argument_depth);
  return { argument, expected: `a value of at most ${levels} levels`, received: 'one that nests deeper' };
}

/** A value that came as JSON text of the declared type is that; a null where none is allowed is an absent argument. */
function readAs(schema: unknown, value: unknown): unknown {
  const types = isObject(schema) ? declaredTypes(schema) : undefined;
  if (types === undefined) return value;
  if (value === null) return types.includes('null') ? null : undefined;
  if (typeof value !== 'string' || types.includes('string')) return value;
  const read = readJson(value, types);
  return read === undefined ? value : read.value;
}

/** Lists of one, made once. */
const ONE: { readonly [type: string]: readonly string[] } = Object.fromEntries(
  ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'].map((type) => [type, [type]]),
);

/** The types a schema allows; undefined where it does not say. */
function declaredTypes(schema: Schema): readonly string[] | undefined {
  if (typeof schema.type === 'string') return ONE[schema.type] ?? [schema.type];
  if (schema.type !== undefined) return schema.type as string[];
  const branches = schema.anyOf;
  if (!Array.isArray(branches)) return undefined;
  const types = branches.map((branch) => (isObject(branch) ? declaredTypes(branch) : undefined));
  return types.includes(undefined) ? undefined : (types.flat() as string[]);
}

/** A good answer in JSON that does not fit the output schema of its tool is handed on with a note of the first fault. */
export function withFitNoted({ output_schema }: HttpTool, result: CallResult): CallResult {
  if (output_schema === undefined || result.kind !== 'answer' || result.status >= 300) return result;
  if (result.body.kind !== 'json') return result;
  const { value } = result.body;
  const structured = structuredAnswer(output_schema, value);
  const fault = structured === undefined ? 'an object is expected' : answerFault(output_schema, structured);
  if (fault === undefined) return result;
  const note = `the answer does not fit what the API describes: ${visible(fault, 300)}`;
  return { ...result, notes: [...result.notes, note] };
}
