// What a person may write as an HTTP tool, read from JSON: all its fields checked, the first fault named.
import { isObject, isWithin, own, put } from '../base/json.js';
import { DEFAULT_LIMITS, FIXED_LIMITS, type Limits } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { checkConfig } from './check-config.js';
import { checkSchema } from './check-schema.js';
import { Arguments, closed, filledText, invalid, wholeNumber } from './field.js';
import type { HttpConfig, HttpTool, Schema, ToolBody } from './tool.js';
import { valueFault } from './value.js';

/** A tool as a person writes it. */
export interface NewTool {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** `METHOD /path` by default. */
  readonly description?: string;
  /** An object schema of JSON Schema 2020-12, without references; no arguments by default. */
  readonly input_schema?: Schema;
  readonly config: Omit<HttpConfig, 'method' | 'body'> & {
    /** POST by default. */
    readonly method?: string;
    /** JSON that is not required, by default. */
    readonly body?: Partial<ToolBody>;
  };
  readonly fixed_parameters?: { readonly [name: string]: unknown };
  /** 1 to 300; 30 by default. */
  readonly deadline_seconds?: number;
  /** Not beside `connection_group`. */
  readonly connection_id?: string;
  readonly connection_group?: string;
}

/** A tool that has everything but its id. */
export type CheckedTool = Omit<HttpTool, 'id' | 'origin' | 'imported_description'>;

const FIELDS: { readonly [field in keyof NewTool]-?: true } = {
  name: true,
  description: true,
  input_schema: true,
  config: true,
  fixed_parameters: true,
  deadline_seconds: true,
  connection_id: true,
  connection_group: true,
};
const DEADLINE_SECONDS = 30;

/**
 * A tool written by hand, with its defaults filled in; shares nothing with the input.
 * @throws Failure `invalid-tool`, the name of the field in `data`; the message names headers and never their values.
 */
export function checkTool(input: unknown, limits: Limits = DEFAULT_LIMITS): CheckedTool {
  const tool = closed(plain(input), 'the tool', Object.keys(FIELDS));
  const name = own(tool, 'name');
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw invalid('name', 'must be 1 to 64 characters of A-Z a-z 0-9 _ -');
  }
  const { schema, properties } = checkSchema(own(tool, 'input_schema'), limits);
  const config = checkConfig(own(tool, 'config'), new Arguments(properties));
  const [description, deadline] = [own(tool, 'description'), own(tool, 'deadline_seconds')];
  return {
    name,
    description: description === undefined ? described(config) : filledText(description, 'description'),
    input_schema: schema,
    config,
    fixed_parameters: checkFixed(own(tool, 'fixed_parameters'), properties),
    deadline_seconds: deadline === undefined ? DEADLINE_SECONDS : wholeNumber(deadline, 'deadline_seconds', 1, 300),
    ...connectionOf(own(tool, 'connection_id'), own(tool, 'connection_group')),
  };
}

/** The input as JSON has it: nothing undefined, nothing shared. */
function plain(input: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch {
    throw invalid('the tool', 'cannot be written as JSON');
  }
  return text === undefined ? undefined : JSON.parse(text);
}

function described({ method, endpoint }: HttpConfig): string {
  return `${method} ${/^\w+:\/\/[^/?]*([^?]*)/.exec(endpoint)?.[1] || '/'}`;
}

function checkFixed(
  value: unknown,
  properties: { readonly [name: string]: Schema },
): { readonly [name: string]: unknown } {
  const field = 'fixed_parameters';
  if (value === undefined) return {};
  if (!isObject(value)) throw invalid(field, 'must be an object of values by argument');
  const levels = FIXED_LIMITS.stored_levels;
  if (!isWithin(value, levels)) throw invalid(field, `nests deeper than ${levels} levels`);
  const known = new Arguments(properties);
  const values: Record<string, unknown> = {};
  for (const [name, fixed] of Object.entries(value)) {
    known.expect(name, field);
    const fault = valueFault(properties[name] ?? {}, fixed);
    if (fault !== undefined) throw invalid(field, `has a value of ${quoted(name)} that does not fit: ${fault}`);
    put(values, name, fixed);
  }
  return values;
}

function connectionOf(id: unknown, group: unknown): Pick<HttpTool, 'connection_id' | 'connection_group'> {
  if (id !== undefined && group !== undefined)
    throw invalid('connection_id', 'stands beside connection_group; one of them is allowed');
  if (id !== undefined) return { connection_id: filledText(id, 'connection_id') };
  return group === undefined ? {} : { connection_group: filledText(group, 'connection_group') };
}
