// The official SDK's client lists and calls the tools, over both transports and in every revision.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { fileStore, type HttpTool, importOperations, memoryStore, preview, requestOf } from '../../src/index.js';
import { valuesOfSchema } from '../properties/parse-back-values.js';
import { inFolder } from '../store/folder.js';
import { answerText, recorder } from '../wire/loopback.js';
import { atApi } from './api.js';
import { atHttp, client, connected, REVISIONS } from './support.js';

// Each starts a process.
vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
/** What fixtures of bounds hold by the thousand says nothing new. */
const MOST_OPERATIONS = 120;

/** Every tool of every fixture, at one server. */
async function importAll(path: string, origin: string): Promise<readonly HttpTool[]> {
  const store = memoryStore();
  for (const [i, name] of readdirSync(FIXTURES).entries()) {
    const file = ['json', 'yaml'].map((kind) => join(FIXTURES, name, `description.${kind}`));
    const source = file.find((one) => readable(one));
    const seen = source === undefined ? undefined : await preview({ file: source }).catch(() => undefined);
    if (source === undefined || seen === undefined || seen.operations.length > MOST_OPERATIONS) continue;
    await importOperations(
      {
        file: source,
        server: `${origin}/${i}`,
        select: { all: true },
        name_prefix: `f${i}_`,
        override_servers: true,
        batch: true,
      },
      { store },
    );
  }
  const file = fileStore(path);
  const { tools } = await store.read();
  await file.commit({ put: tools, remove: [] }, (await file.read()).revision);
  return (await file.read()).tools;
}

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

/** Arguments with which the tool can be called; undefined where none of many are. */
function argumentsFor(tool: HttpTool): Record<string, unknown> | undefined {
  const values = valuesOfSchema(tool.input_schema);
  for (let seed = 1; seed <= 60; seed += 1) {
    const [value] = fc.sample(values, { seed, numRuns: 1 }) as Record<string, unknown>[];
    // The SDK takes this name out of what it reads.
    if (value === undefined || JSON.stringify(value).includes('"__proto__"')) continue;
    if ('method' in requestOf({ tool, arguments: value })) return value;
  }
  return undefined;
}

describe('every tool of every fixture', () => {
  it('is listed and called, over both transports', async () => {
    const api = await recorder(() => answerText(200, { 'content-type': 'application/json' }, '{"ok":true}'));
    try {
      await inFolder(async (folder) => {
        const path = join(folder, 'tools.json');
        const tools = await importAll(path, api.origin);
        expect(tools.length).toBeGreaterThan(200);
        const callable = tools.flatMap((tool) => {
          const values = argumentsFor(tool);
          return values === undefined ? [] : [[tool, values] as const];
        });
        const rest = tools.filter((tool) => callable.every(([one]) => one !== tool)).map(({ name }) => name);
        expect(rest.length).toBeLessThan(tools.length / 100);
        const args = ['--store', `file:${path}`, '--max-tools', '10000', '--allow-private', '127.0.0.1'];
        for (const over of ['stdio', 'http'] as const) {
          const before = api.requests.length;
          let unsent = 0;
          const work = (to: Parameters<typeof connected>[0]) =>
            connected(to, client(over === 'stdio' ? '2025-11-25' : '2026-07-28'), async (one) => {
              const listed = await one.listTools();
              expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
              const refused: string[] = [];
              for (const [tool, values] of callable) {
                const answer = await one.callTool({ name: tool.name, arguments: values });
                if (answer.isError === true)
                  refused.push(`${tool.name}: ${JSON.stringify(answer.content).slice(0, 200)}`);
              }
              // The name of a header of this one is half a character.
              expect(refused.filter((one) => !/^f\d+_half: /.test(one))).toEqual([]);
              unsent = refused.length;
            });
          await (over === 'stdio' ? work({ args }) : atHttp(args, (url) => work({ url })));
          expect(api.requests.length - before).toBe(callable.length - unsent);
        }
      });
    } finally {
      await api.close();
    }
  });
});

describe('structured content', () => {
  it('is as described, or says that it is not', async () => {
    await atApi((api) =>
      atHttp(api.args, async (url) => {
        for (const revision of REVISIONS) {
          await connected({ url }, client(revision), async (one) => {
            const { tools } = await one.listTools();
            const promised = new Map(tools.map((tool) => [tool.name, tool.outputSchema]));
            expect(promised.get('slow')).toBeUndefined();
            expect(promised.get('getVisit') === undefined).toBe(revision === '2025-03-26');
            if (revision === '2025-03-26') {
              expect(await one.callTool({ name: 'getVisit', arguments: { id: 'v1' } })).not.toHaveProperty(
                'structuredContent',
              );
              return;
            }
            // The client throws at content that breaks the form, and at none where there is a form.
            const good = await one.callTool({ name: 'getVisit', arguments: { id: 'v1' } });
            expect(good.structuredContent).toEqual({ id: 'v1', room: 3 });
            const list = await one.callTool({ name: 'listVisits', arguments: { limit: 1 } });
            expect(list.structuredContent).toEqual({ result: [{ id: 'v0', room: 0 }] });
            const long = await one.callTool({ name: 'listVisits', arguments: { limit: 5_000 } });
            const { result } = long.structuredContent as { readonly result: readonly unknown[] };
            expect(result.length).toBeLessThan(5_000);
            expect(JSON.stringify(long.content)).toContain(`the first ${result.length.toLocaleString('en')} are shown`);
            const odd = await one.callTool({ name: 'getVisit', arguments: { id: 'odd' } });
            expect([odd.isError, odd.structuredContent]).toEqual([
              undefined,
              { unlike_described: 'a value is expected at id', answer: { room: 'none' } },
            ]);
            expect(JSON.stringify(odd.content)).toMatch(/Note: the answer does not fit.*"{\\"room\\":\\"none\\"}"/);
            const empty = await one.callTool({ name: 'getVisit', arguments: { id: 'gone' } });
            expect([empty.isError, empty.structuredContent]).toEqual([
              undefined,
              { unlike_described: 'it is empty', answer: null },
            ]);
          });
        }
      }),
    );
  });
});
