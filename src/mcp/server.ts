// One server of the SDK for one client: it lists the tools and has them called.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { own, ownObject } from '../base/json.js';
import { MCP_LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { takesStream } from './accept.js';
import type { Called } from './call.js';
import { remarkOf } from './log.js';
import type { Offer } from './mcp.js';
import { REVISIONS, type Revision } from './revision.js';
import { isSearched, SEARCH_TOOLS, searchInstructions } from './search-tools.js';

/** A server that offers the tools to one client. */
export function newServer(offer: Offer): Server {
  const server = new Server(
    { name: 'toolwright', title: 'toolwright', version: offer.version },
    {
      capabilities: { tools: { listChanged: true } },
      supportedProtocolVersions: [...REVISIONS],
      // The one form that a person is shown is checked by who asks; the SDK's own validator takes long to load.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      ...(isSearched(offer) ? { instructions: searchInstructions(offer.catalogue.tools.length) } : {}),
      requestState: {
        verify: async (state, context) => (await import('./confirm.js')).questions.verify(state, context),
      },
    },
  );
  const revision = (): Revision => {
    const version = server.getNegotiatedProtocolVersion();
    return REVISIONS.find((one) => one === version) ?? '2025-03-26';
  };
  server.setRequestHandler('tools/list', (request) => listed(offer, revision(), request.params?.cursor));
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<Called> => {
    // What never calls should not load what calls need.
    const { answered } = await import('./answered.js');
    const caller = { context, revision: revision(), canAsk: canAsk(server, revision(), context) };
    return answered(offer, params, caller);
  });
  server.onerror = (error) => offer.log.debug(remarkOf(error));
  return server;
}

/**
 * True of a client that can put a question to a person: it said so with this request, or when it began. One that names the ways
 * in which it can has to name a form: a page elsewhere is another way. Before 2026-07-28 the question comes in the stream of the
 * call, which a client that takes none never sees.
 */
function canAsk(server: Server, revision: Revision, { mcpReq: { envelope }, http }: ServerContext): boolean {
  if (revision !== '2026-07-28' && http?.req !== undefined && !takesStream(http.req)) return false;
  const said = envelope === undefined ? undefined : ownObject(envelope, CLIENT_CAPABILITIES_META_KEY);
  const ways = ownObject(said ?? server.getClientCapabilities() ?? {}, 'elicitation');
  return ways !== undefined && (own(ways, 'form') !== undefined || own(ways, 'url') === undefined);
}

/** One page; its cursor is the name of its last tool, so that it holds however the list changes. */
function listed(offer: Offer, revision: Revision, cursor: string | undefined): ListToolsResult {
  const all = isSearched(offer) ? SEARCH_TOOLS : offer.catalogue.rendered(revision);
  const before = cursor === undefined ? -1 : all.findIndex(({ name }) => name === cursor);
  if (cursor !== undefined && before < 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${quoted(cursor)} is no cursor of this list`);
  }
  const tools: Tool[] = [];
  let bytes = 0;
  for (const tool of all.slice(before + 1)) {
    bytes += sizeOf(tool);
    if (bytes > MCP_LIMITS.page_bytes && tools.length > 0) return { tools, nextCursor: tools.at(-1)?.name ?? '' };
    tools.push(tool);
  }
  return { tools };
}

/** Bytes of the JSON, counted once for each tool. */
const sizes = new WeakMap<Tool, number>();

function sizeOf(tool: Tool): number {
  const size = sizes.get(tool) ?? Buffer.byteLength(JSON.stringify(tool));
  sizes.set(tool, size);
  return size;
}
