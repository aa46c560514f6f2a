// `toolwright connections` for accounts, as it is run: what it prints while it waits, what it answers, how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileConnections } from '../../src/connection/file.js';
import { inFolder } from '../store/folder.js';
import { type AuthorizationServer, authorizationServer, browse, CLIENT_ENV, SCOPES } from './authorization-server.js';
import { KEY_A, KEY_B, sampleAccount } from './sample.js';

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
const CHILD = fileURLToPath(new URL('child-connections.mjs', import.meta.url));

let server: AuthorizationServer;
beforeAll(async () => {
  server = await authorizationServer();
});
afterAll(() => server.close());

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program; each address that it shows is followed by the person. */
function run(
  args: readonly string[],
  cwd: string,
  env: object,
  person: (url: string, child: ChildProcess) => unknown,
): Promise<Outcome> {
  const { TOOLWRIGHT_STORE: _store, TOOLWRIGHT_SEAL_KEYS: _keys, ...clean } = process.env;
  const child = spawn(process.execPath, args, { cwd, env: { ...clean, NO_COLOR: '1', ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    const url = /^(http\S+)\n/m.exec(String(chunk))?.[1];
    if (url !== undefined) person(url, child);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const ENV = { ...CLIENT_ENV, TOOLWRIGHT_SEAL_KEYS: KEY_A };

function account(folder: string, command: string, flags: object, id = '', env: object = ENV): Promise<Outcome> {
  const given = { store: `file:${join(folder, 'tools.json')}`, ...flags };
  const args = [CHILD, JSON.stringify(server.providers), command, JSON.stringify(given), id];
  return run(args, folder, env, (url) => browse(url));
}

function noSecret(...texts: readonly string[]): void {
  for (const text of texts) for (const secret of server.secrets) expect(text).not.toContain(secret);
}

it('prints the address, waits, stores, answers; consents again; seals anew; signs out', async () => {
  await inFolder(async (folder) => {
    const add = { provider: 'google', consent: true, scope: SCOPES, group: 'team', json: true, quiet: true };
    const added = await account(folder, 'add', add);
    expect(added).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Consent in a browser .*:\nhttp\S+\n$/) });
    const first = JSON.parse(added.stdout);
    const view = { status: 'healthy', provider: 'google', scopes: SCOPES, group: 'team', secret: 'sealed' };
    expect(first).toEqual({ id: first.id, ...view });

    const again = await account(folder, 'set', { consent: true, scope: ['records.write', 'records.burn'] }, first.id);
    expect(again).toMatchObject({ code: 0, stdout: `${first.id} is set; it is healthy.\n` });
    expect(again.stderr).toContain('warning: the scope records.burn was not granted');

    const listed = await run([PROGRAM, 'connections', 'list', '--store', 'file:tools.json'], folder, {}, () => {});
    expect(listed.stdout).toMatch(/conn_\w+ +healthy +google, 3 scopes +sealed +team/);
    const keys = { TOOLWRIGHT_SEAL_KEYS: `${KEY_B},${KEY_A}` };
    const reseal = [PROGRAM, 'connections', 'set', first.id, '--reseal', '--store', 'file:tools.json'];
    expect(await run(reseal, folder, keys, () => {})).toMatchObject({ code: 0 });
    const text = await readFile(join(folder, 'tools.connections.json'), 'utf8');

    const removed = await account(folder, 'remove', {}, first.id, { ...CLIENT_ENV, TOOLWRIGHT_SEAL_KEYS: KEY_B });
    expect(removed).toEqual({ code: 0, stdout: `- ${first.id}\n`, stderr: '' });
    noSecret(text, ...[added, again, listed, removed].flatMap(({ stdout, stderr }) => [stdout, stderr]));
  });
});

it('warns where a removed account could not be signed out', async () => {
  await inFolder(async (folder) => {
    const store = fileConnections(join(folder, 'tools.connections.json'));
    const { id } = sampleAccount('a', 1);
    await store.commit({ put: [sampleAccount('a', 1)], remove: [] }, (await store.list()).revision);
    const args = [PROGRAM, 'connections', 'remove', id, '--store', 'file:tools.json'];
    expect(await run(args, folder, {}, () => {})).toEqual({
      code: 0,
      stdout: `- ${id}\n`,
      stderr: expect.stringMatching(/^warning: the account was not signed out at google: no OAuth client/),
    });
  });
});

it('ends with SIGINT while it waits, and stores nothing', async () => {
  await inFolder(async (folder) => {
    const args = `${PROGRAM} connections add --provider google --consent --scope records.read --no-browser`.split(' ');
    const ended = await run(args, folder, ENV, (_, child) => child.kill('SIGINT'));
    expect(ended).toMatchObject({ code: 130, stdout: '' });
    expect(ended.stderr).toContain('https://accounts.google.com/o/oauth2/v2/auth?access_type=offline');
    expect(await readdir(folder)).toEqual([]);
  });
});

it.each<[string, number, string, object?]>([
  ['add --provider google --consent --scope a', 4, 'no-oauth-client', {}],
  ['add --provider google --consent', 2, 'bad-request'],
  ['add --provider google --scope a', 2, '--consent'],
  ['add --provider google --consent --scope a --header X', 2, '--header does not go with'],
  ['add --provider google --consent --scope a --placement basic', 2, '--placement does not go with'],
  ['add --provider google --consent --scope a --secret-stdin', 2, '--secret-stdin does not go with'],
  ['add --provider google --consent --scope a', 1, 'no-seal-key', CLIENT_ENV],
  ['add --provider another --consent --scope a', 2, 'http_key, google'],
  ['add --consent --header X --secret env:KEY', 2, '--consent does not go with'],
  ['add --scope a --header X --secret env:KEY', 2, '--scope does not go with'],
  ['set conn_000000000000000000000000 --consent', 1, 'unknown-connection'],
  ['set conn_000000000000000000000000 --consent --secret env:KEY', 2, '--secret does not go with'],
  ['set conn_000000000000000000000000 --consent --reseal', 2, '--reseal does not go with'],
  ['set conn_000000000000000000000000 --scope a', 2, '--scope'],
  ['set conn_000000000000000000000000 --reseal --secret env:KEY', 2, 'sealed anyway'],
])('%s is refused with %i', async (args, code, message, env = ENV) => {
  await inFolder(async (folder) => {
    const nobody = () => expect.fail('a person was asked');
    const outcome = await run([PROGRAM, 'connections', ...args.split(' ')], folder, env, nobody);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(await readdir(folder)).toEqual([]);
  });
});
