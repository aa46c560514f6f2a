// Everything that lint says of tools by what they are, and of texts by what they hold.
import type { Finding, Subject } from './finding.js';
import { lintShape, lintTogether } from './shape.js';
import { lintTexts } from './text.js';

/** What will make a model fail: rules of each tool, and of all of them together. */
export function lintSubjects(subjects: readonly Subject[]): readonly Finding[] {
  return [...subjects.flatMap(lintShape), ...lintTogether(subjects)];
}

/** What the texts of a stored tool hold that a model is shown. */
export function lintTool(tool: { readonly name: string; readonly [field: string]: unknown }): readonly Finding[] {
  const { name, description, input_schema, output_schema } = tool;
  return lintTexts({ name, description, input_schema, output_schema }).map((one) => ({ ...one, tool: name }));
}
