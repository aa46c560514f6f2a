// The description that the processes of the tests import: so many operations, all of one generation.

export const SERVER = 'https://api.clinic.example/v1';

/** Bytes of a description of `listThing0`, `listThing1`... Every operation differs between generations. */
export function descriptionOf(operations, generation) {
  const paths = {};
  for (let index = 0; index < operations; index += 1) {
    const parameters = ['room', 'count', 'after'].map((name) => ({
      name,
      in: 'query',
      schema: { type: name === 'count' ? 'integer' : 'string' },
      description: `The ${name} of thing ${index}.`,
    }));
    const responses = { 200: { description: 'The things.' } };
    const summary = `Lists things. Generation ${generation}`;
    paths[`/things${index}`] = { get: { operationId: `listThing${index}`, summary, parameters, responses } };
  }
  const info = { title: 'Things', version: String(generation) };
  return new TextEncoder().encode(JSON.stringify({ openapi: '3.1.0', info, servers: [{ url: SERVER }], paths }));
}
