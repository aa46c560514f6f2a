// Measures the export of 1,000 tools to every form against JSON.stringify of the same tools, in turn.
import { CONSUMERS, exportTools, preview } from '../dist/index.js';

const TOOLS = 1_000;
const ROUNDS = 9;

const properties = (level) => ({
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Its number.' },
    name: { type: 'string', maxLength: 80, description: 'What it is called at the desk.' },
    'x-room': { type: 'string', nullable: true, pattern: '^[A-Z][0-9]{2}$' },
    state: { type: 'string', enum: ['open', 'closed', 'moved'], default: 'open' },
    minutes: { type: 'integer', format: 'int64', minimum: 5, maximum: 480 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ...(level === 0 ? {} : { parts: { type: 'array', items: properties(level - 1), maxItems: 20 } }),
  },
});
const paths = Object.fromEntries(
  Array.from({ length: TOOLS }, (_, index) => [
    `/visits${index}/{id}`,
    {
      post: {
        operationId: `updateVisit${index}`,
        description: 'Changes a visit. Only what is given is changed.',
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: properties(2) } } },
      },
    },
  ]),
);
const { operations } = await preview({ document: JSON.stringify({ openapi: '3.0.3', info: {}, paths }) });
const tools = operations.map(({ name, description, input_schema, method, path, locations }) => ({
  id: `tool_${'0'.repeat(24)}`,
  name,
  description,
  input_schema,
  config: { endpoint: `https://api.example.com${path}`, method, locations },
  fixed_parameters: {},
  deadline_seconds: 30,
}));

/** Milliseconds of the fastest round: the others met something else. */
function fastest(work) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

const plain = fastest(() => JSON.stringify(tools));
const bytes = JSON.stringify(tools).length;
console.log(`${tools.length} tools, ${bytes} bytes: JSON.stringify ${plain.toFixed(1)} ms`);
for (const consumer of CONSUMERS) {
  const took = fastest(() => JSON.stringify(exportTools(tools, consumer).renderings.map(({ tool }) => tool)));
  console.log(`${consumer}: ${took.toFixed(1)} ms, ${(took / plain).toFixed(1)} times JSON.stringify`);
}
