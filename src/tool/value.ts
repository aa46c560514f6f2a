// Whether a value fits the schema of an argument. Foreign patterns run in linear time, formats are not asserted.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { Schema } from './tool.js';

/** A pattern that the linear engine does not know (look-around, back references) is not asserted. */
function engine(pattern: string): { test(text: string): boolean; toString(): string } {
  // ajv keeps expressions apart by their text.
  const text = () => pattern;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text) => compiled.matcher(text).find(), toString: text };
  } catch {
    return { test: () => true, toString: text };
  }
}

// ajv prints this into code that it would write to a file, which is never done here.
engine.code = 'engine';

/** What keeps a value from its schema, in a few words; undefined where nothing does. */
export function valueFault(schema: Schema, value: unknown): string | undefined {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    validateFormats: false,
    logger: false,
    code: { regExp: engine },
  });
  const validate = ajv.compile(schema);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return first === undefined ? 'it does not fit its schema' : describe(first);
}

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const where = instancePath === '' ? '' : `at ${instancePath}, `;
  const listed =
    keyword === 'enum'
      ? `: ${params.allowedValues
          .slice(0, 8)
          .map((one: unknown) => JSON.stringify(one))
          .join(', ')}`
      : '';
  return `${where}it ${message ?? 'does not fit its schema'}${listed}`;
}
