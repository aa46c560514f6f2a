// The refusal of a parameter that a tool does not have.
import { Failure } from '../base/failure.js';
import { nearest } from '../base/nearest.js';
import { quoted } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';

export function unknownParameter(tool: HttpTool, name: string, known: readonly string[]): Failure {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `; did you mean ${quoted(near)}?`;
  return new Failure('unknown-parameter', `${tool.name} has no parameter ${quoted(name)}${hint}`, { parameter: name });
}
