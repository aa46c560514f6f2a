// What the three tools answer: one finds tools by words, one describes one, one calls it as a direct call would.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { toolFinder } from '../app/search.js';
import { isObject, own, ownString } from '../base/json.js';
import { MCP_LIMITS } from '../base/limits.js';
import { visible } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';
import { saying } from './answer.js';
import { type Called, type Caller, called, unknownName } from './call.js';
import type { Offer } from './mcp.js';
import { renderTool } from './render.js';
import type { Revision } from './revision.js';

/** Finders by the tools they find. */
const finders = new WeakMap<readonly HttpTool[], ReturnType<typeof toolFinder>>();

/** The answer of one of the three; undefined for any other name. */
export async function searchCalled(
  offer: Offer,
  name: string,
  args: { readonly [name: string]: unknown },
  caller: Caller,
): Promise<Called | undefined> {
  switch (name) {
    case 'search_tools':
      return found(offer, args);
    case 'describe_tool':
      return withTool(offer, args, async (tool) => described(tool, caller.revision));
    case 'call_tool':
      return withTool(offer, args, async (tool) => {
        const inner = readArguments(own(args, 'arguments'));
        return inner === undefined
          ? saying('arguments: an object is expected. Correct the arguments and call again.')
          : called(offer, tool, inner, caller);
      });
    default:
      return undefined;
  }
}

function found({ catalogue }: Offer, args: { readonly [name: string]: unknown }): CallToolResult {
  const query = ownString(args, 'query')?.trim();
  const limit = own(args, 'limit') ?? MCP_LIMITS.found;
  if (query === undefined || query === '') return saying('query: a few words are expected, such as "cancel visit".');
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MCP_LIMITS.most_found) {
    return saying(`limit: a whole number from 1 to ${MCP_LIMITS.most_found} is expected.`);
  }
  const { tools } = catalogue;
  const finder = finders.get(tools) ?? toolFinder(tools);
  finders.set(tools, finder);
  const best = finder(query.slice(0, MCP_LIMITS.query_chars), Number(limit));
  if (best.length === 0) return text(`None of ${tools.length} tools has these words; try others, or fewer.`);
  return text(JSON.stringify(best.map((tool) => ({ name: tool.name, description: visible(tool.description, 300) }))));
}

function described(tool: HttpTool, revision: Revision): CallToolResult {
  return text(JSON.stringify(renderTool(tool, revision)));
}

async function withTool(
  offer: Offer,
  args: { readonly [name: string]: unknown },
  work: (tool: HttpTool) => Promise<Called>,
): Promise<Called> {
  const name = ownString(args, 'name');
  if (name === undefined) return saying('name: the name of a tool is expected, as search_tools gives it.');
  const tool = offer.catalogue.find(name);
  if (tool === undefined) return saying(`There is no tool ${unknownName(offer, name)}`);
  return work(tool);
}

/** Models write an object as its JSON text now and then. */
function readArguments(value: unknown): { readonly [name: string]: unknown } | undefined {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(value);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function text(shown: string): CallToolResult {
  return { content: [{ type: 'text', text: shown }] };
}
