// Compiles every fixture and compares the whole answer, or the refusal, with its golden; of the extended profile what differs. `npm run golden` rewrites them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Failure,
  importOperations,
  type Limits,
  memoryStore,
  type Preview,
  type Profile,
  preview,
  type Source,
} from '../../src/index.js';

interface Options {
  readonly name_prefix?: string;
  readonly limits?: Partial<Limits>;
  readonly overlays?: readonly Source[];
  readonly output?: boolean;
  readonly cost?: boolean;
  readonly budget_tokens?: number;
}

type Compiled = readonly [file: 'preview.json' | 'refusal.json', value: unknown];

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
async function compiled(name: string, profile: Profile): Promise<Compiled> {
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

/** What the extended profile makes of it beyond the core one: more operations, or a description that core does not read. */
function beyond([, core]: Compiled, [file, extended]: Compiled): unknown {
  if (JSON.stringify(extended) === JSON.stringify(core)) return undefined;
  if (file === 'refusal.json' || !isPreview(core) || !isPreview(extended)) return extended;
  const keys = new Set(core.operations.map(({ key }) => key));
  const operations = extended.operations.filter(({ key }) => !keys.has(key));
  return { operations, unimportable: extended.unimportable };
}

function isPreview(value: unknown): value is Preview {
  return typeof value === 'object' && value !== null && 'operations' in value;
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
    const [file, value] = await compiled(name, 'core');
    check(name, file, value);
  });

  it.each(cases)('%s in the extended profile', async (name) => {
    const [core, extended] = [await compiled(name, 'core'), await compiled(name, 'extended')];
    const more = beyond(core, extended);
    if (more === undefined) expect(existsSync(join(goldens, name, 'extended.json'))).toBe(false);
    else check(name, 'extended.json', more);
    if (!isPreview(core[1])) return;
    const drafts = isPreview(extended[1]) ? extended[1].operations : [];
    const byKey = new Map(drafts.map((draft) => [draft.key, draft]));
    for (const draft of core[1].operations) expect(byKey.get(draft.key)).toEqual(draft);
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
    const options = { store, profile: 'core' } as const;
    await importOperations(request('clinic'), options);
    const again = await importOperations(request('clinic'), options);
    expect(again.tools).toEqual([]);
    const { plan, skipped, missing, stale } = await importOperations(request('clinic-next'), options);
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
