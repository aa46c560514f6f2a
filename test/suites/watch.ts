// Sees every connection that this process begins, and ends those that must not leave it: tests of the guard contact nothing real.
import { type LookupFunction, Socket } from 'node:net';

export interface Watch {
  /** `host:port` of every connection that was begun since the last reset, but those to our own server. */
  readonly begun: readonly string[];
  /** What the look-up of each of them answered: the addresses it may go to. */
  readonly pinned: readonly (readonly string[])[];
  /** `block`: what is begun is refused, as by a host that does not listen. `connect`: it goes on, and a sink would see it. */
  reset(mode: 'block' | 'connect'): void;
  end(): void;
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

/** @param own ports that may be connected to and are not told of */
export function watchConnections(...own: readonly number[]): Watch {
  const { connect } = Socket.prototype;
  const begun: string[] = [];
  const pinned: (readonly string[])[] = [];
  let blocked = true;
  function watched(this: Socket, ...args: unknown[]): Socket {
    const [first] = args;
    const to = (Array.isArray(first) ? first[0] : first) as Target;
    if (own.includes(to.port)) return Reflect.apply(connect, this, args);
    begun.push(`${to.host}:${to.port}`);
    to.lookup(to.host, { all: true }, (_error, found) =>
      pinned.push([found].flat().map((one) => (typeof one === 'string' ? one : one.address))),
    );
    if (!blocked) return Reflect.apply(connect, this, args);
    process.nextTick(() => this.destroy(Object.assign(new Error('ends here'), { code: 'ECONNREFUSED' })));
    return this;
  }
  Socket.prototype.connect = watched as typeof connect;
  return {
    begun,
    pinned,
    reset: (mode) => {
      blocked = mode === 'block';
      begun.length = 0;
      pinned.length = 0;
    },
    end: () => {
      Socket.prototype.connect = connect;
    },
  };
}
