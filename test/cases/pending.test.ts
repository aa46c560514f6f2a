// Cases that a later extended profile answers, those that only concern sending, and the proof that no case is forgotten.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure, type FailureCode, preview, type RefusalCode } from '../../src/index.js';
import {
  body,
  checkTool,
  dig,
  discovery,
  type Json,
  list,
  names,
  object,
  openapi,
  operation,
  parameter,
  properties,
  required,
  type Seen,
  seen,
  TEXT,
  WHOLE,
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
const MEDIA = 'this media type is carried by the extended profile';
const WHOLE_BODY = 'a JSON body that is no object becomes one argument under the extended profile';

const posting = (schema: Json, options: Parameters<typeof body>[1] = {}, rest: Json = {}): Json =>
  openapi({ '/a': { post: operation('a', { ...rest, ...body(schema, options) }) } });

function expectBody({ tool }: Seen, type: string, all: Json, ...needed: readonly string[]): void {
  expect(tool('a').body?.content_type.startsWith(type)).toBe(true);
  expect(properties(tool('a'))).toMatchObject(all);
  expect(names(tool('a'))).toEqual(Object.keys(all));
  expect(required(tool('a'))).toEqual(needed);
  for (const place of Object.values(tool('a').locations)) {
    expect(typeof place === 'string' ? place : place.in).toBe('body');
  }
}

function expectWhole({ tool }: Seen, type: string, schema: Json): void {
  expect(tool('a').input_schema).toMatchObject({ required: ['body'], properties: { body: schema } });
  expect(names(tool('a'))).toEqual(['body']);
  expect(tool('a').body).toMatchObject({ content_type: type, required: true, whole: 'body' });
}

const ADDRESS = { address: object({ city: TEXT, zip: TEXT }) };
const PARTS = { tags: list(TEXT), meta: object({ a: WHOLE }) };
const ROWS = list(object({ id: WHOLE }, 'id'));
const PENDING: readonly Pending[] = [
  {
    id: 'params-query-named-body-with-whole-body',
    reason: WHOLE_BODY,
    refused: 'body-not-object',
    description: posting(list(WHOLE), {}, { parameters: [parameter('query', 'body')] }),
    probe: ({ tool }) => {
      expect(names(tool('a'))).toEqual(['body', 'body_body']);
      expect(tool('a').locations).toEqual({ body: 'query', body_body: { in: 'body', name: 'body' } });
      expect(tool('a').body).toMatchObject({ content_type: 'application/json', whole: 'body_body' });
    },
  },
  {
    id: 'body-form-urlencoded',
    reason: MEDIA,
    refused: 'body-media',
    description: posting(object({ grant_type: TEXT, user: TEXT, ttl: WHOLE }, 'grant_type'), { type: FORM }),
    probe: (all) => expectBody(all, FORM, { grant_type: TEXT, user: TEXT, ttl: WHOLE }, 'grant_type'),
  },
  {
    id: 'body-form-deep-object-encoding',
    reason: MEDIA,
    refused: 'body-media',
    description: posting(object(ADDRESS), {
      type: FORM,
      media: { encoding: { address: { style: 'deepObject', explode: true } } },
    }),
    probe: (all) => {
      expectBody(all, FORM, ADDRESS);
      expect(dig(all.tool('a').body, 'encoding', 'address')).toMatchObject({ style: 'deepObject' });
    },
  },
  {
    id: 'body-form-defaults-without-encoding',
    reason: MEDIA,
    refused: 'body-media',
    description: posting(object(PARTS), { type: FORM }),
    probe: (all) => expectBody(all, FORM, PARTS),
  },
  {
    id: 'body-multipart',
    reason: MEDIA,
    refused: 'body-media',
    description: posting(object({ title: TEXT, ...PARTS }, 'title'), { type: 'multipart/form-data' }),
    probe: (all) => expectBody(all, 'multipart/form-data', { title: TEXT, ...PARTS }, 'title'),
  },
  {
    id: 'body-unsupported-media-type',
    reason: MEDIA,
    refused: 'body-media',
    description: posting({ type: 'string', format: 'binary' }, { type: 'application/octet-stream' }),
    probe: (all) => expectWhole(all, 'application/octet-stream', { type: 'string' }),
  },
  {
    id: 'body-top-level-array',
    reason: WHOLE_BODY,
    refused: 'body-not-object',
    description: posting(ROWS),
    probe: (all) => expectWhole(all, 'application/json', ROWS),
  },
  {
    id: 'body-scalar-json',
    reason: WHOLE_BODY,
    refused: 'body-not-object',
    description: posting(TEXT),
    probe: (all) => expectWhole(all, 'application/json', TEXT),
  },
  {
    id: 'discovery-reserved-expansion-path',
    reason: 'a path value with slashes is taken by the extended profile',
    refused: 'reserved-path',
    description: discovery('presentations', {
      get: {
        httpMethod: 'GET',
        id: 'demo.presentations.get',
        path: 'v1/{+name}',
        parameters: { name: { type: 'string', location: 'path', required: true, pattern: '^presentations/[^/]+$' } },
      },
    }),
    probe: ({ tool }) => {
      const { locations, input_schema } = tool('demo.presentations.get');
      expect(input_schema).toMatchObject({ required: ['name'], properties: { name: TEXT } });
      expect(locations).toEqual({ name: { in: 'path', allow_reserved: true } });
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
