// References that would lead a reader astray: out of the folder, to another origin, to what is no file, to too much.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../src/base/limits.js';
import { type Preview, preview } from '../../src/index.js';
import { come, describing, folderOf, having, previewOf, referring, serving } from '../document/several.js';
import { type Loopback, serve, sink } from '../wire/loopback.js';

const MB_16 = 16 * 1024 * 1024;
let trap: Loopback;
beforeAll(async () => {
  trap = await sink();
});
afterAll(() => trap.close());

/** What a folder outside of which nothing may be read holds beside itself. */
const OUTSIDE = { '../outside.json': having('outside'), '../api-two/outside.json': having('outside') };

/** Every reference is refused, with the reason, and the operation beside it is read. */
function expectRefused(answer: Preview, references: readonly string[], why: RegExp): void {
  for (const [i, reference] of references.entries()) {
    expect(come(answer, i), reference).toMatch(/^unresolved-reference: /);
    expect(come(answer, i), reference).toMatch(why);
  }
  expect(come(answer, references.length)).toEqual(['good']);
}

async function fromFile(references: readonly string[], prepare: (folder: string) => void = () => {}): Promise<Preview> {
  const folder = folderOf({
    ...OUTSIDE,
    'openapi.json': referring([...references, 'good.json']),
    'good.json': having('good'),
  });
  prepare(folder);
  return preview({ file: join(folder, 'api/openapi.json') }, { network: { allow: ['127.0.0.1'] } });
}

async function fromUrl(references: readonly string[], allow = true): Promise<Preview> {
  const files = { 'api/openapi.json': referring([...references, 'good.json']), 'api/good.json': having('good') };
  const server = await serve(serving(files));
  try {
    const host = `127.0.0.1:${server.port}`;
    return await preview({ url: `${server.origin}/api/openapi.json` }, { network: { allow: allow ? [host] : [] } });
  } finally {
    await server.close();
  }
}

describe('from a file', () => {
  it('nothing above the folder is read, however it is written', async () => {
    const references = [
      '/etc/hostname',
      'file:///etc/hostname',
      'file:/etc/hostname',
      'file://localhost/etc/hostname',
      '../outside.json',
      './../outside.json',
      'a/../../outside.json',
      '%2e%2e/outside.json',
      '.%2E/outside.json',
      '%2e%2e%2foutside.json',
      '..%2foutside.json',
      '..\\outside.json',
      '..%5coutside.json',
      '../api-two/outside.json',
      '..//outside.json',
      '../../../../../../../../etc/hostname',
    ];
    expectRefused(await fromFile(references), references, /leads out of the folder|cannot be read/);
  });

  it('no URL is read, and no socket opened', async () => {
    const references = [
      `${trap.origin}/`,
      `//127.0.0.1:${trap.port}/x.json`,
      `http:127.0.0.1:${trap.port}/x.json`,
      `\\\\127.0.0.1:${trap.port}\\x.json`,
      'https://api.kennel.example/x.json',
      'ftp://api.kennel.example/x.json',
      'data:application/json,{"type":"object"}',
      'javascript:0',
      'C:\\kennel\\x.json',
      'C:/kennel/x.json',
      '/C:/kennel/x.json',
      'C|/kennel/x.json',
      '\\\\server\\share\\x.json',
      'file://server/share/x.json',
      'http://[bad',
      'file://[bad',
    ];
    expectRefused(await fromFile(references), references, /leads to a URL|leads out of the folder|does not resolve/);
    expect(trap.sockets()).toBe(0);
  });

  it('names that no file has are no fault of ours', async () => {
    const references = [
      'a\0b.json',
      'a%00b.json',
      `${'x'.repeat(300)}.json`,
      `${'x'.repeat(9_000)}.json`,
      'good.json?x=1',
      '%',
      '%zz',
      '?',
      ' ',
    ];
    const answer = await fromFile(references);
    for (const [i, reference] of references.entries()) {
      if (reference === 'good.json?x=1') expect(come(answer, i)).toEqual(['good']);
      expect(come(answer, i), reference).not.toBe('nothing');
    }
    expect(come(answer, references.length)).toEqual(['good']);
  });

  it('a link out of the folder is not followed, one inside is', async () => {
    const references = ['link.json', 'folder/outside.json', 'far.json', 'loop.json'];
    const answer = await fromFile([...references.slice(0, 4)], (folder) => {
      symlinkSync('../outside.json', join(folder, 'api/link.json'));
      symlinkSync('../api-two', join(folder, 'api/folder'));
      symlinkSync('/etc/hostname', join(folder, 'api/far.json'));
      symlinkSync('loop.json', join(folder, 'api/loop.json'));
    });
    expectRefused(answer, references, /is a link out of the folder|could not be read/);
    const inside = await fromFile(['inside.json'], (folder) =>
      symlinkSync('good.json', join(folder, 'api/inside.json')),
    );
    expect(come(inside, 0)).toEqual(['good']);
  });

  it('a pipe, a folder and a device are no files, and hold nothing up', async () => {
    const references = ['pipe', 'folder', 'folder/', '.', './', 'device'];
    const answer = await fromFile(references, (folder) => {
      execFileSync('/usr/bin/env', ['mkfifo', join(folder, 'api/pipe')]);
      mkdirSync(join(folder, 'api/folder'));
      symlinkSync('/dev/zero', join(folder, 'api/device'));
    });
    expectRefused(answer, references, /leads to a file that cannot be read/);
  });

  it('twins that differ in case are the files that the system says they are', async () => {
    const answer = await previewOf({
      'openapi.json': referring(['Dog.json', 'dog.json']),
      'Dog.json': having('upper'),
      'dog.json': having('lower'),
    });
    const found = [come(answer, 0), come(answer, 1)];
    expect([
      [['upper'], ['lower']],
      [['lower'], ['lower']],
    ]).toContainEqual(found);
  });

  it('a file that is written anew while it is read is one of the two, or refused', async () => {
    const files = {
      'openapi.json': referring(['a.json', 'good.json']),
      'a.json': having('before'),
      'good.json': having('good'),
    };
    const folder = folderOf(files);
    const path = join(folder, 'api/a.json');
    const reading = preview({ file: join(folder, 'api/openapi.json') });
    for (let i = 0; i < 50; i += 1) {
      writeFileSync(path, JSON.stringify(having(i % 2 === 0 ? 'after' : 'before')));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answer = await reading;
    expect([['before'], ['after'], expect.stringContaining('unresolved-reference')]).toContainEqual(come(answer, 0));
    expect(come(answer, 1)).toEqual(['good']);
  });
});

describe('from a URL', () => {
  it('no file and no other origin is read, and no socket opened', async () => {
    const references = [
      'file:///etc/hostname',
      `${trap.origin}/x.json`,
      `//127.0.0.1:${trap.port}/x.json`,
      `\\\\127.0.0.1:${trap.port}\\x.json`,
      'http://169.254.169.254/latest/meta-data',
      'https://api.kennel.example/x.json',
      `https://127.0.0.1:${trap.port}/x.json`,
      'ftp://127.0.0.1/x.json',
      'C:\\kennel\\x.json',
      'data:application/json,{}',
    ];
    expectRefused(await fromUrl(references), references, /leads to another origin/);
    expect(trap.sockets()).toBe(0);
  });

  it.each([
    ['a private address', () => `${trap.origin}/x.json`],
    ['another origin', () => 'https://api.kennel.example/x.json'],
    ['a file', () => 'file:///etc/hostname'],
  ])('a redirect to %s is not followed', async (_what, target) => {
    const server = await serve((request, response) => {
      if (request.url === '/a.json') response.writeHead(302, { location: target() }).end();
      else if (request.url === '/good.json') response.end(JSON.stringify(having('good')));
      else response.end(JSON.stringify(referring(['a.json', 'good.json'])));
    });
    const answer = await preview({ url: `${server.origin}/openapi.json` }, { network: { allow: ['127.0.0.1'] } });
    await server.close();
    expectRefused(answer, ['a.json'], /redirects to another origin/);
    expect(trap.sockets()).toBe(0);
  });

  it('the guard looks at every file anew: a name that leads inward later is refused', async () => {
    let asked = 0;
    const server = await serve(serving({ 'openapi.json': referring(['a.json']), 'a.json': having('a') }));
    const host = `kennel.example:${server.port}`;
    const lookup = async () => ['127.0.0.1'];
    const allowed = await preview({ url: `http://${host}/openapi.json` }, { network: { allow: [host], lookup } });
    expect(come(allowed, 0)).toEqual(['a']);
    const moving = async () => {
      asked += 1;
      if (asked === 1) return ['127.0.0.1'];
      throw Object.assign(new Error('gone'), { code: 'ENOTFOUND' });
    };
    const moved = await preview({ url: `http://${host}/openapi.json` }, { network: { allow: [host], lookup: moving } });
    await server.close();
    expect(come(moved, 0)).toMatch(/unresolved-reference: .* could not be found/);
    expect(asked).toBe(2);
  });

  it('a user name in a reference is refused, and not shown', async () => {
    const server = await serve((_request, response) => {
      response.end(JSON.stringify(referring([`http://me:hidden@127.0.0.1:${server.port}/a.json`])));
    });
    const answer = await preview({ url: server.origin }, { network: { allow: ['127.0.0.1'] } });
    await server.close();
    expect(come(answer, 0)).toContain('unresolved-reference');
    expect(JSON.stringify(answer)).not.toContain('hidden');
  });

  it('all files together have the seconds of the description', async () => {
    const server = await serve((request, response) => {
      if (request.url !== '/slow.json') response.end(JSON.stringify(referring(['slow.json'])));
    });
    const limits = { fetch_seconds: 1 };
    const answer = await preview({ url: server.origin }, { limits, network: { allow: ['127.0.0.1'] } });
    await server.close();
    expect(come(answer, 0)).toContain('was not read within 1 second');
  });

  it('a file that streams past the bound of all is cut, and none is asked for after it', async () => {
    const asked: string[] = [];
    const server = await serve((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/') {
        response.end(JSON.stringify(referring(Array.from({ length: 40 }, (_, i) => `${i}.json`))));
        return;
      }
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const more = () => {
        while (response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const answer = await preview(
      { url: server.origin },
      { limits: { description_bytes: 100_000 }, network: { allow: ['127.0.0.1'] } },
    );
    await server.close();
    expect(answer.operations).toEqual([]);
    expect(come(answer, 39)).toContain('(description_bytes)');
    expect(asked.length).toBeLessThan(10);
  });
});

describe('much', () => {
  const ring = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => [
        `r${i}.json`,
        { properties: { [`p${i}`]: {}, next: { $ref: `r${(i + 1) % length}.json` } } },
      ]),
    );

  it('a ring of 100 files is read', async () => {
    const answer = await previewOf({ 'openapi.json': referring(['r0.json', 'r99.json#']), ...ring(100) });
    expect([come(answer, 0), come(answer, 1)]).toEqual([
      ['p0', 'next'],
      ['p99', 'next'],
    ]);
  });

  it('over the bound of files those that come later are left out, of a URL and of a folder', async () => {
    for (const kind of ['files_fetched', 'files_read'] as const) {
      const most = FIXED_LIMITS[kind];
      const names = Array.from({ length: most + 1 }, (_, i) => `${i}.json`);
      // One operation for the last but one, one for the last; the others stand in data and are read as well.
      const main = referring([`${most - 1}.json`, `${most}.json`], { 'x-all': names.map(($ref) => ({ $ref })) });
      const listed = { openapi: main.openapi, 'x-all': main['x-all'], paths: main.paths };
      const files = { 'openapi.json': listed, ...Object.fromEntries(names.map((name) => [name, having('read')])) };
      let answer: Preview;
      if (kind === 'files_read') answer = await previewOf(files);
      else {
        const asked: string[] = [];
        const server = await serve(serving(files, asked));
        answer = await preview({ url: `${server.origin}/openapi.json` }, { network: { allow: ['127.0.0.1'] } });
        await server.close();
        expect(asked.length).toBe(1 + most);
      }
      expect(come(answer, 0)).toEqual(['read']);
      expect(come(answer, 1)).toContain('the description is in too many files');
    }
  }, 30_000);

  it('one missing file is asked for once, however many references lead there', async () => {
    const asked: string[] = [];
    const many = Array.from({ length: 10_000 }, (_, i) => ({ $ref: `gone.json#/${i}` }));
    const server = await serve(serving({ 'openapi.json': referring(['gone.json'], { 'x-many': many }) }, asked));
    const answer = await preview({ url: `${server.origin}/openapi.json` }, { network: { allow: ['127.0.0.1'] } });
    await server.close();
    expect(come(answer, 0)).toContain('answered 404');
    expect(asked).toEqual(['/openapi.json', '/gone.json']);
  });

  it('16 MB and a byte in all: the last file is left out', async () => {
    const main = referring(['large.json', 'good.json']);
    const size = MB_16 - JSON.stringify(main).length - JSON.stringify(having('good')).length;
    const padded = (bytes: number) => {
      const text = JSON.stringify(having('large'));
      return text + ' '.repeat(bytes - text.length);
    };
    const at = await previewOf({ 'openapi.json': main, 'large.json': padded(size), 'good.json': having('good') });
    expect([come(at, 0), come(at, 1)]).toEqual([['large'], ['good']]);
    const over = await previewOf({ 'openapi.json': main, 'large.json': padded(size + 1), 'good.json': having('good') });
    expect(come(over, 0)).toEqual(['large']);
    expect(come(over, 1)).toContain('16,777,216 bytes (description_bytes)');
  });

  it('200,000 levels, in the description and in a file of it', async () => {
    const deep = `${'{"properties":{"a":'.repeat(200_000)}{"$ref":"good.json"}${'}}'.repeat(200_000)}`;
    const main = JSON.stringify(referring(['deep.json', 'good.json'], { 'x-deep': 0 })).replace(
      '"x-deep":0',
      `"x-deep":${deep}`,
    );
    const answer = await previewOf({ 'openapi.json': main, 'deep.json': deep, 'good.json': having('good') });
    expect(come(answer, 0)).toEqual(['a']);
    expect(come(answer, 1)).toEqual(['good']);
  });

  it.each([
    ['references out of reach', (i: number) => ({ $ref: `../${i}` })],
    ['references to files that are not there', (i: number) => ({ $ref: `${i}.json` })],
    ['references to one file', () => ({ $ref: 'good.json' })],
    ['plain nodes', () => []],
    ['`$id` and references', (i: number) => ({ $id: `${i}/`, $ref: 'good.json' })],
  ])(
    '16 MB of %s',
    async (_what, one) => {
      const parts: string[] = [];
      for (let bytes = 0, i = 0; bytes < MB_16 - 10_000; i += 1) {
        const part = JSON.stringify(one(i));
        bytes += part.length + 1;
        parts.push(part);
      }
      const main = JSON.stringify(referring(['good.json'], { 'x-many': 0 })).replace(
        '"x-many":0',
        `"x-many":[${parts.join(',')}]`,
      );
      const answer = await previewOf({ 'openapi.json': main, 'good.json': having('good') });
      expect(answer.operations.length + answer.unimportable.length).toBe(1);
    },
    20_000,
  );

  it('names of prototypes, and references that are no texts', async () => {
    const odd = [7, null, {}, [], true].map(($ref) => ({ $ref, type: 'object', properties: { own: {} } }));
    const main = JSON.stringify(
      describing([
        ...odd,
        { $ref: 'proto.json#/__proto__/constructor' },
        { $ref: '__proto__' },
        { $ref: 'proto.json#/toString' },
      ]),
    );
    const answer = await previewOf({
      'openapi.json': main,
      'proto.json': '{"__proto__":{"constructor":{"type":"object","properties":{"__proto__":{"$ref":"good.json"}}}}}',
      'good.json': having('good'),
    });
    for (const i of odd.keys()) expect(come(answer, i)).not.toContain('unresolved-reference');
    expect(come(answer, 5)).toEqual([expect.stringMatching(/proto/)]);
    expect(come(answer, 6)).toContain('unresolved-reference');
    expect(come(answer, 7)).toContain('unresolved-reference');
    expect(({} as { good?: unknown }).good).toBeUndefined();
  });

  it('references in data are no fault', async () => {
    const data = { $ref: '../outside.json' };
    const schema = { ...having('a'), example: data, examples: [data], default: data, enum: [data], 'x-note': data };
    const answer = await previewOf({ 'openapi.json': describing([schema]) });
    expect(come(answer, 0)).toEqual(['a']);
  });

  it('no answer holds what stands outside', async () => {
    const answer = await fromFile(['../outside.json', '/etc/hostname']);
    const text = JSON.stringify(answer);
    expect(text).not.toContain(readFileSync('/etc/hostname', 'utf8').trim());
    expect(text).not.toContain('/tmp/');
  });
});
