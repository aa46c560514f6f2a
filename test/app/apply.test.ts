// A manifest applied: what is written, what survives, and what keeps all of it from being written.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ApplyOptions, hasChanges, planApply, writeApply } from '../../src/app/apply.js';
import type { ApplyPlan } from '../../src/app/apply-plan.js';
import { createTool, setTool } from '../../src/app/tools.js';
import type { ConnectionStore } from '../../src/connection/connection.js';
import { memoryConnections } from '../../src/connection/memory.js';
import { readManifest } from '../../src/manifest/read.js';
import { memoryStore } from '../../src/store/memory.js';
import type { ToolStore } from '../../src/store/store.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { body, type Json, object, openapi, operation, parameter, SERVER, TEXT, WHOLE } from '../cases/build.js';
import { sample } from '../connection/sample.js';
import { inFolder } from '../store/folder.js';

const A = {
  get: operation('a', {
    summary: 'A',
    tags: ['one'],
    parameters: [parameter('query', 'x'), parameter('query', 'y', WHOLE)],
  }),
};
const B = { post: operation('b', { summary: 'B', ...body(object({ p: TEXT, q: TEXT }, 'p')) }) };
const C = { get: operation('c', { summary: 'C', deprecated: true }) };
const ABC = openapi({ '/a': A, '/b': B, '/c/d': C });

interface Bench {
  readonly options: ApplyOptions & { readonly store: ToolStore; readonly connections: ConnectionStore };
  write(name: string, description: Json): Promise<void>;
  plan(manifest: unknown, environment?: string): Promise<ApplyPlan>;
  apply(manifest: unknown): Promise<ApplyPlan>;
  tools(): Promise<{ readonly [name: string]: HttpTool }>;
}

/** A folder with `api.json`, and a store of its own. */
async function onBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const options = { store: memoryStore(), connections: memoryConnections() };
    const write = (name: string, description: Json) => writeFile(join(folder, name), JSON.stringify(description));
    await write('api.json', ABC);
    const plan = (manifest: unknown, environment?: string) =>
      planApply(readManifest(JSON.stringify(manifest), join(folder, 'toolwright.yaml'), environment), options);
    await work({
      options,
      write,
      plan,
      apply: async (manifest) => {
        const made = await plan(manifest);
        await writeApply(made, options);
        return made;
      },
      tools: async () => Object.fromEntries((await options.store.read()).tools.map((tool) => [tool.name, tool])),
    });
  });
}

const SOURCE = { description: './api.json', server: SERVER, select: { all: true } };

function manifest(changes: Json = {}, rest: Json = {}): Json {
  return { sources: { api: { ...SOURCE, ...changes } }, ...rest };
}

function kinds({ actions }: ApplyPlan): Record<string, string> {
  return Object.fromEntries(actions.map(({ kind, tool, fields }) => [tool.name, [kind, ...fields].join(' ')]));
}

function faults(plan: ApplyPlan): (readonly [string, string, string])[] {
  return plan.faults.map(({ source, failure, at }) => [source, failure.code, at]);
}

describe('a manifest', () => {
  it('creates the tools of all sources, and nothing the second time', async () => {
    await onBench(async ({ write, apply, options, tools }) => {
      await write('other.json', openapi({ '/z': { get: operation('z') } }));
      const both = {
        sources: { api: SOURCE, other: { ...SOURCE, description: './other.json', set: 'other', prefix: 'o_' } },
      };
      const first = await apply(both);
      expect(kinds(first)).toEqual({ a: 'create', b: 'create', c: 'create', o_z: 'create' });
      expect((await tools()).o_z?.origin).toEqual({ server: SERVER, operation: 'z', set: 'other' });
      const before = await options.store.read();
      const again = await apply(both);
      expect(hasChanges(again)).toBe(false);
      expect(await options.store.read()).toEqual(before);
    });
  });

  it('takes what is selected, without what is excluded or deprecated', async () => {
    await onBench(async ({ plan }) => {
      const chosen = async (select: Json) => Object.keys(kinds(await plan(manifest({ select }))));
      expect(await chosen({ all: true, deprecated: false })).toEqual(['a', 'b']);
      expect(await chosen({ all: true, deprecated: true })).toEqual(['a', 'b', 'c']);
      expect(await chosen({ all: true, exclude: ['a', '/c/**'] })).toEqual(['b']);
      expect(await chosen({ methods: ['get'], exclude: ['/c/*'] })).toEqual(['a']);
      expect(await chosen({ keys: ['c', 'a'] })).toEqual(['a', 'c']);
      expect(await chosen({ tags: ['one'], paths: ['/*'] })).toEqual(['a']);
      const { unmatched } = await plan(manifest({ select: { all: true, exclude: ['A', '/x/*', 'a', '/b'] } }));
      expect(unmatched).toEqual([
        { source: 'api', what: 'A' },
        { source: 'api', what: '/x/*' },
      ]);
      expect((await plan(manifest({ select: { tags: ['nobodys'] } }))).empty).toEqual(['api']);
      expect((await plan(manifest({ select: { tags: ['one'] } }))).empty).toEqual([]);
    });
  });

  it('names an environment in the place of what it says', async () => {
    await onBench(async ({ write, plan }) => {
      await write('live.json', openapi({ '/l': { get: operation('l') } }));
      const live = { sources: { api: { description: './live.json', server: 'https://live.example' } } };
      const { actions } = await plan(manifest({}, { environments: { live } }), 'live');
      expect(actions.map(({ tool }) => tool.config.endpoint)).toEqual(['https://live.example/l']);
    });
  });
});

describe('what a manifest states of a tool', () => {
  const stated = {
    a: {
      name: 'first',
      description: 'Ours.',
      fixed_parameters: { x: 'one' },
      deadline_seconds: 60,
      attempts: 1,
      group: 'g',
      hide: ['y'],
    },
  };

  it('is there when the tool is created, and is stable', async () => {
    await onBench(async ({ apply, tools, options }) => {
      await apply(manifest({ tools: stated }));
      const { first } = await tools();
      expect(first).toMatchObject({
        description: 'Ours.',
        imported_description: 'A',
        fixed_parameters: { x: 'one' },
        deadline_seconds: 60,
        connection_group: 'g',
        hidden_parameters: ['y'],
        config: { attempts: 1 },
      });
      expect(Object.keys(first?.input_schema.properties as object)).toEqual(['x']);
      const before = await options.store.read();
      expect(hasChanges(await apply(manifest({ tools: stated })))).toBe(false);
      expect(await options.store.read()).toEqual(before);
    });
  });

  it('is laid over a tool that is there, named field by field', async () => {
    await onBench(async ({ apply }) => {
      await apply(manifest());
      const plan = await apply(manifest({ tools: stated }));
      expect(kinds(plan)).toEqual({
        first: 'edit name description fixed_parameters deadline_seconds connection_group hidden_parameters attempts',
        b: 'keep',
        c: 'keep',
      });
      expect(hasChanges(await apply(manifest({ tools: stated })))).toBe(false);
    });
  });

  it('wins over what a person set; what it does not state survives, also when it no longer states it', async () => {
    await onBench(async ({ apply, options, tools, write }) => {
      await apply(manifest({ tools: { a: { deadline_seconds: 60, fixed_parameters: { x: 'one' } } } }));
      await setTool(options.store, 'a', {
        name: 'mine',
        deadline_seconds: 90,
        fixed_parameters: { y: 7, x: 'two' },
        description: 'My words.',
        connection: { group: 'mine' },
      });
      await write('api.json', openapi({ '/a': { get: { ...A.get, summary: 'A2' } }, '/b': B, '/c/d': C }));
      const plan = await apply(manifest({ tools: { a: { deadline_seconds: 60, fixed_parameters: { x: 'one' } } } }));
      expect(kinds(plan).mine).toBe('refresh description fixed_parameters deadline_seconds');
      const mine = {
        description: 'My words.',
        imported_description: 'A2',
        fixed_parameters: { x: 'one', y: 7 },
        deadline_seconds: 60,
        connection_group: 'mine',
      };
      expect((await tools()).mine).toMatchObject(mine);
      expect(hasChanges(await apply(manifest()))).toBe(false);
      expect((await tools()).mine).toMatchObject(mine);
    });
  });

  it('reaches a tool that is no longer selected, and one that is missing', async () => {
    await onBench(async ({ apply, tools, write }) => {
      await apply(manifest());
      const narrow = { select: { keys: ['b'] }, tools: { a: { deadline_seconds: 5 } } };
      expect(kinds(await apply(manifest(narrow)))).toEqual({ b: 'keep', a: 'edit deadline_seconds' });
      await write('api.json', openapi({ '/b': B }));
      const plan = await apply(manifest({ tools: { a: { deadline_seconds: 6 } } }));
      expect(plan.missing.map(({ name }) => name)).toEqual(['a', 'c']);
      expect((await tools()).a?.deadline_seconds).toBe(6);
    });
  });

  it('shows what lies beyond the first properties, and hides what is optional', async () => {
    const many = Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`p${i}`, TEXT]));
    await onBench(async ({ apply, tools, write }) => {
      await write('api.json', openapi({ '/m': { post: operation('m', body(object(many))) } }));
      const names = async () => Object.keys((await tools()).m?.input_schema.properties as object);
      const shown = { tools: { m: { show: ['p22'], hide: ['p0'] } } };
      await apply(manifest(shown));
      expect(await names()).toContain('p22');
      expect(await names()).not.toContain('p0');
      expect(hasChanges(await apply(manifest(shown)))).toBe(false);
      // Stated later it comes to the same.
      await apply(manifest({ ...shown, set: 'later', prefix: 'later_' }));
      await apply(manifest({ set: 'plain', prefix: 'plain_' }));
      const plan = await apply(manifest({ ...shown, set: 'plain', prefix: 'plain_' }));
      expect(kinds(plan).plain_m).toBe('refresh locations input_schema shown_parameters hidden_parameters');
      const { later_m, plain_m } = await tools();
      expect(plain_m?.input_schema).toEqual(later_m?.input_schema);
      expect(hasChanges(await apply(manifest({ ...shown, set: 'plain', prefix: 'plain_' })))).toBe(false);
    });
  });

  it('keeps a value whose parameter is gone, and refuses a new one', async () => {
    await onBench(async ({ apply, plan, write, tools }) => {
      const fixes = { tools: { a: { fixed_parameters: { x: 'one' } } } };
      await apply(manifest(fixes));
      await write('api.json', openapi({ '/a': { get: operation('a') } }));
      await apply(manifest(fixes));
      expect((await tools()).a?.fixed_parameters).toEqual({ x: 'one' });
      const wrong = await plan(manifest({ tools: { a: { fixed_parameters: { x: 'two' } } } }));
      expect(faults(wrong)).toEqual([['api', 'unknown-parameter', '/sources/api/tools/a']]);
    });
  });

  it.each([
    [{ a: { fixed_parameters: { X: 'one' } } }, 'unknown-parameter', '/sources/api/tools/a', 'did you mean "x"?'],
    [{ a: { fixed_parameters: { y: 'one' } } }, 'invalid-value', '/sources/api/tools/a', 'cannot be fixed'],
    [{ b: { hide: ['p'] } }, 'invalid-value', '/sources/api/tools/b', 'required'],
    [{ aa: { name: 'x' } }, 'unknown-operation', '/sources/api/tools/aa', 'did you mean "a"?'],
    [{ a: { name: 'z' }, b: { name: 'z' } }, 'name-taken', '/sources/api/tools/b/name', '"z"'],
    [{ a: { connection: 'conn_000000000000000000000000' } }, 'unknown-connection', '/sources/api/tools/a', 'conn_'],
  ])('is a fault of its own where it cannot be: %j', async (tools, code, at, words) => {
    await onBench(async ({ plan, options }) => {
      const made = await plan(manifest({ tools }));
      expect(faults(made)).toEqual([['api', code, at]]);
      expect(made.faults[0]?.failure.message).toContain(words);
      expect(made.actions).toHaveLength(3);
      await expect(writeApply(made, options)).rejects.toMatchObject({ code: 'source-failed' });
      expect((await options.store.read()).tools).toEqual([]);
    });
  });

  it('is a name that no tool takes by itself', async () => {
    await onBench(async ({ apply, plan, tools }) => {
      await apply(manifest({ tools: { a: { name: 'b' }, c: { name: 'c' } } }));
      const names = async () => Object.values(await tools()).map(({ name, origin }) => [origin?.operation, name]);
      const found = [
        ['a', 'b'],
        ['b', expect.stringMatching(/^b_\d$/)],
        ['c', 'c'],
      ];
      expect(await names()).toEqual(found);
      expect(hasChanges(await apply(manifest()))).toBe(false);
      const taken = await plan(manifest({ tools: { b: { name: 'c' } } }));
      expect(faults(taken)).toEqual([['api', 'name-taken', '/sources/api/tools/b/name']]);
    });
  });

  it('may exchange two names', async () => {
    await onBench(async ({ apply, tools }) => {
      await apply(manifest());
      await apply(manifest({ tools: { a: { name: 'b' }, b: { name: 'a' } } }));
      const found = Object.values(await tools()).map(({ name, origin }) => [origin?.operation, name]);
      expect(found).toEqual([
        ['a', 'b'],
        ['b', 'a'],
        ['c', 'c'],
      ]);
    });
  });
});

describe('a bad source', () => {
  it('keeps all from being written, and not the others from being planned', async () => {
    await onBench(async ({ plan, options, write }) => {
      await write('broken.json', 'x' as unknown as Json);
      const sources = {
        broken: { ...SOURCE, description: './broken.json', set: 'broken' },
        none: { ...SOURCE, description: './none.json', set: 'none' },
        server: { ...SOURCE, server: 'https://user@api.example.com' },
        key: { ...SOURCE, set: 'key', select: { keys: ['aa'] } },
        good: { ...SOURCE, set: 'good' },
      };
      const made = await plan({ sources });
      expect(faults(made)).toEqual([
        ['broken', 'not-a-description', '/sources/broken'],
        ['none', 'source-unreadable', '/sources/none'],
        ['server', 'invalid-server', '/sources/server'],
        ['key', 'unknown-operation', '/sources/key'],
      ]);
      expect(Object.keys(kinds(made))).toEqual(['a', 'b', 'c']);
      await expect(writeApply(made, options)).rejects.toMatchObject({ code: 'source-failed' });
      expect((await options.store.read()).tools).toEqual([]);
    });
  });

  it('says nothing of what is missing on its server, and others do', async () => {
    await onBench(async ({ apply, plan, write }) => {
      const sources = { one: SOURCE, two: { ...SOURCE, description: './two.json', prefix: 't_' } };
      await write('api.json', openapi({ '/a': A, '/b': B }));
      await write('two.json', openapi({ '/z': { get: operation('z') } }));
      const apart = { ...SOURCE, set: 'apart', prefix: 'x_' };
      await apply({ sources: { ...sources, apart } });
      await write('api.json', openapi({ '/a': A }));
      const missing = async (more: Json) =>
        (await plan({ sources: { ...sources, apart, ...more } })).missing.map(({ name }) => name);
      expect(await missing({})).toEqual(['b', 'x_b']);
      expect(await missing({ two: { ...sources.two, description: './none.json' } })).toEqual(['x_b']);
    });
  });

  it('is one of two that bear the same key: both are named, and the label that keeps them apart', async () => {
    await onBench(async ({ plan }) => {
      const alone = { ...SOURCE, server: 'https://alone.example', prefix: 'alone_' };
      const twice = await plan({ sources: { one: SOURCE, two: { ...SOURCE, prefix: 'two_' }, alone } });
      expect(twice.faults).toMatchObject([
        { source: 'one', at: '/sources/one', failure: { code: 'shared-operation' } },
        { source: 'two', at: '/sources/two', failure: { code: 'shared-operation' } },
      ]);
      for (const { failure } of twice.faults) expect(failure.message).toMatch(/"one" and "two".*"set"/);
      // The others are planned.
      expect(twice.actions.map(({ source }) => source)).toEqual(['alone', 'alone', 'alone']);
      const apart = await plan({ sources: { one: SOURCE, two: { ...SOURCE, prefix: 'two_', set: 'two' } } });
      expect(apart.actions).toHaveLength(6);
    });
  });
});

describe('an operation that is gone', () => {
  it('is missing, also where the manifest lists its key', async () => {
    await onBench(async ({ apply, write }) => {
      const keys = { select: { keys: ['a', 'b'] } };
      await apply(manifest(keys));
      await write('api.json', openapi({ '/a': A }));
      const plan = await apply(manifest(keys));
      expect(faults(plan)).toEqual([]);
      expect(plan.missing).toMatchObject([{ operation: 'b', name: 'b', source: 'api' }]);
      await write('api.json', openapi({}));
      expect((await apply(manifest(keys))).missing.map(({ name }) => name)).toEqual(['a', 'b']);
    });
  });

  it('that can no longer be imported is stale, and a fault where it was never a tool', async () => {
    await onBench(async ({ apply, plan, write }) => {
      await apply(manifest({ select: { keys: ['a'] } }));
      const gap = openapi({ '/a/{gap}': A, '/b/{gap}': B });
      await write('api.json', gap);
      const { stale } = await apply(manifest({ select: { keys: ['a'] } }));
      expect(stale).toMatchObject([{ operation: 'a', code: 'path-gap', source: 'api' }]);
      const made = await plan(manifest({ select: { keys: ['a', 'b'] } }));
      expect(faults(made)).toEqual([['api', 'unimportable-operation', '/sources/api/select/keys/1']]);
    });
  });
});

describe('a hold', () => {
  it('of the manifest, of a source or of the request keeps the tool and records what waits', async () => {
    const renamed = openapi({
      '/a': A,
      '/b': { post: operation('b', { summary: 'B', ...body(object({ p: TEXT, r: TEXT }, 'p', 'r')) }) },
      '/c/d': C,
    });
    for (const [changes, rest] of [
      [{}, { hold: 'breaking' }],
      [{ hold: 'breaking' }, {}],
      [{ hold: 'breaking' }, { hold: 'all' }],
    ] as const) {
      await onBench(async ({ apply, write, tools }) => {
        await apply(manifest(changes, rest));
        const before = (await tools()).b;
        await write('api.json', renamed);
        expect(kinds(await apply(manifest(changes, rest))).b).toMatch(/^hold .*input_schema/);
        const after = (await tools()).b;
        expect(after?.input_schema).toEqual(before?.input_schema);
        expect(after?.pending?.input_schema.required).toEqual(['p', 'r']);
        expect(hasChanges(await apply(manifest(changes, rest)))).toBe(false);
      });
    }
  });
});

describe('a connection of a manifest', () => {
  const clinic = { provider: 'http_key', header: 'X-Key', secret: 'env:CLINIC_KEY' };
  const connected = (more: Json = {}) =>
    manifest({ connection: 'clinic' }, { connections: { clinic: { ...clinic, ...more } } });

  it('is created once, and its tools name it', async () => {
    await onBench(async ({ apply, options, tools }) => {
      const first = await apply(connected());
      expect(first.connections.map(({ kind }) => kind)).toEqual(['create']);
      const { connections } = await options.connections.list();
      expect(connections).toMatchObject([
        {
          provider: 'http_key',
          placement: 'header',
          header: 'X-Key',
          secret: { kind: 'env', name: 'CLINIC_KEY' },
          status: 'healthy',
        },
      ]);
      expect((await tools()).a?.connection_id).toBe(connections[0]?.id);
      expect(hasChanges(await apply(connected()))).toBe(false);
    });
  });

  it('keeps its health, and takes what the manifest says of it', async () => {
    await onBench(async ({ apply, options }) => {
      await apply(connected());
      const { connections, revision } = await options.connections.list();
      const [one] = connections;
      if (one === undefined) throw new Error('there is none');
      const broken = { ...one, status: 'broken', reason: '401', broken_by: 'a' } as const;
      await options.connections.commit({ put: [broken], remove: [] }, revision);
      expect(hasChanges(await apply(connected()))).toBe(false);
      const plan = await apply(connected({ header: 'X-Other', group: 'g' }));
      expect(plan.connections.map(({ kind }) => kind)).toEqual(['change']);
      expect((await options.connections.list()).connections).toEqual([{ ...broken, header: 'X-Other', group: 'g' }]);
    });
  });

  it('keeps a secret that a person sealed', async () => {
    await onBench(async ({ apply, options }) => {
      await apply(connected());
      const { connections, revision } = await options.connections.list();
      const secret = { kind: 'sealed', jwe: 'e30..AA.AA.AA' } as const;
      const put = connections.map((one) => ({ ...one, secret }) as typeof one);
      await options.connections.commit({ put, remove: [] }, revision);
      expect(hasChanges(await apply(connected()))).toBe(false);
      expect((await options.connections.list()).connections[0]?.secret).toEqual(secret);
    });
  });

  it('keeps what a person did to it between the plan and the writing', async () => {
    await onBench(async ({ apply, plan, options }) => {
      await apply(connected());
      const planned = await plan(connected({ header: 'X-Other' }));
      const { connections, revision } = await options.connections.list();
      const secret = { kind: 'sealed', jwe: 'e30..AA.AA.AA' } as const;
      const put = connections.map((one) => ({ ...one, secret }) as typeof one);
      await options.connections.commit({ put, remove: [] }, revision);
      await writeApply(planned, options);
      const after = (await options.connections.list()).connections;
      expect(after).toEqual(put.map((one) => ({ ...one, header: 'X-Other' })));
    });
  });

  it('may be one that is in the store', async () => {
    await onBench(async ({ apply, plan, options, tools }) => {
      const there = sample('a', 1);
      await options.connections.commit({ put: [there], remove: [] }, (await options.connections.list()).revision);
      await apply(manifest({ connection: there.id }));
      expect((await tools()).a?.connection_id).toBe(there.id);
      const unknown = await plan(manifest({ connection: 'conn_000000000000000000000000' }));
      expect(faults(unknown)).toEqual([['api', 'unknown-connection', '/sources/api']]);
    });
  });
});

describe('a plan', () => {
  it('is not written where the store moved', async () => {
    await onBench(async ({ plan, apply, options }) => {
      const made = await plan(manifest());
      await apply(manifest({ select: { keys: ['a'] } }));
      const before = await options.store.read();
      await expect(writeApply(made, options)).rejects.toMatchObject({ code: 'store-moved' });
      expect(await options.store.read()).toEqual(before);
    });
  });

  it('names the stored tools that no source chooses, but those of a source that could not be read', async () => {
    await onBench(async ({ plan, apply, options, write }) => {
      const other = { ...SOURCE, server: 'https://other.example', prefix: 'o_' };
      await apply({ sources: { api: SOURCE, other } });
      await createTool(options.store, { name: 'by_hand', config: { endpoint: SERVER } });
      const unchosen = async (sources: Json) => (await plan({ sources })).unchosen;
      expect(await unchosen({ api: SOURCE, other })).toEqual([]);
      expect(await unchosen({ api: { ...SOURCE, select: { keys: ['a'] } }, other })).toEqual(['b', 'c']);
      expect(await unchosen({ api: SOURCE })).toEqual(['o_a', 'o_b', 'o_c']);
      expect(await unchosen({ api: SOURCE, other: { ...other, description: './none.json' } })).toEqual([]);
      // What is missing is told as that.
      await write('api.json', openapi({ '/a': A }));
      expect(await unchosen({ api: SOURCE, other })).toEqual([]);
    });
  });

  it('counts what waits for an approval, by source, whether it is chosen or not', async () => {
    await onBench(async ({ plan, apply, write }) => {
      const one = (more: Json = {}) => ({ sources: { api: { ...SOURCE, hold: 'all', ...more } } });
      expect((await apply(one())).waiting).toEqual([]);
      await write('api.json', openapi({ '/a': { get: operation('a', { summary: 'Other' }) }, '/b': B, '/c/d': C }));
      expect((await apply(one())).waiting).toEqual([{ source: 'api', tools: 1 }]);
      expect((await plan(one())).waiting).toEqual([{ source: 'api', tools: 1 }]);
      expect((await plan(one({ select: { keys: ['b'] } }))).waiting).toEqual([{ source: 'api', tools: 1 }]);
      expect((await plan({ sources: { api: { ...SOURCE, set: 'else' } } })).waiting).toEqual([]);
    });
  });

  const keyed = (header: string, more: Json = {}) => {
    const key = { provider: 'http_key', secret: 'env:KEY' };
    return manifest({ connection: 'old', ...more }, { connections: { old: { ...key, header }, ...NEW } });
  };
  const NEW = { new: { provider: 'http_key', secret: 'env:NEW', header: 'X-New' } };
  const edited = { tools: { a: { deadline_seconds: 7, connection: 'new' } } };

  it('leaves the connections as they were where the store moved', async () => {
    await onBench(async ({ plan, apply, options, tools }) => {
      await apply(manifest({ connection: 'old' }, { connections: { old: { ...NEW.new, header: 'X-Old' } } }));
      const made = await plan(keyed('X-Other', edited));
      expect(made.connections.map(({ kind }) => kind)).toEqual(['change', 'create']);
      await setTool(options.store, (await tools()).b?.id ?? '', { deadline_seconds: 9 });
      const before = await options.connections.list();
      await expect(writeApply(made, options)).rejects.toMatchObject({ code: 'store-moved' });
      expect(await options.connections.list()).toEqual(before);
    });
  });

  it('writes new connections, then the tools, then the connections that change', async () => {
    await onBench(async ({ plan, apply, options }) => {
      await apply(manifest({ connection: 'old' }, { connections: { old: { ...NEW.new, header: 'X-Old' } } }));
      const made = await plan(keyed('X-Other', edited));
      const headers = async () =>
        (await options.connections.list()).connections.map((one) => 'header' in one && one.header).sort();
      const seen: unknown[] = [];
      const store: ToolStore = {
        ...options.store,
        address: options.store.address,
        read: (part) => options.store.read(part),
        commit: async (changes, revision) => {
          seen.push(await headers());
          return options.store.commit(changes, revision);
        },
      };
      await writeApply(made, { ...options, store });
      expect([...seen, await headers()]).toEqual([
        ['X-New', 'X-Old'],
        ['X-New', 'X-Other'],
      ]);
    });
  });
});
