// The validator of each consumer.
import type { Consumer } from '../../src/index.js';
import { anthropicFaults } from './anthropic.js';
import { geminiFaults } from './gemini.js';
import { mcpFaults } from './mcp.js';
import { openAiFaults } from './openai.js';

/** Faults of a rendered tool; `method` is that of its request. */
export const VALIDATORS: {
  readonly [consumer in Exclude<Consumer, 'json'>]: (tool: unknown, method: string) => readonly string[];
} = {
  openai: openAiFaults,
  'openai-strict': openAiFaults,
  anthropic: anthropicFaults,
  gemini: geminiFaults,
  mcp: (tool, method) => mcpFaults(tool, '2026-07-28', method),
  'mcp-2026-07-28': (tool, method) => mcpFaults(tool, '2026-07-28', method),
  'mcp-2025-11-25': (tool, method) => mcpFaults(tool, '2025-11-25', method),
  'mcp-2025-06-18': (tool, method) => mcpFaults(tool, '2025-06-18', method),
};
