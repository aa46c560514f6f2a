// The text of a stored set of tools: the same tools give the same bytes on any machine; what is not ours is refused.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { sorted } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { isObject, own } from '../base/json.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';
import { type Clash, clashes, firstClash, inOrder } from './change.js';
import type { Check, Fault } from './record.js';
import { toolFault } from './record.js';

const VERSION = 1;
const TOOLS: Format = { name: 'toolwright-store', field: 'tools' };

/** A kind of file: what it calls itself, and its one field of records. */
export interface Format {
  readonly name: string;
  readonly field: string;
}

/** The revision of a store with this text: SHA-256 in hexadecimal; a store that is not there has that of no bytes. */
export function revisionOf(text: string | Uint8Array = ''): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The text of tools that are in order, with sorted keys. */
export function encode(tools: readonly HttpTool[]): string {
  return encodeRecords(TOOLS, tools);
}

/** The text of records of a kind, as they are. */
export function encodeRecords({ name, field }: Format, records: readonly unknown[]): string {
  return `${JSON.stringify({ format: name, version: VERSION, [field]: records }, null, 2)}\n`;
}

/**
 * The tools of a text, in order, keys sorted, however the text is formatted. `path` is for messages.
 * @throws Failure `store-foreign`.
 */
export function decode(bytes: Uint8Array, path: string): HttpTool[] {
  return inOrder(decodeRecords<HttpTool>(TOOLS, bytes, path, toolsFault));
}

/**
 * The records of a text of that kind, keys sorted, in the order of the text. `check` is shown the value of its one field.
 * @throws Failure `store-foreign`.
 */
export function decodeRecords<T>(
  format: Format,
  bytes: Uint8Array,
  path: string,
  check: (records: unknown) => Fault | undefined,
): readonly T[] {
  const value = parse(bytes, path);
  const records = isObject(value) ? own(value, format.field) : undefined;
  const fault = headFault(value, format) ?? check(records);
  if (fault !== undefined) {
    const place = fault.at === '' ? 'the file' : quoted(fault.at, 200);
    throw foreign(path, `${place} ${fault.message}`, fault.at);
  }
  const checked = records as readonly T[];
  return isSorted(checked) ? checked : sorted(checked);
}

/** Whether `sorted` would change nothing; it takes fifteen times as long, and what we wrote ourselves is sorted. */
function isSorted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isSorted);
  if (!isObject(value)) return true;
  const keys = Object.keys(value);
  return keys.every((key, index) => (index === 0 || (keys[index - 1] ?? '') < key) && isSorted(value[key]));
}

function parse(bytes: Uint8Array, path: string): unknown {
  if (!isUtf8(bytes)) throw foreign(path, 'it is not UTF-8 text', '');
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (/^(<{7}|={7}|>{7})/m.test(text)) throw foreign(path, 'it holds conflict markers of git; settle them first', '');
    const position = /position (\d+)/.exec(String(cause))?.[1];
    const line = position === undefined ? '' : `, line ${text.slice(0, Number(position)).split('\n').length}`;
    throw foreign(path, `it is not JSON${line}`, '');
  }
}

function headFault(value: unknown, { name, field }: Format): Fault | undefined {
  if (!isObject(value)) return { at: '', message: 'must be an object' };
  if (own(value, 'format') !== name) return { at: '/format', message: `must be "${name}"` };
  const version = own(value, 'version');
  if (version !== VERSION) {
    const newer = typeof version === 'number' && version > VERSION;
    const message = newer ? `is ${version}, newer than this program, which knows ${VERSION}` : `must be ${VERSION}`;
    return { at: '/version', message };
  }
  const stranger = Object.keys(value).find((key) => !['format', 'version', field].includes(key));
  return stranger === undefined ? undefined : { at: under('', stranger), message: 'is not a field that is known' };
}

/** Every fault of a text of tools, with its place in it: of each record the first, then what only one may have. */
export function faultsOf(bytes: Uint8Array, path: string): readonly Fault[] {
  return allFaults(TOOLS, bytes, path, toolFault, (tools) => clashFaults(tools as readonly HttpTool[]));
}

/** The faults of a text of records of that kind; `shared` finds those between records that have none of their own. */
export function allFaults(
  format: Format,
  bytes: Uint8Array,
  path: string,
  check: Check,
  shared: (records: readonly unknown[]) => readonly Fault[],
): readonly Fault[] {
  const found: Fault[] = [];
  try {
    decodeRecords(format, bytes, path, (records) => {
      if (!Array.isArray(records)) return { at: `/${format.field}`, message: 'must be a list' };
      for (const [index, record] of records.entries()) {
        const fault = check(record, `/${format.field}/${index}`);
        if (fault !== undefined) found.push(fault);
      }
      if (found.length === 0) found.push(...shared(records));
      return undefined;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ at: '', message: error.message }];
  }
  return found;
}

function clashFaults(tools: readonly HttpTool[]): Fault[] {
  return [...clashes(tools)].map(clashFault);
}

function clashFault({ index, field }: Clash): Fault {
  return { at: `/tools/${index}/${field}`, message: 'is that of an earlier tool too' };
}

function toolsFault(tools: unknown): Fault | undefined {
  if (!Array.isArray(tools)) return { at: '/tools', message: 'must be a list' };
  for (const [index, tool] of tools.entries()) {
    const fault = toolFault(tool, `/tools/${index}`);
    if (fault !== undefined) return fault;
  }
  const clash = firstClash(tools);
  return clash && clashFault(clash);
}

function foreign(path: string, what: string, at: string): Failure {
  return new Failure('store-foreign', `${path} is not a store that can be used: ${what}`, { path, at });
}
