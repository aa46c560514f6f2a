// One connection to a vetted host: a client of undici that opens one socket at a time, to the vetted addresses alone.
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { POOL_LIMITS } from '../base/limits.js';
import { bareHost, isPublicAddress } from './address.js';
import { notPublic, portOf, type Vetted } from './guard.js';

/** A request but for its host. */
export type WireRequest = Pick<Dispatcher.DispatchOptions, 'path' | 'headers' | 'body'> & { readonly method: string };

/** Owned by one exchange at a time. Every socket it opens, also after a lost one, goes to the addresses it was made with. */
export class VettedClient {
  readonly #client: Client;
  readonly #kept: boolean;
  #socket: Socket | undefined;

  /**
   * @param kept the socket outlives a request; otherwise the server is told to close it
   * @param lost called when a socket was closed, by whichever side
   */
  constructor(vetted: Vetted, kept: boolean, lost: () => void = () => {}) {
    this.#kept = kept;
    this.#client = new Client(vetted.url.origin, {
      connect: connector(vetted, (socket) => {
        this.#socket = socket;
      }),
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: POOL_LIMITS.idle,
      keepAliveMaxTimeout: POOL_LIMITS.idle,
    });
    this.#client.on('disconnect', lost);
  }

  /** True while a socket is open or opening. */
  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed;
  }

  send(request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const method = request.method as Dispatcher.HttpMethod;
    this.#client.dispatch({ ...request, method, ...(this.#kept ? {} : { reset: true }) }, handler);
  }

  /** Ends the request there may be, and closes the socket at once. */
  destroy(): void {
    // First the client, which has the error that its parser needs where it stands in the middle of a body.
    this.#client.destroy().catch(() => {});
    // A socket that is still connecting belongs to no client yet.
    this.#socket?.destroy();
  }
}

/** Connects to the vetted addresses alone, whatever the name resolves to by now. */
function connector({ url, addresses, lifted }: Vetted, opened: (socket: Socket) => void): buildConnector.connector {
  const host = bareHost(url.hostname);
  const secure = url.protocol === 'https:';
  const target = { host, port: portOf(url), lookup: pinned(addresses) };
  return (_options, callback) => {
    let answered = false;
    const socket = secure
      ? tlsConnect({ ...target, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
      : netConnect(target);
    opened(socket);
    socket.setNoDelay(true);
    socket.on('error', (error) => {
      if (!answered) callback(error, null);
      answered = true;
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      if (!lifted && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy(notPublic(url));
        return;
      }
      answered = true;
      callback(null, socket);
    });
  };
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (options.all === true || first === undefined) callback(null, all);
    else callback(null, first.address, first.family);
  };
}
