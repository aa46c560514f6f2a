// The calls that are running: how many may, and how they end when the server does.
import { setTimeout as pause } from 'node:timers/promises';

/** One call: its signal, and what is said when it is over. */
interface Run {
  readonly signal: AbortSignal;
  over(): void;
}

export class Running {
  readonly #most: number;
  readonly #runs = new Set<AbortController>();
  #ending = false;
  #idle: (() => void) | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * A call begins; the client's signal ends it as well.
   * @returns why it may not begin, where it may not.
   */
  begin(client: AbortSignal): Run | 'ending' | 'full' {
    if (this.#ending) return 'ending';
    if (this.#runs.size >= this.#most) return 'full';
    // Not AbortSignal.any: it keeps what it made for as long as its sources live.
    const controller = new AbortController();
    const cancel = () => controller.abort();
    client.addEventListener('abort', cancel, { once: true });
    if (client.aborted) cancel();
    this.#runs.add(controller);
    return {
      signal: controller.signal,
      over: () => {
        client.removeEventListener('abort', cancel);
        this.#runs.delete(controller);
        if (this.#runs.size === 0) this.#idle?.();
      },
    };
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Lets no call begin any more; those that run have `grace` milliseconds, and are then cancelled. */
  async end(grace: number): Promise<void> {
    this.#ending = true;
    if (this.#runs.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
    const late = new AbortController();
    await Promise.race([idle, pause(grace, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    for (const controller of this.#runs) controller.abort();
    // A cancelled call is over in a moment; what it answers is still sent.
    if (this.#runs.size > 0) await Promise.race([idle, pause(500)]);
  }
}
