// A description beside a reference to a parameter or a body: from 3.1 on it stands in the place of the target's own.
import { describe, expect, it } from 'vitest';
import { only, openapi, operation, properties, see } from '../cases/build.js';

const components = {
  parameters: { P: { name: 'p', in: 'query', description: 'theirs', schema: { type: 'string' } } },
  requestBodies: {
    B: { required: true, description: 'theirs', content: { 'application/json': { schema: { type: 'object' } } } },
  },
};
const parameter = { $ref: '#/components/parameters/P', description: 'mine' };
const requestBody = { $ref: '#/components/requestBodies/B', description: 'mine' };
const post = operation('a', { parameters: [parameter], requestBody });

describe('a description beside a reference', () => {
  it.each([
    ['3.0.4', 'theirs'],
    ['3.1.0', 'mine'],
    ['3.2.0', 'mine'],
  ])('in %s gives the argument and the free-form body the description %j', async (version, description) => {
    const tool = await only(openapi({ '/a': { post } }, { openapi: version, components }));
    expect(properties(tool)).toMatchObject({ p: { type: 'string', description }, body: { description } });
  });

  it('is that of its own operation alone, also where the component is read before and after', async () => {
    const paths = Object.fromEntries(
      [undefined, 'mine', undefined, 'other', 'mine', ' '].map((description, i) => {
        const beside = description === undefined ? {} : { description };
        const own = {
          parameters: [{ ...parameter, description: undefined, ...beside }],
          requestBody: { ...requestBody, description: undefined, ...beside },
        };
        return [`/p${i}`, { post: operation(`o${i}`, own) }];
      }),
    );
    const { keys, tool } = await see(openapi(paths, { openapi: '3.1.0', components }));
    const texts = keys.map((key) => Object.values(properties(tool(key))).map(({ description }) => description));
    expect(texts).toEqual(['theirs', 'mine', 'theirs', 'other', 'mine', 'theirs'].map((text) => [text, text]));
  });
});
