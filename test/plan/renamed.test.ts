// The hint that a missing operation goes by another key: each respect, the strongest first, and never a guess between two.
import { expect, it } from 'vitest';
import { diff } from '../../src/plan/diff.js';
import type { KnownOperation, WantedTool } from '../../src/plan/plan.js';
import { created, request, SERVER, wanted } from './build.js';

const PATH = 'has the same method and path';
const LOOSE = 'has the same method, and a path that is only written otherwise';
const VERSION = 'has the same method, and a path of another version';
const ARGUMENTS = 'has the same method and the same arguments';
const properties = { a: { type: 'string', description: 'One.' }, b: { type: 'integer' } };
const TWO = {
  input_schema: { type: 'object', properties, required: ['a'], additionalProperties: false },
  locations: { a: 'body', b: 'body' },
} as const;

function at(operation: string, path: string, changes: Partial<WantedTool> = {}): WantedTool {
  return wanted(operation, { endpoint: `${SERVER}${path}`, ...changes });
}

function hints(
  before: readonly WantedTool[],
  after: readonly WantedTool[],
  known?: readonly KnownOperation[],
): string[] {
  const plan = diff(request(after, known === undefined ? {} : { known: () => known }), created(before));
  return plan.renamed.map(({ from, operation, reason }) => `${from.operation} ${operation} ${reason}`);
}

it.each<readonly [string, string, string | undefined]>([
  ['/rooms/{id}', '/rooms/{room_id}', PATH],
  ['/rooms', '/Rooms', LOOSE],
  ['/waiting-rooms/{id}/beds', '/waiting_room/{id}/bed', LOOSE],
  ['/v1/rooms', '/v2/rooms', VERSION],
  ['/rooms', '/v2beta1/rooms', VERSION],
  ['/2026-01-01/rooms', '/2026-06-01/rooms', VERSION],
  ['/rooms', '/wards', undefined],
  ['/rooms/{id}', '/rooms', undefined],
  ['/vans', '/v2', undefined],
])('%s and %s', (from, to, reason) => {
  expect(hints([at('old', from)], [at('new', to)])).toEqual(reason === undefined ? [] : [`old new ${reason}`]);
  expect(hints([at('old', from)], [at('new', to, { method: 'PUT' })])).toEqual([]);
});

it('the same arguments in the same places, their texts aside', () => {
  const described = { ...TWO.input_schema, properties: { ...properties, a: { type: 'string', description: 'Two.' } } };
  const moved = at('new', '/wards', { ...TWO, input_schema: described });
  expect(hints([at('old', '/rooms', TWO)], [moved])).toEqual([`old new ${ARGUMENTS}`]);
  expect(hints([at('old', '/rooms', TWO)], [{ ...moved, locations: { a: 'body', b: 'query' } }])).toEqual([]);
  expect(hints([at('old', '/rooms', TWO)], [{ ...moved, input_schema: { ...described, required: [] } }])).toEqual([]);
});

it('none where two could be meant, on either side', () => {
  const [one, two] = [at('one', '/v2/rooms'), at('two', '/v3/rooms')];
  expect(hints([at('old', '/v1/rooms')], [one, two])).toEqual([]);
  expect(hints([one, two], [at('new', '/v1/rooms')])).toEqual([]);
});

it('the strongest respect is asked first, and each operation is named once', () => {
  const before = [at('old', '/v1/rooms'), at('older', '/v2/rooms')];
  expect(hints(before, [at('new', '/v2/rooms')])).toEqual([`older new ${PATH}`]);
  expect(hints(before, [at('new', '/v2/rooms'), at('newer', '/v3/rooms')])).toEqual([
    `old newer ${VERSION}`,
    `older new ${PATH}`,
  ]);
});

it('an operation that was not chosen is named as well, one that is a tool is not', () => {
  const known = [
    { operation: 'new', method: 'POST', endpoint: `${SERVER}/rooms` },
    { operation: 'kept', method: 'POST', endpoint: `${SERVER}/wards` },
  ];
  const before = [at('old', '/rooms'), at('gone', '/wards'), at('kept', '/wards')];
  expect(hints(before, [at('kept', '/wards')], known)).toEqual([`old new ${PATH}`]);
});
