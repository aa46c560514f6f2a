// Cases that a later extended profile answers, those that only concern sending, and the proof that no case is forgotten.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure, type FailureCode, preview, type RefusalCode } from '../../src/index.js';
import {
  checkTool,
  endpoint,
  expectBody,
  type Json,
  list,
  names,
  operation,
  properties,
  SERVER,
  type Seen,
  seen,
  TEXT,
} from './build.js';

interface Pending {
  readonly id: string;
  readonly reason: string;
  readonly description: Json | string;
  /** The code with which the description, or an operation of it, is refused until then. */
  readonly refused: FailureCode | RefusalCode;
  /** What has to hold of the description under the extended profile; throws where it does not. */
  probe(seen: Seen): void | Promise<void>;
}

const FORM = 'application/x-www-form-urlencoded';
const YAML = 'YAML is read by the extended profile';
const SWAGGER = 'Swagger 2.0 is read by the extended profile';

const swagger = (paths: Json, rest: Json = {}): Json => ({
  swagger: '2.0',
  info: { title: 'Demo', version: '1' },
  host: 'api.example.com',
  schemes: ['https'],
  paths,
  ...rest,
});

const yaml = (...lines: readonly string[]): string =>
  ['openapi: 3.0.4', "info: {title: Demo, version: '1'}", ...lines, ''].join('\n');

const strings = (name: string, collectionFormat?: string) => ({
  name,
  in: 'query',
  type: 'array',
  items: TEXT,
  ...(collectionFormat === undefined ? {} : { collectionFormat }),
});

const PENDING: readonly Pending[] = [
  {
    id: 'parse-yaml-norway-enum',
    reason: YAML,
    refused: 'not-a-description',
    description: yaml(
      'paths:',
      '  /items:',
      '    get:',
      '      operationId: listItems',
      '      parameters:',
      '        - {name: country, in: query, schema: {type: string, enum: [GB, NO, on, y]}}',
      "      responses: {'200': {description: ok}}",
    ),
    probe: ({ tool }) => {
      expect(properties(tool('listItems'))).toEqual({ country: { type: 'string', enum: ['GB', 'NO', 'on', 'y'] } });
    },
  },
  {
    id: 'parse-yaml-unquoted-status-code-keys',
    reason: YAML,
    refused: 'not-a-description',
    description: yaml(
      'paths:',
      '  /ping:',
      '    get:',
      '      operationId: ping',
      '      responses:',
      '        200: {description: ok}',
    ),
    probe: ({ answer }) => {
      expect(answer.operations.map(({ name }) => name)).toEqual(['ping']);
      expect(answer.unimportable).toEqual([]);
    },
  },
  {
    id: 'limits-yaml-alias-bomb',
    reason: YAML,
    refused: 'not-a-description',
    description: yaml(
      'x-ok: &ok {description: ok}',
      'paths:',
      '  /a:',
      '    get:',
      '      operationId: a',
      '      responses:',
      ...Array.from({ length: 500 }, (_, i) => `        '${i + 100}': *ok`),
    ),
    probe: async ({ keys }) => {
      expect(keys).toEqual(['a']);
      const anchors = 'abcdefg';
      const bomb = yaml(
        'paths: {}',
        `x-a: &a [${Array(9).fill(1)}]`,
        ...[...anchors.slice(1)].map((name, i) => `x-${name}: &${name} [${Array(9).fill(`*${anchors[i]}`)}]`),
        `x-h: [${Array(9).fill('*g')}]`,
      );
      const outcome = await preview({ document: bomb }, { profile: 'extended' }).catch((error: unknown) => error);
      if (outcome instanceof Failure) expect(outcome.message).toMatch(/alias/);
      else expect(outcome).toMatchObject({ kind: 'openapi', operations: [], unimportable: [] });
    },
  },
  {
    id: 'params-swagger2-collection-formats',
    reason: SWAGGER,
    refused: 'not-a-description',
    description: swagger({
      '/s': {
        get: operation('s', {
          parameters: [
            strings('a'),
            strings('b', 'multi'),
            strings('c', 'ssv'),
            strings('d', 'pipes'),
            strings('e', 'tsv'),
          ],
        }),
      },
    }),
    probe: ({ answer, tool }) => {
      expect(answer.kind).toBe('swagger');
      expect(names(tool('s'))).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(tool('s').locations).toMatchObject({
        a: { in: 'query', explode: false },
        b: 'query',
        c: { in: 'query', style: 'spaceDelimited' },
        d: { in: 'query', style: 'pipeDelimited' },
        e: { in: 'query' },
      });
    },
  },
  {
    id: 'body-swagger2-formdata',
    reason: SWAGGER,
    refused: 'not-a-description',
    description: swagger(
      {
        '/a': {
          post: operation('a', {
            consumes: [FORM],
            parameters: [
              { name: 'a', in: 'formData', type: 'string', required: true },
              { ...strings('b', 'multi'), in: 'formData' },
            ],
          }),
        },
      },
      { basePath: '/v1' },
    ),
    probe: (all) => {
      expectBody(all, FORM, { a: TEXT, b: list(TEXT) }, 'a');
      expect(all.answer.servers.map(({ url }) => url)).toEqual([`${SERVER}/v1`]);
    },
  },
  {
    id: 'servers-swagger2-host-basepath-schemes',
    reason: SWAGGER,
    refused: 'not-a-description',
    description: swagger({ '/orm/c': { get: operation('c') } }, { basePath: '/', schemes: ['http', 'https'] }),
    async probe({ answer }) {
      const url = answer.servers[0]?.url ?? '';
      expect(await endpoint(this.description, 'c', url)).toBe(`${SERVER}/orm/c`);
    },
  },
];

/** Cases of which nothing is emitted: they are tested where calls are. */
const ON_THE_WIRE: { readonly [id: string]: string } = {
  'cli-secrets-stay-out-of-output':
    'it calls a tool and looks at what comes back; a preview or an import holds no secret',
};

describe('pending', () => {
  it.each(PENDING.map((pending) => [`${pending.id} (${pending.reason})`, pending] as const))(
    '%s',
    async (_title, pending) => {
      const { description, refused } = pending;
      const document = typeof description === 'string' ? description : JSON.stringify(description);
      const outcome = await preview({ document }, { profile: 'extended' }).catch((error: unknown) => error);
      if (outcome instanceof Failure) {
        expect(outcome.code).toBe(refused);
        return;
      }
      const now = seen(outcome as Awaited<ReturnType<typeof preview>>);
      const held = await Promise.resolve(now)
        .then((all) => pending.probe(all))
        .then(() => true)
        .catch(() => false);
      expect(held, 'it holds now: move it out of pending').toBe(false);
      now.answer.operations.forEach(checkTool);
      expect(now.answer.unimportable.map(({ code }) => code)).toContain(refused);
    },
  );
});

const CASES = new URL('../../../shared/cases/cases.json', import.meta.url);
const AREAS = new Set('parse refs schema names discovery reconcile limits params body security servers cli'.split(' '));

function testedIds(): string[] {
  const folder = new URL('.', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'pending.test.ts')
    .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^it\(\s*'([^']+)'/gm)])
    .map(([, id = '']) => id);
}

describe('the table of cases', () => {
  it('names each case once', () => {
    for (const ids of [testedIds(), PENDING.map(({ id }) => id)]) expect(new Set(ids).size).toBe(ids.length);
  });

  it.skipIf(!existsSync(CASES))('is whole', () => {
    const cases = JSON.parse(readFileSync(CASES, 'utf8')) as { readonly id: string; readonly area: string }[];
    const wanted = cases.filter(({ area }) => AREAS.has(area)).map(({ id }) => id);
    const held = [...testedIds(), ...PENDING.map(({ id }) => id), ...Object.keys(ON_THE_WIRE)];
    expect(wanted.filter((id) => !held.includes(id))).toEqual([]);
    expect(held.filter((id) => !wanted.includes(id))).toEqual([]);
  });
});
