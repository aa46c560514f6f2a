// Files that are not a store: refused with the first fault, and never touched.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { fileStore } from '../../src/store/file.js';
import { inFolder } from './folder.js';
import { sampleTool } from './sample.js';

const TOOL = sampleTool('a');

function storeOf(...tools: readonly unknown[]): string {
  return JSON.stringify({ format: 'toolwright-store', version: 1, tools });
}

/** The sample tool with one thing wrong. */
function withField(path: string, value: unknown): string {
  const tool = structuredClone(TOOL) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let object = tool;
  for (const key of keys) object = object[key] as Record<string, unknown>;
  object[last] = value;
  return storeOf(sampleTool('first'), tool);
}

const FILES: readonly [what: string, text: string | Uint8Array, at: string, message: RegExp][] = [
  ['nothing', '', '', /is not JSON/],
  ['text', 'tools: []', '', /is not JSON/],
  ['a fault further down', '{\n  "format": 1,\n  oops\n}', '', /is not JSON, line 3/],
  ['a file that ends early', storeOf(TOOL).slice(0, -1), '', /is not JSON/],
  ['conflict markers', '{\n<<<<<<< ours\n  "format": 1\n=======\n>>>>>>> theirs\n}', '', /conflict markers of git/],
  ['bytes that are no text', Uint8Array.of(0x22, 0xff, 0x22), '', /is not UTF-8/],
  ['a list', '[]', '', /the file must be an object/],
  ['null', 'null', '', /the file must be an object/],
  ['another format', '{"name":"x","version":"1.0.0"}', '/format', /must be "toolwright-store"/],
  ['a newer version', '{"format":"toolwright-store","version":2}', '/version', /is 2, newer/],
  ['a version that never was', '{"format":"toolwright-store","version":"1"}', '/version', /must be 1/],
  ['a field at the top', '{"format":"toolwright-store","version":1,"a/b":[]}', '/a~1b', /is not a field/],
  ['no tools', '{"format":"toolwright-store","version":1}', '/tools', /must be a list/],
  ['tools by name', '{"format":"toolwright-store","version":1,"tools":{}}', '/tools', /must be a list/],
  ['a tool that is none', storeOf(TOOL, null), '/tools/1', /must be an object/],
  ['two of one id', storeOf(TOOL, { ...sampleTool('b'), id: TOOL.id }), '/tools/1/id', /earlier tool/],
  ['two of one name', storeOf(TOOL, { ...sampleTool('b'), name: TOOL.name }), '/tools/1/name', /earlier tool/],
  ['two of one origin', storeOf(TOOL, { ...sampleTool('b'), origin: TOOL.origin }), '/tools/1/origin', /earlier tool/],
];

const form = (encoding: unknown) => ({ content_type: 'multipart/form-data', required: false, encoding });

const FIELDS: readonly [path: string, value: unknown, at?: string][] = [
  ['id', 7],
  ['id', ''],
  ['name', 'a b'],
  ['name', ''],
  ['name', 'x'.repeat(65)],
  ['name', undefined],
  ['description', null],
  ['imported_description', 1],
  ['input_schema', []],
  ['input_schema', 'x'],
  ['config', undefined],
  ['config.endpoint', 1],
  ['config.method', undefined],
  ['config.attempts', 0],
  ['config.attempts', 4],
  ['config.headers', []],
  ['config.headers', { 'X/Y': 1 }, '/config/headers/X~1Y'],
  ['config.locations', 'query'],
  ['config.locations', { limit: 'cookie' }, '/config/locations/limit'],
  ['config.locations', { limit: { in: 'cookie' } }, '/config/locations/limit/in'],
  ['config.locations', { limit: { in: 'query', explode: 'yes' } }, '/config/locations/limit/explode'],
  ['config.locations', { limit: { in: 'query', nmae: 'x' } }, '/config/locations/limit/nmae'],
  ['config.body', { content_type: 'application/json' }, '/config/body/required'],
  ['config.body', form('day'), '/config/body/encoding'],
  ['config.body', form({ day: 'form' }), '/config/body/encoding/day'],
  ['config.body', form({ day: { style: 1 } }), '/config/body/encoding/day/style'],
  ['config.body', form({ 'a/b': { explode: 'yes' } }), '/config/body/encoding/a~1b/explode'],
  ['config.body', form({ day: { file: false } }), '/config/body/encoding/day/file'],
  ['config.body', form({ day: { contentType: 'text/csv' } }), '/config/body/encoding/day/contentType'],
  ['fixed_parameters', undefined],
  ['fixed_parameters', [1]],
  ['deadline_seconds', 0],
  ['deadline_seconds', 301],
  ['deadline_seconds', 1.5],
  ['deadline_seconds', '30'],
  ['connection_id', 1],
  ['connection_group', ''],
  ['origin', null],
  ['origin', { server: 'https://api.example.com' }, '/origin/operation'],
  ['origin.set', 1],
  ['deadline_second', 30],
];

async function refuses(text: string | Uint8Array, at: string, message: RegExp): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/tools.json`;
    await writeFile(path, text);
    const store = fileStore(path);
    const change = { put: [sampleTool('new')], remove: [] };
    for (const attempt of [() => store.read(), () => store.commit(change, 'any')]) {
      const failure: unknown = await attempt().catch((error: unknown) => error);
      if (!(failure instanceof Failure)) throw failure;
      expect(failure.code).toBe('store-foreign');
      expect(failure.message).toContain(path);
      expect(failure.message).toMatch(message);
      expect(failure.data).toEqual({ path, at });
    }
    expect(await readFile(path)).toEqual(Buffer.from(text));
    expect(await readdir(folder)).toEqual(['tools.json']);
  });
}

describe('a file that is not a store', () => {
  it.each(FILES)('is refused: %s', async (_, text, at, message) => refuses(text, at, message));

  it.each(FIELDS)('is refused for a tool with %s = %j', async (path, value, at = `/${path.replaceAll('.', '/')}`) => {
    await refuses(withField(path, value), `/tools/1${at}`, /"\/tools\/1\/.* (must be|is not a field)/);
  });
});
