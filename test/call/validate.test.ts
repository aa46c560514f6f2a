// Arguments of a model against the schema it was shown.
import { describe, expect, it } from 'vitest';
import { shownSchema } from '../../src/call/shown.js';
import { valuesOf } from '../../src/call/validate.js';
import type { HttpTool } from '../../src/tool/tool.js';

const TOOL: HttpTool = {
  id: 'tool_0',
  name: 'book',
  description: '',
  input_schema: {
    type: 'object',
    properties: {
      day: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
      rooms: { type: 'array', items: { type: 'integer', maximum: 9 } },
      notify: { type: 'boolean' },
      seats: { type: 'integer' },
      note: { type: ['string', 'null'] },
      kind: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      colour: { type: 'string', enum: ['red', 'blue'] },
      tag: { type: 'string' },
    },
    required: ['day', 'notify'],
    additionalProperties: false,
  },
  config: { endpoint: 'https://a.example/', method: 'POST', locations: {} },
  fixed_parameters: { notify: true },
  deadline_seconds: 30,
};

function values(args: Record<string, unknown>, overrides?: Record<string, unknown>): unknown {
  const read = valuesOf(TOOL, args, overrides);
  return 'values' in read ? read.values : read.problems;
}

describe('what a model is shown', () => {
  it('leaves out what is fixed or overridden', () => {
    const schema = shownSchema(TOOL, { day: '2030-01' });
    expect(Object.keys(schema.properties as object)).not.toContain('notify');
    expect(Object.keys(schema.properties as object)).not.toContain('day');
    expect(schema.required).toEqual([]);
  });
});

describe('the values of a call', () => {
  it('are the arguments, then what is fixed, then what is overridden', () => {
    expect(values({ day: '2030-01', notify: 'maybe' })).toEqual({ day: '2030-01', notify: true });
    expect(values({ day: 5 }, { day: '2031-02', notify: false })).toEqual({ day: '2031-02', notify: false });
  });

  it('are read from JSON text of the declared type', () => {
    const args = { day: '2030-01', rooms: '[1,2]', seats: '3', kind: 'true', tag: '7', note: 'null' };
    expect(values(args)).toEqual({
      day: '2030-01',
      rooms: [1, 2],
      seats: 3,
      kind: true,
      tag: '7',
      note: 'null',
      notify: true,
    });
  });

  it('drop a null where the schema allows none', () => {
    expect(values({ day: '2030-01', seats: null, note: null })).toEqual({ day: '2030-01', note: null, notify: true });
  });

  it('are refused with every problem, what was expected and what came', () => {
    const problems = values({ rooms: [1, 'x', 12], seats: '2.5', colour: 'green', is_admin: true });
    expect(problems).toEqual([
      { argument: 'day', expected: 'a value', received: 'nothing' },
      { argument: 'is_admin', expected: 'no argument of that name', received: 'true' },
      { argument: 'rooms.1', expected: 'integer', received: '"x"' },
      { argument: 'rooms.2', expected: '<= 9', received: '12' },
      { argument: 'seats', expected: 'integer', received: '"2.5"' },
      { argument: 'colour', expected: 'one of "red", "blue"', received: '"green"' },
    ]);
  });

  it('are refused in words after which "is expected" may follow', () => {
    const properties = {
      short: { type: 'string', maxLength: 2 },
      long: { type: 'string', minLength: 3 },
      some: { type: 'array', uniqueItems: true, items: {} },
    };
    const tool = { ...TOOL, input_schema: { type: 'object', properties }, fixed_parameters: {} };
    const read = valuesOf(tool, { short: 'abc', long: 'ab', some: [1, 1] });
    expect('problems' in read && read.problems.map(({ expected }) => expected)).toEqual([
      'at most 2 characters',
      'at least 3 characters',
      expect.stringMatching(/^no duplicate items/),
    ]);
  });

  it('are decided in linear time, whatever the pattern', () => {
    const schema = {
      type: 'object',
      properties: { x: { type: 'string', pattern: '^(a+)+$' } },
      additionalProperties: false,
    };
    const read = valuesOf({ ...TOOL, input_schema: schema, fixed_parameters: {} }, { x: `${'a'.repeat(50_000)}b` });
    expect(read).toMatchObject({ problems: [{ argument: 'x' }] });
  });
});
