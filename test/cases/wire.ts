// One real call of an operation: its tool, made for a recorder on loopback, called there.
import {
  addConnection,
  type CallResult,
  callTool,
  memoryConnections,
  type NewConnection,
  sealer,
} from '../../src/index.js';
import { type Answering, type Recorded, recorder } from '../wire/loopback.js';
import { imported, type Json } from './build.js';

export interface Called {
  readonly result: CallResult;
  readonly requests: readonly Recorded[];
  /** The first request as `METHOD target`. */
  readonly line: string;
  readonly body: string;
  header(name: string): readonly string[];
}

export interface CallOf {
  /** A path that the server of the description ends in. */
  readonly base?: string;
  readonly answering?: Answering;
  readonly placement?: Extract<NewConnection, { placement: unknown }>['placement'];
  readonly secret?: string;
  readonly deadline_seconds?: number;
}

export async function called(description: Json, key: string, args: Json, options: CallOf = {}): Promise<Called> {
  const { base = '', answering, placement, secret = '', deadline_seconds = 30 } = options;
  const server = await recorder(answering);
  try {
    const [tool] = await imported(description, [key], `${server.origin}${base}`);
    if (tool === undefined) throw new Error(`${key} was not imported`);
    process.env.SECRET_OF_A_CASE = secret;
    const connections = memoryConnections();
    const ids =
      placement === undefined
        ? {}
        : {
            connection_id: (
              await addConnection(
                { provider: 'http_key', placement, secret: { env: 'SECRET_OF_A_CASE' } },
                { connections, sealer: sealer('') },
              )
            ).id,
          };
    const result = await callTool(
      { tool: { ...tool, ...ids, deadline_seconds }, arguments: args },
      { connections, network: { allow: ['127.0.0.1'] } },
    );
    const [first] = server.requests;
    return {
      result,
      requests: [...server.requests],
      line: first === undefined ? '' : `${first.method} ${first.target}`,
      body: first?.body.toString() ?? '',
      header: (name) => (first?.headers ?? []).filter(([one]) => one.toLowerCase() === name).map(([, value]) => value),
    };
  } finally {
    await server.close();
  }
}
