// What a manifest comes to, and what is said of one that is wrong: each fault where it stands.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/base/failure.js';
import { readManifest } from '../../src/manifest/read.js';
import { BAD, GOOD } from './samples.js';

interface Fault {
  readonly line: number;
  readonly column: number;
  readonly at: string;
  readonly message: string;
}

function failure(text: string, environment?: string): Failure {
  try {
    readManifest(text, 'some/toolwright.yaml', environment);
  } catch (error) {
    return error as Failure;
  }
  throw new Error('it was read');
}

function faults(text: string): readonly Fault[] {
  return failure(text).data.faults as readonly Fault[];
}

const SOURCES = GOOD.least?.sources as { readonly clinic: object };
const SOURCE = `
    description: ./clinic.json
    server: https://api.clinic.example/v1
    select: { all: true }
`;

describe('a fault', () => {
  it.each(Object.entries(BAD))('is named with its pointer: %s', (_name, [at, manifest]) => {
    expect(faults(JSON.stringify(manifest)).map((fault) => fault.at)).toEqual([at]);
  });

  it('has the line and the column of its key, and the key that was meant', () => {
    const text = `sources:\n  clinic:${SOURCE}    preffix: clinic_\n`;
    const fault = failure(text);
    expect(fault.code).toBe('invalid-manifest');
    expect(fault.data.faults).toEqual([
      {
        line: 6,
        column: 5,
        at: '/sources/clinic/preffix',
        message: '"preffix" is no key of a source; did you mean "prefix"?',
      },
    ]);
    expect(fault.message).toBe('some/toolwright.yaml:6:5: "preffix" is no key of a source; did you mean "prefix"?');
  });

  it('has the line and the column of its value', () => {
    const text = `sources:\n  clinic:${SOURCE}    tools:\n      "GET /a~b":\n        deadline_seconds:   "soon"\n`;
    expect(faults(text)).toEqual([
      {
        line: 8,
        column: 29,
        at: '/sources/clinic/tools/GET ~1a~0b/deadline_seconds',
        message: '"deadline_seconds" must be a whole number from 1 to 300; "soon" stands there',
      },
    ]);
  });

  it.each([
    ['sources: &all\n  clinic: 1\n', 2, 11],
    ['sources:\n  clinic:\n', 2, 3],
    ['sources: {\n  "clinic": 7 }', 2, 13],
    ['{"sources":\r\n {"clinic": [] } }', 2, 13],
    ['sources:\n  clinic: &one 3\n  other: *one\n', 2, 16],
  ])('has its place in every form of a text: %j', (text, line, column) => {
    expect(faults(text)[0]).toMatchObject({ line, column });
  });

  it('that an alias repeats is placed at the alias', () => {
    const [first, second] = faults(`sources:\n  a: &a { server: 1 }\n  b: *a\n`).filter(({ at }) =>
      at.endsWith('/server'),
    );
    expect([first, second]).toMatchObject([
      { line: 2, column: 19, at: '/sources/a/server' },
      { line: 3, column: 6, at: '/sources/b/server' },
    ]);
  });

  it('does not hide another: the first ten are kept, in order, and six lines are shown', () => {
    const tools = Array.from({ length: 14 }, (_, i) => `      op${i}: { attempts: ${i + 4} }\n`).join('');
    const { data, message } = failure(`sources:\n  clinic:${SOURCE}    tools:\n${tools}`);
    const kept = data.faults as readonly Fault[];
    expect(kept.map(({ line }) => line)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(data.more).toBe(4);
    expect(message.split('\n')).toHaveLength(6);
    expect(message).toMatch(/and 9 more$/);
  });

  it.each(['S3CRET-VALUE', 'env:S3CRET-VALUE', 'Bearer S3CRET-VALUE'])('never repeats a secret: %s', (secret) => {
    const connection = { provider: 'http_key', header: 'X-Key', secret };
    for (const manifest of [
      { ...GOOD.least, connections: { clinic: connection } },
      { sources: { clinic: { ...SOURCES.clinic, connection: secret } } },
      { ...GOOD.least, store: secret.replace(/^/, 'S3CRET-VALUE') },
    ]) {
      const fault = failure(JSON.stringify(manifest));
      expect(fault.code).toBe('invalid-manifest');
      expect(`${fault.message}${JSON.stringify(fault.data)}`).not.toContain('S3CRET');
    }
  });

  it.each(['sources: [', 'a: 1\na: 2\n', 'sources: !tag x', 'a: 1\n---\nb: 2\n'])(
    'of the YAML has its place: %j',
    (text) => {
      const { code, data } = failure(text);
      expect(code).toBe('not-yaml');
      expect(data).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    },
  );
});

describe('what one part says of another', () => {
  it.each([
    [{ connection: 'clinik' }, '/sources/clinic/connection', 'did you mean "clinic"?'],
    [{ tools: { a: { connection: 'none' } } }, '/sources/clinic/tools/a/connection', 'names neither'],
  ])('a connection is one of the manifest, or an id: %j', (changes, at, message) => {
    const { sources, connections } = GOOD.whole as { sources: { kiosk: object }; connections: object };
    const { group: _group, ...source } = sources.kiosk as { group: string };
    const text = JSON.stringify({ connections, sources: { clinic: { ...source, ...changes } } });
    expect(faults(text)).toMatchObject([{ at, message: expect.stringContaining(message) }]);
  });

  it('an environment changes sources that there are', () => {
    const manifest = {
      ...GOOD.least,
      environments: { live: { sources: { klinic: { server: 'https://a.example' } } } },
    };
    expect(faults(JSON.stringify(manifest))).toMatchObject([
      { at: '/environments/live/sources/klinic', message: expect.stringContaining('did you mean "clinic"?') },
    ]);
  });
});

describe('an environment', () => {
  const text = JSON.stringify(GOOD.whole);

  it('that is not there is named, with the nearest', () => {
    const { code, message } = failure(text, 'stagin');
    expect(code).toBe('unknown-environment');
    expect(message).toContain('did you mean "staging"?');
  });

  it('takes the place of what the manifest says', () => {
    const { manifest, environment } = readManifest(text, 'some/toolwright.yaml', 'staging');
    expect(environment).toBe('staging');
    expect(manifest).toMatchObject({
      store: `file:${resolve('some/staging.lock.json')}`,
      allow_private: ['staging.internal'],
      connections: { clinic: { secret: 'env:STAGING_KEY' }, other: { secret: 'env:OTHER' } },
      sources: {
        clinic: {
          description: resolve('some/staging.json'),
          overlays: [resolve('some/staging-overlay.json')],
          server: 'http://staging.example',
          group: 'others',
          prefix: 'clinic_',
        },
        kiosk: { connection: 'clinic', server: 'https://api.clinic.example/v1' },
      },
    });
    expect(manifest.sources.clinic).not.toHaveProperty('connection');
    expect(manifest.sources.kiosk).not.toHaveProperty('group');
  });
});

describe('paths', () => {
  it('are relative to the manifest, URLs and absolute ones are as they are', () => {
    const { manifest } = readManifest(JSON.stringify(GOOD.whole), 'some/toolwright.yaml');
    expect(manifest.store).toBe(`file:${resolve('some/toolwright.lock.json')}`);
    expect(manifest.sources.clinic?.description).toBe(resolve('some/clinic.json'));
    expect(manifest.sources.clinic?.overlays).toEqual([
      resolve('some/overlay.json'),
      'https://example.com/overlay.yaml',
    ]);
    const other = { ...GOOD.least, store: 'postgres://db.example/tools' };
    expect(readManifest(JSON.stringify(other), 'some/toolwright.yaml').manifest.store).toBe(
      'postgres://db.example/tools',
    );
    expect(readManifest(JSON.stringify(GOOD.least), 'some/toolwright.yaml').manifest.store).toBe(
      `file:${resolve('some/toolwright.lock.json')}`,
    );
  });
});
