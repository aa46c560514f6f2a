// What a person set survives every import, whatever they set and whatever the API becomes; and importing twice writes nothing.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  approveTools,
  Failure,
  type HttpTool,
  importOperations,
  memoryStore,
  setTool,
  type ToolChanges,
  type ToolStore,
} from '../../src/index.js';
import { body, type Json, object, openapi, operation, parameter, SERVER } from '../cases/build.js';
import { runs, TIMEOUT } from '../properties/support.js';

/** More than are shown without a wish. */
const NAMES = Array.from({ length: 26 }, (_, i) => `p${i}`);
const SCHEMAS: readonly Json[] = [
  { type: 'string' },
  { type: 'integer', minimum: 1 },
  { type: 'string', enum: ['x', 'y'], description: 'One of two.' },
  { type: 'object', properties: { q: { type: 'string' } } },
];
const HOLDS = [undefined, undefined, 'breaking', 'text', 'all'] as const;

const name = fc.oneof(fc.constantFrom('q', ...NAMES.slice(0, 3)), fc.constantFrom(...NAMES));

/** The operation `op` as one version of the API has it. */
const version = fc
  .record({
    path: fc.constantFrom('/a', '/b'),
    summary: fc.constantFrom('Does it.', 'Does it well.'),
    query: fc.boolean(),
    gone: fc.subarray(NAMES, { maxLength: 8 }),
    required: fc.subarray(NAMES, { maxLength: 2 }),
    shift: fc.nat(3),
  })
  .map(({ path, summary, query, gone, required, shift }) => {
    const names = NAMES.filter((one) => !gone.includes(one));
    const properties = Object.fromEntries(names.map((one, i) => [one, SCHEMAS[(i + shift) % SCHEMAS.length]]));
    const parameters = query ? [parameter('query', 'q', { type: 'string' })] : [];
    const needed = required.filter((one) => names.includes(one));
    const op = operation('op', { summary, parameters, ...body(object(properties, ...needed)) });
    return { document: JSON.stringify(openapi({ [path]: { post: op } })), names };
  });
type Version = typeof version extends fc.Arbitrary<infer T> ? T : never;

const changes: fc.Arbitrary<ToolChanges> = fc.oneof(
  fc.constantFrom('mine', 'ours').map((one) => ({ name: one })),
  fc.constantFrom('My own words.', null).map((description) => ({ description })),
  fc.tuple(name, fc.constantFrom('x', 3)).map(([one, value]) => ({ fixed_parameters: { [one]: value } })),
  name.map((one) => ({ unfixed: [one] })),
  fc.integer({ min: 1, max: 300 }).map((deadline_seconds) => ({ deadline_seconds })),
  fc.constantFrom({ id: 'conn_1' }, { group: 'clinic' }, null).map((connection) => ({ connection })),
  name.map((one) => ({ hidden_parameters: [one] })),
  name.map((one) => ({ unhidden: [one] })),
  name.map((one) => ({ shown_parameters: [one] })),
  name.map((one) => ({ unshown: [one] })),
);

type Step =
  | { readonly kind: 'version'; readonly version: Version; readonly hold: (typeof HOLDS)[number] }
  | { readonly kind: 'set'; readonly changes: ToolChanges }
  | { readonly kind: 'config'; readonly attempts: number }
  | { readonly kind: 'approve' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('version'), version, hold: fc.constantFrom(...HOLDS) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('set'), changes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('config'), attempts: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve') }) },
) as fc.Arbitrary<Step>;

async function only(store: ToolStore): Promise<HttpTool> {
  const [tool] = (await store.read()).tools;
  return tool ?? expect.unreachable('there is no tool');
}

/** What is a person's. */
function personal({ name: called, description, imported_description, config, ...tool }: HttpTool): unknown {
  const { fixed_parameters, deadline_seconds, connection_id, connection_group } = tool;
  return {
    called,
    description: imported_description === undefined ? undefined : description,
    headers: config.headers,
    attempts: config.attempts,
    shown: tool.shown_parameters,
    hidden: tool.hidden_parameters,
    fixed_parameters,
    deadline_seconds,
    connection_id,
    connection_group,
  };
}

/** What is shown is what was asked for, of the form that is stored and of the one that waits. */
function checkShown(tool: HttpTool, { names }: Version): void {
  const { input_schema: schema, config } = tool;
  const forms = [{ schema, locations: config.locations ?? {} }];
  if (tool.pending !== undefined) forms.push({ schema: tool.pending.input_schema, locations: tool.pending.locations });
  const hidden = tool.hidden_parameters ?? [];
  for (const { schema: shown, locations } of forms) {
    const properties = Object.keys(shown.properties as Json);
    expect(Object.keys(locations).sort()).toEqual([...properties].sort());
    for (const one of hidden.filter((other) => properties.includes(other))) {
      expect((shown.required as string[]).includes(one) || Object.hasOwn(tool.fixed_parameters, one)).toBe(true);
    }
  }
  const newest = Object.keys((tool.pending?.input_schema ?? schema).properties as Json);
  for (const one of tool.shown_parameters ?? []) if (names.includes(one)) expect(newest).toContain(one);
}

async function take(store: ToolStore, { document }: Version, hold: (typeof HOLDS)[number]): Promise<void> {
  const request = { document, server: SERVER, operations: ['op'], ...(hold === undefined ? {} : { hold }) };
  await importOperations(request, { store });
  const { revision } = await store.read();
  const again = await importOperations(request, { store });
  expect(again.plan.actions.map(({ kind }) => kind)).toEqual(['keep']);
  expect((await store.read()).revision).toBe(revision);
}

/** What this person may not do is refused, and changes nothing. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => expect(error).toBeInstanceOf(Failure));
}

it(
  'what a person set survives',
  async () => {
    const done = new Set<string>();
    await fc.assert(
      fc.asyncProperty(version, fc.array(step, { minLength: 3, maxLength: 12 }), async (first, steps) => {
        const store = memoryStore();
        await take(store, first, undefined);
        for (const one of steps) {
          const before = await only(store);
          if (one.kind === 'set') await attempt(() => setTool(store, before.id, one.changes));
          else if (one.kind === 'approve') await attempt(() => approveTools(store, [before.id]));
          else if (one.kind === 'config') {
            const config = { ...before.config, attempts: one.attempts, headers: { 'X-Mine': 'a' } };
            await store.commit({ put: [{ ...before, config }], remove: [] }, (await store.read()).revision);
          } else {
            await take(store, one.version, one.hold);
            const after = await only(store);
            expect(personal(after)).toEqual(personal(before));
            checkShown(after, one.version);
            if (one.hold === undefined) expect(after.pending).toBeUndefined();
            for (const [what, value] of Object.entries(personal(after) as Json))
              if (value !== undefined) done.add(what);
            if (after.pending !== undefined) done.add('pending');
          }
        }
      }),
      { numRuns: runs(60).numRuns },
    );
    // Each of them was set at least once, else nothing survived.
    const all =
      'called description headers attempts shown hidden fixed_parameters deadline_seconds connection_id pending';
    expect([...done]).toEqual(expect.arrayContaining(all.split(' ')));
  },
  TIMEOUT,
);
