// A call whose answer fits, or does not fit, what the tool says of it: it is handed on either way.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addConnection } from '../../src/app/connections.js';
import { sealer } from '../../src/connection/seal.js';
import { callTool, memoryConnections, renderResult, type Schema } from '../../src/index.js';
import { sampleTool } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';

const KEY = 'key-of-the-answers-7331';
const FITS = 'the answer does not fit what the API describes';

let upstream: Loopback;
let status = 200;
let text = '';
let type = 'application/json';
beforeAll(async () => {
  upstream = await serve((_request, response) => {
    response.writeHead(status, { 'Content-Type': type }).end(text);
  });
});
afterAll(() => upstream.close());

const VISIT: Schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const VISITS: Schema = {
  type: 'object',
  properties: { result: { type: 'array', items: VISIT } },
  required: ['result'],
  additionalProperties: false,
};

async function notes(output_schema: Schema | undefined, answer: string, more: { status?: number; type?: string } = {}) {
  [text, status, type] = [answer, more.status ?? 200, more.type ?? 'application/json'];
  const config = { endpoint: `${upstream.origin}/visits`, method: 'GET', locations: {} } as const;
  const tool = sampleTool('readVisit', { config, ...(output_schema === undefined ? {} : { output_schema }) });
  const result = await callTool({ tool, arguments: {} }, { network: { allow: ['127.0.0.1'] } });
  expect(result).toMatchObject({ kind: 'answer', status });
  if (result.kind !== 'answer') throw new Error('no answer');
  if (result.body.kind === 'json') expect(result.body.text).toBe(answer);
  return result.notes;
}

it.each<[string, Schema | undefined, string, string[], { status?: number; type?: string }?]>([
  ['fits', VISIT, '{"id":1,"more":true}', []],
  ['fits in a list', VISITS, '[{"id":1}]', []],
  ['lacks a value', VISIT, '{}', [`${FITS}: a value is expected at id`]],
  ['is wrong in a list', VISITS, '[{"id":1},{"id":"x"}]', [`${FITS}: integer is expected at result.1.id`]],
  ['is no object', VISIT, '[1]', [`${FITS}: an object is expected`]],
  ['is not described', undefined, '[1]', []],
  ['is no good one', VISIT, '{"error":1}', [], { status: 404 }],
  ['is no JSON', VISIT, 'hello', [], { type: 'text/plain' }],
  ['is held against what is no schema', { type: 'object', pattern: '(' }, '{}', []],
])('hands on an answer that %s', async (_what, schema, answer, expected, more) => {
  expect(await notes(schema, answer, more)).toEqual(expected);
});

it('shows the note to the model, and no secret in it', async () => {
  [text, status, type] = [`{"${KEY}":{}}`, 200, 'application/json'];
  process.env.ANSWER_TEST_KEY = KEY;
  const connections = memoryConnections();
  const options = { connections, sealer: sealer('') };
  const placement = { placement: 'header', header: 'X-Key' } as const;
  const { id } = await addConnection({ provider: 'http_key', placement, secret: { env: 'ANSWER_TEST_KEY' } }, options);
  const config = { endpoint: `${upstream.origin}/visits`, method: 'GET', locations: {} } as const;
  const output_schema = { type: 'object', additionalProperties: VISIT };
  const tool = sampleTool('readVisit', { config, output_schema, connection_id: id });
  const shown = renderResult(
    await callTool({ tool, arguments: {} }, { connections, network: { allow: ['127.0.0.1'] } }),
  );
  expect(shown).toContain(`Note: ${FITS}: a value is expected at `);
  expect(shown).not.toContain(KEY);
});
