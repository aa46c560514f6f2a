// Stores as the first program wrote them: every later one opens them, finds the same in them, and goes on in them.
import { cp, readFile } from 'node:fs/promises';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecords } from '../../src/call/record-open.js';
import { openConnections } from '../../src/connection/open.js';
import { openStore } from '../../src/store/open.js';
import { makeFolder, removeFolder } from './folder.js';
import { asked, makeDatabase } from './postgres.js';
import { sampleTool } from './sample.js';

const FORMATS = new URL('formats/', import.meta.url).pathname;
const folder = await makeFolder();
afterAll(() => removeFolder(folder));
const postgres = await makeDatabase();

const schema = (name: string): Promise<string> => readFile(`${FORMATS}${name}.sql`, 'utf8');

const PLACES: Record<string, () => Promise<string>> = {
  async file() {
    for (const name of ['tools.json', 'tools.connections.json', 'tools.calls.jsonl']) {
      await cp(FORMATS + name, `${folder}/${name}`);
    }
    return `file:${folder}/tools.json`;
  },
  async sqlite() {
    const database = new SqliteDatabase(`${folder}/tools.db`);
    database.exec(await schema('sqlite'));
    database.close();
    return `sqlite:${folder}/tools.db`;
  },
  async postgres() {
    await asked(String(postgres), await schema('postgres'));
    return String(postgres);
  },
};

describe.each(Object.entries(PLACES))('the first format of %s', (kind, place) => {
  it.skipIf(kind === 'postgres' && postgres === undefined)('opens, and is gone on with', () => goOn(place));
});

async function goOn(place: () => Promise<string>): Promise<void> {
  const address = await place();
  const store = await openStore(address);
  const [connections, records] = [openConnections(address), openRecords(address)];
  try {
    const { tools, revision } = await store.read();
    expect(tools.map(({ name, origin }) => [name, origin?.set])).toEqual([
      ['listVisits', undefined],
      ['listVisits_2', 'other'],
      ['note', undefined],
    ]);
    expect(tools[1]).toMatchObject({ imported_description: 'Its own.', fixed_parameters: { limit: 5 } });
    expect(tools[2]?.description).toBe('Naïve “text” \ud800');
    expect((await store.read({ names: [], stems: ['listVisits'] })).tools).toEqual([tools[1]]);
    expect(await store.faults()).toEqual([]);
    expect((await connections.list()).connections.map(({ provider, status }) => [provider, status])).toEqual([
      ['http_key', 'healthy'],
      ['google', 'broken'],
    ]);
    expect(await connections.faults()).toEqual([]);
    expect((await records.last()).map(({ tool, duration_ms }) => [tool, duration_ms])).toEqual([['listVisits', 12]]);
    await store.commit({ put: [sampleTool('next')], remove: [String(tools[2]?.id)] }, revision);
    expect((await store.read()).tools.map(({ name }) => name)).toEqual(['listVisits', 'next', 'listVisits_2']);
  } finally {
    for (const each of [store, connections, records]) await each.close();
  }
}
