// Use cases of a person who owns stores: copy one to another, check one.
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
  );
  return { tools: tools.length, connections: connections.length };
}

/**
 * What is wrong with what is stored: every record against its schema, and what only one may have.
 * @throws Failure `store-unreadable`.
 */
export async function checkStore({ tools, connections }: Stores): Promise<readonly Fault[]> {
  return [...(await tools.faults()), ...(await connections.faults())];
}
