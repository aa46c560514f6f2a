// Call records in a file of JSON lines, one write for each, so that processes may share it.
import { appendFile, open, rename, stat } from 'node:fs/promises';
import { Failure } from '../base/failure.js';
import { isObject } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { unless } from '../store/file-system.js';
import type { CallRecord, CallRecords } from './record.js';

/** Who called what and when is nobody else's to read. */
const MODE = 0o600;
/** No record takes more: a name has 64 characters. */
const RECORD_BYTES = 512;

/**
 * The records in the file at `path`, which the first of them creates; the last `most` of them are read. A file that is sure to hold
 * as many goes to `<path>.1`, in the place of the one before, so that there are never more than two.
 */
export function fileRecords(path: string, most: number = FIXED_LIMITS.records_kept): CallRecords {
  return {
    async add(record) {
      try {
        await appendFile(path, `${JSON.stringify(record)}\n`, { mode: MODE });
        // ENOENT: another process has just done it.
        await unless(retire(path, most * RECORD_BYTES), 'ENOENT');
      } catch (error) {
        throw failed('record-unwritable', 'could not be written to', path, error);
      }
    },
    async last() {
      try {
        const lines = (await unless(lastLines(path, most), 'ENOENT')) ?? [];
        const left = most - lines.length;
        const older = left > 0 ? ((await unless(lastLines(former(path), left), 'ENOENT')) ?? []) : [];
        return [...older, ...lines].flatMap(readRecord);
      } catch (error) {
        throw failed('record-unreadable', 'could not be read', path, error);
      }
    },
    close: async () => {},
  };
}

function former(path: string): string {
  return `${path}.1`;
}

/** Who writes to the file meanwhile writes to it under its new name: nothing of that is lost. */
async function retire(path: string, bytes: number): Promise<void> {
  if ((await stat(path)).size >= bytes) await rename(path, former(path));
}

async function lastLines(path: string, most: number): Promise<string[]> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, most * RECORD_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // A window that begins within the file begins within a line; the text after the last line end is empty, or half a record.
    return lines.slice(length < size ? 1 : 0, -1).slice(-most);
  } finally {
    await handle.close();
  }
}

/** The record of a text; a line that a crash cut off is none. */
export function readRecord(line: string): CallRecord[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value.at === 'string' && typeof value.tool === 'string'
      ? [value as unknown as CallRecord]
      : [];
  } catch {
    return [];
  }
}

function failed(code: 'record-unwritable' | 'record-unreadable', what: string, path: string, error: unknown): Failure {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new Failure(code, `the call records ${quoted(path, 120)} ${what} (${reason})`, { reason }, error);
}
