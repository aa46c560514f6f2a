// Cases of descriptions in YAML, which the extended profile reads and core refuses.
import { expect, it } from 'vitest';
import { preview } from '../../src/index.js';
import { properties, type Seen, seen } from './build.js';

const yaml = (...lines: readonly string[]): string =>
  ['openapi: 3.0.4', "info: {title: Demo, version: '1'}", ...lines, ''].join('\n');

async function see(document: string): Promise<Seen> {
  await expect(preview({ document }, { profile: 'core' })).rejects.toMatchObject({
    code: 'not-a-description',
    data: { found: 'OpenAPI 3.0.4 in YAML' },
  });
  return seen(await preview({ document }));
}

it('parse-yaml-norway-enum', async () => {
  const { tool } = await see(
    yaml(
      'paths:',
      '  /items:',
      '    get:',
      '      operationId: listItems',
      '      parameters:',
      '        - {name: country, in: query, schema: {type: string, enum: [GB, NO, on, y]}}',
      "      responses: {'200': {description: ok}}",
    ),
  );
  expect(properties(tool('listItems'))).toEqual({ country: { type: 'string', enum: ['GB', 'NO', 'on', 'y'] } });
});

it('parse-yaml-unquoted-status-code-keys', async () => {
  const { answer } = await see(
    yaml(
      'paths:',
      '  /ping:',
      '    get:',
      '      operationId: ping',
      '      responses:',
      '        200: {description: ok}',
    ),
  );
  expect(answer.operations.map(({ name }) => name)).toEqual(['ping']);
  expect(answer.unimportable).toEqual([]);
});

it('limits-yaml-alias-bomb', async () => {
  const { keys } = await see(
    yaml(
      'x-ok: &ok {description: ok}',
      'paths:',
      '  /a:',
      '    get:',
      '      operationId: a',
      '      responses:',
      ...Array.from({ length: 500 }, (_, i) => `        '${i + 100}': *ok`),
    ),
  );
  expect(keys).toEqual(['a']);
  const anchors = 'abcdefghij';
  const bomb = yaml(
    'paths: {}',
    `x-a: &a [${Array(9).fill(1)}]`,
    ...[...anchors.slice(1)].map((name, i) => `x-${name}: &${name} [${Array(9).fill(`*${anchors[i]}`)}]`),
  );
  const failure = await preview({ document: bomb }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'not-yaml', message: expect.stringMatching(/aliases/), data: { line: 11 } });
});
