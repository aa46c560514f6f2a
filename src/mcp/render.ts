// A stored tool as one revision of MCP lists it.
import type { Tool } from '@modelcontextprotocol/server';
import { render } from '../app/export.js';
import { kept } from '../tool/structured.js';
import type { HttpTool } from '../tool/tool.js';
import type { Revision } from './revision.js';

/** What was made of tools that are still there: each call asks for it again. */
const known = new WeakMap<HttpTool, Map<Revision, Tool>>();

export function renderTool(tool: HttpTool, revision: Revision): Tool {
  const made = known.get(tool) ?? new Map<Revision, Tool>();
  known.set(tool, made);
  const rendered = made.get(revision) ?? renderAnew(tool, revision);
  made.set(revision, rendered);
  return rendered;
}

function renderAnew(tool: HttpTool, revision: Revision): Tool {
  if (revision === '2025-03-26') {
    // What this revision does not know yet.
    const { title: _title, outputSchema: _output, ...rest } = renderAnew(tool, '2025-06-18');
    return rest;
  }
  const rendered = render(tool, `mcp-${revision}`).tool as unknown as Tool;
  const { outputSchema } = rendered;
  return outputSchema === undefined ? rendered : { ...rendered, outputSchema: kept(outputSchema) };
}

/** True of a tool that changes nothing. */
export function isReadOnly(tool: HttpTool): boolean {
  return renderTool(tool, '2025-11-25').annotations?.readOnlyHint === true;
}

/** True of a tool that may remove what is there. */
export function isDestructive(tool: HttpTool): boolean {
  return renderTool(tool, '2025-11-25').annotations?.destructiveHint === true;
}
