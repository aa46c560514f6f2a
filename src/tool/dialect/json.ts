// The stored tool as a model is shown it, unchanged.
import type { Dialect } from './rendering.js';

export const json: Dialect = {
  render: ({ name, description, input_schema }) => ({
    tool: { name, description, input_schema },
    changes: [],
    arguments: (given) => given,
  }),
  warn: () => [],
};
