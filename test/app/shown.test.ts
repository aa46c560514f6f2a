// Showing and hiding what an imported tool takes: at once and at every import, in the store and on the command line.
import { describe, expect, it } from 'vitest';
import {
  approveTools,
  createTool,
  type HttpTool,
  type ImportRequest,
  importOperations,
  memoryStore,
  setTool,
  type ToolChanges,
  type ToolStore,
} from '../../src/index.js';
import { body, type Json, object, openapi, operation, parameter, SERVER, TEXT } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

const NAMES = Array.from({ length: 25 }, (_, i) => `p${i}`);
const MANY = Object.fromEntries(NAMES.map((name) => [name, TEXT]));

function describedBy(properties: Json = MANY, required: readonly string[] = [], rest: Json = {}): Json {
  const query = { parameters: [parameter('query', 'q')] };
  return openapi({ '/a': { post: operation('a', { ...query, ...body(object(properties, ...required)), ...rest }) } });
}

async function take(store: ToolStore, description: Json, more: Partial<ImportRequest> = {}): Promise<HttpTool> {
  const document = JSON.stringify(description);
  await importOperations({ document, server: SERVER, operations: ['a'], ...more } as ImportRequest, { store });
  return only(store);
}

async function only(store: ToolStore): Promise<HttpTool> {
  return (await store.read()).tools[0] ?? expect.unreachable('there is no tool');
}

function names({ input_schema }: Pick<HttpTool, 'input_schema'>): string[] {
  return Object.keys(input_schema.properties as Json);
}

/** A store with the tool, after these changes. */
async function toolWith(changes: ToolChanges): Promise<{ store: ToolStore; tool: HttpTool }> {
  const store = memoryStore();
  await take(store, describedBy());
  return { store, tool: await setTool(store, 'a', changes) };
}

describe('a property that is asked for', () => {
  it('is shown beside the first ones from the next import on, in the order of the description', async () => {
    const { store, tool } = await toolWith({ shown_parameters: ['p23', 'p21', 'p3', 'none'] });
    expect(names(tool)).not.toContain('p23');
    const shown = await take(store, describedBy());
    expect(names(shown)).toEqual(['q', ...NAMES.slice(0, 20), 'p21', 'p23'].sort());
    expect(shown.config.locations).toMatchObject({ p23: 'body' });
    expect(shown.shown_parameters).toEqual(['none', 'p21', 'p23', 'p3']);
    await setTool(store, 'a', { unshown: ['p21'] });
    expect(names(await take(store, describedBy()))).not.toContain('p21');
  });

  it('is asked for of its own tool alone', async () => {
    const { store } = await toolWith({ shown_parameters: ['p23'] });
    const other = await importOperations(
      { document: JSON.stringify(describedBy()), server: SERVER, operations: ['a'], set: 'two' },
      { store },
    );
    expect(other.tools.map((tool) => names(tool).includes('p23'))).toEqual([false]);
  });

  it('is a part of a form as well', async () => {
    const { store } = await toolWith({ shown_parameters: ['p23'] });
    const parts = describedBy(MANY, [], body(object(MANY), { type: 'multipart/form-data' }));
    expect(names(await take(store, parts))).toContain('p23');
  });

  it('is not shown where there is no room but for what is required', async () => {
    const large = { type: 'string', enum: Array.from({ length: 2_500 }, (_, i) => `a long value ${i} of many`) };
    const { store } = await toolWith({ shown_parameters: ['p23'] });
    const tool = await take(store, describedBy({ ...MANY, p23: large, p24: TEXT }, ['p24']));
    expect(names(tool)).toEqual(['p24']);
  });
});

describe('an argument that is hidden', () => {
  it('is gone at once, and from every import, until it is shown again', async () => {
    const { store, tool } = await toolWith({ hidden_parameters: ['p3', 'q'] });
    for (const one of [tool, await only(store), await take(store, describedBy())]) {
      expect(names(one)).toEqual(
        NAMES.slice(0, 20)
          .filter((name) => name !== 'p3')
          .sort(),
      );
      expect(one.config.locations).not.toHaveProperty('q');
    }
    const again = await setTool(store, 'a', { unhidden: ['q'] });
    expect([names(again).includes('q'), again.hidden_parameters]).toEqual([false, ['p3']]);
    expect(names(await take(store, describedBy()))).toContain('q');
  });

  it('is shown again where it became required', async () => {
    const { store } = await toolWith({ hidden_parameters: ['p3'] });
    const tool = await take(store, describedBy(MANY, ['p3']));
    expect([names(tool).includes('p3'), tool.hidden_parameters]).toEqual([true, ['p3']]);
  });

  it('is hidden in what waits, and counts as approved', async () => {
    const store = memoryStore();
    const before = await take(store, describedBy(), { hold: 'all' });
    const waiting = await take(store, describedBy(MANY, [], { summary: 'Otherwise.' }), { hold: 'all' });
    expect(names(waiting.pending ?? expect.unreachable('nothing waits'))).toContain('p3');
    const hidden = await setTool(store, 'a', { hidden_parameters: ['p3'] });
    expect(names(hidden.pending ?? expect.unreachable('nothing waits'))).not.toContain('p3');
    expect(hidden.approved).not.toBe(before.approved);
    const [approval] = await approveTools(store, ['a']);
    expect(approval?.differences.map(({ code, at }) => [code, at])).toEqual([['text-changed', '/description']]);
    expect(names(await only(store))).not.toContain('p3');
  });

  it('is approved as it was looked at, or not at all', async () => {
    const store = memoryStore();
    await take(store, describedBy(), { hold: 'all' });
    await take(store, describedBy(MANY, [], { summary: 'Looked at.' }), { hold: 'all' });
    const [looked] = await approveTools(store, ['a'], { dry_run: true });
    const digest = looked?.digest ?? expect.unreachable('nothing waits');
    const waiting = await take(store, describedBy(MANY, [], { summary: 'Slipped in.' }), { hold: 'all' });
    const refused = approveTools(store, ['a'], { digest });
    await expect(refused).rejects.toMatchObject({ code: 'pending-moved', data: { tool: waiting.id } });
    expect(await only(store)).toEqual(waiting);
    await take(store, describedBy(MANY, [], { summary: 'Looked at.' }), { hold: 'all' });
    for (const [names, one] of [
      [['a', 'b'], digest],
      ['all', digest],
      [['a'], digest.slice(0, 15)],
      [['a'], `${digest.slice(0, 15)}x`],
      [['a'], ''],
    ] as const) {
      await expect(approveTools(store, names, { digest: one })).rejects.toMatchObject({ code: 'bad-request' });
    }
    await approveTools(store, ['a'], { digest: digest.slice(0, 16) });
    expect(await only(store)).toMatchObject({ description: expect.stringContaining('Looked at.') });
  });

  it('is the last word: what is shown is not hidden, and what is hidden is not shown', async () => {
    const { store } = await toolWith({ hidden_parameters: ['p3'] });
    const shown = await setTool(store, 'a', { shown_parameters: ['p3'] });
    expect([shown.hidden_parameters, shown.shown_parameters]).toEqual([undefined, ['p3']]);
    expect(names(await take(store, describedBy()))).toContain('p3');
    const hidden = await setTool(store, 'a', { hidden_parameters: ['p3'] });
    expect([hidden.hidden_parameters, hidden.shown_parameters]).toEqual([['p3'], undefined]);
  });

  it.each<readonly [string, ToolChanges, string, RegExp]>([
    ['one that is required', { hidden_parameters: ['p0'] }, 'invalid-value', /"p0" of a cannot be hidden.*fixed value/],
    ['one that is fixed', { hidden_parameters: ['p1'] }, 'invalid-value', /"p1" of a cannot be hidden.*fixed/],
    [
      'one that is not there',
      { hidden_parameters: ['p99'] },
      'unknown-parameter',
      /no parameter "p99".*did you mean "p\d+"/,
    ],
    ['one that is not hidden', { unhidden: ['p2'] }, 'unknown-parameter', /nothing called "p2" of a is hidden/],
    ['one that was not asked for', { unshown: ['p2'] }, 'unknown-parameter', /nothing called "p2" of a is asked/],
    ['one name twice', { hidden_parameters: ['p2'], shown_parameters: ['p2'] }, 'bad-request', /"p2" is named twice/],
  ])('%s is refused', async (_, changes, code, message) => {
    const store = memoryStore();
    await take(store, describedBy(MANY, ['p0']));
    const before = await setTool(store, 'a', { fixed_parameters: { p1: 'x' } });
    await expect(setTool(store, 'a', changes)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await only(store)).toEqual(before);
  });

  it('is no setting of a tool written by hand, whose schema is a person’s own', async () => {
    const store = memoryStore();
    await createTool(store, { name: 'mine', config: { endpoint: `${SERVER}/a` } });
    const refused = setTool(store, 'mine', { hidden_parameters: ['a'] });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-value' });
  });
});

describe('the command line', () => {
  const importing = ['import', 'doc.json', '--server', SERVER, '--all'];

  it('hides and shows', async () => {
    await atDesk(async ({ run, write, tools }) => {
      await write('doc.json', describedBy());
      await run(...importing);
      const set = await run('tools', 'set', 'a', '--hide', 'p3', '--hide', 'q', '--show', 'p23');
      expect([set.code, set.stdout]).toEqual([0, 'a is set.\n']);
      expect(set.stderr).toContain('next import');
      expect((await run('tools', 'list')).stdout).toContain('shows p23, hides p3, hides q');
      await run(...importing);
      const [tool] = await tools();
      expect(names(tool ?? expect.unreachable('there is no tool'))).toEqual(
        [...NAMES.slice(0, 20), 'p23'].filter((name) => name !== 'p3').sort(),
      );
      await run('tools', 'set', 'a', '--unhide', 'p3', '--unhide', 'q', '--unshow', 'p23');
      expect((await tools())[0]).not.toHaveProperty('hidden_parameters');
    });
  });

  it('holds, tells what waits, and approves it', async () => {
    await atDesk(async ({ run, write, store }) => {
      await write('doc.json', describedBy({ p0: TEXT }));
      await run(...importing, '--hold', 'breaking');
      await write('doc.json', describedBy({ p0: TEXT }, ['p0']));
      const held = await run(...importing, '--hold', 'breaking');
      expect(held.stdout).toBe(
        [
          '= a (input_schema): 1 breaking; it waits for approval',
          '    breaking argument-required at /input_schema/properties/p0: "p0" has to be given now',
          '0 created, 0 refreshed, 1 unchanged, 1 waiting',
          '',
        ].join('\n'),
      );
      const before = await store();
      expect((await run(...importing, '--hold', 'breaking')).stdout).toBe(
        '0 created, 0 refreshed, 1 unchanged, 1 waiting\n',
      );
      expect((await run('tools', 'list')).stdout).toMatch(/waits for approval\n1 tool, 1 waits for approval/);
      const shown = await run('tools', 'show', 'a');
      expect(JSON.parse(shown.stdout)).toHaveProperty('pending');
      expect(shown.stderr).toContain('argument-required at /input_schema/properties/p0');
      const looked = await run('tools', 'approve', '--all', '--dry-run');
      expect(looked.stdout).toMatch(/^~ a waits \(--digest [0-9a-f]{16}\)\n {4}breaking argument-required/);
      const digest = /--digest ([0-9a-f]+)/.exec(looked.stdout)?.[1] ?? '';
      expect(shown.stderr).toContain(`tools approve a --digest ${digest})`);
      expect(JSON.parse((await run('tools', 'approve', 'a', '--dry-run', '--json')).stdout)).toMatchObject([
        { tool: { name: 'a' }, digest: expect.stringMatching(new RegExp(`^${digest}[0-9a-f]{48}$`)) },
      ]);
      expect(await store()).toBe(before);
      const other = await run('tools', 'approve', 'a', '--digest', '0'.repeat(16));
      expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('error[pending-moved]')]);
      expect((await run('tools', 'approve', '--all', '--digest', digest)).code).toBe(2);
      expect(await store()).toBe(before);
      const approved = await run('tools', 'approve', 'a', '--digest', digest);
      expect(approved.stdout).toMatch(/^~ a is approved\n {4}breaking argument-required/);
      expect((await run(...importing, '--hold', 'all')).stdout).toContain('1 unchanged, 0 waiting');
      expect((await run('tools', 'approve', '--all')).stdout).toMatch(/^No tool in .* waits for approval/);
      expect((await run('tools', 'approve', 'a')).stderr).toContain('error[nothing-pending]');
      for (const args of [[], ['a', '--all']]) expect((await run('tools', 'approve', ...args)).code).toBe(2);
      expect((await run(...importing, '--hold', 'some')).code).toBe(2);
    });
  });
});
