// What waits for a person: which changes, for how long, and what an approval does.
import { describe, expect, it } from 'vitest';
import { digest } from '../../src/base/canonical.js';
import { diff } from '../../src/plan/diff.js';
import { approve, ownedForm } from '../../src/plan/owned.js';
import type { Action, Hold, WantedTool } from '../../src/plan/plan.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { created, request, wanted } from './build.js';

const [BEFORE] = created([wanted('a')]) as [HttpTool];
const properties = { a: { type: 'string' }, b: { type: 'string' } };
const input_schema = { type: 'object', properties, required: [], additionalProperties: false };
const SAFE = { input_schema, locations: { a: 'body', b: 'body' } } as const;
const TEXT = { description: 'Does it otherwise.' };
const BREAKING = { method: 'PUT' };
/** The same values, written otherwise. */
const REWRITTEN = { locations: { a: { in: 'body' } } } as const;
const DESCRIBED = {
  ...SAFE,
  input_schema: { ...input_schema, properties: { ...properties, b: { type: 'string', description: 'Send all.' } } },
};

function plan(changes: Partial<WantedTool>, hold?: Hold, before = BEFORE): Action {
  const [action] = diff(request([wanted('a', changes)], hold === undefined ? {} : { hold }), [before]).actions;
  return action ?? expect.unreachable('there is no action');
}

function held(changes: Partial<WantedTool>, hold: Hold = 'all', before = BEFORE): HttpTool {
  const { kind, tool } = plan(changes, hold, before);
  expect(kind).toBe('hold');
  return tool;
}

describe('a change under a hold', () => {
  it.each<readonly [string, Partial<WantedTool>, readonly Hold[]]>([
    ['breaking', BREAKING, ['breaking', 'text', 'all']],
    ['breaking beside safe', { ...BREAKING, ...SAFE }, ['breaking', 'text', 'all']],
    ['text', TEXT, ['text', 'all']],
    ['safe that brings text', DESCRIBED, ['text', 'all']],
    ['safe', SAFE, ['all']],
    ['written otherwise', REWRITTEN, ['all']],
  ])('%s', (_, changes, holds) => {
    const waits = (['breaking', 'text', 'all'] as const).filter((hold) => plan(changes, hold).kind === 'hold');
    expect(waits).toEqual(holds);
    expect(plan(changes).kind).toBe('refresh');
  });

  it('leaves the tool as it was, and records what waits', () => {
    const mine = { ...BEFORE, name: 'mine', description: 'Mine.', imported_description: BEFORE.description };
    const action = plan({ ...BREAKING, ...TEXT }, 'breaking', mine);
    if (action.kind !== 'hold') return expect.unreachable('it does not wait');
    const { pending, ...rest } = action.tool;
    expect(rest).toEqual(mine);
    expect(pending).toEqual({ ...ownedForm(mine), ...BREAKING, ...TEXT });
    expect(action.before).toBe(mine);
    expect(action.fields).toEqual(['method', 'description']);
    return expect(action.differences.map(({ code }) => code)).toEqual(['method-changed', 'text-changed']);
  });

  it('does not wait for an argument to be required that a person fixed: nobody has to give it', () => {
    const [open] = created([wanted('a', SAFE)]) as [HttpTool];
    const required = { ...SAFE, input_schema: { ...input_schema, required: ['b'] } };
    expect(plan(required, 'breaking', open)).toMatchObject({
      kind: 'hold',
      differences: [{ code: 'argument-required' }],
    });
    const fixed = { ...open, fixed_parameters: { b: 'always' } };
    expect(plan(required, 'breaking', fixed)).toMatchObject({ kind: 'refresh', differences: [] });
  });

  it('that waits already is kept; a later one takes its place', () => {
    const waiting = held(BREAKING);
    expect(plan(BREAKING, 'breaking', waiting)).toEqual({ kind: 'keep', tool: waiting });
    expect(held({ method: 'PATCH' }, 'breaking', waiting).pending?.method).toBe('PATCH');
  });

  it('is over where the API goes back, or on to what need not wait', () => {
    const waiting = held(BREAKING);
    const back = plan({}, 'breaking', waiting);
    expect(back).toEqual({ kind: 'refresh', tool: BEFORE, before: waiting, fields: [], differences: [] });
    expect(plan({}, 'breaking', back.tool).kind).toBe('keep');
    const on = plan(SAFE, 'breaking', waiting);
    expect(on.kind).toBe('refresh');
    expect(on.tool.pending).toBeUndefined();
  });

  it('is written by an import that holds nothing', () => {
    const { kind, tool } = plan(BREAKING, undefined, held(BREAKING));
    expect([kind, tool.pending, tool.config.method]).toEqual(['refresh', undefined, 'PUT']);
  });
});

describe('what was approved', () => {
  const of = (tool: HttpTool) => digest(ownedForm(tool));

  it('is recorded at creation and refresh under a hold, and not without one', () => {
    const [fresh] = created([wanted('a')], { hold: 'breaking' }) as [HttpTool];
    expect(fresh.approved).toBe(of(fresh));
    expect(BEFORE.approved).toBeUndefined();
    const refreshed = plan(SAFE, 'breaking').tool;
    expect(refreshed.approved).toBe(of(refreshed));
    expect(plan(SAFE).tool.approved).toBeUndefined();
    expect(plan({}, 'breaking')).toEqual({ kind: 'keep', tool: BEFORE });
  });

  it('stays what it was while a change waits, and follows every change that is written', () => {
    const [fresh] = created([wanted('a')], { hold: 'breaking' }) as [HttpTool];
    const waiting = held(BREAKING, 'breaking', fresh);
    expect(waiting.approved).toBe(fresh.approved);
    const approved = approve(waiting);
    expect(approved).toMatchObject({ config: { method: 'PUT' }, approved: of(approved) });
    expect(approved.approved).not.toBe(fresh.approved);
    expect(approved).not.toHaveProperty('pending');
    expect(plan(BREAKING, 'all', approved).kind).toBe('keep');
    const written = plan(TEXT, undefined, approved).tool;
    expect(written.approved).toBe(of(written));
  });

  it('keeps what is a person’s', () => {
    const mine = { ...BEFORE, description: 'Mine.', imported_description: BEFORE.description, deadline_seconds: 9 };
    expect(approve(held(TEXT, 'text', mine))).toMatchObject({
      description: 'Mine.',
      imported_description: TEXT.description,
      deadline_seconds: 9,
    });
  });
});

describe('an answer’s schema', () => {
  const output_schema = { type: 'object', properties: { id: { type: 'string' } } };

  it('is refreshed with the rest, and goes where the API no longer says it', () => {
    const action = plan({ output_schema });
    expect(action).toMatchObject({ kind: 'refresh', fields: ['output_schema'], tool: { output_schema } });
    expect(plan({}, undefined, action.tool).tool).toEqual(BEFORE);
    expect(created([wanted('a', { output_schema })])[0]?.output_schema).toEqual(output_schema);
  });
});
