// The store in one file: its bytes, and what stands around it.
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../../src/store/file.js';
import { revisionOf } from '../../src/store/format.js';
import type { ToolStore } from '../../src/store/store.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { describeToolStore, isFailure } from './conformance.js';
import { inFolder, makeFolder, namesBeside, removeFolder } from './folder.js';
import { hookedFileSystem, systemError } from './hooked-file-system.js';
import { handTool, sampleTool } from './sample.js';

describeToolStore('file:', async () => {
  const folder = await makeFolder();
  return { open: async () => fileStore(`${folder}/tools.json`), dispose: () => removeFolder(folder) };
});

const GOLDEN = `{
  "format": "toolwright-store",
  "version": 1,
  "tools": [
    {
      "config": {
        "endpoint": "https://api.clinic.example/v1/listVisits",
        "locations": {
          "limit": "query"
        },
        "method": "GET"
      },
      "deadline_seconds": 30,
      "description": "Does listVisits.",
      "fixed_parameters": {},
      "id": "tool_5d1f9fd57269897037c98d39",
      "input_schema": {
        "additionalProperties": false,
        "properties": {
          "limit": {
            "type": "integer"
          }
        },
        "type": "object"
      },
      "name": "listVisits",
      "origin": {
        "operation": "listVisits",
        "server": "https://api.clinic.example/v1"
      }
    }
  ]
}
`;

async function put(store: ToolStore, ...tools: readonly HttpTool[]): Promise<void> {
  await store.commit({ put: tools, remove: [] }, (await store.read()).revision);
}

/** Does the work with a store that is not there yet, and its path. */
function inFile(work: (path: string, store: ToolStore) => Promise<void>): () => Promise<void> {
  return () => inFolder((folder) => work(`${folder}/tools.json`, fileStore(`${folder}/tools.json`)));
}

describe('the bytes of a file store', () => {
  it(
    'are these',
    inFile(async (path, store) => {
      await put(store, sampleTool('listVisits'));
      expect(await readFile(path, 'utf8')).toBe(GOLDEN);
      expect((await store.read()).revision).toBe(revisionOf(GOLDEN));
    }),
  );

  it(
    'are the same whatever the order of puts and of keys',
    inFile(async (path, store) => {
      const tools = [sampleTool('a'), sampleTool('b'), handTool('c')];
      await put(store, ...tools);
      const other = fileStore(`${path}.other`);
      for (const tool of tools.toReversed()) {
        await put(other, Object.fromEntries(Object.entries(tool).toReversed()) as unknown as HttpTool);
      }
      expect(await readFile(`${path}.other`, 'utf8')).toBe(await readFile(path, 'utf8'));
    }),
  );

  it(
    'are left alone where nothing changes',
    inFile(async (path, store) => {
      await put(store, sampleTool('a'));
      const bytes = await readFile(path);
      await utimes(path, 1_000, 1_000);
      await put(store);
      await put(store, sampleTool('a'));
      expect((await stat(path)).mtimeMs).toBe(1_000_000);
      expect(await readFile(path)).toEqual(bytes);
      expect(await namesBeside(path)).toEqual(['tools.json']);
    }),
  );

  it(
    'are not created by a change that changes nothing',
    inFile(async (path, store) => {
      await put(store);
      await expect(stat(path)).rejects.toThrow('ENOENT');
    }),
  );

  it(
    'may be formatted otherwise by hand, until something changes',
    inFile(async (path, store) => {
      const byHand = `\ufeff${JSON.stringify(JSON.parse(GOLDEN)).replaceAll(',', ' ,\r\n')}`;
      await writeFile(path, byHand);
      expect((await store.read()).tools).toEqual([sampleTool('listVisits')]);
      await put(store, sampleTool('listVisits'));
      expect(await readFile(path, 'utf8')).toBe(byHand);
      await put(store, sampleTool('a'));
      await store.commit({ put: [], remove: [sampleTool('a').id] }, (await store.read()).revision);
      expect(await readFile(path, 'utf8')).toBe(GOLDEN);
    }),
  );
});

describe('the place of a file store', () => {
  it(
    'keeps its permissions, whatever the umask',
    inFile(async (path, store) => {
      await put(store, sampleTool('a'));
      for (const mode of [0o600, 0o666, 0o640]) {
        await chmod(path, mode);
        await put(store, sampleTool('a', { description: String(mode) }));
        expect((await stat(path)).mode & 0o777).toBe(mode);
      }
    }),
  );

  it(
    'is the target of a link, also of one that leads nowhere yet',
    inFile(async (path) => {
      await mkdir(`${path}.folder`);
      await symlink(`${path}.folder`, `${path}.way`);
      await symlink('tools.json.way/real.json', path);
      const store = fileStore(path);
      for (const operation of ['a', 'b']) {
        await put(store, sampleTool(operation));
        expect((await lstat(path)).isSymbolicLink()).toBe(true);
        expect(await readdir(`${path}.folder`)).toEqual(['real.json']);
      }
      expect((await fileStore(`${path}.folder/real.json`).read()).tools).toHaveLength(2);
    }),
  );

  it(
    'is named when it is a directory, or has no folder',
    inFile(async (path, store) => {
      const lost = fileStore(`${path}/missing/tools.json`);
      expect((await lost.read()).tools).toEqual([]);
      await expect(put(lost, sampleTool('a'))).rejects.toThrow(/its folder does not exist \(ENOENT\)/);
      await mkdir(path);
      await expect(store.read()).rejects.toSatisfy(isFailure('store-unreadable'));
      await expect(store.read()).rejects.toThrow(`${path} could not be read: it is a directory (EISDIR)`);
      await expect(store.commit({ put: [], remove: [] }, '')).rejects.toSatisfy(isFailure('store-unwritable'));
    }),
  );

  it(
    'is named when there is no permission',
    inFile(async (path) => {
      const without = (refused: string): ToolStore => {
        const fs = hookedFileSystem((call) => {
          if (call === refused) throw systemError('EACCES');
        });
        return fileStore(path, { fs });
      };
      await expect(without('readFile').read()).rejects.toSatisfy(isFailure('store-unreadable'));
      await expect(put(without('open'), sampleTool('a'))).rejects.toSatisfy(isFailure('store-unwritable'));
      await expect(put(without('open'), sampleTool('a'))).rejects.toThrow(/there is no permission/);
    }),
  );
});
