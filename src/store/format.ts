// The text of a stored set of tools: the same tools give the same bytes on any machine; what is not ours is refused.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { sorted } from '../base/canonical.js';
import { Failure } from '../base/failure.js';
import { isObject, own } from '../base/json.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import type { HttpTool } from '../tool/tool.js';
import { firstClash, inOrder } from './change.js';
import type { Fault } from './record.js';
import { toolFault } from './record.js';

const FORMAT = 'toolwright-store';
const VERSION = 1;
const FIELDS = ['format', 'version', 'tools'];

/** The revision of a store with this text: SHA-256 in hexadecimal; a store that is not there has that of no bytes. */
export function revisionOf(text: string | Uint8Array = ''): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The text of tools that are in order, with sorted keys. */
export function encode(tools: readonly HttpTool[]): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, tools }, null, 2)}\n`;
}

/**
 * The tools of a text, in order, keys sorted, however the text is formatted. `path` is for messages.
 * @throws Failure `store-foreign`.
 */
export function decode(bytes: Uint8Array, path: string): HttpTool[] {
  const value = parse(bytes, path);
  const tools = isObject(value) ? own(value, 'tools') : undefined;
  const fault = headFault(value) ?? toolsFault(tools);
  if (fault !== undefined) {
    const place = fault.at === '' ? 'the file' : quoted(fault.at, 200);
    throw foreign(path, `${place} ${fault.message}`, fault.at);
  }
  const checked = tools as readonly HttpTool[];
  return inOrder(isSorted(checked) ? checked : sorted(checked));
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

function headFault(value: unknown): Fault | undefined {
  if (!isObject(value)) return { at: '', message: 'must be an object' };
  if (own(value, 'format') !== FORMAT) return { at: '/format', message: `must be "${FORMAT}"` };
  const version = own(value, 'version');
  if (version !== VERSION) {
    const newer = typeof version === 'number' && version > VERSION;
    const message = newer ? `is ${version}, newer than this program, which knows ${VERSION}` : `must be ${VERSION}`;
    return { at: '/version', message };
  }
  const stranger = Object.keys(value).find((key) => !FIELDS.includes(key));
  return stranger === undefined ? undefined : { at: under('', stranger), message: 'is not a field that is known' };
}

function toolsFault(tools: unknown): Fault | undefined {
  if (!Array.isArray(tools)) return { at: '/tools', message: 'must be a list' };
  for (const [index, tool] of tools.entries()) {
    const fault = toolFault(tool, `/tools/${index}`);
    if (fault !== undefined) return fault;
  }
  const clash = firstClash(tools);
  return clash && { at: `/tools/${clash.index}/${clash.field}`, message: 'is that of an earlier tool too' };
}

function foreign(path: string, what: string, at: string): Failure {
  return new Failure('store-foreign', `${path} is not a store that can be used: ${what}`, { path, at });
}
