// What a good answer of an operation holds, as a schema whose root is an object.
import type { Notice } from '../base/codes.js';
import { Refused } from '../base/refused.js';
import { count } from '../base/text.js';
import type { Answers } from '../operation/answer.js';
import type { Head } from '../operation/operation.js';
import { type AnswerSchema, ObjectBuilder } from '../operation/schema/build.js';
import { RESULT } from './structured.js';
import type { Schema } from './tool.js';

/** The output schema of a tool, where a good answer in JSON is described and can be read; `notices` where it was cut or left out. */
export interface Output {
  readonly schema?: Schema;
  readonly notices: readonly Notice[];
}

const NONE: Output = { notices: [] };

/** Reads what the operation answers. What cannot be read is left out with a notice, and never keeps the tool from being made. */
export function emitOutput(head: Head, answers: Answers): Output {
  try {
    const place = answers.find(head);
    return place === undefined
      ? NONE
      : smallerUntilItFits(answers.limits.nesting, place.at, (nesting) => {
          return rooted(answers.read(head, place, nesting), answers.limits.operation_schema_bytes, place.at);
        });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return {
      notices: [{ code: 'output-left-out', at: error.at, message: `its answer is not shown: ${error.message}` }],
    };
  }
}

/** All levels, half of them, one. */
function smallerUntilItFits(nesting: number, at: string, read: (nesting: number) => Schema | undefined): Output {
  let large: Refused | undefined;
  for (const levels of new Set([nesting, Math.ceil(nesting / 2), 1])) {
    try {
      const schema = read(levels);
      if (schema === undefined) return NONE;
      if (large === undefined) return { schema, notices: [] };
      const message = `its answer is shown with ${levels === 1 ? '1 level' : `${levels} levels`}: ${large.message}`;
      return { schema, notices: [{ code: 'output-smaller', at, message }] };
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'too-large') throw error;
      large ??= error;
    }
  }
  throw large;
}

/** An object as it is, anything else under `result`; undefined of what says nothing, or of bytes. */
function rooted({ emitted, object }: AnswerSchema, most: number, at: string): Schema | undefined {
  const { schema, never } = emitted;
  if (never || Object.keys(schema).length === 0) return undefined;
  if (schema.type === 'string' && schema.format === 'binary') return undefined;
  const root = object ? emitted : wrapped(emitted);
  if (root.bytes > most) {
    const size = count(root.bytes);
    throw new Refused('too-large', at, `its output schema would be ${size} bytes; at most ${count(most)} are allowed`);
  }
  return root.schema;
}

/** Closed, which tells it from every object that an API describes: those are open. */
function wrapped({ schema, bytes }: AnswerSchema['emitted']): { readonly schema: Schema; readonly bytes: number } {
  const properties = new ObjectBuilder();
  properties.add(RESULT, schema, bytes);
  const root = new ObjectBuilder();
  root.addString('type', 'object');
  root.add('properties', properties.value, properties.bytes);
  root.addStrings('required', [RESULT]);
  root.add('additionalProperties', false, 5);
  return { schema: root.value, bytes: root.bytes };
}
