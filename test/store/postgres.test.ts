// The store in PostgreSQL.
import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { describeToolStore } from './conformance.js';
import { makeDatabase } from './postgres.js';

const url = await makeDatabase();

describe.skipIf(url === undefined)('with a server', () => {
  describeToolStore('postgres:', async () => {
    // Places are projects: what one of them holds is in nobody's way.
    const scope = { organization: 'tests', project: randomBytes(6).toString('hex') };
    return { open: () => openStore(String(url), scope), dispose: async () => {} };
  });
});
