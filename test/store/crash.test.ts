// A process that is killed while it imports, on every store that outlives it: all of an import or nothing, and the next one completes it.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type ImportReport, importOperations } from '../../src/app/import.js';
import { openStore } from '../../src/store/open.js';
import type { ToolStore } from '../../src/store/store.js';
import { descriptionOf, SERVER } from './child-description.mjs';
import { Importer } from './importers.js';
import { type Durable, durables, type Place } from './places.js';

/** Of each store; 200 show more, `CRASHES=200`. */
const CRASHES = Number(process.env.CRASHES ?? 8);
const LANES = 2;
const OPERATIONS = 50;
/** Crashes before a place is left for an empty one. */
const PLACE_CRASHES = 10;

/** What the last letter that was heard means. */
const STEPS: Readonly<Record<string, string>> = {
  '': 'opening',
  o: 'compiling',
  r: 'reading',
  p: 'planning',
  c: 'committing',
  d: 'answering',
  '.': 'compiling',
};

/** How often something happened. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  toString(): string {
    return [...this.#counts].map(([what, count]) => `${count} ${what}`).join(', ');
  }
}

interface Killed {
  /** Of the last import that was committed, as far as was heard. */
  readonly done: number;
  readonly step: string;
}

/** How long things take, in milliseconds. */
interface Lengths {
  readonly whole: number;
  readonly commit: number;
}

/** Two imports, the first of which creates and the second replaces. */
const measuring = (place: Place, set: string): Promise<{ killed: Killed; lengths: Lengths }> =>
  withImporter(async (importer) => {
    const start = performance.now();
    await importer.begin(orderOf(place, set));
    await importer.until((said) => said.includes('c'));
    const commit = performance.now();
    await importer.until((said) => said.includes('.'));
    const first = performance.now();
    await importer.until((said) => said.split('.').length > 2);
    return { whole: performance.now() - start, commit: first - commit };
  }).then(({ killed, result }) => ({ killed, lengths: result }));

/** Killed anywhere in two imports, or every other time soon after the beginning of the first or second commit. */
function crashing(place: Place, set: string, crash: number, { whole, commit }: Lengths): Promise<{ killed: Killed }> {
  return withImporter(async (importer) => {
    await importer.begin(orderOf(place, set));
    if (crash % 2 === 0) return sleep(Math.random() * whole);
    const commits = crash % 4 === 1 ? 1 : 2;
    await importer.until((said) => said.split('c').length > commits);
    return sleep(Math.random() * commit * 1.2);
  });
}

function orderOf({ address, scope }: Place, set: string): object {
  return { work: 'crash', address, scope, set, from: 1, operations: OPERATIONS };
}

async function withImporter<T>(work: (importer: Importer) => Promise<T>): Promise<{ killed: Killed; result: T }> {
  const importer = new Importer();
  let result: T;
  try {
    result = await work(importer);
  } finally {
    await importer.kill();
  }
  const { said } = importer;
  expect(said).toMatch(/^[orpcd.]*$/);
  return { killed: { done: said.split('d').length - 1, step: STEPS[said.slice(-1)] ?? '' }, result };
}

/** The generations of the tools of a set; those of an import are all there and of one. */
async function generationOf(store: ToolStore, set: string): Promise<number> {
  const { tools } = await store.read({ server: SERVER, set });
  const generations = new Set(tools.map(({ description }) => Number(/\d+$/.exec(description)?.[0])));
  expect([0, OPERATIONS]).toContain(tools.length);
  expect(generations.size).toBe(tools.length === 0 ? 0 : 1);
  return [...generations][0] ?? 0;
}

/** What is there after the crash: all of the import that was under way, or nothing; and the same import completes it. */
async function expectWhole({ address, scope, leftovers }: Place, set: string, { done, step }: Killed): Promise<string> {
  const store = await openStore(address, scope);
  const again = async (generation: number): Promise<ImportReport> => {
    const document = descriptionOf(OPERATIONS, generation);
    const request = { server: SERVER, set, document, batch: true, select: { all: true } };
    const answer = await importOperations(request, { store });
    expect(await generationOf(store, set)).toBe(generation);
    return answer;
  };
  try {
    expect(await store.faults()).toEqual([]);
    const found = await generationOf(store, set);
    expect(step === 'committing' ? [done, done + 1] : [done]).toContain(found);
    const { created, refreshed, unchanged } = await again(done + 1);
    // A server may have done the last that it was told since we looked.
    expect(found === done ? [0, OPERATIONS] : [0]).toContain(created + refreshed);
    expect(created + refreshed + unchanged).toBe(OPERATIONS);
    expect((await again(done + 2)).refreshed).toBe(OPERATIONS);
    expect(await store.faults()).toEqual([]);
    expect(await leftovers()).toEqual([]);
    return found === done ? 'nothing of it' : 'all of it';
  } finally {
    await store.close();
  }
}

async function lane(durable: Durable, crashes: number, counts: Counts): Promise<void> {
  let lengths: Lengths | undefined;
  for (let crash = 0; crash < crashes; ) {
    const place = await durable.make();
    try {
      for (let there = 0; there < PLACE_CRASHES && crash < crashes; there += 1, crash += 1) {
        const set = `set ${there}`;
        let killed: Killed;
        if (lengths === undefined) ({ killed, lengths } = await measuring(place, set));
        else ({ killed } = await crashing(place, set, crash, lengths));
        counts.add(`${killed.step}: ${await expectWhole(place, set, killed)}`);
      }
    } finally {
      await place.dispose();
    }
  }
}

const printed: string[] = [];
afterAll(() => console.log(printed.join('\n')));

describe.each([...(await durables())])('a process that is killed while it imports: $name', (durable) => {
  it.skipIf(durable.missing)(
    'leaves all of an import or nothing, and the same import completes it',
    async () => {
      const counts = new Counts();
      await Promise.all(Array.from({ length: LANES }, () => lane(durable, Math.ceil(CRASHES / LANES), counts)));
      printed.push(`${durable.name}: killed ${Math.ceil(CRASHES / LANES) * LANES} times while ${counts}`);
    },
    1_200_000,
  );
});
