// Use cases of a person who owns stores: copy one to another, check one.
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';
import { edit } from '../connection/change.js';
import type { ConnectionStore } from '../connection/connection.js';
import type { Fault } from '../store/record.js';
import type { ToolStore } from '../store/store.js';
import { committed } from './commit.js';

/** What lives at one address. */
export interface Stores {
  readonly tools: ToolStore;
  readonly connections: ConnectionStore;
}

/** How many of each. */
export interface Copied {
  readonly tools: number;
  readonly connections: number;
}

/**
 * Copies tools, and connections with their secrets sealed as they are, under their ids; what else the other store holds
 * stays. The same copy again writes nothing. Connections come first, so that no tool is without its own.
 * @throws Failure `store-conflict` where one of the other store has the same name or identity; those of the stores.
 */
export async function copyStore(from: Stores, to: Stores): Promise<Copied> {
  const { tools } = await from.tools.read();
  const { connections } = await from.connections.list();
  await edit(to.connections, () => ({ put: connections, result: undefined }));
  await committed(
    to.tools,
    () => to.tools.read({ references: [] }),
    () => ({ changes: { put: tools, remove: [] }, result: undefined }),
  ).catch((error: unknown) => {
    throw conflictIn(to.tools, new Set(tools.map(({ id }) => id)), error);
  });
  return { tools: tools.length, connections: connections.length };
}

/** Of two tools that would share something the one that is not copied is in the other store. */
function conflictIn({ address }: ToolStore, copied: ReadonlySet<string>, error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'store-conflict') return error;
  const ids = Array.isArray(error.data.tool_ids) ? error.data.tool_ids : [];
  const there = ids.find((id) => !copied.has(id));
  if (there === undefined) return error;
  const message = `${error.message}; the store ${address} holds one of them, ${there}, and nothing is copied over it`;
  return new Failure(error.code, message, { ...error.data, store: address }, error);
}

/**
 * What is wrong with what is stored: every record against its schema, and what only one may have; where that is in order,
 * tools whose connection is not there.
 * @throws Failure `store-unreadable`.
 */
export async function checkStore({ tools, connections }: Stores): Promise<readonly Fault[]> {
  const faults = [...(await tools.faults()), ...(await connections.faults())];
  return faults.length > 0 ? faults : withoutConnection({ tools, connections });
}

async function withoutConnection(stores: Stores): Promise<readonly Fault[]> {
  const { connections } = await stores.connections.list();
  const known = new Set(connections.map(({ id }) => id));
  const { tools } = await stores.tools.read();
  return tools.flatMap(({ name, connection_id: id }) =>
    id === undefined || known.has(id)
      ? []
      : [{ at: '', message: `the tool ${name} is called through ${quoted(id, 80)}, a connection that is not there` }],
  );
}
