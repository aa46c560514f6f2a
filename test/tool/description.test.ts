// The texts that a model is shown: markup that a cut falls into is not in them, and a path is not markup.
import { describe, expect, it } from 'vitest';
import { only, openapi, operation, parameter, properties, TEXT } from '../cases/build.js';

/** A link whose address alone is longer than the bound. */
function linked(address: number): string {
  return `${'x'.repeat(250)}<a href="${'u'.repeat(address)}">link</a>`;
}

describe('a text with a long tag', () => {
  it.each([700, 5_000, 20_000, 200_000])('of %i characters holds none of the tag', async (address) => {
    const text = linked(address);
    const parameters = [parameter('query', 'q', TEXT, { description: text })];
    const tool = await only(openapi({ '/a': { get: operation('a', { parameters, description: text }) } }));
    const plain = `${'x'.repeat(250)}link`;
    expect(tool.description).toBe(plain);
    expect(properties(tool).q?.description).toBe(plain);
  });

  it('that is never closed is still bounded', async () => {
    const parameters = [parameter('query', 'q', TEXT, { description: linked(100_000).replaceAll('>', '') })];
    const tool = await only(openapi({ '/a': { get: operation('a', { parameters }) } }));
    expect([...String(properties(tool).q?.description)].length).toBeLessThanOrEqual(300);
  });
});

describe('a description made of method and path', () => {
  it.each(['/x/*y*/z', '/_bulk_/', '/__all__/a', '/a/**b**', '/`a`', '/a&amp;b', '/<b>/a', '/[a](b)', '/~~a~~'])(
    'keeps the path as it is: GET %s',
    async (path) => {
      const tool = await only(openapi({ [path]: { get: operation(undefined) } }));
      expect(tool.description).toBe(`GET ${path}`);
    },
  );
});
