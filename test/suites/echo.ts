// A real API on loopback that quotes the key of a request back: in the encodings, the place and the status it is asked for.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpTool } from '../../src/tool/tool.js';
import { sampleId } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';
import { ENCODINGS } from './encodings.js';

export const SHAPES = ['json', 'spliced', 'text', 'html', 'binary'] as const;
export type Shape = (typeof SHAPES)[number];

/** What stands around the key and has to stay. */
export const BEFORE = 'before the key';
export const AFTER = 'after the key';

export async function echo(): Promise<Loopback> {
  return serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://a').searchParams;
    const shape = query.get('shape') as Shape;
    const written = (query.get('encodings') ?? '')
      .split(',')
      .map((index) => ENCODINGS[Number(index)]?.write(keyOf(request)) ?? '');
    response.writeHead(Number(query.get('status')), { ...TYPES[shape], ...headers(written) });
    send(response, bodyOf(shape, written), Number(query.get('cut') ?? 0), query.has('drip'));
  });
}

/** The key of a request, wherever it is: what it echoes, it was sent. */
function keyOf(request: IncomingMessage): string {
  const { authorization = '', 'x-key': header } = request.headers;
  if (typeof header === 'string') return header;
  if (authorization.startsWith('Bearer ')) return authorization.slice('Bearer '.length);
  if (authorization.startsWith('Basic ')) {
    const pair = Buffer.from(authorization.slice('Basic '.length), 'base64').toString();
    return pair.slice(pair.indexOf(':') + 1);
  }
  return new URL(request.url ?? '', 'http://a').searchParams.get('key') ?? '';
}

const TYPES: { readonly [shape in Shape]: { readonly 'content-type': string } } = {
  json: { 'content-type': 'application/json' },
  spliced: { 'content-type': 'application/json' },
  text: { 'content-type': 'text/plain; charset=utf-8' },
  html: { 'content-type': 'text/html' },
  binary: { 'content-type': 'application/octet-stream' },
};

/** As bytes of UTF-8 on the wire. */
function headers(written: readonly string[]): Record<string, string> {
  const wire = Buffer.from(written.join(' , ')).toString('latin1');
  const id = { 'x-request-id': `${BEFORE} ${wire} ${AFTER}` };
  // All of them several times would be more than an answer's headers may be.
  if (written.length > 1) return id;
  return {
    ...id,
    location: `/next?k=${wire}`,
    'www-authenticate': `Bearer error_description="${wire}"`,
    link: `</a?k=${wire}>; rel="next"`,
    etag: `"${wire}"`,
  };
}

function bodyOf(shape: Shape, written: readonly string[]): Buffer {
  const parts = written.map((text, i) => ({ text, i }));
  switch (shape) {
    case 'json':
      return Buffer.from(
        JSON.stringify({
          first: BEFORE,
          values: parts.map(({ text }) => `key ${text} is bad`),
          keys: Object.fromEntries(parts.map(({ text, i }) => [`${i} ${text} ${i}`, i])),
          bare: written,
          last: AFTER,
        }),
      );
    case 'spliced': {
      // As it is between the quotes, where that is JSON.
      const legal = written.filter((text) => isJson(`"${text}"`));
      return Buffer.from(`{"first":"${BEFORE}","all":[${legal.map((text) => `"${text}"`)}],"last":"${AFTER}"}`);
    }
    case 'text':
      return Buffer.from(`${BEFORE}\n${written.join('\n')}\n${AFTER}`);
    case 'html':
      return Buffer.from(
        `<!doctype html><p title="${written.join(' ')}">${BEFORE}</p>\n<pre>${written.join('\n')}</pre>${AFTER}`,
      );
    case 'binary':
      return Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(`${BEFORE} ${written.join(' ; ')} ${AFTER}`)]);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** In two pieces, the second after the first is gone; or byte by byte. */
function send(response: ServerResponse, body: Buffer, cut: number, drip: boolean): void {
  if (!drip) {
    response.write(body.subarray(0, cut), () => setImmediate(() => response.end(body.subarray(cut))));
    return;
  }
  let at = 0;
  const next = (): void => {
    if (at === body.length) response.end();
    else {
      response.write(body.subarray(at, at + 1), () => setImmediate(next));
      at += 1;
    }
  };
  next();
}

/** A tool of that API behind a connection. */
export function echoTool(origin: string, name: string, connection_id: string): HttpTool {
  const text = { type: 'string' } as const;
  const properties = { encodings: text, shape: text, status: text, cut: text, drip: text };
  return {
    id: sampleId(name),
    name,
    description: '',
    input_schema: { type: 'object', properties, additionalProperties: false },
    config: {
      endpoint: `${origin}/echo`,
      method: 'GET',
      locations: { encodings: 'query', shape: 'query', status: 'query', cut: 'query', drip: 'query' },
    },
    fixed_parameters: {},
    deadline_seconds: 30,
    connection_id,
  };
}
