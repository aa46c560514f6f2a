// A tool as `tools/list` of the Model Context Protocol gives it, by the schema of each revision.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Faults, isObject, type Json } from './faults.js';

export type Revision = '2025-06-18' | '2025-11-25' | '2026-07-28';

const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', '_meta'];
const MORE: { readonly [revision in Revision]: readonly string[] } = {
  '2025-06-18': [],
  '2025-11-25': ['icons', 'execution'],
  '2026-07-28': ['icons', 'execution'],
};
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Faults of a tool in a revision; `method` is that of its request, which the annotations follow. */
export function mcpFaults(tool: unknown, revision: Revision, method: string): readonly string[] {
  const faults = new Faults();
  if (!isObject(tool)) return ['/: a tool is an object'];
  faults.only(tool, [...FIELDS, ...MORE[revision]], '/');
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const named = typeof name === 'string' && (revision === '2025-06-18' || /^[A-Za-z0-9_.-]{1,128}$/.test(name));
  faults.check(named, '/name', 'a legal name');
  faults.check(typeof title === 'string' && title !== '', '/title', 'is a text');
  faults.check(typeof description === 'string', '/description', 'is a text');
  faults.check(isObject(inputSchema) && inputSchema.type === 'object', '/inputSchema', 'type is object');
  faults.check(ajv.validateSchema(inputSchema as object) === true, '/inputSchema', 'a schema of JSON Schema 2020-12');
  if (revision === '2026-07-28') faults.check(!holds(inputSchema, 'x-mcp-header'), '/inputSchema', 'no x-mcp-header');
  if (outputSchema !== undefined) {
    const rooted = isObject(outputSchema) && outputSchema.type === 'object';
    faults.check(rooted || revision === '2026-07-28', '/outputSchema', 'type is object');
    faults.check(ajv.validateSchema(outputSchema as object) === true, '/outputSchema', 'a JSON Schema 2020-12');
  }
  hints(annotations, method, faults);
  return faults.found;
}

function hints(annotations: unknown, method: string, faults: Faults): void {
  const given: Json = isObject(annotations) ? annotations : {};
  faults.only(given, ['title', ...HINTS], '/annotations');
  for (const key of HINTS)
    if (given[key] !== undefined) faults.check(typeof given[key] === 'boolean', '/annotations', `${key} is a boolean`);
  const reads = ['GET', 'HEAD', 'OPTIONS', 'QUERY'].includes(method);
  faults.check((given.readOnlyHint === true) === reads, '/annotations', 'what reads is read-only');
  faults.check(given.openWorldHint !== false, '/annotations', 'the world is open');
  if (reads) return;
  // Where nothing is said a client takes a tool for destructive, and not for idempotent.
  faults.check((given.destructiveHint ?? true) === (method === 'DELETE'), '/annotations', 'DELETE is destructive');
  const idempotent = ['PUT', 'DELETE'].includes(method);
  faults.check((given.idempotentHint ?? false) === idempotent, '/annotations', 'PUT and DELETE are idempotent');
}

function holds(node: unknown, key: string): boolean {
  if (Array.isArray(node)) return node.some((part) => holds(part, key));
  if (!isObject(node)) return false;
  return Object.hasOwn(node, key) || Object.values(node).some((part) => holds(part, key));
}
