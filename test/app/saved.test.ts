// Plans in a file: what is read back, and that nothing else is.
import { describe, expect, it } from 'vitest';
import { decodePlan, encodePlan, type SavedPlan } from '../../src/app/apply-saved.js';
import { Failure } from '../../src/base/failure.js';
import { sampleTool } from '../store/sample.js';

const DIFFERENCE = { at: '/description', code: 'text-changed', class: 'text', message: 'it reads "x"' } as const;
const ACTION = {
  kind: 'refresh',
  source: 'api',
  tool: sampleTool('listVisits'),
  fields: ['description'],
  differences: [DIFFERENCE],
} as const;
const PLAN: SavedPlan = {
  manifest: 'toolwright.yaml',
  store: 'file:tools.json',
  marks: { manifest: 'm', store: 's', sources: [{ name: 'api', digests: ['d'] }] },
  actions: [ACTION],
  connections: ['key'],
};

function reading(change: object): unknown {
  try {
    return decodePlan(encodePlan({ ...PLAN, ...change }), 'the plan');
  } catch (failure) {
    return failure instanceof Failure ? failure.code : failure;
  }
}

describe('a saved plan', () => {
  it('is read back as it was', () => {
    expect(reading({})).toEqual(PLAN);
    expect(reading({ environment: 'live' })).toEqual({ ...PLAN, environment: 'live' });
    const numbers = { unchanged: 3, waiting: [{ source: 'api', tools: 2 }] };
    expect(reading(numbers)).toEqual({ ...PLAN, ...numbers });
  });

  it.each([
    ['a manifest that is none', { manifest: 7 }],
    ['marks without a source', { marks: { manifest: 'm', store: 's' } }],
    ['digests that are none', { marks: { ...PLAN.marks, sources: [{ name: 'api', digests: [1] }] } }],
    ['connections that are none', { connections: [null] }],
    ['a number that is none', { unchanged: -1 }],
    ['what waits of no source', { waiting: [{ tools: 1 }] }],
    ['a key that is not known', { more: true }],
    ['an action of another kind', { actions: [{ ...ACTION, kind: 'drop' }] }],
    ['a tool that is none', { actions: [{ ...ACTION, tool: {} }] }],
    ['a name that is printed', { actions: [{ ...ACTION, tool: { ...ACTION.tool, name: 'a\u001b[2J' } }] }],
    ['a field that is printed', { actions: [{ ...ACTION, fields: ['a\u001b[2J'] }] }],
    ['a difference that is none', { actions: [{ ...ACTION, differences: [null] }] }],
    ['a class that is none', { actions: [{ ...ACTION, differences: [{ ...DIFFERENCE, class: 'good' }] }] }],
  ])('is refused with %s', (_what, change) => {
    expect(reading(change)).toBe('plan-foreign');
  });
});
