// A request to call a tool, by the name it was listed under, to its answer.
import type { CallToolRequestParams } from '@modelcontextprotocol/server';
import { type Called, type Caller, called, toolNamed } from './call.js';
import type { Offer } from './mcp.js';
import { searchCalled } from './search.js';
import { isSearched } from './search-tools.js';

/**
 * Answers a call. Where three tools stand for all, the others can be called by their own names as well.
 * @throws ProtocolError for an unknown name.
 */
export async function answered(offer: Offer, params: CallToolRequestParams, caller: Caller): Promise<Called> {
  const args = params.arguments ?? {};
  const searched = isSearched(offer) ? await searchCalled(offer, params.name, args, caller) : undefined;
  return searched ?? called(offer, toolNamed(offer, params.name), args, caller);
}
