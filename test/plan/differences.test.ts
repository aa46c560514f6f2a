// Each rule by which a difference is told and classed: the table of examples, the codes and the documentation agree.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIFFERENCE_CODES, type DifferenceCode } from '../../src/base/codes.js';
import { compareForms } from '../../src/plan/compare.js';
import { DIFFERENCE_CLASSES, Findings, TooManySteps } from '../../src/plan/findings.js';
import type { OwnedForm } from '../../src/tool/tool.js';

/** A form, in short: `argument` is the schema of its one argument, `a`; what is not said is the same on both sides. */
interface Short extends Partial<Omit<OwnedForm, 'input_schema'>> {
  readonly argument?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

interface Example {
  readonly what: string;
  readonly before: Short;
  readonly after: Short;
  readonly finds: readonly { readonly code: DifferenceCode; readonly class: string; readonly at: string }[];
}

const EXAMPLES = JSON.parse(readFileSync(new URL('differences.json', import.meta.url), 'utf8')) as readonly Example[];

function formOf({
  argument = { type: 'string' },
  properties = { a: argument },
  required = [],
  ...rest
}: Short): OwnedForm {
  return {
    endpoint: 'https://api.example.com/rooms',
    method: 'POST',
    locations: { a: 'body' },
    input_schema: { type: 'object', properties, required, additionalProperties: false },
    description: 'Lists rooms.',
    ...rest,
  };
}

/** An object of so many properties that each are compared. */
function large(type: string): OwnedForm {
  const names = Array.from({ length: 21_000 }, (_, i) => [
    `p${i}`,
    { type, description: type === 'string' ? 'A' : 'B' },
  ]);
  return formOf({ argument: { type: 'object', properties: Object.fromEntries(names) } });
}

describe('a difference', () => {
  it.each(EXAMPLES)('$what', ({ before, after, finds }) => {
    const found = compareForms(formOf(before), formOf(after));
    expect(found.map(({ at, code, class: kind }) => ({ code, class: kind, at }))).toEqual(finds);
    for (const { message } of found) expect(message).toMatch(/^[^\n]{1,600}$/);
  });

  it('is not looked for without end: what is too large is not proved to be safe', () => {
    const found = compareForms(large('string'), large('integer'));
    expect(found.filter(({ code }) => code === 'not-compared').map(({ at }) => at)).toEqual(['/input_schema', '']);
    expect(found.filter(({ code }) => code === 'type-narrowed').length).toBeGreaterThan(10_000);
  });

  it('takes a form for the first that takes it, and looks at no other', () => {
    const forms = (more: readonly string[]) =>
      Array.from({ length: 40 }, (_, i) => {
        const names = [...Array.from({ length: 20 }, (_, j) => `p${j}`), ...more];
        const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
        return { type: 'object', properties: { kind: { const: `k${i}` }, ...properties }, required: ['kind'] };
      });
    const found = compareForms(
      formOf({ argument: { anyOf: forms([]) } }),
      formOf({ argument: { anyOf: forms(['q']) } }),
    );
    expect(found.map(({ code }) => code)).toEqual(Array(40).fill('argument-added'));
  });

  it('pays for what it writes at each level and for each form', () => {
    // Two forms at each of twelve levels, and a long list at the end, which is a part of all of them.
    const nested = (levels: number, list: readonly string[]): unknown =>
      levels === 0
        ? { enum: list }
        : { anyOf: [{ type: 'object', properties: { a: nested(levels - 1, list) } }, { type: 'array' }] };
    const list = Array.from({ length: 3_000 }, (_, i) => `value ${i}`);
    const [before, after] = [list, list.slice(1)].map((values) => formOf({ argument: nested(12, values) }));
    const found = compareForms(before as OwnedForm, after as OwnedForm);
    expect(found.some(({ class: kind }) => kind === 'breaking')).toBe(true);
    const findings = new Findings({ left: 10 });
    expect(findings.text({ b: 1, a: undefined })).toBe('{"b":1}');
    expect(() => findings.text('x'.repeat(5_000))).toThrow(TooManySteps);
  });

  it('shows no query of a URL, which may hold a secret, and cuts what is foreign', () => {
    const long = 'x'.repeat(5_000);
    const [one] = compareForms(
      formOf({ endpoint: 'https://api.example.com/a?key=hidden' }),
      formOf({ endpoint: `https://api.example.com/${long}?key=hidden` }),
    );
    expect(one?.message).toContain('api.example.com/a"');
    expect(one?.message).not.toContain('hidden');
    expect(one?.message.length).toBeLessThan(500);
  });
});

describe('the documentation of differences', () => {
  const text = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8');

  it('has each code in the words of the code, with its class', () => {
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (breaking|safe|text) \| (.*) \|$/gm)].map(([, ...row]) => row);
    const known = Object.entries(DIFFERENCE_CODES).map(([code, meaning]) => [
      code,
      DIFFERENCE_CLASSES[code as DifferenceCode],
      meaning,
    ]);
    expect(rows).toEqual(known);
  });

  it('has an example of each code, and each example a code that is documented', () => {
    const shown = new Set([...EXAMPLES.flatMap(({ finds }) => finds.map(({ code }) => code)), 'not-compared']);
    expect([...shown].sort()).toEqual(Object.keys(DIFFERENCE_CODES).sort());
  });
});
