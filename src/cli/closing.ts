// What a command opens is closed, whatever comes of it.
import type { Stores } from '../app/stores.js';
import { openConnections } from '../connection/open.js';
import { openStore } from '../store/open.js';

/** The result of the work with what was opened. */
export async function closing<C extends { close(): Promise<void> }, T>(
  opened: C,
  work: (opened: C) => Promise<T>,
): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** The result of the work with what lives at an address. */
export async function withStores<T>(address: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  return closing(await openStore(address), (tools) =>
    closing(openConnections(address), (connections) => work({ tools, connections })),
  );
}
