// The command line where it is mistyped, finds nothing, or shows what a description holds.
import { expect, it } from 'vitest';
import { type Json, openapi, operation, parameter, SERVER, TEXT } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

const OTHER = 'https://uploads.example.com';
const ONE = openapi({ '/a': { get: operation('a', { parameters: [parameter('query', 'x')] }) } });

it('names a command that does not exist, and the nearest that does', async () => {
  await atDesk(async ({ run }) => {
    for (const [args, typed, near] of [
      [['improt', 'doc.json'], 'improt', 'import'],
      [['prevew'], 'prevew', 'preview'],
      [['tools', 'lst'], 'lst', 'list'],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`'${typed}'`);
      expect(stderr).toMatch(new RegExp(`did you mean ${near}`, 'i'));
    }
  });
});

it('refuses a value that says nothing', async () => {
  await atDesk(async ({ run, write, store }) => {
    await write('doc.json', ONE);
    for (const args of [
      ['preview', 'doc.json', '--path', ''],
      ['import', 'doc.json', '--server', SERVER, '--path', ''],
      ['import', 'doc.json', '--server', SERVER, '--tag', ''],
      ['import', 'doc.json', '--server', SERVER],
      ['tools', 'set', 'a', '--deadline', 'abc'],
      ['tools', 'set', 'a', '--deadline', ''],
      ['tools', 'set', 'a', '--deadline', '1.5'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([args.join(' '), code, stdout]).toEqual([args.join(' '), 2, '']);
      expect(stderr).toMatch(/\S/);
      expect(stderr).not.toMatch(/^\s+at \S/m);
    }
    expect(await store()).toBeUndefined();
  });
});

it.each([
  ['import', 'doc.json', '--server', SERVER],
  ['cut', 'doc.json'],
])('%s names the flags that choose', async (...args) => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', ONE);
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--operation, --tag, --method, --path or --all')]);
  });
});

it('says that a selection holds no operation', async () => {
  await atDesk(async ({ run, write, store }) => {
    await write('doc.json', ONE);
    const args = ['import', 'doc.json', '--server', SERVER, '--tag', 'none'];
    const { code, stderr } = await run(...args);
    expect(code).toBe(0);
    expect(stderr).toMatch(/selection.*no operation/);
    expect((await run(...args, '--quiet')).stderr).toBe('');
    expect(await store()).toBeUndefined();
  });
});

it('shows the servers that operations have of their own, and what lifts them', async () => {
  await atDesk(async ({ run, write }) => {
    const uploads = operation('upload', { servers: [{ url: OTHER }] });
    await write('doc.json', openapi({ '/a': { get: operation('a') }, '/b': { post: uploads } }));
    const seen = await run('preview', 'doc.json');
    expect(seen.code).toBe(0);
    expect(seen.stdout).toContain(`${OTHER}: upload`);
    expect(seen.stdout).toContain('--override-servers');
    const all = await run('import', 'doc.json', '--server', SERVER, '--all');
    expect(all.code).toBe(0);
    expect(all.stderr).toMatch(/upload.*--override-servers/);
    const one = await run('import', 'doc.json', '--server', SERVER, '--operation', 'upload');
    expect(one.code).toBe(1);
    expect(one.stderr).toContain('error[other-server]');
    expect(one.stderr).toContain(OTHER);
    expect(one.stderr).toContain('--override-servers');
    expect((await run('import', 'doc.json', '--server', SERVER, '--all', '--override-servers')).stdout).toContain(
      '+ upload',
    );
  });
});

it('refuses a device as a store', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', ONE);
    for (const args of [
      ['tools', 'list'],
      ['tools', 'remove', 'a'],
      ['import', 'doc.json', '--server', SERVER, '--all'],
    ]) {
      const { code, stdout, stderr } = await run(...args, '--store', 'file:/dev/zero');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error\[invalid-store\]: .*device/);
    }
  });
});

const ODD = 'a\u001b[31m\u202e\u0007b';
const REFUSED = openapi({
  [`/${ODD}`]: { post: operation(undefined, { requestBody: { content: { [ODD]: {} } } }) },
  [`/{${ODD}}`]: { get: operation(ODD) },
  '/b': { get: operation('b', { parameters: [parameter('cookie', ODD, TEXT, { required: true })] }) },
  [`/c${ODD}`]: { $ref: `#/none/${ODD}` },
});

it.each<readonly [string, Json]>([
  ['an identifier', openapi({ '/a': { get: operation(ODD) } })],
  ['a path', openapi({ [`/${ODD}`]: { get: operation(undefined) } })],
  ['what is refused', REFUSED],
  ['the title and version', { ...ONE, openapi: `3.1.0${ODD}`, info: { title: ODD, version: ODD } }],
  ['the servers', { ...ONE, servers: [{ url: `https://${ODD}.example` }, { url: `/${ODD}` }] }],
  [
    'a security scheme',
    {
      ...ONE,
      security: [{ [ODD]: [] }, { [`${ODD}2`]: [] }],
      components: { securitySchemes: { [ODD]: { type: 'apiKey', in: 'header', name: ODD } } },
    },
  ],
  [
    'a security scheme in the query',
    { ...ONE, components: { securitySchemes: { [ODD]: { type: 'apiKey', in: 'query', name: ODD } } } },
  ],
  [
    'an operation with servers of its own',
    openapi({ '/a': { get: operation(ODD, { servers: [{ url: `https://own.example/${ODD}` }] }) } }),
  ],
])('prints no control character of %s', async (_, description) => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', description);
    for (const args of [
      ['preview', 'doc.json'],
      ['import', 'doc.json', '--server', 'https://api.example.com', '--all'],
      ['tools', 'list'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect(code).toBe(0);
      const printed = `${stdout}${stderr}`.replaceAll('\n', '');
      expect(printed.match(/.{0,20}[\p{Cc}\p{Cf}]/u)?.[0]).toBeUndefined();
    }
  });
});

it('fixes null where the parameter may be null', async () => {
  await atDesk(async ({ run, write, tools }) => {
    const parameters = [
      parameter('query', 'x', { type: 'string', nullable: true }),
      parameter('query', 'y'),
      parameter('query', 'slow', { type: 'string', pattern: '^(a+)+$' }),
    ];
    await write('doc.json', openapi({ '/a': { get: operation('a', { parameters }) } }));
    expect((await run('import', 'doc.json', '--server', SERVER, '--all')).code).toBe(0);
    expect((await run('tools', 'set', 'a', '--fix', 'x=null', '--fix', 'y=null')).code).toBe(0);
    expect((await tools())[0]?.fixed_parameters).toEqual({ x: null, y: 'null' });
    const both = await run('tools', 'set', 'a', '--fix', 'x=a', '--unfix', 'x');
    expect([both.code, both.stdout]).toEqual([2, '']);
    const slow = await run('tools', 'set', 'a', '--fix', `slow=${'a'.repeat(50_000)}!`);
    expect([slow.code, slow.stdout]).toEqual([1, '']);
    expect(slow.stderr).toContain('error[invalid-value]');
  });
});
