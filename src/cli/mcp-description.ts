// `toolwright mcp <description>`: what a description holds as tools in memory, with a connection whose key a variable holds.
import { addConnection } from '../app/connections.js';
import { importOperations } from '../app/import.js';
import { preview } from '../app/preview.js';
import { Failure } from '../base/failure.js';
import { counted } from '../base/text.js';
import type { ConnectionStore, Placement } from '../connection/connection.js';
import { memoryConnections } from '../connection/memory.js';
import { openConnections } from '../connection/open.js';
import { sealer } from '../connection/seal.js';
import type { Source } from '../document/document.js';
import type { Log } from '../mcp/log.js';
import { memoryStore } from '../store/memory.js';
import { placementOf, variableOf } from './connections.js';
import { KEYS, type McpFlags, SECRET_WAYS, type Served } from './mcp-flags.js';
import { commonOptions, selectOf, sourceOf } from './options.js';

/** The tools of a description in a store that ends with the process. Without a selection: all that can be imported. */
export async function compiled(description: string, flags: McpFlags, log: Log): Promise<Served> {
  const source = sourceOf(description);
  const options = commonOptions(flags);
  const store = memoryStore();
  const keyed = flags.secret === undefined ? undefined : await keyConnection(source, flags, flags.secret);
  const connections = keyed?.connections ?? openConnections(flags.store);
  const connection = keyed?.id ?? flags.connection;
  const { skipped } = await importOperations(
    {
      ...source,
      ...(flags.operation.length > 0 ? { operations: flags.operation } : { select: selectOf(flags) ?? { all: true } }),
      server: flags.server ?? '',
      batch: true,
      ...(flags.prefix === undefined ? {} : { name_prefix: flags.prefix }),
      ...(flags.overrideServers === true ? { override_servers: true } : {}),
      ...(connection === undefined ? {} : { connection_id: connection }),
      ...(flags.group === undefined ? {} : { connection_group: flags.group }),
    },
    { ...options, store, connections },
  );
  if (skipped.length > 0)
    log.warning(
      `${counted(skipped.length, 'operation')} ${skipped.length === 1 ? 'is' : 'are'} left out; \`toolwright preview\` says why`,
    );
  return { store, connections };
}

/** A connection with a key of a variable, placed as the flags say, or as the description suggests. */
async function keyConnection(
  source: Source,
  flags: McpFlags,
  secret: string,
): Promise<{ readonly connections: ConnectionStore; readonly id: string }> {
  const given = KEYS.some((name) => flags[name] !== undefined);
  const { prefix: _name, prefixKey, ...rest } = flags;
  const placement = given
    ? placementOf({ ...rest, ...(prefixKey === undefined ? {} : { prefix: prefixKey }) })
    : await suggestedPlacement(source, flags);
  const connections = memoryConnections();
  const env = variableOf('--secret', secret, SECRET_WAYS);
  const { id } = await addConnection(
    { provider: 'http_key', placement, secret: { env } },
    { connections, sealer: sealer() },
  );
  return { connections, id };
}

async function suggestedPlacement(source: Source, flags: McpFlags): Promise<Placement> {
  const { servers } = await preview(source, commonOptions(flags));
  const suggestion = servers.find((server) => server.suggestion !== null)?.suggestion;
  if (suggestion?.provider === 'http_key') {
    const { provider: _provider, ...placement } = suggestion;
    return placement;
  }
  throw new Failure(
    'bad-request',
    'the description does not say where the key goes: --header, --parameter or --placement does',
  );
}
