// Several sources planned as one import: what is missing, what is one operation twice, and names.
import { describe, expect, it } from 'vitest';
import { diff, diffTogether } from '../../src/plan/diff.js';
import type { PlanRequest, WantedTool } from '../../src/plan/plan.js';
import { created, request, SERVER, wanted } from './build.js';

function source(name: string, list: readonly WantedTool[], changes: Partial<PlanRequest> = {}): PlanRequest {
  return { ...request(list), source: name, ...changes };
}

describe('sources of one server and set', () => {
  const tools = created([wanted('a'), wanted('b'), wanted('c'), wanted('d'), wanted('e')]);

  it('together say what is missing, and in one plan', () => {
    const one = source('one.json', [wanted('a')]);
    const two = source('two.json', [wanted('b')]);
    const plans = diffTogether([one, two], tools);
    expect(plans.map(({ missing }) => missing.map(({ operation }) => operation))).toEqual([['c', 'd', 'e'], []]);
    // Alone each would name those of the other.
    expect(diff(one, tools).missing.map(({ operation }) => operation)).toEqual(['b', 'c', 'd', 'e']);
  });

  it('together say what is stale: where one still can import it, it is not', () => {
    const one = source('one.json', [], {
      keys: new Map([
        ['a', undefined],
        ['b', 'cookie' as const],
        ['c', 'cookie' as const],
      ]),
    });
    const two = source('two.json', [], {
      keys: new Map([
        ['b', 'path-gap' as const],
        ['c', undefined],
        ['d', 'path-gap' as const],
        ['e', undefined],
      ]),
    });
    const plans = diffTogether([one, two], tools);
    const stale = plans.map((plan) => plan.stale.map(({ operation, code }) => [operation, code]));
    expect(stale).toEqual([[['b', 'cookie']], [['d', 'path-gap']]]);
    expect(plans.flatMap(({ missing }) => missing)).toEqual([]);
  });

  it('may not bear one key, wanted by both or by one alone', () => {
    const named = { code: 'shared-operation', data: { operation: 'a', server: SERVER } };
    const both = [source('one.json', [wanted('a')]), source('two.json', [wanted('b'), wanted('a')])];
    expect(() => diffTogether(both, [])).toThrow(expect.objectContaining(named));
    expect(() => diffTogether(both, [])).toThrow(/"one\.json" and "two\.json" both bear "a".*"set" label/);
    const other = source('two.json', [], { keys: new Map([['a', undefined]]) });
    expect(() => diffTogether([source('one.json', [wanted('a')]), other], [])).toThrow(expect.objectContaining(named));
    expect(() => diffTogether([other, source('one.json', [wanted('a')])], [])).toThrow(/"two\.json" and "one\.json"/);
    // What neither wants is nobody's tool.
    expect(() => diffTogether([other, { ...other }], [])).not.toThrow();
  });
});

describe('sources kept apart', () => {
  it('by a set or a server may bear one key, and have names of their own', () => {
    const one = source('one.json', [wanted('a')]);
    const two = source('two.json', [wanted('a')], { set: 'two' });
    const three = source('three.json', [wanted('a')], { server: 'https://other.example' });
    const plans = diffTogether([one, two, three], []);
    const tools = plans.flatMap(({ actions }) => actions.map(({ tool }) => tool));
    expect(tools.map(({ name }) => name)).toEqual(['a', 'a_2', 'a_3']);
    expect(new Set(tools.map(({ id }) => id)).size).toBe(3);
    const again = diffTogether([one, two, three], tools).flatMap(({ actions }) => actions);
    expect(again.map(({ kind }) => kind)).toEqual(['keep', 'keep', 'keep']);
    // Each has its own missing.
    const gone = diffTogether([source('one.json', []), source('two.json', [], { set: 'two' }), three], tools);
    expect(gone.map(({ missing }) => missing.map(({ name }) => name))).toEqual([['a'], ['a_2'], []]);
  });

  it('take no name that a tool has, or that another of them was given', () => {
    const tools = created([wanted('x', { name: 'a' })], { server: 'https://third.example' });
    const plans = diffTogether(
      [source('one.json', [wanted('a')]), source('two.json', [wanted('b', { name: 'a' })], { set: 'two' })],
      tools,
    );
    expect(plans.flatMap(({ actions }) => actions.map(({ tool }) => tool.name))).toEqual(['a_2', 'a_3']);
  });

  it('are none where nothing is asked for', () => {
    expect(diffTogether([], created([wanted('a')]))).toEqual([]);
  });
});
