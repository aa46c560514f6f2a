// Many processes that import overlapping sets into one store at once: no tool twice, no change lost, no error that is not handled inside.
import { afterAll, describe, expect, it } from 'vitest';
import { importedId } from '../../src/plan/diff.js';
import { openStore } from '../../src/store/open.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { SERVER } from './child-description.mjs';
import { Importer } from './importers.js';
import { type Durable, durables, type Place } from './places.js';

/** For each store; `ROUNDS=50 PROCESSES=20` shows more. */
const ROUNDS = Number(process.env.ROUNDS ?? 2);
const PROCESSES = Number(process.env.PROCESSES ?? 8);
/** Operations of the description, and how many of them a process imports. */
const OPERATIONS = 30;
const IMPORTED = 20;
/** Several, so that names of one meet those of another. */
const SETS = 2;
/** These operations are imported by every process, which counts on them. */
const COUNTERS = ['listThing14', 'listThing15'];
const GENERATIONS = 2;

interface Answer {
  readonly error?: string;
  readonly commits: number;
  readonly moved: number;
}

const setOf = (index: number): string => `set ${index % SETS}`;

/** Each process its own stretch of the operations, those of the counters among them. */
function keysOf(index: number): readonly string[] {
  const first = Math.floor(index / SETS) % (OPERATIONS - IMPORTED + 1);
  return Array.from({ length: IMPORTED }, (_, offset) => `listThing${first + offset}`);
}

async function inImporters(number: number, work: (importers: readonly Importer[]) => Promise<void>): Promise<void> {
  const importers = Array.from({ length: number }, () => new Importer());
  try {
    await work(importers);
  } finally {
    await Promise.all(importers.map((importer) => importer.kill()));
  }
}

/** All of them at once into an empty place; how often they committed, and came too late. */
async function round(importers: readonly Importer[], { address, scope }: Place): Promise<readonly Answer[]> {
  const answers = await Promise.all(
    importers.map((importer, index) =>
      importer.ask<Answer>({
        work: 'share',
        address,
        scope,
        set: setOf(index),
        operations: OPERATIONS,
        keys: keysOf(index),
        counters: COUNTERS,
      }),
    ),
  );
  expect(answers.flatMap(({ error }) => error ?? [])).toEqual([]);
  return answers;
}

async function expectAll({ address, scope }: Place): Promise<void> {
  const store = await openStore(address, scope);
  try {
    expect(await store.faults()).toEqual([]);
    expectTools((await store.read()).tools);
  } finally {
    await store.close();
  }
}

/** Each operation once in its set, under its id and a name of its own, as the last generation has it; and every count. */
function expectTools(tools: readonly HttpTool[]): void {
  const indexes = Array.from({ length: PROCESSES }, (_, index) => index);
  const wanted = new Set(
    indexes.flatMap((index) =>
      keysOf(index).map((operation) => importedId({ server: SERVER, operation, set: setOf(index) })),
    ),
  );
  expect(tools.map(({ id }) => id).toSorted()).toEqual([...wanted].toSorted());
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, origin, description, fixed_parameters } of tools) {
    expect(name.replace(/_\d+$/, '')).toBe(origin?.operation);
    expect(description).toContain(`Generation ${GENERATIONS}`);
    const counts = COUNTERS.includes(origin?.operation ?? '')
      ? indexes.filter((index) => setOf(index) === origin?.set).length * GENERATIONS
      : undefined;
    expect(fixed_parameters.count).toBe(counts);
  }
}

async function inPlace(make: () => Promise<Place>, work: (place: Place) => Promise<void>): Promise<void> {
  const place = await make();
  try {
    await work(place);
  } finally {
    await place.dispose();
  }
}

const printed: string[] = [];
afterAll(() => console.log(printed.join('\n')));

describe.each([...(await durables())])('many processes in one store: $name', (durable: Durable) => {
  it.skipIf(durable.missing)(
    'lose nothing and make nothing twice',
    async () => {
      const totals = { commits: 0, moved: 0 };
      const times: number[] = [];
      await inImporters(PROCESSES, async (importers) => {
        for (let done = 0; done < ROUNDS; done += 1) {
          await inPlace(durable.make, async (place) => {
            const start = performance.now();
            const answers = await round(importers, place);
            times.push(performance.now() - start);
            for (const { commits, moved } of answers) {
              totals.commits += commits;
              totals.moved += moved;
            }
            await expectAll(place);
          });
        }
      });
      const slowest = (Math.max(...times) / 1000).toFixed(1);
      printed.push(
        `${durable.name}: ${PROCESSES} processes, ${ROUNDS} rounds: nothing twice, nothing lost, no error; ` +
          `${totals.commits} commits, ${totals.moved} of them planned again, slowest round ${slowest} s`,
      );
    },
    3_600_000,
  );
});

/** Times that an empty place is opened by several at once. */
const OPENINGS = Number(process.env.OPENINGS ?? 6);

describe.each([...(await durables())])('an empty place that several processes open at once: $name', (durable) => {
  it.skipIf(durable.missing)(
    'is made ready by one of them',
    async () => {
      await inImporters(2, async (importers) => {
        for (let done = 0; done < OPENINGS; done += 1) {
          await inPlace(durable.makeUnopened, async ({ address, scope }) => {
            const answers = await Promise.all(
              importers.map((importer) => importer.ask({ work: 'open', address, scope })),
            );
            expect(answers).toEqual([{ faults: 0 }, { faults: 0 }]);
          });
        }
      });
    },
    600_000,
  );
});
