// The Model Context Protocol: a tool as `tools/list` gives it, in the revisions that differ.
import type { Change } from '../../base/codes.js';
import { own, put } from '../../base/json.js';
import { cut, quoted } from '../../base/text.js';
import type { Schema } from '../tool.js';
import { headOf } from './head.js';
import { mapped } from './mapped.js';
import { objectOf } from './openai.js';
import type { Dialect, Rendering, ShownTool } from './rendering.js';
import { INPUT } from './root.js';

interface Revision {
  /** An answer may be any JSON value, not an object alone. */
  readonly anyOutput: boolean;
  /** Arguments may be sent as headers by a keyword, and a client drops tools that do it wrong. */
  readonly headerKeyword: boolean;
}

export const mcp20250618: Dialect = revision({ anyOutput: false, headerKeyword: false });
export const mcp20251125: Dialect = revision({ anyOutput: false, headerKeyword: false });
export const mcp20260728: Dialect = revision({ anyOutput: true, headerKeyword: true });

const HEAD = { illegal: /[^A-Za-z0-9_.-]/, name_chars: 128 };
const READS = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);
const IDEMPOTENT = new Set(['PUT', 'DELETE']);
const TITLE_CHARS = 80;
const HEADER_KEYWORD = 'x-mcp-header';

function revision(differs: Revision): Dialect {
  return { render: (tool) => render(tool, differs), warn: () => [] };
}

function render(tool: ShownTool, { anyOutput, headerKeyword }: Revision): Rendering {
  const { name, description, changes } = headOf(tool, HEAD);
  const noted: Change[] = [...changes];
  const schema = objectOf(tool.input_schema);
  const inputSchema = headerKeyword ? withoutHeaders(schema, noted) : schema;
  const output = outputOf(tool.output_schema, anyOutput, noted);
  return {
    tool: {
      name,
      title: titleOf(description),
      description,
      inputSchema,
      ...(output === undefined ? {} : { outputSchema: output }),
      annotations: annotationsOf(tool.method),
    },
    changes: noted,
    arguments: (given) => given,
  };
}

/**
 * By the method alone (RFC 9110, section 9.2; QUERY by its draft): hints, as the protocol has them. What they would say of a
 * tool that only reads means nothing and is left out.
 */
function annotationsOf(method: string): Schema {
  const name = method.toUpperCase();
  if (READS.has(name)) return { readOnlyHint: true, openWorldHint: true };
  return {
    readOnlyHint: false,
    destructiveHint: name === 'DELETE',
    idempotentHint: IDEMPOTENT.has(name),
    openWorldHint: true,
  };
}

/** The first sentence: what an API calls the summary comes first in a description. */
function titleOf(description: string): string {
  const [sentence = description] = description.split(/(?<=[.!?])\s|\n/, 1);
  return cut(sentence.replace(/\.$/, ''), TITLE_CHARS);
}

/** A value goes into a header where its schema says so: never by a schema that only happens to. */
function withoutHeaders(schema: Schema, changes: Change[]): Schema {
  return mapped(schema, INPUT, (node, at) => {
    if (own(node, HEADER_KEYWORD) === undefined) return node;
    changes.push({ code: 'keyword-left-out', at, message: `${quoted(HEADER_KEYWORD)} is left out` });
    const rest: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) if (key !== HEADER_KEYWORD) put(rest, key, value);
    return rest;
  });
}

function outputOf(schema: Schema | undefined, any: boolean, changes: Change[]): Schema | undefined {
  if (schema === undefined || any || schema.type === 'object') return schema;
  const message = 'the root of the schema of its answer is not an object';
  changes.push({ code: 'output-schema-left-out', at: '/output_schema', message });
  return undefined;
}
