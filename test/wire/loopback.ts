// Real servers on loopback for tests: one that answers, and a sink that only counts who connects.
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';

export interface Loopback {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  /** How many sockets were opened so far. */
  sockets(): number;
  /** How many of them are open now. */
  openSockets(): number;
  close(): Promise<void>;
}

export async function serve(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Loopback> {
  return listening(createServer(listener), host, port);
}

/** A server of raw sockets; by default it takes every connection and says nothing. */
export async function sink(host = '127.0.0.1', port = 0): Promise<Loopback> {
  // Read and thrown away, because the end of a socket that nobody reads is not seen.
  return listening(
    createSocketServer((socket) => socket.resume()),
    host,
    port,
  );
}

async function listening(server: Server | SocketServer, host: string, wanted: number): Promise<Loopback> {
  let sockets = 0;
  const open = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => {
    sockets += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    sockets: () => sockets,
    openSockets: () => open.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
