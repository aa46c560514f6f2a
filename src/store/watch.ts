// Being told that a store changed: hints that something may have happened, and a look at the revision that settles it.

/** What is looked at until it is closed. */
export interface Watch {
  close(): Promise<void>;
}

export interface Watched {
  /** The revision as it is now. */
  revision(): Promise<string>;
  /** Calls back whenever the revision may be another one. */
  listen(hint: () => void): Promise<Watch>;
}

/** Tells when the revision has become another one. A look that fails is made up for by the next hint. */
export async function told({ revision, listen }: Watched, onChange: () => void): Promise<Watch> {
  let known: string | undefined;
  let looks = Promise.resolve();
  const look = async (): Promise<void> => {
    const now = await revision().catch(() => known);
    if (known === undefined || now === known) return;
    known = now;
    onChange();
  };
  const watch = await listen(() => {
    looks = looks.then(look);
  });
  // Only now: what happens from here on is hinted at.
  known = await revision().catch(async (error: unknown) => {
    await watch.close();
    throw error;
  });
  return watch;
}

/** How often a store that cannot tell by itself is looked at, in milliseconds. */
const EVERY = 250;

/** Hints when a probe, which is cheap, answers something else than before. */
export async function polled(probe: () => Promise<unknown>, hint: () => void): Promise<Watch> {
  let known = await probe();
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    const now = await probe().catch(() => known);
    busy = false;
    if (now === known) return;
    known = now;
    hint();
  }, EVERY).unref();
  return { close: async () => clearInterval(timer) };
}

/** Those who want to know of the changes of a store that nobody else changes. */
export class Listeners {
  readonly #listeners = new Set<{ readonly onChange: () => void }>();

  add(onChange: () => void): Watch {
    const listener = { onChange };
    this.#listeners.add(listener);
    return { close: async () => void this.#listeners.delete(listener) };
  }

  /** Tells them after the change has returned. */
  tell(): void {
    queueMicrotask(() => {
      for (const { onChange } of this.#listeners) onChange();
    });
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** The watches of one store, which end with it. */
export class Watches {
  readonly #open = new Set<Watch>();

  /** The same watch, which this closes as well. */
  keep(watch: Watch): Watch {
    const kept = {
      close: async (): Promise<void> => {
        if (this.#open.delete(kept)) await watch.close();
      },
    };
    this.#open.add(kept);
    return kept;
  }

  async close(): Promise<void> {
    for (const watch of this.#open) await watch.close();
  }
}
