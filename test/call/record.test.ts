// Records of calls: what is kept of one, in memory and in a file that processes share.
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../src/base/limits.js';
import { type CallRecord, memoryRecords, recordOf } from '../../src/call/record.js';
import { fileRecords } from '../../src/call/record-file.js';
import { openRecords } from '../../src/call/record-open.js';
import { Failure } from '../../src/index.js';
import { sampleTool } from '../store/sample.js';

const LIBRARY = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const AT = new Date('2030-01-02T03:04:05.678Z');
const TOOL = sampleTool('listVisits');
const HEAD = { at: '2030-01-02T03:04:05.678Z', tool_id: TOOL.id, tool: 'listVisits', duration_ms: 12 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-records-'));
});
afterAll(() => rm(folder, { recursive: true }));

function numbered(number: number): CallRecord {
  return { ...HEAD, outcome: 'answer', attempts: 1, status: 200, duration_ms: number };
}

describe('recordOf', () => {
  const answered = { status: 404, headers: {}, body: { kind: 'empty' }, notes: [], attempts: 2 } as const;

  it.each([
    [
      { kind: 'answer', ...answered },
      { outcome: 'answer', attempts: 2, status: 404 },
    ],
    [
      { kind: 'unauthorized', ...answered },
      { outcome: 'unauthorized', attempts: 2, status: 404 },
    ],
    [
      { kind: 'refused', reason: 'r', problems: [] },
      { outcome: 'refused', attempts: 0 },
    ],
    [
      { kind: 'timeout', reason: 'r', attempts: 3 },
      { outcome: 'timeout', attempts: 3 },
    ],
    [
      { kind: 'unreachable', reason: 'r', attempts: 1 },
      { outcome: 'unreachable', attempts: 1 },
    ],
    ['connection-broken', { outcome: 'failed', attempts: 0, code: 'connection-broken' }],
  ] as const)('of %o', (end, fields) => {
    expect(recordOf(TOOL, AT, 12.4, end)).toEqual({ ...HEAD, ...fields });
  });
});

describe('in memory', () => {
  it('keeps the last ones, in order', async () => {
    const records = memoryRecords();
    const most = FIXED_LIMITS.records_kept;
    for (let number = 0; number < most * 2 + 5; number += 1) await records.add(numbered(number));
    const last = await records.last();
    expect(last.length).toBe(most);
    expect(last.at(0)?.duration_ms).toBe(most + 5);
    expect(last.at(-1)?.duration_ms).toBe(most * 2 + 4);
  });
});

describe('in a file', () => {
  it('gives back what was added, and is for its owner alone', async () => {
    const path = join(folder, 'calls.jsonl');
    expect(await fileRecords(path).last()).toEqual([]);
    await fileRecords(path).add(numbered(1));
    await fileRecords(path).add(numbered(2));
    expect(await fileRecords(path).last()).toEqual([numbered(1), numbered(2)]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('lies beside the store', async () => {
    await openRecords(`file:${join(folder, 'tools.json')}`).add(numbered(7));
    expect(await fileRecords(join(folder, 'tools.calls.jsonl')).last()).toEqual([numbered(7)]);
  });

  it('passes over what is no record, and a line that is not ended', async () => {
    const path = join(folder, 'odd.jsonl');
    await writeFile(path, `{"at":1}\nnull\n{"at\n${JSON.stringify(numbered(1))}\n`);
    await appendFile(path, JSON.stringify(numbered(2)));
    expect(await fileRecords(path).last()).toEqual([numbered(1)]);
  });

  it('reads the end of a long one alone', async () => {
    const path = join(folder, 'long.jsonl');
    const most = FIXED_LIMITS.records_kept;
    const lines = Array.from({ length: most * 5 }, (_, number) => JSON.stringify(numbered(number)));
    await writeFile(path, `${lines.join('\n')}\n`);
    const last = await fileRecords(path).last();
    expect(last.length).toBe(most);
    expect(last.at(-1)?.duration_ms).toBe(most * 5 - 1);
  });

  it('does not grow without end', async () => {
    const path = join(folder, 'bounded.jsonl');
    const records = fileRecords(path, 7);
    for (let number = 1; number <= 300; number += 1) {
      await records.add(numbered(number));
      const last = (await records.last()).map(({ duration_ms }) => duration_ms);
      expect(last).toEqual(Array.from({ length: Math.min(number, 7) }, (_, i) => number - Math.min(number, 7) + 1 + i));
    }
    const files = (await readdir(folder)).filter((name) => name.startsWith('bounded'));
    expect(files.sort()).toEqual(['bounded.jsonl', 'bounded.jsonl.1']);
    for (const name of files) expect((await stat(join(folder, name))).size).toBeLessThan(8 * 512);
  });

  it('loses none of several processes', async () => {
    const path = join(folder, 'shared.jsonl');
    const program = `import { fileRecords } from ${JSON.stringify(LIBRARY)};
      const records = fileRecords(${JSON.stringify(path)});
      await Promise.all(Array.from({ length: 100 }, () => records.add(${JSON.stringify(numbered(1))})));`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    await Promise.all([run(), run(), run()]);
    expect(await fileRecords(path).last()).toEqual(Array(300).fill(numbered(1)));
  });

  it.each([
    ['record-unwritable', () => fileRecords(folder).add(numbered(1))],
    ['record-unreadable', () => fileRecords(folder).last()],
  ])('says %s', async (code, act) => {
    const error = await act().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).code).toBe(code);
  });
});
