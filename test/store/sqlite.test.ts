// The store in SQLite.
import { openStore } from '../../src/store/open.js';
import { describeToolStore } from './conformance.js';
import { makeFolder, removeFolder } from './folder.js';

describeToolStore('sqlite:', async () => {
  const folder = await makeFolder();
  return { open: () => openStore(`sqlite:${folder}/tools.db`), dispose: () => removeFolder(folder) };
});
