// The connection that a person sets on a tool has to be there.
import { expect, it } from 'vitest';
import { addConnection } from '../../src/app/connections.js';
import { createTool, setTool } from '../../src/app/tools.js';
import { memoryConnections } from '../../src/connection/memory.js';
import { sealer } from '../../src/connection/seal.js';
import { memoryStore } from '../../src/store/memory.js';
import { atDesk } from '../cases/command.js';
import { sampleAccount, sampleId } from '../connection/sample.js';
import { isFailure } from '../store/conformance.js';
import { sampleTool } from '../store/sample.js';

it('refuses an id that no connection has, and takes one of a key or an account', async () => {
  const [store, connections] = [memoryStore(), memoryConnections()];
  await store.commit({ put: [sampleTool('a')], remove: [] }, (await store.read()).revision);
  await connections.commit({ put: [sampleAccount('c', 1)], remove: [] }, (await connections.list()).revision);
  const set = (id: string) => setTool(store, 'a', { connection: { id } }, { connections });
  await expect(set(sampleId('z'))).rejects.toSatisfy(isFailure('unknown-connection'));
  await expect(set(' ')).rejects.toSatisfy(isFailure('invalid-value'));
  expect((await store.read()).tools[0]?.connection_id).toBeUndefined();
  expect(await set(sampleId('c'))).toMatchObject({ connection_id: sampleId('c') });
  expect(await setTool(store, 'a', { connection: null }, { connections })).not.toHaveProperty('connection_id');
  expect(await setTool(store, 'a', { connection: { id: 'anything' } })).toMatchObject({ connection_id: 'anything' });
});

it('is looked for where a tool is written by hand', async () => {
  const [store, connections] = [memoryStore(), memoryConnections()];
  await connections.commit({ put: [sampleAccount('c', 1)], remove: [] }, (await connections.list()).revision);
  const tool = (id: string) => ({ name: 'x', config: { endpoint: 'https://api.example/v1' }, connection_id: id });
  const create = (id: string) => createTool(store, tool(id), { connections });
  await expect(create(sampleId('z'))).rejects.toSatisfy(isFailure('unknown-connection'));
  expect((await store.read()).tools).toEqual([]);
  expect(await create(sampleId('c'))).toMatchObject({ connection_id: sampleId('c') });
});

it.each(['', ' ', 'a\u001b[31m', 'a\nb', 'a\u202eb'])(
  'refuses the label of a group that nobody can read: %j',
  async (group) => {
    const connections = memoryConnections();
    const placement = { placement: 'query', parameter: 'key' } as const;
    const secret = { env: 'KEY_OF_A_TEST' };
    const added = addConnection(
      { provider: 'http_key', placement, secret, group },
      { connections, sealer: sealer('') },
    );
    await expect(added).rejects.toSatisfy(isFailure('invalid-value'));
    expect((await connections.list()).connections).toEqual([]);
  },
);

it('is refused at the command line too', async () => {
  await atDesk(async ({ run, write }) => {
    await write('tool.json', { name: 'x', config: { endpoint: 'https://api.clinic.example/v1', method: 'GET' } });
    expect((await run('tools', 'create', 'tool.json')).code).toBe(0);
    const { code, stderr } = await run('tools', 'set', 'x', '--connection', sampleId('z'));
    expect(code).toBe(1);
    expect(stderr).toContain('error[unknown-connection]');
    expect((await run('tools', 'set', 'x', '--group', 'g')).code).toBe(0);
    await write('other.json', { name: 'y', config: { endpoint: 'https://a.example' }, connection_id: sampleId('z') });
    expect((await run('tools', 'create', 'other.json')).stderr).toContain('error[unknown-connection]');
  });
});
