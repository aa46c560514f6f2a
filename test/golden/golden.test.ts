// Compiles every fixture and compares the whole answer, or the refusal, with its golden. `npm run golden` rewrites them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Failure,
  importOperations,
  type Limits,
  memoryStore,
  type Profile,
  preview,
  type Source,
} from '../../src/index.js';

interface Options {
  readonly name_prefix?: string;
  readonly limits?: Partial<Limits>;
  readonly overlays?: readonly Source[];
  /** Of descriptions that the core profile does not read. */
  readonly profile?: Profile;
}

const fixtures = new URL('../../fixtures/', import.meta.url).pathname;
const goldens = new URL('../../golden/', import.meta.url).pathname;
const rewrite = process.env.GOLDEN === 'write';
const cases = folders(fixtures);

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function descriptionOf(name: string): string {
  const kinds = ['json', 'yaml', 'txt'].map((kind) => join(fixtures, name, `description.${kind}`));
  return kinds.find((path) => existsSync(path)) ?? '';
}

function optionsOf(name: string): Options {
  const path = join(fixtures, name, 'options.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Options) : {};
}

/** The answer under `preview.json`, or why there is none under `refusal.json`. */
async function compiled(name: string, profile: Profile): Promise<[string, unknown]> {
  try {
    return ['preview.json', await preview({ file: descriptionOf(name) }, { ...optionsOf(name), profile })];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The path of this checkout is no part of a golden.
    return [
      'refusal.json',
      { code: error.code, message: error.message.replaceAll(fixtures, 'fixtures/'), data: error.data },
    ];
  }
}

function check(name: string, file: string, value: unknown): void {
  const path = join(goldens, name, file);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (rewrite) {
    mkdirSync(join(goldens, name), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}

describe('goldens', () => {
  if (rewrite) for (const name of folders(goldens)) rmSync(join(goldens, name), { recursive: true });

  it.each(cases)('%s', async (name) => {
    // Core reads no YAML and no Swagger.
    const profile = descriptionOf(name).endsWith('.yaml') ? 'extended' : 'core';
    const [file, value] = await compiled(name, optionsOf(name).profile ?? profile);
    check(name, file, value);
  });

  it.each(cases)('%s is the same in the extended profile where core imports it', async (name) => {
    const [file, core] = await compiled(name, 'core');
    if (file === 'refusal.json') return;
    const [, extended] = await compiled(name, 'extended');
    const drafts = (answer: unknown) => (answer as { operations: { key: string }[] }).operations;
    const byKey = new Map(drafts(extended).map((draft) => [draft.key, draft]));
    for (const draft of drafts(core)) expect(byKey.get(draft.key)).toEqual(draft);
  });

  it('several-files, with the files that the extended profile reads', async () => {
    const [, answer] = await compiled('several-files', 'extended');
    check('several-files', 'extended.json', answer);
  });

  it('clinic, then its next version', async () => {
    const store = memoryStore();
    const request = (name: string) => ({
      file: descriptionOf(name),
      server: 'https://api.clinic.example/v1',
      select: { all: true },
      batch: true,
      name_prefix: 'clinic_',
    });
    await importOperations(request('clinic'), { store });
    const again = await importOperations(request('clinic'), { store });
    expect(again.tools).toEqual([]);
    const { plan, skipped, missing, stale } = await importOperations(request('clinic-next'), { store });
    const actions = plan.actions.map((action) => ({
      kind: action.kind,
      tool: action.tool.name,
      ...(action.kind === 'refresh' ? { fields: action.fields } : {}),
    }));
    check('clinic-next', 'import.json', { actions, skipped, missing, stale });
  });

  it('has a golden for every fixture and a fixture for every golden', () => {
    expect(folders(goldens)).toEqual(cases);
  });
});
