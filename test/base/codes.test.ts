// Every code is one that something produces, and the documentation names the same codes in the same words.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planApply, writeApply } from '../../src/app/apply.js';
import { checkMarks, decodePlan } from '../../src/app/apply-saved.js';
import { approveTools } from '../../src/app/approve.js';
import { removeConnection } from '../../src/app/connections.js';
import { addAccount } from '../../src/app/consent.js';
import { importOperations } from '../../src/app/import.js';
import { type PreviewOptions, preview } from '../../src/app/preview.js';
import { createTool, setTool } from '../../src/app/tools.js';
import { FAILURE_CODES, type FailureCode, NOTICE_CODES, REFUSAL_CODES, SKIP_CODES } from '../../src/base/codes.js';
import { Failure } from '../../src/base/failure.js';
import type { Limits } from '../../src/base/limits.js';
import { recordOf } from '../../src/call/record.js';
import { fileRecords } from '../../src/call/record-file.js';
import type { Connection } from '../../src/connection/connection.js';
import { memoryConnections } from '../../src/connection/memory.js';
import type { Pointer } from '../../src/connection/resolve.js';
import { sealer } from '../../src/connection/seal.js';
import { sealTokens } from '../../src/connection/tokens.js';
import type { Source } from '../../src/document/document.js';
import { readManifest } from '../../src/manifest/read.js';
import { serveHttp } from '../../src/mcp/http.js';
import { diffTogether } from '../../src/plan/diff.js';
import { fileStore } from '../../src/store/file.js';
import { memoryStore } from '../../src/store/memory.js';
import { openStore } from '../../src/store/open.js';
import type { ToolStore } from '../../src/store/store.js';
import { PROVIDERS } from '../../src/tool/provider.js';
import { CLIENT_ENV } from '../connection/authorization-server.js';
import { KEY_A, resolve, sample, sampleId } from '../connection/sample.js';
import { offerOf } from '../mcp/offer.js';
import { sampleTool } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-codes-'));

interface Case {
  readonly text: string;
  readonly options: PreviewOptions;
}

function cases(): Case[] {
  return readdirSync(FIXTURES).flatMap((name) => {
    const path = ['json', 'yaml'].map((kind) => join(FIXTURES, name, `description.${kind}`)).find(existsSync);
    if (path === undefined) return [];
    const text = readFileSync(path, 'utf8');
    const beside = join(FIXTURES, name, 'options.json');
    const options = existsSync(beside) ? JSON.parse(readFileSync(beside, 'utf8')) : {};
    return (['core', 'extended'] as const).map((profile) => ({ text, options: { ...options, profile } }));
  });
}

/** Every code of refusals, notices and skips that the fixtures lead to. */
async function produced(): Promise<ReadonlySet<string>> {
  const codes = new Set<string>();
  const server = 'https://another.example';
  for (const { text, options } of cases()) {
    try {
      const { operations, unimportable, notices } = await preview({ document: text }, options);
      for (const { code } of [...unimportable, ...notices, ...operations.flatMap((one) => one.notices)])
        codes.add(code);
      const request = { document: text, server, select: { all: true }, batch: true };
      const report = await importOperations(request, { store: memoryStore(), dry_run: true });
      for (const { code } of report.skipped) codes.add(code);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return codes;
}

describe('a code of a refusal, a notice or a skip', () => {
  let found: ReadonlySet<string> = new Set();
  beforeAll(async () => {
    found = await produced();
  });

  it.each([...Object.keys(REFUSAL_CODES), ...Object.keys(NOTICE_CODES), ...Object.keys(SKIP_CODES)])(
    '%s is produced by a fixture',
    (code) => {
      expect([...found]).toContain(code);
    },
  );

  it('is one of the table', () => {
    const known = [...Object.keys(REFUSAL_CODES), ...Object.keys(NOTICE_CODES), ...Object.keys(SKIP_CODES)];
    expect([...found].filter((code) => !known.includes(code))).toEqual([]);
  });
});

let upstream: Loopback;
beforeAll(async () => {
  upstream = await serve((request, response) => {
    const status = Number(request.url?.slice(1));
    if (status > 0) response.writeHead(status).end('no');
  });
});
afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

const OPERATIONS = JSON.stringify({
  openapi: '3.1.0',
  paths: {
    '/a': { get: { operationId: 'a' }, post: { operationId: 'b', requestBody: { content: { 'text/xml': {} } } } },
    '/c': { servers: [{ url: 'https://other.example' }], get: { operationId: 'c' }, put: { operationId: 'd' } },
  },
});

function read(source: unknown, limits: Partial<Limits> = {}, more: PreviewOptions = {}): Promise<unknown> {
  return preview(source as Source, { limits, ...more });
}

function fetched(path: string, limits: Partial<Limits> = {}): Promise<unknown> {
  return read({ url: `${upstream.origin}${path}` }, limits, { network: { allow: ['127.0.0.1'] } });
}

function chosen(
  operations: readonly string[],
  limits: Partial<Limits> = {},
  server = 'https://one.example',
): Promise<unknown> {
  return importOperations({ document: OPERATIONS, server, operations }, { store: memoryStore(), limits });
}

async function stored(): Promise<ToolStore> {
  const store = memoryStore();
  const { revision } = await store.read();
  await store.commit({ put: [sampleTool('one'), sampleTool('two')], remove: [] }, revision);
  return store;
}

function written(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function commit(store: ToolStore, names: readonly string[], revision?: string): Promise<unknown> {
  const put = names.map((name, index) => sampleTool(`${name}${index}`, { name }));
  return store.commit({ put, remove: [] }, revision ?? (await store.read()).revision);
}

const FAILURES: { readonly [code in FailureCode]: () => Promise<unknown> } = {
  'bad-request': () => read({}),
  'unknown-limit': () => read({ document: '{}' }, { steps: 1 } as Partial<Limits>),
  'invalid-limit': () => read({ document: '{}' }, { nesting: 0.5 }),
  'invalid-prefix': () => read({ document: OPERATIONS }, {}, { name_prefix: 'a b' }),
  'source-unreadable': () => read({ file: join(folder, 'none') }),
  'source-too-large': () => read({ document: '{}' }, { description_bytes: 1 }),
  'fetch-failed': () => fetched('/500'),
  'fetch-timeout': () => fetched('/silence', { fetch_seconds: 1 }),
  'fetch-unauthorized': () => fetched('/401'),
  'address-refused': () => read({ url: `${upstream.origin}/200` }),
  'invalid-url': () => read({ url: 'api.example.com' }),
  'not-yaml': () => read({ document: 'openapi: [' }),
  'invalid-overlay': () => read({ document: OPERATIONS }, {}, { overlays: [{ document: '{}' }] }),
  'not-json': () => read({ document: '{' }),
  'not-utf8': () => read({ file: written('latin-1', Buffer.from('{"a":"\xe9"}', 'latin1')) }),
  'not-a-description': () => read({ document: '[]' }),
  'too-many-operations': () => read({ document: OPERATIONS }, { operations_listed: 3 }),
  'description-too-large': () =>
    read(
      { document: JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { parameters: [1, 2] } } } }) },
      { description_steps: 1 },
    ).then(() =>
      read({ document: readFileSync(join(FIXTURES, 'clinic/description.json'), 'utf8') }, { description_steps: 9 }),
    ),
  'too-many-chosen': () => chosen(['a', 'd'], { operations_per_import: 1 }, 'https://other.example'),
  'unknown-operation': () => chosen(['z']),
  'unimportable-operation': () => chosen(['b']),
  'invalid-server': () => chosen(['a'], {}, 'one.example'),
  'other-server': () => chosen(['c']),
  'over-budget': () => read({ document: OPERATIONS }, {}, { budget_tokens: 1 }),
  'unknown-tool': async () => setTool(await stored(), 'none', { name: 'x' }),
  'unknown-parameter': async () => setTool(await stored(), 'one', { fixed_parameters: { none: 1 } }),
  'invalid-value': async () => setTool(await stored(), 'one', { deadline_seconds: 301 }),
  'invalid-tool': () => createTool(memoryStore(), { name: 'x', config: { endpoint: 'api.example.com' } }),
  'name-taken': async () => setTool(await stored(), 'one', { name: 'two' }),
  'invalid-store': () => openStore('nowhere'),
  'store-foreign': () => fileStore(written('foreign', '{}')).read(),
  'store-unreadable': () => fileStore(folder).read(),
  'store-unwritable': () => commit(fileStore(join(folder, 'none/store')), ['a']),
  'store-locked': async () => {
    const path = join(folder, 'locked');
    const { withLock } = await import('../../src/store/lock.js');
    const fs = await import('node:fs/promises');
    return withLock(`${path}.lock`, { fs, seconds: 30 }, () => commit(fileStore(path, { lockSeconds: 0.1 }), ['a']));
  },
  'store-moved': () => commit(memoryStore(), ['a'], 'another'),
  'store-conflict': () => commit(memoryStore(), ['a', 'a']),
  'listen-failed': async () => {
    const { offer } = await offerOf([]);
    return serveHttp(offer, { port: upstream.port, host: '127.0.0.1', names: [] }, new AbortController().signal);
  },
  'output-unwritable': async () => {
    const { runCut } = await import('../../src/cli/cut.js');
    const file = written('whole.json', OPERATIONS);
    const none = { tag: [], method: [], path: [], operation: [], limit: {}, allowPrivate: [], overlay: [] };
    return runCut(file, { ...none, all: true, profile: 'core', output: folder });
  },
  'invalid-manifest': async () => readManifest('sources: 1', 'toolwright.yaml'),
  'unknown-environment': async () => readManifest(MANIFEST, 'toolwright.yaml', 'live'),
  'source-failed': async () => {
    const stores = { store: memoryStore(), connections: memoryConnections() };
    const manifest = MANIFEST.replace('./clinic.json', join(folder, 'none'));
    return writeApply(await planApply(readManifest(manifest, 'toolwright.yaml'), stores), stores);
  },
  'plan-moved': async () => {
    const marks = { manifest: 'a', store: 'b', sources: [] };
    return checkMarks(marks, { ...marks, store: 'c' }, 'memory:');
  },
  'plan-foreign': async () => decodePlan('{"format":"toolwright-plan","version":2}', 'the plan'),
  'record-unwritable': () => fileRecords(folder).add(recordOf(sampleTool('one'), new Date(), 0, 'internal')),
  'record-unreadable': () => fileRecords(folder).last(),
  'unknown-connection': () => resolved({}, { connection_id: sampleId('z') }),
  'connection-in-use': async () => {
    const tools = memoryStore();
    const put = [sampleTool('one', { connection_id: sampleId('a') })];
    await tools.commit({ put, remove: [] }, (await tools.read()).revision);
    const connections = memoryConnections();
    await connections.commit({ put: [sample('a', 1)], remove: [] }, (await connections.list()).revision);
    return removeConnection(sampleId('a'), { connections, tools });
  },
  'invalid-secret': () => resolved({}, {}, { KEY: 'a\nb' }),
  'no-seal-key': () => sealer('').seal(sampleId('a'), 'secret'),
  'invalid-seal-key': async () => sealer('a:b'),
  'unopened-secret': () => resolved({ secret: { kind: 'sealed', jwe: 'e30..AA.AA.AA' } }),
  'connection-broken': () => resolved({ status: 'broken', reason: '401' }),
  'secret-missing': () => resolved({}, {}, {}),
  'no-connection': () => resolved({}, { connection_group: 'none' }),
  'no-oauth-client': () => consented({}),
  'consent-failed': () => consented({ seconds: 0.01 }, CLIENT_ENV),
  'shared-operation': async () => {
    const wanted = {
      operation: 'a',
      name: 'a',
      endpoint: 'https://one.example/a',
      method: 'GET',
      locations: {},
      input_schema: {},
      description: 'A',
    };
    const request = {
      server: 'https://one.example',
      wanted: [wanted],
      keys: new Map([['a', undefined]]),
      tool_name_chars: 64,
    };
    return diffTogether([request, { ...request }], []);
  },
  'nothing-pending': async () => approveTools(await stored(), ['one']),
  'pending-moved': async () => {
    const { input_schema, description, config } = sampleTool('one');
    const { endpoint, method, locations = {} } = config;
    const pending = { endpoint, method, locations, input_schema, description };
    const store = memoryStore();
    await store.commit({ put: [{ ...sampleTool('one'), pending }], remove: [] }, (await store.read()).revision);
    return approveTools(store, ['one'], { digest: '0'.repeat(16) });
  },
  'renewal-failed': async () => {
    const connections = memoryConnections();
    const secret = await sealTokens(sealer(KEY_A), sampleId('a'), { ...TOKENS, expires_at: 1 });
    const account = {
      id: sampleId('a'),
      provider: 'google',
      scopes: ['s'],
      secret,
      status: 'healthy',
      order: 1,
    } as const;
    await connections.commit({ put: [account], remove: [] }, (await connections.list()).revision);
    const google = { ...PROVIDERS.google, tokenEndpoint: `${upstream.origin}/500` };
    const network = { allow: ['127.0.0.1'] };
    const options = { sealer: sealer(KEY_A), env: CLIENT_ENV, providers: { google }, network };
    return resolve(connections, { connection_id: sampleId('a') }, options);
  },
};

const MANIFEST = `sources:
  clinic: { description: ./clinic.json, server: 'https://api.clinic.example/v1', select: { all: true } }
`;

const TOKENS = { access_token: 'a', refresh_token: 'r' };

/** What becomes of a consent that nobody gives. */
function consented(changes: { seconds?: number }, env: Record<string, string> = {}): Promise<unknown> {
  const options = { connections: memoryConnections(), sealer: sealer(KEY_A), env, show: () => {}, ...changes };
  return addAccount({ provider: 'google', scopes: ['s'] }, options);
}

/** What becomes of a call through a connection. */
async function resolved(
  changes: Partial<Connection>,
  pointer: Pointer = {},
  env: Record<string, string> = { KEY: 'secret' },
): Promise<unknown> {
  const store = memoryConnections();
  await store.commit({ put: [sample('a', 1, changes)], remove: [] }, (await store.list()).revision);
  const at = Object.keys(pointer).length === 0 ? { connection_id: sampleId('a') } : pointer;
  return resolve(store, at, { sealer: sealer(KEY_A), env });
}

describe('a code of a failure', () => {
  it.each(Object.keys(FAILURE_CODES) as FailureCode[])('%s is thrown', async (code) => {
    const error: unknown = await FAILURES[code]().then(
      () => 'nothing was thrown',
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code });
    expect((error as Failure).message).toMatch(/^[^\n]{1,600}$/);
  });
});

describe('the documentation', () => {
  const text = readFileSync(new URL('../../docs/codes.md', import.meta.url), 'utf8');
  const KINDS = { Failures: FAILURE_CODES, Refusals: REFUSAL_CODES, Notices: NOTICE_CODES, Skips: SKIP_CODES };

  it.each(Object.entries(KINDS))('has the table of %s, in the words of the code', (title, codes) => {
    const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
    const rows = [...section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, code = '', meaning = '']) => [
      code,
      meaning.replaceAll('\\|', '|'),
    ]);
    expect(Object.fromEntries(rows)).toEqual(codes);
    expect(rows.map(([code]) => code)).toEqual(Object.keys(codes));
  });

  it('has no other table', () => {
    expect(text.match(/^## .*/gm)).toEqual(Object.keys(KINDS).map((title) => `## ${title}`));
  });
});
