// Small hostile descriptions by number, for reading many in a row.
import {
  alternativesInside,
  crossed,
  entries,
  INPUTS,
  nested,
  objectOf,
  openApi,
  paths,
  post,
  reference,
  withSchemaText,
} from './inputs.js';

const NAMED = [
  'doubling by properties',
  'doubling by allOf',
  'doubling by anyOf',
  'doubling by oneOf of objects',
  'doubling by items',
  'doubling by entries',
  'a chain of 33 references',
  'loops of every kind',
  '1e400 everywhere',
];

const MAKERS: readonly ((index: number) => string)[] = [
  ...NAMED.map((name) => () => INPUTS[name]?.() ?? ''),
  (index) => crossed(2 + (index % 6)),
  (index) => alternativesInside(2 + (index % 30)),
  (index) => nested('[', String(index), ']', 1_000 + index),
  (index) => nested('{"a":', String(index), '}', 1_000 + index),
  (index) => withSchemaText(nested('{"allOf":[', '{}', ']}', 100 + index)),
  (index) => withSchemaText(nested('{"anyOf":[{},', '{}', ']}', 100 + index)),
  (index) => withSchemaText(String(index)),
  (index) =>
    openApi(
      paths(50, () => post(reference('A'))),
      { schemas: { A: objectOf(entries(index, () => ({}))) } },
    ),
  (index) => openApi(paths(10, () => ({ get: { parameters: index } }))),
  (index) => openApi(paths(10, () => ({ get: { parameters: entries(index % 20, () => null) } }))),
  (index) => `{"openapi":"3.1.0","paths":{"__proto__":{"get":{"operationId":"constructor${index}"}}}}`,
  (index) => `{"openapi":"3.1.0","paths":`.padEnd(index, '{'),
  (index) => JSON.stringify({ openapi: '3.0.0', paths: { [String.fromCharCode(0xd800 + index)]: { get: {} } } }),
  (index) => JSON.stringify({ kind: 'discovery#restDescription', resources: [index], methods: { a: index } }),
  (index) => JSON.stringify('\\'.repeat(index)),
];

/** One line of text; no two numbers under the count of makers squared give the same. */
export function small(index: number): string {
  return (MAKERS[index % MAKERS.length] ?? String)(index);
}
