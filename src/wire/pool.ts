// Sockets that are kept between exchanges, apart by origin, vetted addresses and whether the guard was lifted.
import { POOL_LIMITS } from '../base/limits.js';
import { VettedClient } from './client.js';
import type { Vetted } from './guard.js';

/** A connection that belongs to one exchange until it is given back. */
export interface Lease {
  readonly client: VettedClient;
  /** `whole`: the answer was read to its end, so the socket may be used again. `cut`: some of it is left. Called once. */
  end(how: 'whole' | 'cut' | 'failed'): void;
}

interface PoolOptions {
  /** How many origins sockets are kept of; those used longest ago are dropped. */
  readonly origins?: number;
  /** How many sockets there are to one origin; more exchanges wait. */
  readonly sockets?: number;
}

/**
 * A host is resolved and vetted anew for every exchange. Its answer is a part of the key, so that no socket is used again once
 * the name resolves to anything else. An idle socket is closed after a few seconds and never keeps the process alive.
 */
export class Pool {
  readonly #hosts = new Map<string, Host>();
  readonly #origins: number;
  readonly #sockets: number;
  #closed = false;

  constructor({ origins = POOL_LIMITS.origins, sockets = POOL_LIMITS.sockets }: PoolOptions = {}) {
    this.#origins = origins;
    this.#sockets = sockets;
  }

  /** @throws the reason of the signal, where it is aborted before a socket is free. */
  lease(vetted: Vetted, signal: AbortSignal): Promise<Lease> {
    const key = JSON.stringify([vetted.url.origin, vetted.lifted, [...vetted.addresses].sort()]);
    const host = this.#hosts.get(key) ?? new Host(this.#sockets);
    if (this.#closed) host.retire();
    else this.#keep(key, host);
    return host.lease(vetted, signal);
  }

  /** Closes what is idle now, and everything else when its exchange ends. */
  close(): void {
    this.#closed = true;
    for (const host of this.#hosts.values()) host.retire();
    this.#hosts.clear();
  }

  /** A map remembers the order of insertion: the first is the one used longest ago. */
  #keep(key: string, host: Host): void {
    this.#hosts.delete(key);
    this.#hosts.set(key, host);
    const [oldest] = this.#hosts;
    if (this.#hosts.size <= this.#origins || oldest === undefined) return;
    oldest[1].retire();
    this.#hosts.delete(oldest[0]);
  }
}

/** The sockets of one key. */
class Host {
  readonly #most: number;
  /** The one used last is taken first, so that the others grow old and are closed. */
  readonly #idle: VettedClient[] = [];
  readonly #waiting = new Set<() => void>();
  #leased = 0;
  #retired = false;

  constructor(most: number) {
    this.#most = most;
  }

  async lease(vetted: Vetted, signal: AbortSignal): Promise<Lease> {
    if (this.#leased >= this.#most) await this.#turn(signal);
    else this.#leased += 1;
    const used = this.#idle.pop();
    const client: VettedClient = used ?? new VettedClient(vetted, true, () => this.#drop(client));
    return { client, end: (how) => this.#take(client, how, used !== undefined) };
  }

  /** Nothing is kept any more. */
  retire(): void {
    this.#retired = true;
    this.#clear();
  }

  /** Resolves when the place of an exchange that ended is ours. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(go);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(go);
    });
  }

  #take(client: VettedClient, how: Parameters<Lease['end']>[0], wasUsed: boolean): void {
    if (how === 'whole' && client.isOpen && !this.#retired) this.#idle.push(client);
    else client.destroy();
    // Where one kept socket was dead the others are likely to be: the next attempt should not meet them.
    if (how === 'failed' && wasUsed) this.#clear();
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#leased -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  /** A socket that was closed while it was idle; one in use belongs to its exchange. */
  #drop(client: VettedClient): void {
    const at = this.#idle.indexOf(client);
    if (at < 0) return;
    this.#idle.splice(at, 1);
    client.destroy();
  }

  #clear(): void {
    for (const client of this.#idle.splice(0)) client.destroy();
  }
}

/** The pool of all calls of this process; never closed, since what is idle in it holds nothing up. */
export const sharedPool: Pool = new Pool();
