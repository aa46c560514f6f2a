// Cases of the command line: what goes where, what it says when it cannot go on, and with which status.
import type { RequestListener } from 'node:http';
import { expect, it, vi } from 'vitest';
import { type Loopback, serve } from '../wire/loopback.js';
import { body, object, openapi, operation, parameter, SERVER, TEXT } from './build.js';
import { atDesk } from './command.js';

// Each starts several processes.
vi.setConfig({ testTimeout: 60_000 });

const ONE = openapi({ '/a': { get: operation('a') } });

async function serving(listener: RequestListener, work: (site: Loopback) => Promise<void>): Promise<void> {
  const site = await serve(listener);
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

const page: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><html><title>Sign in</title></html>');

it('cli-html-instead-of-a-document', async () => {
  await serving(page, ({ origin }) =>
    atDesk(async ({ run, store }) => {
      const url = `${origin}/openapi`;
      for (const rest of [
        ['preview', url],
        ['import', url, '--server', SERVER, '--all'],
      ]) {
        const { code, stdout, stderr } = await run(...rest, '--allow-private', '127.0.0.1');
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr.trim().split('\n')).toHaveLength(1);
        expect(stderr).toMatch(/^error\[[a-z-]+\]: /);
        expect(stderr).toContain(url);
        expect(stderr).toMatch(/HTML/);
        expect(stderr).toContain('text/html');
        expect(await store()).toBeUndefined();
      }
    }),
  );
});

it('cli-document-behind-a-login', async () => {
  let [asked, signedIn] = [0, 0];
  const login: RequestListener = (_request, response) => {
    signedIn += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
  };
  await serving(login, (sign) =>
    serving(
      (request, response) => {
        asked += 1;
        if (request.url === '/locked.json') response.writeHead(401).end();
        else response.writeHead(302, { location: `${sign.origin}/?next=x` }).end();
      },
      ({ origin }) =>
        atDesk(async ({ run }) => {
          const first = await run('preview', `${origin}/openapi.json`, '--allow-private', '127.0.0.1');
          expect([first.code, first.stdout]).toEqual([1, '']);
          expect(first.stderr).toMatch(/^error\[fetch-unauthorized\]: .*sign-in/);
          expect(first.stderr).toContain(`${sign.origin}/`);
          expect(first.stderr).not.toContain('next=x');
          expect([asked, signedIn]).toEqual([1, 1]);
          const second = await run('preview', `${origin}/locked.json`, '--allow-private', '127.0.0.1');
          expect([second.code, second.stdout]).toEqual([1, '']);
          expect(second.stderr).toMatch(/^error\[fetch-unauthorized\]: .*\b401\b.*sign-in/);
          expect([asked, signedIn]).toEqual([2, 1]);
        }),
    ),
  );
});

it('cli-utf8-bom', async () => {
  const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(ONE))]);
  await serving(
    (_request, response) => response.end(bytes),
    ({ origin }) =>
      atDesk(async ({ run, write }) => {
        await write('doc.json', bytes);
        for (const source of ['doc.json', `${origin}/doc.json`]) {
          for (const profile of ['core', 'extended']) {
            const rest = ['--json', '--profile', profile, '--allow-private', '127.0.0.1'];
            const { code, stdout } = await run('preview', source, ...rest);
            expect(code).toBe(0);
            expect(JSON.parse(stdout)).toMatchObject({ operations: [{ key: 'a' }], unimportable: [] });
          }
        }
      }),
  );
});

it('cli-error-says-where', async () => {
  await atDesk(async ({ run, write }) => {
    await write(
      'doc.json',
      openapi({
        '/a': { get: operation('a', { parameters: [{ name: 'q', schema: TEXT }] }) },
        '/b': { get: operation('b', { parameters: [parameter('body', 'z')] }) },
      }),
    );
    const json = JSON.parse((await run('preview', 'doc.json', '--json')).stdout);
    expect(json).toMatchObject({
      operations: [],
      unimportable: [
        { key: 'a', code: 'malformed', at: '/paths/~1a/get/parameters/0', reason: expect.stringMatching(/"q".*"in"/) },
        {
          key: 'b',
          code: 'malformed',
          at: '/paths/~1b/get/parameters/0',
          reason: expect.stringMatching(/"z".*body.*3\.x/),
        },
      ],
    });
    const { code, stdout, stderr } = await run('preview', 'doc.json');
    const said = `${stdout}${stderr}`;
    expect(code).toBe(0);
    expect(said).not.toMatch(/^\s+at \S/m);
    for (const path of ['/a', '/b']) {
      expect(said).toContain(`/paths/~1${path.slice(1)}/get/parameters/0`);
      expect(said).toContain(`GET ${path}`);
    }
  });
});

it('cli-exit-codes-and-partial-results', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', openapi({ '/ok': { get: operation('ok') }, '/gap/{x}': { get: operation('gap') } }));
    const first = await run('preview', 'doc.json', '--json');
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      operations: [{ key: 'ok' }],
      unimportable: [{ key: 'gap', code: 'path-gap', reason: expect.stringContaining('{x}') }],
    });
    expect(await run('preview', 'doc.json', '--json')).toEqual(first);
    // The text for a person goes beside the data, not into it.
    expect(first.stderr).toContain('importable');
    await write('broken.json', '{');
    const broken = await run('preview', 'broken.json', '--json');
    expect([broken.code, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toMatch(/^error\[not-json\]: /);
  });
});

it('cli-shows-cost-before-import', async () => {
  const fields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, TEXT]));
  const paths = Array.from({ length: 40 }, (_, i) => [`/p${i}`, { post: operation(`op${i}`, body(object(fields))) }]);
  await atDesk(async ({ run, write }) => {
    await write('doc.json', openapi(Object.fromEntries(paths)));
    const { operations } = JSON.parse((await run('preview', 'doc.json', '--json')).stdout) as {
      operations: { name: string; description: string; input_schema: unknown }[];
    };
    const bytes = operations
      .map(({ name, description, input_schema }) => JSON.stringify({ name, description, input_schema }))
      .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const { code, stdout } = await run('preview', 'doc.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\b40 importable\b/);
    expect(stdout).toMatch(/\b0 not importable\b/);
    expect(stdout).toContain(`${bytes.toLocaleString('en-US')} bytes`);
  });
});
