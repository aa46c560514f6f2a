// Use case: stored tools in the form of a consumer, and what was changed for it.
import { count, quoted } from '../base/text.js';
import { shownSchema } from '../call/shown.js';
import { type Consumer, DIALECTS } from '../tool/dialect/dialect.js';
import type { Rendering } from '../tool/dialect/rendering.js';
import type { HttpTool } from '../tool/tool.js';

/**
 * A tool as a consumer takes it: without what is fixed or overridden, everything that was changed listed, and the way back for
 * arguments. Stable to the byte; never throws.
 */
export function render(
  tool: HttpTool,
  consumer: Consumer,
  param_overrides: { readonly [name: string]: unknown } = {},
): Rendering {
  const { name, description, output_schema, config } = tool;
  const input_schema = shownSchema(tool, param_overrides);
  const output = output_schema === undefined ? {} : { output_schema };
  return DIALECTS[consumer].render({ name, description, method: config.method, input_schema, ...output });
}

export interface Export {
  readonly renderings: readonly Rendering[];
  /** What one request with all of them would come up against. */
  readonly warnings: readonly string[];
}

/** Several tools for one consumer, in their order. */
export function exportTools(tools: readonly HttpTool[], consumer: Consumer): Export {
  const renderings = tools.map((tool) => render(tool, consumer));
  return { renderings, warnings: [...DIALECTS[consumer].warn(renderings), ...equalNames(renderings)] };
}

/** Names that were different and are no more. */
function equalNames(renderings: readonly Rendering[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { tool } of renderings) {
    const name = nameOf(tool);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, number]) => number > 1)
    .map(([name, number]) => `${count(number)} tools are called ${quoted(name)} in this form`);
}

function nameOf({ name, function: inside }: Rendering['tool']): string {
  return String(name ?? (inside as { readonly name?: unknown } | undefined)?.name);
}
