// The table of consumers: adding one is its file and a line here.
import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { json } from './json.js';
import { mcp20250618, mcp20251125, mcp20260728 } from './mcp.js';
import { openai } from './openai.js';
import { openaiStrict } from './openai-strict.js';
import type { Dialect } from './rendering.js';

export const DIALECTS = {
  openai,
  'openai-strict': openaiStrict,
  anthropic,
  gemini,
  mcp: mcp20260728,
  'mcp-2026-07-28': mcp20260728,
  'mcp-2025-11-25': mcp20251125,
  'mcp-2025-06-18': mcp20250618,
  json,
} as const satisfies { readonly [consumer: string]: Dialect };

export type Consumer = keyof typeof DIALECTS;

export const CONSUMERS = Object.keys(DIALECTS) as readonly Consumer[];
