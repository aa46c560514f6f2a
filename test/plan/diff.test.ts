// The plan of an import: what is created, refreshed and kept, what is missing or stale, and what a person set stays.
import { describe, expect, it } from 'vitest';
import { diff, importedId } from '../../src/plan/diff.js';
import type { WantedTool } from '../../src/plan/plan.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { created, request, SERVER, wanted } from './build.js';

/** What a person may set. */
const PERSONAL: Partial<HttpTool> = {
  name: 'mine',
  fixed_parameters: { a: 1, gone: 2 },
  deadline_seconds: 60,
  connection_id: 'conn_1',
};

describe('a tool that is not there', () => {
  it('is created with an id of its identity and the connection of the import', () => {
    const [tool] = created([wanted('a')], { connection_group: 'clinic', set: 'one' });
    expect(tool).toMatchObject({
      id: importedId({ server: SERVER, operation: 'a', set: 'one' }),
      name: 'a',
      fixed_parameters: {},
      deadline_seconds: 30,
      connection_group: 'clinic',
      origin: { server: SERVER, operation: 'a', set: 'one' },
    });
    expect(tool).not.toHaveProperty('connection_id');
    expect(tool?.id).toMatch(/^tool_[0-9a-f]{24}$/);
  });

  it('has another id for another server, operation or set', () => {
    const ids = [
      { server: SERVER, operation: 'a' },
      { server: SERVER, operation: 'b' },
      { server: `${SERVER}/v2`, operation: 'a' },
      { server: SERVER, operation: 'a', set: 'one' },
    ].map(importedId);
    expect(new Set(ids).size).toBe(4);
  });

  it('gets a number where its name is taken', () => {
    const [other] = created([wanted('a')], { server: 'https://other.example' });
    if (other === undefined) throw new Error('nothing was created');
    const { actions } = diff(request([wanted('a'), wanted('b', { name: 'a' })]), [other]);
    expect(actions.map(({ tool }) => tool.name)).toEqual(['a_2', 'a_3']);
  });
});

describe('a tool that is there', () => {
  const [before] = created([wanted('a')]) as [HttpTool];

  it('is kept as it is where only the order of keys differs', () => {
    const { input_schema } = wanted('a');
    const backwards = Object.fromEntries(Object.entries(input_schema).reverse());
    const { actions } = diff(request([wanted('a', { input_schema: backwards, name: 'other' })]), [before]);
    expect(actions).toEqual([{ kind: 'keep', tool: before }]);
    expect(actions[0]?.tool).toBe(before);
  });

  it.each<readonly [Partial<WantedTool>, readonly string[]]>([
    [{ endpoint: `${SERVER}/other` }, ['endpoint']],
    [{ method: 'PUT' }, ['method']],
    [{ locations: {} }, ['locations']],
    [{ body: { content_type: 'application/json', required: false } }, ['body']],
    [{ input_schema: { type: 'object' } }, ['input_schema']],
    [{ description: 'New.' }, ['description']],
    [{ method: 'PUT', description: 'New.', locations: {} }, ['method', 'locations', 'description']],
  ])('is refreshed where the API changed: %j', (changes, fields) => {
    const mine = { ...before, ...PERSONAL };
    const [action] = diff(request([wanted('a', changes)]), [mine]).actions;
    if (action?.kind !== 'refresh') return expect.unreachable('it was not refreshed');
    expect(action.fields).toEqual(fields);
    expect(action.before).toBe(mine);
    expect(action.tool).toMatchObject({ ...PERSONAL, id: mine.id, origin: mine.origin });
    const again = diff(request([wanted('a', changes)]), [action.tool]);
    return expect(again.actions.map(({ kind }) => kind)).toEqual(['keep']);
  });

  it('loses a body that the operation no longer has, and keeps headers and attempts', () => {
    const { body: _, ...bodiless } = wanted('a');
    const mine = { ...before, config: { ...before.config, headers: { 'X-A': 'b' }, attempts: 1 } };
    const [action] = diff(request([bodiless]), [mine]).actions;
    expect(action).toMatchObject({ kind: 'refresh', fields: ['body'] });
    expect(action?.tool.config).toEqual({
      endpoint: `${SERVER}/a`,
      method: 'POST',
      locations: { a: 'body' },
      headers: { 'X-A': 'b' },
      attempts: 1,
    });
  });

  it('keeps the text of a person in front of the refreshed one', () => {
    const mine = { ...before, description: 'Mine.', imported_description: before.description };
    expect(diff(request([wanted('a')]), [mine]).actions[0]?.kind).toBe('keep');
    const [action] = diff(request([wanted('a', { description: 'New.' })]), [mine]).actions;
    expect(action?.tool).toMatchObject({ description: 'Mine.', imported_description: 'New.' });
  });

  it('keeps its connection, whatever the import says', () => {
    const [action] = diff(request([wanted('a', { method: 'PUT' })], { connection_id: 'conn_2' }), [
      { ...before, connection_id: 'conn_1' },
    ]).actions;
    expect(action?.tool.connection_id).toBe('conn_1');
  });
});

describe('a tool that was not chosen', () => {
  const tools = created([wanted('a'), wanted('b'), wanted('c')]);
  const ids = new Map(tools.map((tool) => [tool.origin?.operation, tool.id]));

  it('is left alone, is missing, or is stale with its code', () => {
    const keys = new Map([
      ['a', undefined],
      ['b', 'cookie' as const],
    ]);
    const plan = diff(request([], { keys }), tools);
    expect(plan).toEqual({
      actions: [],
      missing: [{ operation: 'c', tool_id: ids.get('c'), name: 'c' }],
      stale: [{ operation: 'b', tool_id: ids.get('b'), name: 'b', code: 'cookie' }],
      renamed: [],
    });
  });

  it('is neither where it is of another server or set, or written by hand', () => {
    const [hand] = tools.map(({ origin: _, ...tool }) => tool);
    const others = [
      ...created([wanted('d')], { set: 'one' }),
      ...created([wanted('e')], { server: 'https://other.example' }),
    ];
    const plan = diff(request([]), [...others, ...(hand === undefined ? [] : [hand])]);
    expect(plan).toEqual({ actions: [], missing: [], stale: [], renamed: [] });
  });
});

it('has one action for each chosen operation, in their order', () => {
  const tools = created([wanted('b')]);
  const { actions } = diff(request([wanted('c'), wanted('b'), wanted('a')]), tools);
  expect(actions.map(({ kind, tool }) => [kind, tool.name])).toEqual([
    ['create', 'c'],
    ['keep', 'b'],
    ['create', 'a'],
  ]);
});
