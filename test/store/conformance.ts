// What every store of tools does: one suite, run by the test of each implementation.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import type { ChangeSet, Snapshot, ToolStore } from '../../src/store/store.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { retrying } from './retrying.js';
import { counted, countOf, handTool, SERVER, sampleId, sampleTool } from './sample.js';

/** An empty place for tools, which can be opened more than once. */
export interface StorePlace {
  open(): Promise<ToolStore>;
  dispose(): Promise<void>;
}

type InPlace = (work: (store: ToolStore, place: StorePlace) => Promise<void>) => () => Promise<void>;

export function describeToolStore(name: string, makePlace: () => Promise<StorePlace>): void {
  const inPlace: InPlace = (work) => async () => {
    const place = await makePlace();
    const store = await place.open();
    try {
      await work(store, place);
    } finally {
      await store.close();
      await place.dispose();
    }
  };
  describe(`${name} as a store of tools`, () => {
    describeContent(inPlace);
    describeRefusals(inPlace);
    describeSameness(inPlace);
    describeConcurrency(inPlace);
  });
}

function describeContent(inPlace: InPlace): void {
  it(
    'is empty at first',
    inPlace(async (store) => expect((await store.read()).tools).toEqual([])),
  );

  it(
    'reads what was put, and commit answers the same',
    inPlace(async (store) => {
      const tools = [sampleTool('listVisits'), handTool('note')];
      const { revision } = await store.read();
      const committed = await store.commit({ put: tools.toReversed(), remove: [] }, revision);
      expect(committed.put).toEqual(tools);
      expect(await store.read()).toEqual({ revision: committed.revision, tools });
    }),
  );

  it(
    'sorts by server, set, operation and name, by code units, tools without an origin last',
    inPlace(async (store) => {
      const origins = [
        { server: SERVER, operation: 'B' },
        { server: SERVER, operation: 'a' },
        { server: SERVER, operation: 'ä' },
        { server: SERVER, operation: '\u{1f600}' },
        { server: SERVER, operation: '\uff5e' },
        { server: SERVER, set: 'Z', operation: 'A' },
        { server: SERVER, set: 'b', operation: 'A' },
        { server: 'https://b.example', operation: 'A' },
      ];
      const imported = origins.map((origin, index) => sampleTool(`t${9 - index}`, { origin }));
      const tools = [...imported, handTool('A'), handTool('b')];
      await change(store, { put: tools.toReversed() });
      expect((await store.read()).tools).toEqual(tools);
    }),
  );

  it(
    'sorts the keys of every object, whatever their order was',
    inPlace(async (store) => {
      const tool = sampleTool('keys', { fixed_parameters: { b: [{ d: 1, c: 2 }], a: null } });
      const { tools } = await change(store, { put: [tool] });
      const expected = '{"a":null,"b":[{"c":2,"d":1}]}';
      expect(JSON.stringify(tools[0]?.fixed_parameters)).toBe(expected);
      expect(JSON.stringify((await store.read()).tools[0]?.fixed_parameters)).toBe(expected);
      expect(Object.keys(tools[0] ?? {})).toEqual(Object.keys(tool).sort());
    }),
  );

  it(
    'replaces by id, and removes',
    inPlace(async (store) => {
      await change(store, { put: [counted('a', 1), sampleTool('b'), sampleTool('c')] });
      await change(store, { put: [counted('a', 2)], remove: [sampleId('b')] });
      const { tools } = await store.read();
      expect(tools).toEqual([counted('a', 2), sampleTool('c')]);
    }),
  );

  it(
    'moves a name from a tool to another in one change',
    inPlace(async (store) => {
      await change(store, { put: [sampleTool('a'), sampleTool('b')] });
      await change(store, { put: [sampleTool('a', { name: 'b' }), sampleTool('b', { name: 'a' })] });
      expect((await store.read()).tools.map((tool) => tool.name)).toEqual(['b', 'a']);
    }),
  );

  it(
    'keeps keys that are names of a prototype',
    inPlace(async (store) => {
      const foreign = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{}}');
      const tool = sampleTool('odd', { input_schema: { properties: foreign }, fixed_parameters: foreign });
      await change(store, { put: [tool] });
      const [read] = (await store.read()).tools;
      const text = '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{}}';
      expect(JSON.stringify(read?.input_schema.properties)).toBe(text);
      expect(JSON.stringify(read?.fixed_parameters)).toBe(text);
      expect(Object.getPrototypeOf(read?.fixed_parameters)).toBe(Object.prototype);
    }),
  );

  it(
    'keeps text of any kind',
    inPlace(async (store) => {
      const description = 'é \u{1f600} \ud800 lone \udc00 \u2028 \u0000 \ufeff "quoted" \\ \r\n';
      const tool = sampleTool('text', { description, fixed_parameters: { [description]: description } });
      await change(store, { put: [tool] });
      expect((await store.read()).tools).toEqual([tool]);
    }),
  );

  it(
    'holds 2,000 tools',
    inPlace(async (store) => {
      const tools = Array.from({ length: 2_000 }, (_, index) => sampleTool(`op${String(index).padStart(4, '0')}`));
      await change(store, { put: tools });
      expect((await store.read()).tools).toEqual(tools);
    }),
    60_000,
  );

  it(
    'shares no object with its callers',
    inPlace(async (store) => {
      const tool = counted('mine', 1);
      await change(store, { put: [tool] });
      Object.assign(tool.fixed_parameters, { count: 2 });
      Object.assign((await store.read()).tools[0]?.fixed_parameters ?? {}, { count: 3 });
      expect(countOf((await store.read()).tools, 'mine')).toBe(1);
    }),
  );
}

function describeRefusals(inPlace: InPlace): void {
  const first = [sampleTool('a'), sampleTool('b')];
  const refused: [string, string, Partial<ChangeSet>][] = [
    ['an id that is not there is removed', 'store-moved', { put: [sampleTool('c')], remove: ['tool_unknown'] }],
    ['a name is taken', 'store-conflict', { put: [sampleTool('c'), sampleTool('d', { name: 'a' })] }],
    ['an identity is taken', 'store-conflict', { put: [sampleTool('c', { id: 'tool_other', origin: originOf('a') })] }],
    ['an id is put twice', 'store-conflict', { put: [sampleTool('c'), sampleTool('c', { name: 'd' })] }],
    ['a deadline is over 300', 'invalid-value', { put: [sampleTool('c'), sampleTool('d', { deadline_seconds: 301 })] }],
    ['a name has a space', 'invalid-value', { put: [sampleTool('c', { name: 'a b' })] }],
    ['a value is nested deeply', 'invalid-value', { put: [sampleTool('c', { fixed_parameters: nested(5_000) })] }],
  ];

  it.each(refused)('writes nothing when %s', async (_, code, changes) => {
    await inPlace(async (store) => {
      const before = await change(store, { put: first });
      await expect(change(store, changes)).rejects.toSatisfy(isFailure(code));
      expect(await store.read()).toEqual(before);
    })();
  });

  it(
    'tells sets of one server apart',
    inPlace(async (store) => {
      const origin = { ...originOf('a'), set: 'other' };
      await change(store, { put: [sampleTool('a'), sampleTool('a2', { origin })] });
      const again = change(store, { put: [sampleTool('a3', { origin })] });
      await expect(again).rejects.toSatisfy(isFailure('store-conflict'));
      expect((await store.read()).tools).toHaveLength(2);
    }),
  );

  it(
    'writes nothing against a revision that is gone, not even an empty change',
    inPlace(async (store) => {
      const { revision } = await store.read();
      const now = await change(store, { put: first });
      for (const put of [[sampleTool('c')], first, []]) {
        await expect(store.commit({ put, remove: [] }, revision)).rejects.toSatisfy(isFailure('store-moved'));
      }
      expect(await store.read()).toEqual(now);
    }),
  );
}

function describeSameness(inPlace: InPlace): void {
  it(
    'keeps its revision where a change changes nothing',
    inPlace(async (store) => {
      const empty = await store.read();
      expect(await change(store, {})).toEqual(empty);
      const before = await change(store, { put: [sampleTool('a'), sampleTool('b')] });
      expect(before.revision).not.toBe(empty.revision);
      expect(await change(store, {})).toEqual(before);
      const reordered = Object.fromEntries(Object.entries(sampleTool('a')).toReversed());
      expect(await change(store, { put: [reordered as unknown as HttpTool] })).toEqual(before);
    }),
  );

  it(
    'changes its revision with every change',
    inPlace(async (store) => {
      const revisions = new Set<string>();
      for (const count of [1, 2, 3]) revisions.add((await change(store, { put: [counted('a', count)] })).revision);
      expect(revisions.size).toBe(3);
    }),
  );
}

function describeConcurrency(inPlace: InPlace): void {
  it(
    'lets one of two handles win',
    inPlace(async (store, place) => {
      const other = await place.open();
      const { revision } = await other.read();
      const both = [store.commit({ put: [sampleTool('a')], remove: [] }, revision)];
      both.push(other.commit({ put: [sampleTool('b')], remove: [] }, revision));
      const outcomes = await Promise.allSettled(both);
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(lost).toHaveLength(1);
      expect(lost[0]).toSatisfy(isFailure('store-moved'));
      expect((await store.read()).tools).toHaveLength(1);
      expect(await other.read()).toEqual(await store.read());
      await other.close();
    }),
  );

  it(
    'loses nothing of many writers',
    inPlace(async (store, place) => {
      const other = await place.open();
      const work = async (writer: number): Promise<void> => {
        for (let round = 0; round < 5; round += 1) {
          const handle = (writer + round) % 2 === 0 ? store : other;
          await retrying(handle, (tools) => [
            counted('all', countOf(tools, 'all') + 1),
            counted(`writer${writer}`, countOf(tools, `writer${writer}`) + 1),
          ]);
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, writer) => work(writer)));
      const { tools } = await store.read();
      expect(countOf(tools, 'all')).toBe(40);
      expect(tools.map((tool) => countOf(tools, tool.name))).toEqual([40, 5, 5, 5, 5, 5, 5, 5, 5]);
      await other.close();
    }),
    60_000,
  );
}

/** Commits against what is there now, and answers what is there then. */
async function change(store: ToolStore, changes: Partial<ChangeSet>): Promise<Snapshot> {
  const { revision } = await store.commit({ put: [], remove: [], ...changes }, (await store.read()).revision);
  const after = await store.read();
  expect(after.revision).toBe(revision);
  return after;
}

function originOf(operation: string): { readonly server: string; readonly operation: string } {
  return { server: SERVER, operation };
}

function nested(levels: number): { readonly [name: string]: unknown } {
  let value: { readonly [name: string]: unknown } = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

export function isFailure(code: string): (error: unknown) => boolean {
  return (error) => error instanceof Failure && error.code === code;
}
