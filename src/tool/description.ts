// What a model reads of a tool: the description's own text, made plain. No model writes it.
import type { Limits } from '../base/limits.js';
import type { Texts } from '../base/plain.js';
import { cut, visible } from '../base/text.js';
import type { Operation } from '../operation/operation.js';

/** Summary, then the description unless it begins with the summary; method and path where there is neither. */
export function describeTool(operation: Operation, texts: Texts, limits: Limits): string {
  const most = limits.tool_description_chars;
  const summary = texts.plain(operation.summary ?? '', most).text;
  const description = texts.plain(operation.description ?? '', most).text;
  if (summary === '' && description === '') return visible(`${operation.head.method} ${operation.head.path}`, most);
  if (summary === '' || description.startsWith(summary)) return description;
  if (description === '') return summary;
  const joint = /[.!?:;…]$/.test(summary) ? ' ' : '. ';
  return cut(`${summary}${joint}${description}`, most);
}
