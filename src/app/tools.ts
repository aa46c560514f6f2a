// Use cases of a person who owns tools: write one, look at them, change what is theirs, remove them.
import { randomBytes } from 'node:crypto';
import { Failure } from '../base/failure.js';
import { isJson, isObject, put, readJson } from '../base/json.js';
import { type Limits, withLimits } from '../base/limits.js';
import { nearest } from '../base/nearest.js';
import { quoted } from '../base/text.js';
import { findConnection } from '../connection/change.js';
import type { ConnectionStore } from '../connection/connection.js';
import type { Snapshot, ToolStore } from '../store/store.js';
import type { NewTool } from '../tool/check.js';
import type { HttpTool, Schema } from '../tool/tool.js';
import { committed } from './commit.js';
import { checkedGroup } from './connection-record.js';
import { unknownParameter } from './parameter.js';
import { type ShownChanges, withShown } from './shown.js';

/** What a person sets on a tool; null takes a setting back. */
export interface ToolChanges extends ShownChanges {
  readonly name?: string;
  /** Shown in the place of the API's own text. */
  readonly description?: string | null;
  /** By parameter; each value fits the schema of its parameter. */
  readonly fixed_parameters?: { readonly [name: string]: unknown };
  /** Parameters that are left to the model again. */
  readonly unfixed?: readonly string[];
  /** 1 to 300. */
  readonly deadline_seconds?: number;
  readonly connection?: { readonly id: string } | { readonly group: string } | null;
}

/**
 * A tool of a store by id or name.
 * @throws Failure `unknown-tool`; those of the store.
 */
export async function readTool(store: ToolStore, reference: string): Promise<HttpTool> {
  const { tools } = await store.read({ references: [reference] });
  return findTool(tools.length === 0 ? (await store.read()).tools : tools, reference);
}

/** Those that are named, and where one is not there all of them, among which it may have a neighbour. */
export async function readNamed(
  store: ToolStore,
  references: readonly string[],
  /** Names that need not be there. */
  free: readonly string[] = [],
): Promise<Snapshot> {
  const named = await store.read({ references: [...references, ...free] });
  const found = new Set(named.tools.flatMap(({ id, name }) => [id, name]));
  return references.every((reference) => found.has(reference)) ? named : store.read();
}

/**
 * A tool by id or name.
 * @throws Failure `unknown-tool`.
 */
export function findTool(tools: readonly HttpTool[], reference: string): HttpTool {
  const tool = tools.find(({ id, name }) => id === reference || name === reference);
  if (tool !== undefined) return tool;
  const near = nearest(
    reference,
    tools.map(({ name }) => name),
  );
  const hint = near === undefined ? '' : `; did you mean ${quoted(near)}?`;
  throw new Failure('unknown-tool', `the store holds no tool ${quoted(reference)}${hint}`, { tool: reference });
}

/**
 * Writes a tool by hand, under an id of its own.
 * @throws Failure `invalid-tool`, `name-taken`, `unknown-connection`; those of the stores.
 */
export async function createTool(
  store: ToolStore,
  input: NewTool,
  /** `connections`: where a connection named by its id has to be; not looked for without it. */
  options: { readonly limits?: Partial<Limits>; readonly connections?: ConnectionStore } = {},
): Promise<HttpTool> {
  const { checkTool } = await import('../tool/check.js');
  const id = `tool_${randomBytes(12).toString('hex')}`;
  const tool: HttpTool = { id, ...checkTool(input, withLimits(options.limits)) };
  if (options.connections !== undefined && tool.connection_id !== undefined) {
    findConnection((await options.connections.list()).connections, tool.connection_id);
  }
  return edit(store, [], [tool.name], (tools) => {
    checkFree(tool, tools);
    return { put: [tool], remove: [], result: tool };
  });
}

/**
 * Changes what a person owns of a tool.
 * @throws Failure `unknown-tool`, `unknown-parameter`, `invalid-value`, `name-taken`, `unknown-connection`; those of the
 * stores.
 */
export async function setTool(
  store: ToolStore,
  reference: string,
  changes: ToolChanges,
  /** Where a connection named by its id has to be; not looked for without it. */
  options: { readonly connections?: ConnectionStore } = {},
): Promise<HttpTool> {
  const { connection } = changes;
  if (options.connections !== undefined && connection != null && 'id' in connection && connection.id.trim() !== '') {
    findConnection((await options.connections.list()).connections, connection.id);
  }
  // Only a fixed value needs the validator, which takes longer to load than all the rest.
  const { valueFault } =
    changes.fixed_parameters === undefined ? { valueFault: undefined } : await import('../tool/value.js');
  const free = changes.name === undefined ? [] : [changes.name];
  return edit(store, [reference], free, (tools) => {
    const before = findTool(tools, reference);
    const tool = changedTool(before, changes, tools, valueFault ?? (() => undefined));
    return { put: [tool], remove: [], result: tool };
  });
}

/**
 * Removes tools by id or name, all or nothing.
 * @throws Failure `unknown-tool`; those of the store.
 */
export async function removeTools(store: ToolStore, references: readonly string[]): Promise<readonly HttpTool[]> {
  return edit(store, references, [], (tools) => {
    const gone = [...new Set(references.map((reference) => findTool(tools, reference)))];
    return { put: [], remove: gone.map(({ id }) => id), result: gone };
  });
}

interface Edit<T> {
  readonly put: readonly HttpTool[];
  readonly remove: readonly string[];
  readonly result: T;
}

/** `references` are those that the plan finds, `free` the names that it may give. */
function edit<T>(
  store: ToolStore,
  references: readonly string[],
  free: readonly string[],
  plan: (tools: readonly HttpTool[]) => Edit<T>,
): Promise<T> {
  const named = () => readNamed(store, references, free);
  return committed(store, named, (tools) => {
    const { put, remove, result } = plan(tools);
    return { changes: { put, remove }, result };
  });
}

/** Says what keeps a value from a schema. */
export type ValueFault = (schema: Schema, value: unknown) => string | undefined;

/** The tool with these changes. `tools`: those whose names are taken. */
export function changedTool(
  before: HttpTool,
  changes: ToolChanges,
  tools: readonly HttpTool[],
  fault: ValueFault,
): HttpTool {
  let tool = before;
  if (changes.name !== undefined) tool = { ...tool, name: checkedName(changes.name, before, tools) };
  if (changes.description !== undefined) tool = described(tool, changes.description);
  if (changes.fixed_parameters !== undefined || changes.unfixed !== undefined) tool = fixed(tool, changes, fault);
  tool = withShown(tool, changes);
  if (changes.deadline_seconds !== undefined)
    tool = { ...tool, deadline_seconds: checkedDeadline(changes.deadline_seconds) };
  if (changes.connection !== undefined) tool = connected(tool, changes.connection);
  return tool;
}

function checkedName(name: string, before: HttpTool, tools: readonly HttpTool[]): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new Failure('invalid-value', `the name ${quoted(name, 80)} is not 1 to 64 characters of A-Z a-z 0-9 _ -`);
  }
  checkFree({ id: before.id, name }, tools);
  return name;
}

function checkFree({ id, name }: Pick<HttpTool, 'id' | 'name'>, tools: readonly HttpTool[]): void {
  if (!tools.some((other) => other.name === name && other.id !== id)) return;
  throw new Failure('name-taken', `another tool is already called ${quoted(name)}`, { name });
}

function checkedDeadline(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 300) return seconds;
  throw new Failure('invalid-value', `the deadline is ${seconds} seconds; a whole number from 1 to 300 is allowed`);
}

function described(tool: HttpTool, text: string | null): HttpTool {
  const { imported_description, ...rest } = tool;
  const own = imported_description ?? tool.description;
  if (text === null) return { ...rest, description: own };
  if (text.trim() === '') throw new Failure('invalid-value', 'the description is blank');
  // A hand-written tool has no text of an API behind it.
  return tool.origin === undefined
    ? { ...rest, description: text }
    : { ...rest, description: text, imported_description: own };
}

function fixed(tool: HttpTool, { fixed_parameters = {}, unfixed = [] }: ToolChanges, fault: ValueFault): HttpTool {
  const properties = isObject(tool.input_schema.properties) ? tool.input_schema.properties : {};
  const values: Record<string, unknown> = {};
  const both = unfixed.find((name) => Object.hasOwn(fixed_parameters, name));
  if (both !== undefined)
    throw new Failure('bad-request', `${quoted(both)} is to be fixed and to be left to the model`);
  for (const [name, value] of Object.entries(tool.fixed_parameters))
    if (!unfixed.includes(name)) put(values, name, value);
  for (const name of unfixed) {
    if (!Object.hasOwn(tool.fixed_parameters, name)) {
      throw new Failure('unknown-parameter', `nothing is fixed for ${quoted(name)} of ${tool.name}`);
    }
  }
  for (const [name, value] of Object.entries(fixed_parameters)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(schema)) throw unknownParameter(tool, name, Object.keys(properties));
    const found = isJson(value) ? fault(schema, value) : 'a value that JSON can hold is expected';
    if (found !== undefined) {
      const message = `${name} of ${tool.name} cannot be fixed to ${quoted(isJson(value) ? JSON.stringify(value) : String(value))}: ${found}`;
      throw new Failure('invalid-value', message, { parameter: name });
    }
    put(values, name, value);
  }
  return { ...tool, fixed_parameters: values };
}

function connected(tool: HttpTool, connection: NonNullable<ToolChanges['connection']> | null): HttpTool {
  const { connection_id: _id, connection_group: _group, ...rest } = tool;
  if (connection === null) return rest;
  if ('group' in connection) checkedGroup(connection.group);
  else if (connection.id.trim() === '') throw new Failure('invalid-value', 'the connection is blank');
  return 'id' in connection
    ? { ...rest, connection_id: connection.id }
    : { ...rest, connection_group: connection.group };
}

/**
 * A value given as text, read as the type that the parameter declares.
 * @throws Failure `unknown-parameter`, `invalid-value` naming what is expected.
 */
export function parseValue(tool: HttpTool, name: string, text: string): unknown {
  const properties = isObject(tool.input_schema.properties) ? tool.input_schema.properties : {};
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isObject(schema)) throw unknownParameter(tool, name, Object.keys(properties));
  const types = typesOf(schema);
  const read = readJson(
    text,
    types.filter((type) => type !== 'string'),
  );
  if (read !== undefined) return read.value;
  if (types.includes('string')) return text;
  const expected = types.join(' or ');
  throw new Failure('invalid-value', `${name} of ${tool.name} is ${quoted(text)}; ${expected} is expected`, {
    parameter: name,
  });
}

function typesOf(schema: Schema): string[] {
  const all = ['null', 'boolean', 'object', 'array', 'number', 'string'];
  const declared = [schema.type ?? all].flat();
  return declared.filter((type): type is string => typeof type === 'string');
}
