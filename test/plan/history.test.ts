// Real APIs in consecutive versions, where they lie beside the project: each step is a plan, and planned again it is empty.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ImportReport, importOperations, memoryStore } from '../../src/index.js';
import { CORPUS } from '../corpus/files.js';

const HISTORY = `${CORPUS}history/`;
const GOLDEN = new URL('../../golden/history/', import.meta.url).pathname;
const rewrite = process.env.GOLDEN === 'write';

/** Those of which every line was checked against the two files, and how; a changed line has to be checked again. */
const CHECKED: { readonly [api: string]: string } = {
  box: 'Both files of each step, their keys sorted, were compared line by line. Each change of a path or of a schema was followed along the references to the operations that send it: Collaboration, Event, SignRequest, User--Collaborations, SignRequestSignerInput and SignTemplate are only answered, so nothing is told of them. The 19 event types that came were counted in the parameter, not in the schema of the answer.',
  'calendar.v3':
    'As box. The first two steps change scopes, links and texts beyond the 300th character, none of which is shown: nothing is told. With two new properties the entry of a list has 21; in insert, which requires the id, 20 are optional and all are shown; in patch and update the last one, timeZone, is cut, and callers lose it.',
  discord:
    'As box. MessageAttachmentRequest is sent by eight operations, in two of the forms of one of them. restriction_count, eligible_oauth2_scopes and lobby_member are only answered.',
};

async function take(file: string, store: ReturnType<typeof memoryStore>): Promise<ImportReport> {
  const request = {
    file,
    server: 'https://api.example.com',
    select: { all: true },
    batch: true,
    override_servers: true,
    // What is checked by hand is what callers send.
    output: false,
  };
  return importOperations(request, { store });
}

/** A plan without a word of the description but keys and names. */
function outline({ plan }: ImportReport): object {
  const refreshed = plan.actions.flatMap((action) => {
    if (action.kind !== 'refresh') return [];
    const differences = action.differences.map(({ class: kind, code, at }) => `${kind} ${code} ${at}`);
    return [{ operation: action.tool.origin?.operation, fields: action.fields, differences }];
  });
  return {
    created: plan.actions.flatMap(({ kind, tool }) => (kind === 'create' ? [tool.origin?.operation] : [])),
    refreshed,
    kept: plan.actions.filter(({ kind }) => kind === 'keep').length,
    missing: plan.missing.map(({ operation }) => operation),
    stale: plan.stale.map(({ operation, code }) => `${code} ${operation}`),
    renamed: plan.renamed.map(({ from, operation, reason }) => `${from.operation} ${reason} ${operation}`),
  };
}

describe.skipIf(!existsSync(HISTORY))('the history of', () => {
  it.each(existsSync(HISTORY) ? readdirSync(HISTORY) : [])(
    '%s',
    async (api) => {
      const store = memoryStore();
      const steps: object[] = [];
      let from: string | undefined;
      for (const to of readdirSync(HISTORY + api).sort()) {
        const report = await take(`${HISTORY}${api}/${to}`, store);
        expect(report.plan.actions.length).toBeGreaterThan(30);
        for (const action of report.plan.actions) {
          if (action.kind === 'refresh') expect(action.differences.length).toBeGreaterThan(0);
          if (from === undefined) expect(action.kind).toBe('create');
        }
        const { revision } = await store.read();
        const again = await take(`${HISTORY}${api}/${to}`, store);
        expect(again.tools).toEqual([]);
        expect((await store.read()).revision).toBe(revision);
        if (from !== undefined) steps.push({ from, to, ...outline(report) });
        from = to;
      }
      expect(steps.length).toBeGreaterThan(0);
      const checked = CHECKED[api];
      if (checked === undefined) return;
      const text = `${JSON.stringify({ checked, steps }, null, 2)}\n`;
      const path = `${GOLDEN}${api}.json`;
      if (rewrite) {
        mkdirSync(GOLDEN, { recursive: true });
        writeFileSync(path, text);
      }
      expect(text).toBe(readFileSync(path, 'utf8'));
    },
    120_000,
  );
});
