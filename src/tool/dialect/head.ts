// The name and the description of a tool, as a consumer takes them.
import type { Change } from '../../base/codes.js';
import { count, cut, quoted } from '../../base/text.js';
import type { ShownTool } from './rendering.js';

interface HeadRules {
  /** A character that a name may not have. */
  readonly illegal: RegExp;
  /** How a name begins; anything by default. */
  readonly start?: RegExp;
  readonly name_chars: number;
  readonly description_chars?: number;
}

interface Named {
  readonly name: string;
  readonly description: string;
  readonly changes: readonly Change[];
}

export function headOf(tool: Pick<ShownTool, 'name' | 'description'>, rules: HeadRules): Named {
  const changes: Change[] = [];
  const clean = tool.name.replace(new RegExp(rules.illegal.source, 'gu'), '_');
  const started = rules.start?.test(clean) === false || clean === '' ? `tool_${clean}` : clean;
  const name = started.slice(0, rules.name_chars);
  if (name !== tool.name) {
    const message = `${quoted(tool.name, 80)} is called ${quoted(name, 80)}`;
    changes.push({ code: 'name-changed', at: '/name', message });
  }
  const most = rules.description_chars;
  const description = most === undefined ? tool.description : cut(tool.description, most);
  if (most !== undefined && description !== tool.description) {
    changes.push({ code: 'description-cut', at: '/description', message: `it is cut at ${count(most)} characters` });
  }
  return { name, description, changes };
}
