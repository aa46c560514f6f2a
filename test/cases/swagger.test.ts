// Faults that were reported of Swagger 2.0, which the extended profile reads.
import { expect, it } from 'vitest';
import { swagger } from '../operation/swagger.js';
import { endpoint, type Json, list, names, operation, properties, required, SERVER, see, TEXT } from './build.js';

const EXTENDED = { profile: 'extended' } as const;
const FORM = 'application/x-www-form-urlencoded';

const strings = (name: string, collectionFormat?: string): Json => ({
  name,
  in: 'query',
  type: 'array',
  items: TEXT,
  ...(collectionFormat === undefined ? {} : { collectionFormat }),
});

it('params-swagger2-collection-formats', async () => {
  const parameters = [
    strings('a'),
    strings('b', 'multi'),
    strings('c', 'ssv'),
    strings('d', 'pipes'),
    strings('e', 'tsv'),
  ];
  const { answer, tool } = await see(swagger({ '/s': { get: operation('s', { parameters }) } }), EXTENDED);
  expect(answer.kind).toBe('swagger');
  expect(names(tool('s'))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(tool('s').locations).toEqual({
    a: { in: 'query', explode: false },
    b: 'query',
    c: { in: 'query', style: 'spaceDelimited' },
    d: { in: 'query', style: 'pipeDelimited' },
    e: { in: 'query', style: 'tabDelimited' },
  });
});

it('body-swagger2-formdata', async () => {
  const parameters = [
    { name: 'a', in: 'formData', type: 'string', required: true },
    { ...strings('b', 'multi'), in: 'formData' },
  ];
  const post = operation('f', { consumes: [FORM], parameters });
  const { answer, tool } = await see(swagger({ '/f': { post } }, { basePath: '/v1' }), EXTENDED);
  expect(properties(tool('f'))).toEqual({ a: TEXT, b: list(TEXT) });
  expect(required(tool('f'))).toEqual(['a']);
  expect(tool('f').locations).toEqual({ a: 'body', b: 'body' });
  expect(tool('f').body).toMatchObject({ content_type: FORM, required: true });
  expect(answer.servers.map(({ url }) => url)).toEqual([`${SERVER}/v1`]);
});

it('servers-swagger2-host-basepath-schemes', async () => {
  const schemes = ['http', 'https'];
  const description = swagger({ '/orm/c': { get: operation('c') } }, { basePath: '/', schemes });
  const { answer } = await see(description, EXTENDED);
  expect(answer.servers.map(({ url }) => url)).toEqual([SERVER]);
  expect(await endpoint(description, 'c', answer.servers[0]?.url ?? '')).toBe(`${SERVER}/orm/c`);
});
