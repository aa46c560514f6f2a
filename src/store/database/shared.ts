// One engine for all in this process that use one database: a server allows its clients few connections.
import type { Engine } from './engine.js';

interface Shared {
  readonly engine: Promise<Engine>;
  users: number;
}

const SHARED = new Map<string, Shared>();

/** The engine that is open under this key, else the one that is opened now. It is closed when all have closed theirs. */
export async function shared(key: string, open: () => Promise<Engine>): Promise<Engine> {
  const found = SHARED.get(key) ?? { engine: open(), users: 0 };
  SHARED.set(key, found);
  found.users += 1;
  let left = false;
  /** True of the last one. */
  const leave = (): boolean => {
    if (left) return false;
    left = true;
    found.users -= 1;
    if (found.users === 0) SHARED.delete(key);
    return found.users === 0;
  };
  try {
    const engine = await found.engine;
    return {
      ...engine,
      async close() {
        if (leave()) await engine.close();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}
