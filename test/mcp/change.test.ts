// A client is told when the tools change, whoever changed them.
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fileStore, importOperations, removeTools } from '../../src/index.js';
import { type Api, atApi, DESCRIPTION } from './api.js';
import { atHttp, atStdio, client, connected, type Revision } from './support.js';

// Each starts a process.
vi.setConfig({ testTimeout: 60_000 });

async function imported({ folder, origin }: Api, ...keys: readonly string[]): Promise<string> {
  const path = join(folder, 'tools.json');
  await importOperations(
    { document: JSON.stringify(DESCRIPTION), server: origin, operations: keys },
    { store: fileStore(path) },
  );
  return path;
}

it.each<readonly [Revision, 'stdio' | 'http']>([
  ['2025-11-25', 'stdio'],
  ['2026-07-28', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'http'],
])('%s over %s', async (revision, over) => {
  await atApi(async (api) => {
    const path = await imported(api, 'getVisit', 'touch');
    const args = ['--store', `file:${path}`];
    let told: readonly string[] | undefined;
    const one = client(revision, {
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (_error, tools) => {
            told = tools?.map(({ name }) => name);
          },
        },
      },
    });
    const work = (to: Parameters<typeof connected>[0]) =>
      connected(to, one, async () => {
        const names = async () => (await one.listTools()).tools.map(({ name }) => name);
        expect(await names()).toEqual(['getVisit', 'touch']);
        await imported(api, 'listVisits', 'slow');
        await vi.waitFor(() => expect(told).toEqual(['getVisit', 'listVisits', 'slow', 'touch']), { timeout: 10_000 });
        await removeTools(fileStore(path), ['slow']);
        await vi.waitFor(() => expect(told).toEqual(['getVisit', 'listVisits', 'touch']), { timeout: 10_000 });
        expect(await names()).toEqual(told);
      });
    await (over === 'stdio' ? work({ args }) : atHttp(args, (url) => work({ url })));
  });
});

it('goes on with the tools it had when the store cannot be read', async () => {
  await atApi(async (api) => {
    const path = await imported(api, 'getVisit');
    await atStdio(['--store', `file:${path}`, '--allow-private', '127.0.0.1'], async (served) => {
      await served.ask({ ...(await import('./support.js')).initialize('2025-11-25') });
      const { writeFile } = await import('node:fs/promises');
      await writeFile(path, '{"broken":');
      await served.until(() => served.stderr.includes('warning: '));
      const params = { name: 'getVisit', arguments: { id: 'v1' } };
      const { result } = await served.ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      expect(result.content[0].text).toBe('{"id":"v1","room":3}');
    });
  });
});
