// A stored tool as one revision of MCP lists it.
import type { Tool } from '@modelcontextprotocol/server';
import { render } from '../app/export.js';
import type { HttpTool } from '../tool/tool.js';
import type { Revision } from './revision.js';

export function renderTool(tool: HttpTool, revision: Revision): Tool {
  if (revision !== '2025-03-26') return render(tool, `mcp-${revision}`).tool as unknown as Tool;
  // What this revision does not know yet.
  const { title: _title, outputSchema: _output, ...rest } = render(tool, 'mcp-2025-06-18').tool as unknown as Tool;
  return rest;
}

/** True of a tool that changes nothing. */
export function isReadOnly(tool: HttpTool): boolean {
  return renderTool(tool, '2025-11-25').annotations?.readOnlyHint === true;
}

/** True of a tool that may remove what is there. */
export function isDestructive(tool: HttpTool): boolean {
  return renderTool(tool, '2025-11-25').annotations?.destructiveHint === true;
}
