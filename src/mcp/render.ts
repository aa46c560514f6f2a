// A stored tool as MCP shows it.
import type { Tool } from '@modelcontextprotocol/server';
import { shownSchema } from '../call/validate.js';
import type { HttpTool } from '../tool/tool.js';
import type { Revision } from './mcp.js';

const READ = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isReadOnly({ config }: HttpTool): boolean {
  return READ.has(config.method.toUpperCase());
}

/** A tool as one revision shows it. */
export function renderTool(tool: HttpTool, revision: Revision): Tool {
  const method = tool.config.method.toUpperCase();
  const read = isReadOnly(tool);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: shownSchema(tool) as Tool['inputSchema'],
    ...(tool.output_schema === undefined || revision === '2025-03-26'
      ? {}
      : { outputSchema: tool.output_schema as NonNullable<Tool['outputSchema']> }),
    annotations: {
      readOnlyHint: read,
      destructiveHint: !read && method !== 'POST',
      idempotentHint: read || method === 'PUT' || method === 'DELETE',
      openWorldHint: true,
    },
  };
}

/** True of a call that may change or remove what is there. */
export function isDestructive(tool: HttpTool): boolean {
  return !isReadOnly(tool) && tool.config.method.toUpperCase() !== 'POST';
}
