// The YAML and the JSON form of one description give the same preview.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { Failure, preview } from '../../src/index.js';

const fixtures = new URL('../../fixtures/', import.meta.url);
const corpus = new URL('../../../shared/corpus/', import.meta.url);

function textOf(name: string): string | undefined {
  const path = new URL(`${name}/description.json`, fixtures);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

async function outcome(document: string): Promise<unknown> {
  try {
    return await preview({ document });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code };
  }
}

/** Nested too deep for YAML, or no object or list; or a version that is a number, which YAML has as its text. */
const ONLY_JSON = /^(?:hostile-depth-|refused-(?:string|number|null|truncated|blank|empty|openapi-number)$)/;

const cases = readdirSync(fixtures).filter((name) => textOf(name) !== undefined && !ONLY_JSON.test(name));

describe('a fixture in YAML', () => {
  it.each(cases)('%s is previewed as in JSON', async (name) => {
    const json = textOf(name) ?? '';
    const value: unknown = JSON.parse(json);
    // Objects that occur twice are written once where `noRefs` is off; JSON.parse makes none.
    const inYaml = dump(value, { noRefs: true, lineWidth: 80 });
    expect(() => JSON.parse(inYaml)).toThrow();
    expect(await outcome(inYaml)).toEqual(await outcome(json));
  });
});

const PAIRS: readonly (readonly [yaml: string, json: string])[] = [
  ['figma', 'openapi/figma'],
  ['museum', 'openapi/museum'],
  ['spotify-fixed', 'openapi/spotify-fixed'],
  ['swagger-petstore', 'openapi/swagger-petstore'],
  ['pb33f-yaml-anchor', 'edge/pb33f-yaml-anchor'],
  ['redocly-3.2-cafe', 'edge/redocly-3.2-cafe'],
  ['redocly-3.2-genclient', 'edge/redocly-3.2-genclient'],
];

describe.skipIf(!existsSync(corpus))('a real description', () => {
  it.each(PAIRS)('%s in YAML is previewed as its JSON', async (yaml, json) => {
    const [a, b] = [`yaml/${yaml}.yaml`, `${json}.json`].map((path) => readFileSync(new URL(path, corpus), 'utf8'));
    expect(await outcome(a ?? '')).toEqual(await outcome(b ?? ''));
  });
});
