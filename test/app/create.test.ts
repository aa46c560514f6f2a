// Tools written by hand in a store: beside imported ones, and by the command line.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { createTool, importOperations, memoryStore, type NewTool, setTool } from '../../src/index.js';
import { openapi, operation, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

// Each command is a process.
vi.setConfig({ testTimeout: 60_000 });

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
const DOCUMENT = JSON.stringify(openapi({ '/a': { get: operation('a') } }));
const SECRET = 'hunter2-value';

function written(name: string, config: Partial<NewTool['config']> = {}): NewTool {
  return {
    name,
    input_schema: { type: 'object', properties: { id: { type: 'string' } } },
    config: { endpoint: `${SERVER}/things/{id}`, method: 'GET', ...config },
  };
}

function imported(store: ReturnType<typeof memoryStore>) {
  return importOperations({ document: DOCUMENT, server: SERVER, operations: ['a'] }, { store });
}

describe('a tool written by hand', () => {
  it('is stored as it is answered, under a random id', async () => {
    const store = memoryStore();
    const tool = await createTool(store, written('thing'));
    const other = await createTool(store, written('other'));
    expect(tool.id).toMatch(/^tool_[0-9a-f]{24}$/);
    expect(other.id).not.toBe(tool.id);
    expect((await store.read()).tools).toEqual([other, tool]);
    expect(tool).not.toHaveProperty('origin');
  });

  it('can be changed like any other', async () => {
    const store = memoryStore();
    await createTool(store, written('thing', { headers: { 'X-Author': 'me' } }));
    const changed = await setTool(store, 'thing', { fixed_parameters: { id: '7' }, description: 'Mine.' });
    expect(changed).toMatchObject({ fixed_parameters: { id: '7' }, description: 'Mine.' });
    expect(changed).not.toHaveProperty('imported_description');
  });

  it('is left alone by an import, which gives way to its name', async () => {
    const store = memoryStore();
    const tool = await createTool(store, written('a'));
    const { tools } = await imported(store);
    expect(tools.map(({ name }) => name)).toEqual(['a_2']);
    expect((await imported(store)).unchanged).toBe(1);
    expect((await store.read()).tools).toContainEqual(tool);
  });

  it('does not take the name of another', async () => {
    const store = memoryStore();
    await imported(store);
    const before = await store.read();
    await expect(createTool(store, written('a'))).rejects.toMatchObject({ code: 'name-taken', data: { name: 'a' } });
    expect(await store.read()).toEqual(before);
  });

  it('is written once where two are written at once', async () => {
    const store = memoryStore();
    const both = await Promise.allSettled([createTool(store, written('one')), createTool(store, written('one'))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await store.read()).tools).toHaveLength(1);
  });

  it('is checked within the limits that are set', async () => {
    const limits = { operation_schema_bytes: 10 };
    await expect(createTool(memoryStore(), written('a'), { limits })).rejects.toMatchObject({ code: 'invalid-tool' });
  });
});

describe('toolwright tools create', () => {
  it('writes the tool of a file, and prints its name and id', async () => {
    await atDesk(async ({ run, write, tools }) => {
      await write('tool.json', written('thing'));
      const { code, stdout, stderr } = await run('tools', 'create', 'tool.json');
      expect([code, stderr]).toEqual([0, '']);
      const [tool] = await tools();
      expect(stdout).toBe(`+ thing  ${tool?.id}\n`);
      const again = await run('tools', 'create', 'tool.json');
      expect([again.code, again.stdout]).toEqual([1, '']);
      expect(again.stderr).toMatch(/^error\[name-taken\]: .*"thing"\n$/);
      await write('other.json', written('other'));
      const json = await run('tools', 'create', 'other.json', '--json');
      expect(await tools()).toContainEqual(JSON.parse(json.stdout));
    });
  });

  it('reads the standard input', () => {
    const args = [PROGRAM, 'tools', 'create', '-', '--json', '--store', 'memory:'];
    const stdout = execFileSync(process.execPath, args, { input: JSON.stringify(written('thing')) });
    expect(JSON.parse(stdout.toString())).toMatchObject({ name: 'thing', deadline_seconds: 30 });
  });

  it('says in one sentence what is wrong, and writes nothing', async () => {
    await atDesk(async ({ run, write, store }) => {
      await write('bad.json', '{\n  "name": "a",\n}');
      await write('tool.yaml', 'name: a\n');
      await write('empty.json', '');
      await write('list.json', [written('a')]);
      await write('header.json', written('a', { headers: { Authorization: SECRET } }));
      for (const [file, message] of [
        ['bad.json', /^error\[not-json\]: "bad\.json" is not JSON: at line 3, column 1 .*\n$/],
        ['tool.yaml', /^error\[not-json\]: "tool\.yaml" is not JSON: at line 1, column 1 .*\n$/],
        ['empty.json', /^error\[not-json\]: "empty\.json" is not JSON: .*\n$/],
        ['list.json', /^error\[invalid-tool\]: the tool must be an object\n$/],
        ['header.json', /^error\[invalid-tool\]: config\.headers .*"Authorization".*\n$/],
        ['none.json', /^error\[source-unreadable\]: there is no file "none\.json"\n$/],
      ] as const) {
        const { code, stdout, stderr } = await run('tools', 'create', file);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(message);
        expect(stderr).not.toContain(SECRET);
      }
      expect(await store()).toBeUndefined();
    });
  });
});
