// Real servers on loopback for tests: one that answers, a sink that only counts who connects, and one that keeps raw requests.
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net';

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

/** A request as it came, byte for byte. */
export interface Recorded {
  readonly method: string;
  readonly target: string;
  /** In the order and the case they came in; values as Latin-1, white space around them off (RFC 9112, section 5). */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Recorder extends Loopback {
  readonly requests: readonly Recorded[];
}

/** What a recorder does with a request: the bytes of an answer, or something with its socket. */
export type Answering = (socket: Socket, nth: number) => string | Buffer | undefined;

/** A server of raw sockets that keeps each request and answers it; by default with an empty JSON object. */
export async function recorder(answering: Answering = () => answerText(200, JSON_HEADER, '{}')): Promise<Recorder> {
  const requests: Recorded[] = [];
  const server = createSocketServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const request = recorded(bytes);
      if (request === undefined) return;
      bytes = Buffer.alloc(0);
      requests.push(request);
      const answer = answering(socket, requests.length);
      if (answer !== undefined) socket.write(answer);
    });
  });
  return { ...(await listening(server, '127.0.0.1', 0)), requests };
}

const JSON_HEADER = { 'content-type': 'application/json' };

/** The bytes of an answer, its length included. */
export function answerText(status: number, headers: { readonly [name: string]: string } = {}, body = ''): string {
  const length: { readonly [name: string]: string } =
    status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Some\r\n${lines.join('')}\r\n${body}`;
}

/** The request these bytes are; undefined where some are still to come. Its body has a length, or there is none. */
function recorded(bytes: Buffer): Recorded | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...rest] = bytes.toString('latin1', 0, end).split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = rest.map((header): [string, string] => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon), header.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
  });
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  const body = bytes.subarray(end + 4);
  return body.length < length ? undefined : { method, target, headers, body };
}
