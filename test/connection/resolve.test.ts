// From a tool's connection to its secret, and the health of a connection.
import { describe, expect, it } from 'vitest';
import { setConnection } from '../../src/app/connections.js';
import type { Connection, ConnectionStore } from '../../src/connection/connection.js';
import { markBroken } from '../../src/connection/health.js';
import { memoryConnections } from '../../src/connection/memory.js';
import { sealer } from '../../src/connection/seal.js';
import { isFailure } from '../store/conformance.js';
import { KEY_A, resolve, sample, sampleId } from './sample.js';

const OPTIONS = { sealer: sealer(KEY_A), env: { KEY: 'from-the-environment' } };

const heal = (connections: ConnectionStore, id: string) =>
  setConnection(id, { secret: { env: 'KEY' } }, { ...OPTIONS, connections });

async function holding(...put: readonly Connection[]): Promise<ConnectionStore> {
  const store = memoryConnections();
  await store.commit({ put, remove: [] }, (await store.list()).revision);
  return store;
}

describe('a connection of a tool', () => {
  it('is none where the tool has none', async () => {
    expect(await resolve(memoryConnections(), {}, OPTIONS)).toBeUndefined();
  });

  it('is found by id, its secret read from the variable at that moment', async () => {
    const store = await holding(sample('a', 1));
    const env: Record<string, string> = { KEY: 'one-one-one' };
    const found = await resolve(store, { connection_id: sampleId('a') }, { ...OPTIONS, env });
    expect(found?.grant).toEqual({ placement: 'header', header: 'X-Key', key: 'one-one-one' });
    env.KEY = 'two-two-two';
    expect((await resolve(store, { connection_id: sampleId('a') }, { ...OPTIONS, env }))?.grant).toMatchObject({
      key: 'two-two-two',
    });
  });

  it('opens a sealed secret', async () => {
    const jwe = await OPTIONS.sealer.seal(sampleId('a'), 'me:pass:word');
    const { header: _, ...rest } = sample('a', 1) as Extract<Connection, { placement: 'header' }>;
    const store = await holding({ ...rest, placement: 'basic', secret: { kind: 'sealed', jwe } });
    const found = await resolve(store, { connection_id: sampleId('a') }, OPTIONS);
    expect(found?.grant).toEqual({ placement: 'basic', username: 'me', password: 'pass:word' });
    const closed = resolve(store, { connection_id: sampleId('a') }, { ...OPTIONS, sealer: sealer('') });
    await expect(closed).rejects.toSatisfy(isFailure('no-seal-key'));
  });

  it('of a group is the oldest healthy one', async () => {
    const group = { group: 'team' };
    const store = await holding(
      sample('a', 1, { ...group, status: 'broken', reason: 'no' }),
      sample('d', 9, group),
      sample('c', 3, group),
      sample('b', 2, { group: 'other' }),
    );
    const chosen = async () => (await resolve(store, { connection_group: 'team' }, OPTIONS))?.connection.id;
    expect(await chosen()).toBe(sampleId('c'));
    await markBroken(store, sampleId('c'), { tool: 't', reason: 'no' });
    expect(await chosen()).toBe(sampleId('d'));
    await heal(store, sampleId('a'));
    expect(await chosen()).toBe(sampleId('a'));
  });

  it.each<[string, string, RegExp, object, Partial<Connection>, Record<string, string>?]>([
    ['unknown', 'unknown-connection', /no connection conn_/, { connection_id: sampleId('z') }, {}],
    ['of no group', 'no-connection', /no connection has the group "team"/, { connection_group: 'team' }, {}],
    [
      'of a broken group',
      'no-connection',
      /no healthy .* "g"/,
      { connection_group: 'g' },
      { group: 'g', status: 'broken' },
    ],
    [
      'broken',
      'connection-broken',
      /broken: 401 .* \(met by list\)/,
      {},
      { status: 'broken', reason: '401 no', broken_by: 'list' },
    ],
    ['without its variable', 'secret-missing', /variable KEY, .* not set/, {}, {}, {}],
    ['with an empty variable', 'secret-missing', /variable KEY, .* empty/, {}, {}, { KEY: '' }],
    [
      'with a variable that cannot be sent',
      'invalid-secret',
      /variable KEY does not hold/,
      {},
      {},
      { KEY: 'hunter2\n' },
    ],
  ])('that is %s is refused', async (_, code, message, pointer, changes, env = { KEY: 'hunter2-hunter2' }) => {
    const store = await holding(sample('a', 1, changes));
    const at = Object.keys(pointer).length === 0 ? { connection_id: sampleId('a') } : pointer;
    const failure = await resolve(store, at, { ...OPTIONS, env }).catch((error: unknown) => error);
    expect(failure).toSatisfy(isFailure(code));
    expect((failure as Error).message).toMatch(message);
    expect(JSON.stringify([(failure as Error).message, failure])).not.toContain('hunter2');
  });
});

describe('the health of a connection', () => {
  const only = async (store: ConnectionStore) => (await store.list()).connections[0];
  const env = { kind: 'env', name: 'KEY' } as const;

  it('breaks with its first reason, and heals with a secret, also the same variable', async () => {
    const store = await holding(sample('a', 1));
    await markBroken(store, sampleId('a'), { tool: 'list', reason: `401\n${'x'.repeat(500)}`, secret: env });
    await markBroken(store, sampleId('a'), { tool: 'other', reason: '403' });
    expect(await only(store)).toMatchObject({ status: 'broken', broken_by: 'list' });
    expect((await only(store))?.reason).toMatch(/^401 x+…$/);
    await heal(store, sampleId('a'));
    expect(await only(store)).toEqual(sample('a', 1));
  });

  it('is not broken by a call with a secret that was replaced meanwhile, nor is a connection that is gone', async () => {
    const store = await holding(sample('a', 1));
    await markBroken(store, sampleId('a'), { tool: 'list', reason: '401', secret: { kind: 'sealed', jwe: 'old' } });
    await markBroken(store, sampleId('z'), { tool: 'list', reason: '401' });
    expect(await only(store)).toEqual(sample('a', 1));
    await expect(heal(store, sampleId('z'))).rejects.toSatisfy(isFailure('unknown-connection'));
  });

  it('loses nothing of many that write at once', async () => {
    const all = Array.from({ length: 20 }, (_, index) => sample(`m${index}`, index + 1));
    const store = await holding(...all);
    await Promise.all(all.map(({ id }) => markBroken(store, id, { tool: 't', reason: 'r' })));
    expect((await store.list()).connections.every(({ status }) => status === 'broken')).toBe(true);
  });
});
