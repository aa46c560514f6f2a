// `toolwright apply` as it is run: what it prints, what it writes, and what it ends with.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { confirmed } from '../../src/cli/confirm.js';
import { type Json, openapi, operation, parameter, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { serve } from '../wire/loopback.js';

// Each starts several processes.
vi.setConfig({ testTimeout: 120_000 });

const PROGRAM = fileURLToPath(new URL('../../bin/toolwright.js', import.meta.url));
const API = openapi({
  '/a': { get: operation('a', { parameters: [parameter('query', 'x')] }) },
  '/b': { get: operation('b') },
});
const NEXT = openapi({
  '/a': { get: operation('a', { parameters: [parameter('query', 'x', undefined, { required: true })] }) },
});

const MANIFEST = `connections:
  key: { provider: http_key, header: X-Key, secret: env:API_KEY }
sources:
  api:
    description: ./api.json
    server: ${SERVER}
    connection: key
    select: { all: true }
    tools:
      a: { name: first }
`;

it('asks nobody where there is nobody: the plan is shown, --yes is named where it is needed, and nothing is written', async () => {
  await atDesk(async ({ run, write, store }) => {
    await write('api.json', API);
    await write('toolwright.yaml', MANIFEST);
    const { code, stdout, stderr } = await run('apply');
    expect([code, stdout.split('\n')[0]]).toEqual([2, expect.stringContaining('+ the connection "key"')]);
    expect(stdout).toMatch(/^Plan: 2 to create/m);
    expect(stderr).toMatch(/^error\[bad-request\]: nothing is written.*--yes/m);
    expect(await store()).toBeUndefined();
    await run('apply', '--yes');
    const written = await store();
    const again = await run('apply');
    expect([again.code, again.stdout]).toEqual([0, 'Plan: 0 to create, 0 to refresh; 2 unchanged\n']);
    expect(await store()).toBe(written);
  });
});

it('tells two sources of one key at their lines, and writes nothing', async () => {
  await atDesk(async ({ run, write, store }) => {
    await write('api.json', API);
    const source = (name: string) =>
      `  ${name}:\n    description: ./api.json\n    server: ${SERVER}\n    select: { all: true }\n`;
    await write('toolwright.yaml', `sources:\n${source('one')}${source('two')}`);
    const { code, stdout, stderr } = await run('apply', '--yes', '--json');
    expect([code, stderr.split('\n')[0]]).toEqual([1, expect.stringContaining('error[source-failed]')]);
    const { entries } = JSON.parse(stdout) as { entries: { kind: string; source: string; place: { line: number } }[] };
    expect(entries.map(({ kind, source: name, place }) => [kind, name, place.line])).toEqual([
      ['failed', 'one', 2],
      ['failed', 'two', 6],
    ]);
    expect(await store()).toBeUndefined();
  });
});

const LONG = 'It says a good deal of what nobody needs to know. '.repeat(20);
const WORDY = openapi({
  '/a': { get: operation('a', { parameters: [parameter('query', 'x', undefined, { description: LONG })] }) },
  '/b': { get: operation('b', { description: LONG }) },
});
const PRICED = `sources:
  api:
    description: ./api.json
    server: ${SERVER}
    select: { all: true }
`;

it('tells what the tools cost where that is asked for, in every format', async () => {
  await atDesk(async ({ run, write }) => {
    await write('api.json', WORDY);
    await write('toolwright.yaml', PRICED);
    const { cost } = JSON.parse((await run('apply', '--yes', '--cost', '--json')).stdout);
    const listed = JSON.parse((await run('tools', 'list', '--cost', '--json')).stdout) as Json[];
    const priced = new Map(listed.map(({ name, cost: each }) => [name, each as Json]));
    // The dearest first, and the same price that the store's own list tells.
    expect(cost.tools.map(({ tool }: { tool: string }) => tool)).toEqual(['b', 'a']);
    for (const { tool, bytes, tokens } of cost.tools) expect({ bytes, tokens }).toEqual(priced.get(tool));
    expect(cost.tokens).toBe(cost.tools[0].tokens + cost.tools[1].tokens);
    const format = async (name: string) => (await run('apply', '--check', '--cost', '--format', name)).stdout;
    const total = new RegExp(`Cost: 2 tools, [\\d,]+ bytes, ${cost.tokens} tokens`);
    for (const name of ['text', 'markdown', 'github']) expect(await format(name)).toMatch(total);
    expect(JSON.parse(await format('sarif')).runs[0].properties.cost).toEqual(cost);
    expect(await format('junit')).toContain(`<property name="b.tokens" value="${cost.tools[0].tokens}"/>`);
    expect((await run('apply', '--check')).stdout).not.toContain('Cost:');
  });
});

it('cuts the tools to a budget, of a source or of all, and tells what was cut', async () => {
  await atDesk(async ({ run, write, store }) => {
    await write('api.json', WORDY);
    await write('toolwright.yaml', `${PRICED}    budget_tokens: 120\n`);
    const report = async (...flags: string[]) => {
      const { code, stdout } = await run('apply', '--cost', '--json', ...flags);
      return { code, ...(JSON.parse(stdout) as { entries: Json[]; cost: { tokens: number }; changes: boolean }) };
    };
    const first = await report('--yes');
    expect(first.cost.tokens).toBeLessThanOrEqual(120);
    const cuts = first.entries.filter(({ kind }) => kind === 'trimmed');
    expect(cuts.map(({ operation: key, left_out }) => [key, left_out])).toEqual([
      ['a', ['/properties/x']],
      ['b', ['']],
    ]);
    // The same again, and everything back without it.
    expect(await report('--check')).toMatchObject({ code: 0, changes: false });
    const written = await store();
    await write('toolwright.yaml', PRICED);
    expect(await report('--check', '--budget', '120')).toMatchObject({ code: 0, changes: false });
    expect(await report('--check')).toMatchObject({ code: 3, changes: true });
    await write('toolwright.yaml', `${PRICED}    budget_tokens: 5\n`);
    const small = await run('apply', '--yes');
    expect([small.code, small.stderr]).toEqual([1, expect.stringMatching(/takes \d+ tokens; the budget is 5/)]);
    // Not what it would come to without the budget.
    expect(small.stdout.split('\n').slice(1)).toEqual(['Plan: 0 to create, 0 to refresh; 0 unchanged, 1 failed', '']);
    const all = await run('apply', '--yes', '--budget', '5');
    expect([all.code, all.stderr]).toEqual([1, expect.stringContaining('the budget is 5')]);
    expect(await store()).toBe(written);
    await write('toolwright.yaml', PRICED);
    await run('apply', '--plan', 'plan.json', '--budget', '120');
    expect((await run('apply', 'plan.json', '--yes', '--budget', '120')).stderr).toMatch(/^error\[bad-request\]/);
  });
});

it('writes with --yes, and says 0, 3 or 1 with --check', async () => {
  await atDesk(async ({ folder, run, write, store, tools }) => {
    await write('api.json', API);
    await write('toolwright.yaml', MANIFEST);
    const before = await run('apply', '--check');
    expect(before.code).toBe(3);
    expect(before.stdout).toMatch(/^\+ first$/m);
    expect(before.stdout).toMatch(/^Plan: 2 to create/m);
    expect(readdirSync(folder).sort()).toEqual(['api.json', 'toolwright.yaml']);
    const done = await run('apply', '--yes');
    expect([done.code, done.stdout.split('\n').at(-2)]).toEqual([0, 'Done: 2 created, 0 refreshed; 0 unchanged']);
    expect(done.stderr).toMatch(/^in \d+\.\d\d s$/m);
    expect((await tools()).map(({ name, connection_id }) => [name, connection_id?.slice(0, 5)])).toEqual([
      ['first', 'conn_'],
      ['b', 'conn_'],
    ]);
    expect((await run('apply', '--check')).code).toBe(0);
    const written = await store();
    await write('api.json', NEXT);
    const after = await run('apply', '--check');
    expect(after.code).toBe(3);
    expect(after.stdout).toMatch(/breaking argument-required/);
    expect(after.stdout).toMatch(/^! b: b is missing/m);
    // What is missing alone is enough.
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('apply', '--check')).code).toBe(3);
    await write('toolwright.yaml', MANIFEST.replace('{ all: true }', '{ tags: [nobodys] }'));
    expect((await run('apply', '--check')).stdout).toMatch(/^! api: the selection holds no operation$/m);
    await write('api.json', 'no description');
    const bad = await run('apply', '--check');
    expect([bad.code, bad.stdout.includes('! api: ')]).toEqual([1, true]);
    expect(bad.stderr).toMatch(/^error\[source-failed\]: /m);
    expect(await store()).not.toBe(written);
  });
});

it('names what is wrong with a manifest, where it is', async () => {
  await atDesk(async ({ run, write, store }) => {
    await write('toolwright.yaml', MANIFEST.replace('select:', 'selct:').replace('env:API_KEY', 'S3CRET-VALUE'));
    const { code, stdout, stderr } = await run('apply', '--yes');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error\[invalid-manifest\]: toolwright\.yaml:2:\d+: "secret" must be `env:NAME`/);
    expect(stderr).toContain('toolwright.yaml:8:5: "selct" is no key of a source; did you mean "select"?');
    expect(stderr).not.toContain('S3CRET');
    expect(await store()).toBeUndefined();
    expect((await run('apply', 'none.yaml', '--yes')).stderr).toMatch(/^error\[source-unreadable\]/);
    await write('toolwright.yaml', MANIFEST);
    const other = await run('apply', '--yes', '--environment', 'live');
    expect([other.code, other.stderr.split(':')[0]]).toEqual([2, 'error[unknown-environment]']);
  });
});

it('saves a plan, applies it, and refuses it where anything moved', async () => {
  await atDesk(async ({ folder, run, write, store }) => {
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'o', version: '1' },
      actions: [{ target: '$.paths["/b"].get', update: { summary: 'Bee' } }],
    };
    await write('api.json', API);
    await write('overlay.json', overlay);
    const manifest = MANIFEST.replace('    server:', '    overlays: [overlay.json]\n    server:');
    await write('toolwright.yaml', manifest);
    const saved = await run('apply', '--plan', 'plan.json');
    expect([saved.code, saved.stdout.includes('+ first')]).toEqual([0, true]);
    expect(await store()).toBeUndefined();
    const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
    expect(plan).toMatchObject({ format: 'toolwright-plan', version: 1, manifest: 'toolwright.yaml' });
    expect(plan.marks.sources).toEqual([
      { name: 'api', digests: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)] },
    ]);
    expect(plan.actions.map(({ kind, tool }: { kind: string; tool: { name: string } }) => [kind, tool.name])).toEqual([
      ['create', 'first'],
      ['create', 'b'],
    ]);
    const moved = async (name: string, content: unknown, back: unknown) => {
      await write(name, content);
      const { code, stdout, stderr } = await run('apply', 'plan.json', '--yes');
      expect([name, code, stdout]).toEqual([name, 1, '']);
      expect(stderr).toMatch(/^error\[plan-moved\]/);
      expect(await store()).toBeUndefined();
      await write(name, back);
    };
    await moved('api.json', { ...API, info: { title: 'Demo', version: '2' } }, API);
    await moved('overlay.json', { ...overlay, info: { title: 'p', version: '1' } }, overlay);
    await moved('toolwright.yaml', `${manifest}# more\n`, manifest);
    expect((await run('apply', 'plan.json')).code).toBe(2);
    for (const flags of [
      ['--plan', 'other.json'],
      ['--yes', '--hold', 'all'],
      ['--yes', '--json', '--format', 'sarif'],
    ])
      expect([flags, (await run('apply', 'plan.json', ...flags)).code]).toEqual([flags, 2]);
    expect(await store()).toBeUndefined();
    expect((await run('apply', 'plan.json', '--check')).code).toBe(3);
    // What would make another plan of it.
    for (const flags of [
      ['--plan', 'other.json'],
      ['--hold', 'all'],
      ['--environment', 'staging'],
    ]) {
      const { code, stdout, stderr } = await run('apply', 'plan.json', '--yes', ...flags);
      expect([flags, code, stdout]).toEqual([flags, 2, '']);
      expect(stderr).toMatch(/^error\[bad-request\]: .*plan/);
      expect(await store()).toBeUndefined();
    }
    const applied = await run('apply', 'plan.json', '--yes');
    expect([applied.code, applied.stdout.split('\n').at(-2)]).toEqual([0, 'Done: 2 created, 0 refreshed; 0 unchanged']);
    expect((await run('apply', '--check')).code).toBe(0);
    const again = await run('apply', 'plan.json', '--yes');
    expect([again.code, again.stderr.slice(0, 17)]).toEqual([1, 'error[plan-moved]']);
    await write('plan.json', { ...plan, version: 2 });
    expect((await run('apply', 'plan.json', '--yes')).stderr).toMatch(/^error\[plan-foreign\]/);
    await write('plan.json', { ...plan, actions: [{ kind: 'drop' }] });
    expect((await run('apply', 'plan.json', '--yes')).stderr).toMatch(/^error\[plan-foreign\]: .*"\/actions\/0"/);
  });
});

it('tells what waits for an approval at every run, in every format, and a saved plan what stays', async () => {
  await atDesk(async ({ run, write }) => {
    await write('api.json', API);
    await write('toolwright.yaml', `hold: breaking\n${MANIFEST}`);
    await run('apply', '--yes');
    await write('api.json', { ...NEXT, paths: { ...(NEXT.paths as Json), '/b': { get: operation('b') } } });
    const how = '`toolwright tools approve --dry-run` shows what waits';
    const first = await run('apply', '--check');
    expect([first.code, first.stdout]).toEqual([
      3,
      expect.stringContaining(`\n1 tool waits for an approval once this is written; ${how}\nPlan: `),
    ]);
    await run('apply', '--yes');
    const again = await run('apply', '--check');
    const line = `1 tool waits for an approval; ${how}`;
    expect([again.code, again.stdout]).toEqual([0, `${line}\nPlan: 0 to create, 0 to refresh; 2 unchanged\n`]);
    const format = async (name: string) => (await run('apply', '--check', '--format', name)).stdout;
    for (const name of ['markdown', 'github']) expect(await format(name)).toContain(line);
    expect(JSON.parse(await format('json')).counts).toMatchObject({ held: 0, unchanged: 2, waiting: 1 });
    expect(JSON.parse(await format('sarif')).runs[0].properties).toEqual({ waiting: 1 });
    expect(await format('junit')).toContain('<property name="waiting" value="1"/>');
    expect((await run('apply', '--check', '--format', 'junit', '-o', 'x.xml')).stderr).toContain(`${line}\nPlan: `);
    await write('toolwright.yaml', `hold: breaking\n${MANIFEST.replace('first', 'other')}`);
    const total = (text: string) => text.split('\n').slice(-3, -1);
    const saved = await run('apply', '--plan', 'plan.json');
    expect(total(saved.stdout)).toEqual([line, 'Plan: 0 to create, 0 to refresh, 1 to edit; 1 unchanged']);
    expect(total((await run('apply', 'plan.json', '--check')).stdout)).toEqual(total(saved.stdout));
    expect(total((await run('apply', 'plan.json', '--yes')).stdout)).toEqual([
      line,
      'Done: 0 created, 0 refreshed, 1 edited; 1 unchanged',
    ]);
  });
});

it('notes the tools that no source chooses, and ends as if they were not there', async () => {
  await atDesk(async ({ run, write, tools }) => {
    await write('api.json', API);
    await write('toolwright.yaml', MANIFEST);
    await run('apply', '--yes');
    await write('toolwright.yaml', MANIFEST.replace('all: true', 'keys: [a]'));
    const note = '1 tool of the store is chosen by no source: b';
    const { code, stdout } = await run('apply', '--check');
    expect([code, stdout.split('\n')[0]]).toEqual([0, `- ${note}`]);
    expect(JSON.parse((await run('apply', '--check', '--json')).stdout).entries).toEqual([
      expect.objectContaining({ kind: 'unchosen', level: 'note', source: 'toolwright.yaml', message: note }),
    ]);
    expect((await run('apply', '--check', '--format', 'markdown')).stdout).toContain('chosen by no source');
    expect(await tools()).toHaveLength(2);
  });
});

it('writes each format, to stdout or to a file', async () => {
  await atDesk(async ({ folder, run, write }) => {
    await write('api.json', API);
    await write('toolwright.yaml', MANIFEST);
    const first = await run('apply', '--check', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({ format: 'toolwright-report', counts: { created: 2 } });
    expect((await run('apply', '--check', '--format', 'json')).stdout).toBe(first.stdout);
    expect((await run('apply', '--check', '--format', 'sarif')).stdout).toMatch(/"uri": "toolwright\.yaml"/);
    const filed = await run('apply', '--check', '--format', 'junit', '-o', 'junit.xml');
    expect([filed.code, filed.stdout]).toEqual([3, '']);
    expect(filed.stderr).toMatch(/^Plan: 2 to create/m);
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('line="10"');
    expect((await run('apply', '--yes', '--json', '--format', 'sarif')).code).toBe(2);
    expect(readdirSync(folder)).not.toContain('toolwright.lock.json');
    expect((await run('apply', '--check', '--format', 'html')).code).toBe(2);
    const args = ['import', 'api.json', '--server', SERVER, '--all', '--dry-run'];
    expect((await run(...args, '--format', 'markdown')).stdout).toContain('**Plan: 2 to create');
    expect(JSON.parse((await run(...args, '--format', 'json')).stdout)).toMatchObject({
      state: 'planned',
      sources: ['api.json'],
    });
    expect((await run(...args.slice(0, -1), '--json', '--format', 'json')).code).toBe(2);
    expect(readdirSync(folder)).not.toContain('toolwright.lock.json');
  });
});

it('annotates by itself in a workflow of GitHub, and writes the summary of the step', async () => {
  await atDesk(async ({ folder, write }) => {
    await write('api.json', API);
    await write('toolwright.yaml', MANIFEST);
    const summary = join(folder, 'summary.md');
    const { TOOLWRIGHT_STORE: _store, ...env } = process.env;
    const run = (...args: string[]) =>
      new Promise<string>((resolve) => {
        const options = { cwd: folder, env: { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary } };
        execFile(process.execPath, [PROGRAM, ...args], options, (_error, stdout) => resolve(stdout));
      });
    expect(await run('apply', '--check')).toMatch(
      /^::notice file=toolwright\.yaml,line=10,col=7,title=toolwright create::first is created$/m,
    );
    expect(readFileSync(summary, 'utf8')).toMatch(/^### toolwright\n/);
    expect(await run('import', 'api.json', '--server', SERVER, '--all', '--dry-run')).toMatch(
      /^::notice title=toolwright create::a is created$/m,
    );
    const hostile = '##[set-output name=a]b';
    await write('api.json', openapi({ '/a': { get: operation(hostile, { summary: hostile }) } }));
    const printed = await run('import', 'api.json', '--server', SERVER, '--operation', hostile, '--dry-run', '--json');
    expect(printed).not.toContain('##[');
    expect(JSON.parse(printed).tools[0].origin.operation).toBe(hostile);
    for (const format of ['text', 'junit', 'markdown'])
      expect(await run('apply', '--check', '--format', format)).not.toContain('##[');
    const titled = { openapi: '3.1.0', info: { title: '::warning::A title', version: '1' }, paths: {} };
    await write('titled.json', titled);
    expect(await run('preview', 'titled.json')).toContain('\u200b::warning::A title');
    await write('toolwright.yaml', MANIFEST.replace('select:', 'selct:'));
    expect(await run('apply', '--check')).toMatch(
      /^::error file=toolwright\.yaml,line=8,col=5,title=toolwright invalid-manifest::"selct" is no key/m,
    );
  });
});

it('reads descriptions from URLs, and takes environments and stores from the environment', async () => {
  const site = await serve((_request, response) => response.end(JSON.stringify(API)));
  try {
    await atDesk(async ({ folder, run, write }) => {
      const live: Json = {
        store: 'file:live.json',
        allow_private: ['127.0.0.1'],
        sources: { api: { description: `${site.origin}/api.json?key=S3CRET` } },
      };
      const source = { description: './none.json', server: SERVER, select: { all: true } };
      await write('toolwright.yaml', { sources: { api: source }, environments: { live } });
      expect((await run('apply', '--yes')).code).toBe(1);
      const { code, stdout, stderr } = await run('apply', '--yes', '--environment', 'live');
      expect([code, stdout.split('\n').at(-2)]).toEqual([0, 'Done: 2 created, 0 refreshed; 0 unchanged']);
      expect(readdirSync(folder)).toContain('live.json');
      await run('apply', '--environment', 'live', '--plan', 'plan.json');
      const plan = readFileSync(join(folder, 'plan.json'), 'utf8');
      expect(`${stdout}${stderr}${plan}`).not.toContain('S3CRET');
      expect((await run('apply', '--yes', '--environment', 'live', '--store', 'file:other.json')).code).toBe(0);
      expect(readdirSync(folder)).toContain('other.json');
    });
  } finally {
    await site.close();
  }
});

it('holds no writer up: two at once give what one after the other gives', async () => {
  await atDesk(async ({ run, write, tools }) => {
    const source = (set: string) => ({
      description: './api.json',
      server: SERVER,
      set,
      prefix: `${set}_`,
      select: { all: true },
    });
    await write('api.json', API);
    await write('one.yaml', { sources: { one: source('one') } });
    await write('two.yaml', { sources: { two: source('two') } });
    const ends = await Promise.all([run('apply', 'one.yaml', '--yes'), run('apply', 'two.yaml', '--yes')]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect((await tools()).map(({ name }) => name)).toEqual(['one_a', 'one_b', 'two_a', 'two_b']);
  });
});

it.each([
  ['y', true],
  ['YES ', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
  [undefined, false],
])('a person who answers %j is taken at their word', async (answer, expected) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = confirmed('Write this?', input, output);
  if (answer === undefined) input.end();
  else input.write(`${answer}\n`);
  expect(await asked).toBe(expected);
  expect(String(output.read())).toContain('Write this? [y/N]');
});

it('refuses a saved plan where another connection would be written than it shows, or one of its tools has lost its own', async () => {
  await atDesk(async ({ folder, run, write, tools, store }) => {
    const refused = async (named: string) => {
      const before = await store();
      const { code, stdout, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^error\[plan-moved\]: the connection /)]);
      expect(stderr).toContain(named);
      expect(await store()).toBe(before);
    };
    await write('api.json', API);
    await write('toolwright.yaml', MANIFEST);
    // What is begun can be ended: the connection is there by now.
    await run('apply', '--plan', 'plan.json');
    await run('apply', '--yes', '--store', 'file:other.lock.json');
    const connections = readFileSync(join(folder, 'other.lock.connections.json'), 'utf8');
    await write('toolwright.lock.connections.json', connections);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
    const id = (await tools()).find(({ name }) => name === 'first')?.connection_id ?? '';

    await write('toolwright.yaml', MANIFEST.replace('first', 'second'));
    await run('apply', '--plan', 'plan.json');
    await run('connections', 'remove', id, '--force');
    await refused('"key"');
    await write('toolwright.lock.connections.json', connections);
    expect((await run('apply', 'plan.json', '--yes')).stdout).toContain('~ second (name)');

    const added = await run('connections', 'add', '--header', 'K', '--secret', 'env:KEY', '--json');
    const own = JSON.parse(added.stdout).id;
    await write('toolwright.yaml', MANIFEST.replace('name: first', `name: second, connection: ${own}`));
    await run('apply', '--plan', 'plan.json');
    await run('connections', 'remove', own);
    await refused(own);
  });
});
