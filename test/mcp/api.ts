// A real API on loopback and its description: what the tests of MCP call.
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { body, object, openapi, operation, parameter } from '../cases/build.js';
import { inFolder } from '../store/folder.js';
import { serve } from '../wire/loopback.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const VISIT = object({ id: { type: 'string' }, room: { type: 'integer' } }, 'id');
const answering = (schema: object) => ({
  responses: { 200: { description: 'Done.', content: { 'application/json': { schema } } } },
});

export const DESCRIPTION = openapi({
  '/visits': {
    get: operation('listVisits', {
      summary: 'Lists visits.',
      parameters: [parameter('query', 'limit', { type: 'integer' })],
      ...answering({ type: 'array', items: VISIT }),
    }),
    post: operation('createVisit', {
      summary: 'Books a visit.',
      ...body(object({ room: { type: 'integer' } }, 'room')),
      ...answering(VISIT),
    }),
  },
  '/visits/{id}': {
    get: operation('getVisit', { summary: 'One visit.', parameters: [parameter('path', 'id')], ...answering(VISIT) }),
    delete: operation('cancelVisit', { summary: 'Cancels a visit.', parameters: [parameter('path', 'id')] }),
  },
  '/answers/{kind}': {
    get: operation('answer', { summary: 'An answer of a kind.', parameters: [parameter('path', 'kind')] }),
  },
  '/slow': { get: operation('slow', { summary: 'Takes its time.' }) },
  '/touch': { post: operation('touch', { summary: 'Touches.' }) },
});

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  body: string;
  /** The caller went away before the answer. */
  dropped: boolean;
}

export interface Api {
  readonly origin: string;
  readonly folder: string;
  /** The file of the description. */
  readonly file: string;
  /** What serves the description as tools. */
  readonly args: readonly string[];
  readonly asked: Asked[];
}

/** Does the work with the API and a folder that holds its description. */
export async function atApi<T>(work: (api: Api) => Promise<T>): Promise<T> {
  const asked: Asked[] = [];
  const site = await serve((request, response) => {
    const one: Asked = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: '',
      dropped: false,
    };
    asked.push(one);
    response.on('close', () => {
      one.dropped = !response.writableFinished;
    });
    request.setEncoding('utf8').on('data', (text: string) => {
      one.body += text;
    });
    request.on('end', () => answer(one, response));
  });
  try {
    return await inFolder(async (folder) => {
      const file = join(folder, 'api.json');
      await writeFile(file, JSON.stringify(DESCRIPTION));
      const args = [file, '--server', site.origin, '--allow-private', '127.0.0.1'];
      return work({ origin: site.origin, folder, file, args, asked });
    });
  } finally {
    await site.close();
  }
}

const BINARY: { readonly [kind: string]: readonly [type: string, bytes: Buffer] } = {
  png: ['image/png', PNG],
  lie: ['image/png', Buffer.from('<html>not an image</html>')],
  wav: ['audio/wav', Buffer.from('RIFF')],
  pdf: ['application/pdf', Buffer.from('%PDF-1.7')],
};

function answer({ method, url, body: sent }: Asked, response: ServerResponse): void {
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const { pathname, searchParams } = new URL(url, 'http://a');
  const [, first, second = ''] = pathname.split('/');
  if (first === 'slow') return;
  if (first === 'touch') return void response.writeHead(204).end();
  if (first === 'answers') {
    const binary = BINARY[second];
    if (binary !== undefined) return void response.writeHead(200, { 'content-type': binary[0] }).end(binary[1]);
    return void json(Number(second), { message: `this is ${second}` });
  }
  if (second === 'gone') return void response.writeHead(204).end();
  if (method === 'DELETE') return void json(200, { cancelled: second });
  if (method === 'POST') return void json(200, { id: 'v1', ...JSON.parse(sent) });
  if (second !== '') return void json(200, second === 'odd' ? { room: 'none' } : { id: second, room: 3 });
  json(
    200,
    Array.from({ length: Number(searchParams.get('limit') ?? 2) }, (_, i) => ({ id: `v${i}`, room: i })),
  );
}
