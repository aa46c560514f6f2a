// What references lead to: pointers, their escapes, identifiers and anchors; and where they end.
import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/base/budget.js';
import { withLimits } from '../../src/base/limits.js';
import { under } from '../../src/base/pointer.js';
import { Refused } from '../../src/base/refused.js';
import { Lookup } from '../../src/document/lookup.js';

const ROOT = {
  $self: 'https://api.example.com/openapi.json',
  components: {
    'a/b': { name: 'slash' },
    'a~b': { name: 'tilde' },
    'a~1b': { name: 'tilde one' },
    'a b': { name: 'space' },
    'a%b': { name: 'percent' },
    é: { name: 'accent' },
    '': { name: 'empty' },
    list: [{ name: 'first' }, { name: 'second' }],
    schemas: {
      Identified: {
        $id: 'https://ids.example.com/identified',
        $defs: { inner: { name: 'inner' } },
        $anchor: 'here',
        name: 'identified',
      },
      Relative: { $id: 'relative.json', name: 'relative' },
      Anchored: { $anchor: 'anchored', name: 'anchored' },
      Dynamic: { $dynamicAnchor: 'dynamic', name: 'dynamic' },
      Data: { default: { $anchor: 'data' }, enum: [{ $id: 'https://ids.example.com/data' }] },
    },
  },
};

function lookupOf(root: unknown = JSON.parse(JSON.stringify(ROOT)), withIds = true, url?: string): Lookup {
  const limits = withLimits();
  const document = {
    kind: 'openapi',
    version: '3.1.0',
    root,
    ...(url === undefined ? {} : { url }),
  } as ConstructorParameters<typeof Lookup>[0];
  return new Lookup(document, new Budget(limits), limits.reference_chain, withIds);
}

function found(reference: string, lookup = lookupOf()): unknown {
  const { node } = lookup.find(reference, lookup.document, '/at');
  return typeof node === 'object' && node !== null && 'name' in node ? node.name : node;
}

function refused(run: () => unknown): Refused {
  try {
    run();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  return expect.unreachable('nothing was refused');
}

describe('a reference', () => {
  it.each([
    ['#/components/a~1b', 'slash'],
    ['#/components/a~0b', 'tilde'],
    ['#/components/a~01b', 'tilde one'],
    ['#/components/a%20b', 'space'],
    ['#/components/a b', 'space'],
    ['#/components/a%25b', 'percent'],
    ['#/components/a%b', 'percent'],
    ['#/components/%C3%A9', 'accent'],
    ['#/components/é', 'accent'],
    ['#/components/', 'empty'],
    ['#/components/list/1', 'second'],
    ['#/components/a%7E1b', 'slash'],
    ['#/components/a%2Fb', undefined],
    ['https://api.example.com/openapi.json#/components/list/0', 'first'],
    ['openapi.json#/components/list/0', 'first'],
    ['https://ids.example.com/identified', 'identified'],
    ['https://ids.example.com/identified#/$defs/inner', 'inner'],
    ['https://ids.example.com/identified#here', 'identified'],
    ['relative.json', 'relative'],
    ['#anchored', 'anchored'],
    ['#dynamic', 'dynamic'],
  ])('%s leads to %s', (reference, name) => {
    if (name === undefined) expect(refused(() => found(reference)).code).toBe('unresolved-reference');
    else expect(found(reference)).toBe(name);
  });

  it.each([
    '#/none',
    '#/components/list/2',
    '#/components/list/-',
    '#/components/list/01',
    '#/components/list/length',
    '#/__proto__',
    '#/constructor',
    '#/components/toString',
    '#none',
    '#here',
    '#data',
    'other.json',
    'https://ids.example.com/data',
    'https://ids.example.com/none',
    '#/components/schemas/Identified/name/0',
  ])('%s leads nowhere', (reference) => {
    const { code, at, message } = refused(() => found(reference));
    expect([code, at]).toEqual(['unresolved-reference', '/at']);
    expect(message).toContain(reference.slice(0, 20));
  });

  it('leads by identifiers and anchors in 3.1 and newer alone', () => {
    for (const reference of ['#anchored', 'https://ids.example.com/identified']) {
      expect(refused(() => found(reference, lookupOf(ROOT, false))).code).toBe('unresolved-reference');
    }
  });

  it('is relative to the schema it stands in, where that has an identifier', () => {
    const lookup = lookupOf();
    const identified = lookup.find('https://ids.example.com/identified', lookup.document, '');
    expect(lookup.find('#/$defs/inner', identified.resource, '').node).toEqual({ name: 'inner' });
    expect(lookup.find('#/components/list/0', identified.resource, '').node).toEqual({ name: 'first' });
    expect(lookup.find('#here', identified.resource, '').at).toBe('/components/schemas/Identified');
  });

  it('finds __proto__ where that is a key', () => {
    const root: unknown = JSON.parse('{"components":{"__proto__":{"name":"proto"}}}');
    expect(found('#/components/__proto__', lookupOf(root))).toBe('proto');
  });

  it('names the URL of the description as the description', () => {
    const lookup = lookupOf({ a: { name: 'a' } }, true, 'https://docs.example.com/x.json');
    expect(found('https://docs.example.com/x.json#/a', lookup)).toBe('a');
    expect(found('x.json#/a', lookup)).toBe('a');
  });

  it('answers with the pointer of what it leads to', () => {
    const lookup = lookupOf();
    expect(lookup.find('#/components/a%7E1b', lookup.document, '').at).toBe('/components/a~1b');
  });
});

describe('settling', () => {
  const place = (lookup: Lookup, node: unknown) => ({ node, at: '/at', resource: lookup.document });
  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => [`n${i}`, i === length - 1 ? { name: 'end' } : { $ref: `#/n${i + 1}` }]),
    );

  it('follows 32 references and no more', () => {
    const short = lookupOf(chain(32));
    expect(short.settle(place(short, { $ref: '#/n0' })).node).toEqual({ name: 'end' });
    const long = lookupOf(chain(33));
    expect(refused(() => long.settle(place(long, { $ref: '#/n0' }))).message).toContain('reference_chain');
  });

  it.each([{ a: { $ref: '#/a' } }, { a: { $ref: '#/b' }, b: { $ref: '#/a' } }])('refuses the loop %j', (root) => {
    const lookup = lookupOf(root);
    expect(refused(() => lookup.settle(place(lookup, root.a))).code).toBe('unresolved-reference');
  });

  it.each([null, 3, 'text', [], {}, { $ref: 3 }])('leaves %j as it is', (node) => {
    const lookup = lookupOf();
    expect(lookup.settle(place(lookup, node)).node).toBe(node);
  });
});

it.each([
  ['a', '/a'],
  ['a/b', '/a~1b'],
  ['a~b', '/a~0b'],
  ['~1', '/~01'],
  ['', '/'],
  [3, '/3'],
])('the pointer under %j is %j', (key, pointer) => {
  expect(under('', key)).toBe(pointer);
});
