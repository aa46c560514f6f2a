// The bounds of the compiler: their defaults are those of the contract, and only whole numbers replace them.
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits, withLimits } from '../../src/base/limits.js';

describe('limits', () => {
  it('are those of the contract', () => {
    expect(withLimits()).toEqual({
      description_bytes: 16_777_216,
      fetch_seconds: 30,
      operations_listed: 3_000,
      operations_per_import: 50,
      reference_chain: 32,
      optional_properties: 20,
      nesting: 5,
      operation_steps: 2_000,
      operation_schema_bytes: 65_536,
      description_steps: 400_000,
      tool_name_chars: 64,
      tool_description_chars: 1_024,
      parameter_description_chars: 300,
    });
  });

  it('are replaced one by one, and the defaults stay', () => {
    expect(withLimits({ nesting: 3 })).toEqual({ ...DEFAULT_LIMITS, nesting: 3 });
    expect(withLimits().nesting).toBe(5);
  });

  it.each(Object.keys(DEFAULT_LIMITS))('%s takes no fraction, nothing below 0 and no text', (name) => {
    for (const value of [0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null]) {
      const limits = { [name]: value } as Partial<Limits>;
      expect(() => withLimits(limits)).toThrow(expect.objectContaining({ code: 'invalid-limit', data: { name } }));
    }
  });

  it.each(['nestings', '__proto__', 'constructor', 'toString', ''])('%j is no limit', (name) => {
    const limits = Object.fromEntries([[name, 1]]) as Partial<Limits>;
    expect(() => withLimits(limits)).toThrow(expect.objectContaining({ code: 'unknown-limit' }));
  });

  it('of optional properties may be none, every other at least one', () => {
    expect(withLimits({ optional_properties: 0 }).optional_properties).toBe(0);
    for (const name of Object.keys(DEFAULT_LIMITS)) {
      if (name === 'optional_properties') continue;
      expect(() => withLimits({ [name]: 0 })).toThrow(expect.objectContaining({ code: 'invalid-limit' }));
    }
  });
});
