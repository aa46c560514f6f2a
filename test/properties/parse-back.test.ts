// Requests are exact: whatever fits a tool's schema is sent so that a reader written from the specifications gets it back.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type BoundRequest,
  callTool,
  Failure,
  type HttpTool,
  type ImportRequest,
  importOperations,
  type Limits,
  memoryStore,
  requestOf,
} from '../../src/index.js';
import { type Recorder, recorder } from '../wire/loopback.js';
import { readBack, type Sent } from './parse-back-reader.js';
import { causeOf, hasOuterSpace, isTold, sentValues, tamed } from './parse-back-told.js';
import { valuesOfSchema } from './parse-back-values.js';
import { runs, TIMEOUT } from './support.js';

const SERVER = 'https://api.example.com/v1';
const FIXTURES = new URL('../../fixtures/', import.meta.url);
/** What every request has, whatever it was made of. */
const OURS = new Set('accept accept-encoding connection content-length host idempotency-key user-agent'.split(' '));
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, ownProperties: true });
const tally = { operations: 0, runs: 0, read: 0, refused: 0, wired: 0 };
const causes: Record<string, number> = {};

afterAll(() => {
  const why = Object.entries(causes).map(([cause, times]) => `${times} ${cause}`);
  const { operations, runs: made, read, refused, wired } = tally;
  console.log(
    `${operations} operations, ${made} calls: ${read} read back, ${wired} of them from raw bytes; ${refused} refused (${why.join('; ')})`,
  );
});

async function toolsOf(fixture: string, server: string): Promise<readonly HttpTool[]> {
  const at = (file: string) => new URL(`${fixture}/${file}`, FIXTURES);
  const options = existsSync(at('options.json'))
    ? (JSON.parse(readFileSync(at('options.json'), 'utf8')) as { limits?: Partial<Limits> })
    : {};
  const document = readFileSync(at('description.json'), 'utf8');
  const request = { document, server, select: { all: true }, batch: true, override_servers: true } as ImportRequest;
  try {
    return (await importOperations(request, { store: memoryStore(), profile: 'core', ...options })).tools;
  } catch (error) {
    // A description that is refused, or holds no operation, has no tool.
    if (error instanceof Failure) return [];
    throw error;
  }
}

const fixtures = readdirSync(FIXTURES).filter((name) => existsSync(new URL(`${name}/description.json`, FIXTURES)));
const imported = await Promise.all(fixtures.map(async (name) => [name, await toolsOf(name, SERVER)] as const));
const withTools = imported.filter(([, tools]) => tools.length > 0);

/** Arguments of a tool with nothing in them that no reader could tell. Not all fit the schema. */
function argumentsFor(tool: HttpTool): fc.Arbitrary<Record<string, unknown>> {
  return (valuesOfSchema(tool.input_schema) as fc.Arbitrary<Record<string, unknown>>).map((args) => tamed(tool, args));
}

/** What ajv cannot compile or takes for undeclared, every value fits: those of our making are never otherwise. */
function fitter({ input_schema }: HttpTool): (args: unknown) => boolean {
  if (Object.hasOwn(input_schema.properties as object, '__proto__')) return () => true;
  try {
    return ajv.compile(input_schema);
  } catch (error) {
    if (error instanceof URIError) return () => true;
    throw error;
  }
}

/** Every problem has a cause; nothing else is a refusal. */
function expectCauses(tool: HttpTool, args: Record<string, unknown>, problems: readonly { argument: string }[]): void {
  expect(problems.length).toBeGreaterThan(0);
  for (const { argument } of problems) {
    const cause = causeOf(tool, args, argument);
    expect({ argument, args, cause }).toMatchObject({ cause: expect.any(String) });
    causes[cause ?? ''] = (causes[cause ?? ''] ?? 0) + 1;
  }
  tally.refused += 1;
}

/** The core profile sends JSON alone, which is one text. */
function textOf(body: BoundRequest['body']): string | undefined {
  if (typeof body === 'object') expect.unreachable();
  return body;
}

function expectReadBack(tool: HttpTool, args: Record<string, unknown>, sent: Sent): void {
  const [got, wanted] = [readBack(tool, sent), sentValues(tool, args)];
  if (!isDeepStrictEqual(got, wanted)) expect({ sent, got }).toEqual({ sent, got: wanted });
  tally.read += 1;
}

describe('what fits the schema is read back from the request', () => {
  it.each(withTools)(
    'of %s',
    (_fixture, tools) => {
      for (const tool of tools) {
        let decided = 0;
        const fits = fitter(tool);
        const property = fc.property(argumentsFor(tool), (args) => {
          if (!fits(args)) return;
          tally.runs += 1;
          const request = requestOf({ tool, arguments: args });
          if ('method' in request) {
            if (!isTold(tool, args)) return;
            expect(request.origin).toBe(new URL(SERVER).origin);
            expectReadBack(tool, args, {
              ...request,
              headers: Object.entries(request.headers),
              body: textOf(request.body),
            });
          } else expectCauses(tool, args, request.problems);
          decided += 1;
        });
        fc.assert(property, runs(25));
        expect([tool.name, decided]).not.toEqual([tool.name, 0]);
        tally.operations += 1;
      }
    },
    TIMEOUT,
  );
});

/** Of these a few calls of each tool go over a real connection. */
const WIRED = ['clinic', 'clinic-next', 'library', 'kiosk', 'atelier'];

describe('what fits the schema is read back from raw bytes', () => {
  const closing: Recorder[] = [];
  afterAll(() => Promise.all(closing.map((server) => server.close())));

  it.each(WIRED)(
    'of %s',
    async (fixture) => {
      const server = await recorder();
      closing.push(server);
      for (const tool of await toolsOf(fixture, server.origin)) {
        const fits = fitter(tool);
        const property = fc.asyncProperty(argumentsFor(tool), async (args) => {
          if (!fits(args) || !isTold(tool, args) || hasOuterSpace(tool, args)) return;
          const before = server.requests.length;
          const result = await callTool({ tool, arguments: args }, { network: { allow: ['127.0.0.1'] } });
          const came = server.requests.slice(before);
          if (result.kind === 'refused') {
            expect(came).toEqual([]);
            return expectCauses(tool, args, result.problems);
          }
          expect([result.kind, came.length]).toEqual(['answer', 1]);
          const [request] = came;
          if (request === undefined) return;
          const headers = request.headers.filter(([name]) => !OURS.has(name.toLowerCase()));
          expect(request.headers.filter(([name]) => name === 'Idempotency-Key').length).toBe(
            SAFE.has(request.method) ? 0 : 1,
          );
          const body = request.body.length === 0 ? undefined : utf8.decode(request.body);
          expectReadBack(tool, args, { ...request, headers, body });
          tally.wired += 1;
        });
        await fc.assert(property, runs(3));
      }
    },
    TIMEOUT,
  );
});
