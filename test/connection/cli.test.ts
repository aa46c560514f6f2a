// `toolwright connections` as it is run: what it answers, and that no secret is in any output or file but sealed.
import { spawn } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fileStore } from '../../src/store/file.js';
import { inFolder } from '../store/folder.js';
import { sampleTool } from '../store/sample.js';
import { ENCODINGS } from './encodings.js';
import { KEY_A, KEY_B } from './sample.js';

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
const SECRET = 'hunter2/"s3cr3t"';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Desk {
  readonly folder: string;
  run(args: string, input?: string, env?: Record<string, string>): Promise<Outcome>;
}

/** Works in a fresh folder; afterwards no output and no file holds the secret. */
async function atDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const shown: string[] = [];
    const { TOOLWRIGHT_STORE: _store, TOOLWRIGHT_SEAL_KEYS: _keys, ...clean } = process.env;
    const run: Desk['run'] = async (args, input = '', env = { TOOLWRIGHT_SEAL_KEYS: KEY_A }) => {
      const outcome = await start(args.split(' '), folder, { ...clean, NO_COLOR: '1', ...env }, input);
      shown.push(outcome.stdout, outcome.stderr);
      return outcome;
    };
    await work({ folder, run });
    for (const name of await readdir(folder)) {
      if (name !== 'secret.txt') shown.push(await readFile(join(folder, name), 'utf8'));
    }
    const text = shown.join('\n').toLowerCase();
    for (const encode of Object.values(ENCODINGS)) expect(text).not.toContain(encode(SECRET).toLowerCase());
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(KEY_A.slice(2).toLowerCase());
  });
}

function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, input: string): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, 'connections', ...args.map((arg) => arg.replaceAll('·', ' '))], {
    cwd,
    env,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const HEADER = '--header X-Key --json';

it('adds, lists, sets and removes, and seals what it is given', async () => {
  await atDesk(async ({ folder, run }) => {
    await writeFile(join(folder, 'secret.txt'), `${SECRET}\n`);
    const added = await run(
      `add --provider http_key --header Authorization --prefix Bearer· --secret-file secret.txt --group g --json`,
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const first = JSON.parse(added.stdout);
    expect(first).toEqual({
      id: expect.stringMatching(/^conn_[0-9a-f]{24}$/),
      status: 'healthy',
      provider: 'http_key',
      placement: 'header',
      header: 'Authorization',
      prefix: 'Bearer ',
      group: 'g',
      secret: 'sealed',
    });
    const second = await run('add --placement query --parameter key --secret-stdin --json', `${SECRET}\r\n`);
    const third = await run('add --placement basic --secret-stdin --json', `someone:${SECRET}`);
    const fourth = await run(`add --secret env:KEY ${HEADER}`, '', {});
    expect([second.code, third.code, fourth.code]).toEqual([0, 0, 0]);
    expect(JSON.parse(fourth.stdout)).toMatchObject({ status: 'healthy', secret: 'env:KEY' });
    const path = join(folder, 'toolwright.lock.connections.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const listed = JSON.parse((await run('list --json')).stdout);
    expect(listed.map(({ placement, secret }: Record<string, string>) => [placement, secret])).toEqual([
      ['header', 'sealed'],
      ['query', 'sealed'],
      ['basic', 'sealed'],
      ['header', 'env:KEY'],
    ]);
    expect((await run('list')).stdout).toMatch(/CONNECTION .*\n {2}conn_/);

    const set = await run(`set ${first.id} --secret-stdin --no-group --json`, SECRET, {
      TOOLWRIGHT_SEAL_KEYS: `${KEY_B},${KEY_A}`,
    });
    expect(JSON.parse(set.stdout)).toMatchObject({ id: first.id, status: 'healthy', header: 'Authorization' });
    expect(JSON.parse(set.stdout).group).toBeUndefined();
    expect(await run(`remove ${first.id}`)).toMatchObject({ code: 0, stdout: `- ${first.id}\n` });
    expect(await run(`remove ${first.id}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown-connection'),
    });
  });
});

it('keeps a connection that a tool points at, unless it is forced', async () => {
  await atDesk(async ({ folder, run }) => {
    const { id } = JSON.parse((await run(`add --secret env:KEY ${HEADER}`)).stdout);
    const store = fileStore(join(folder, 'toolwright.lock.json'));
    await store.commit({ put: [sampleTool('list', { connection_id: id })], remove: [] }, (await store.read()).revision);
    expect(await run(`remove ${id}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/connection-in-use.*list/),
    });
    expect(await run(`remove ${id} --force`)).toMatchObject({ code: 0 });
  });
});

it('heals a broken connection with a secret, also the same variable, and not with a group', async () => {
  await atDesk(async ({ folder, run }) => {
    const { id } = JSON.parse((await run(`add --secret env:KEY ${HEADER}`)).stdout);
    const path = join(folder, 'toolwright.lock.connections.json');
    const broken = (await readFile(path, 'utf8')).replace(
      '"healthy"',
      '"broken", "reason": "401 no", "broken_by": "list"',
    );
    await writeFile(path, broken);
    expect((await run('list')).stdout).toMatch(/broken .*401 no \(met by list\)/);
    expect(JSON.parse((await run(`set ${id} --group g --json`)).stdout)).toMatchObject({
      status: 'broken',
      group: 'g',
    });
    const healed = JSON.parse((await run(`set ${id} --secret env:KEY --json`)).stdout);
    expect(healed).toMatchObject({ status: 'healthy', group: 'g', secret: 'env:KEY' });
    expect(healed.reason ?? healed.broken_by).toBeUndefined();
  });
});

it('warns of a short secret', async () => {
  await atDesk(async ({ run }) => {
    const short = await run('add --header X-Key --secret-stdin', 'pin7');
    expect(short).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: the key is under 8/) });
    expect(short.stdout).toMatch(/^conn_\w+ is added; it is healthy\.\n$/);
    const env = await run(`add --secret env:PIN ${HEADER}`, '', { PIN: 'pin7' });
    expect(JSON.parse(env.stdout).warnings).toHaveLength(1);
    expect(short.stdout + short.stderr + env.stdout + env.stderr).not.toContain('pin7');
  });
});

const S = SECRET;
it.each<[string, number, string, string?, Record<string, string>?]>([
  [`add --secret ${S} ${HEADER}`, 2, 'bad-request'],
  [`add --secret=${S} ${HEADER}`, 2, 'bad-request'],
  [`add --secret env:${S} ${HEADER}`, 2, 'bad-request'],
  [`add --header X-Key`, 2, 'bad-request'],
  [`add --secret env:KEY --secret-stdin ${HEADER}`, 2, 'bad-request', S],
  [`add --secret env:KEY`, 2, 'bad-request'],
  [`add --placement query --secret env:KEY`, 2, 'bad-request'],
  [`add --placement query --parameter k --prefix Bearer --secret env:KEY`, 2, 'bad-request'],
  [`add --placement basic --header X --secret env:KEY`, 2, 'bad-request'],
  [`add ${S} --secret env:KEY ${HEADER}`, 2, 'too many arguments'],
  [`add --key ${S} ${HEADER}`, 2, 'unknown option'],
  [`add --secret-stdin ${HEADER}`, 1, 'no-seal-key', S, {}],
  [`add --secret-stdin ${HEADER}`, 1, 'invalid-seal-key', S, { TOOLWRIGHT_SEAL_KEYS: SECRET }],
  [`add --secret-stdin ${HEADER}`, 1, 'invalid-secret', `${S}\n${S}`],
  [`add --secret-stdin ${HEADER}`, 1, 'invalid-secret', ''],
  [`add --secret-stdin --placement basic`, 1, 'invalid-secret', S],
  [`add --secret-file none ${HEADER}`, 1, 'source-unreadable'],
  [`add --secret env:KEY ${HEADER}`, 1, 'invalid-secret', '', { KEY: `${S}\n` }],
  [`set conn_000000000000000000000000 --secret env:KEY`, 1, 'unknown-connection'],
  [`set ${S} --secret env:KEY`, 1, 'unknown-connection'],
  [`remove ${S}`, 1, 'unknown-connection'],
  [`set conn_000000000000000000000000`, 2, 'bad-request'],
])('%s is refused, without a word of the secret', async (args, code, message, input, env) => {
  await atDesk(async ({ folder, run }) => {
    const outcome = await run(args, input, env);
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(await readdir(folder)).toEqual([]);
  });
});
