// Connections in a file: its bytes, its permissions, and files that are none of ours.
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fileConnections } from '../../src/connection/file.js';
import { connectionsPath, openConnections } from '../../src/connection/open.js';
import { isFailure } from '../store/conformance.js';
import { inFolder, makeFolder, namesBeside, removeFolder } from '../store/folder.js';
import { describeConnectionStore } from './conformance.js';
import { sample, sampleAccount } from './sample.js';

describeConnectionStore('file:', async () => {
  const folder = await makeFolder();
  return { open: () => fileConnections(`${folder}/c.json`), dispose: () => removeFolder(folder) };
});

const GOLDEN = `{
  "format": "toolwright-connections",
  "version": 1,
  "connections": [
    {
      "header": "X-Key",
      "id": "${sample('a', 1).id}",
      "order": 1,
      "placement": "header",
      "provider": "http_key",
      "secret": {
        "kind": "env",
        "name": "KEY"
      },
      "status": "healthy"
    }
  ]
}
`;

describe('the file of connections', () => {
  it('stands beside the store, under its name', () => {
    expect(connectionsPath('/x/toolwright.lock.json')).toBe('/x/toolwright.lock.connections.json');
    expect(connectionsPath('tools')).toBe('tools.connections.json');
    expect(openConnections('file:a.json').address).toBe('file:a.connections.json');
    expect(() => openConnections('mysql://me:pass@host/db')).toThrow(/^the store address is none that can be opened/);
  });

  it('has the same bytes, mode 0600 whatever the umask and whatever it was, and leaves nothing beside it', async () => {
    const umask = process.umask(0);
    try {
      await inFolder(async (folder) => {
        const path = `${folder}/c.json`;
        const store = fileConnections(path);
        await store.commit({ put: [sample('a', 1)], remove: [] }, (await store.list()).revision);
        expect(await readFile(path, 'utf8')).toBe(GOLDEN);
        expect((await stat(path)).mode & 0o777).toBe(0o600);
        await chmod(path, 0o644);
        await store.commit({ put: [sample('b', 2)], remove: [] }, (await store.list()).revision);
        expect((await stat(path)).mode & 0o777).toBe(0o600);
        await store.commit({ put: [], remove: [sample('b', 2).id] }, (await store.list()).revision);
        expect(await readFile(path, 'utf8')).toBe(GOLDEN);
        expect(await namesBeside(path)).toEqual(['c.json']);
      });
    } finally {
      process.umask(umask);
    }
  });

  it('holds keys and accounts', async () => {
    await inFolder(async (folder) => {
      const store = fileConnections(`${folder}/c.json`);
      const all = [
        sampleAccount('a', 1, { group: 'g', renewing: 5 }),
        sample('b', 2),
        sampleAccount('c', 3, { status: 'broken', reason: '401', broken_by: 'list', scopes: [] }),
      ];
      await store.commit({ put: all, remove: [] }, (await store.list()).revision);
      expect((await fileConnections(`${folder}/c.json`).list()).connections).toEqual(all);
    });
  });

  const of = (...connections: unknown[]) =>
    JSON.stringify({ format: 'toolwright-connections', version: 1, connections });
  it.each([
    ['nothing', ''],
    ['a store of tools', '{"format":"toolwright-store","version":1,"tools":[]}'],
    ['a newer version', '{"format":"toolwright-connections","version":2,"connections":[]}'],
    ['no list', '{"format":"toolwright-connections","version":1,"connections":{}}'],
    ['two of one id', of(sample('a', 1), sample('a', 2))],
    ['a secret in the clear', of({ ...sample('a', 1), secret: { kind: 'plain', text: 'hunter2hunter2' } })],
    ['a jwe that is none', of({ ...sample('a', 1), secret: { kind: 'sealed', jwe: 'hunter2hunter2' } })],
    ['no header', of({ ...sample('a', 1), header: undefined })],
    ['a status that is none', of({ ...sample('a', 1), status: 'fine' })],
    ['an account in a variable', of({ ...sampleAccount('a', 1), secret: { kind: 'env', name: 'KEY' } })],
    ['an account with a header', of({ ...sampleAccount('a', 1), placement: 'header', header: 'X-Key' })],
    ['an account without scopes', of({ ...sampleAccount('a', 1), scopes: undefined })],
    ['a scope of two words', of({ ...sampleAccount('a', 1), scopes: ['a b'] })],
    ['a provider that is none', of({ ...sampleAccount('a', 1), provider: 'constructor' })],
    ['a key with scopes', of({ ...sample('a', 1), scopes: ['a'] })],
    ['an order that is none', of({ ...sample('a', 1), order: 0 })],
  ])('is refused when it holds %s, and never touched', async (_, text) => {
    await inFolder(async (folder) => {
      const path = `${folder}/c.json`;
      await writeFile(path, text);
      const store = fileConnections(path);
      const failure = await store.list().catch((error: unknown) => error);
      expect(failure).toSatisfy(isFailure('store-foreign'));
      expect((failure as Error).message).not.toContain('hunter2');
      await expect(store.commit({ put: [], remove: [] }, 'x')).rejects.toSatisfy(isFailure('store-foreign'));
      expect(await readFile(path, 'utf8')).toBe(text);
    });
  });
});
