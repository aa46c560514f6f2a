// Connections in the database of a store of tools.
import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { openConnections } from '../../src/connection/open.js';
import { makeFolder, removeFolder } from '../store/folder.js';
import { makeDatabase } from '../store/postgres.js';
import { describeConnectionStore } from './conformance.js';

describeConnectionStore('sqlite:', async () => {
  const folder = await makeFolder();
  return { open: () => openConnections(`sqlite:${folder}/tools.db`), dispose: () => removeFolder(folder) };
});

const url = await makeDatabase();

describe.skipIf(url === undefined)('with a server', () => {
  describeConnectionStore('postgres:', async () => {
    const scope = { organization: 'tests', project: randomBytes(6).toString('hex') };
    return { open: () => openConnections(String(url), scope), dispose: async () => {} };
  });
});
