// The three tools that stand in the place of very many, as they are listed.
import type { Tool } from '@modelcontextprotocol/server';
import { MCP_LIMITS } from '../base/limits.js';
import type { Offer } from './mcp.js';

const LOOKS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const NAME = { type: 'string', description: 'The name of a tool, as search_tools gives it.' } as const;

/** The three tools. */
export const SEARCH_TOOLS: readonly Tool[] = [
  {
    name: 'search_tools',
    description:
      'Finds tools by words: what they do, on what, their parameters. Answers names and descriptions, the best first.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: {
        query: { type: 'string', description: 'A few words, such as "cancel visit".' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MCP_LIMITS.most_found,
          description: `How many to answer; ${MCP_LIMITS.found} by default.`,
        },
      },
    },
    annotations: LOOKS,
  },
  {
    name: 'describe_tool',
    description: 'Describes one tool: what it does, and the JSON Schema of its arguments.',
    inputSchema: { type: 'object', additionalProperties: false, required: ['name'], properties: { name: NAME } },
    annotations: LOOKS,
  },
  {
    name: 'call_tool',
    description: 'Calls a tool with arguments that fit its schema.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: NAME, arguments: { type: 'object', description: 'As describe_tool gives their schema.' } },
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
];

/** What a client tells its model of the three. */
export function searchInstructions(tools: number): string {
  return `${tools} tools are behind three: find one with search_tools, read its arguments with describe_tool, call it with call_tool.`;
}

/** True where three tools stand for all. */
export function isSearched({ options: { search }, catalogue }: Offer): boolean {
  return typeof search === 'boolean' ? search : catalogue.tools.length > search.over;
}
