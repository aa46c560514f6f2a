// Applies two manifests in turn, without end, until it is killed: `node child-apply.mjs FOLDER`, which holds one.yaml and two.yaml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openConnections, openStore, planApply, readManifest, writeApply } from '../../dist/index.js';

const [folder = ''] = process.argv.slice(2);
for (;;) {
  for (const name of ['one.yaml', 'two.yaml']) {
    const path = join(folder, name);
    const read = readManifest(readFileSync(path, 'utf8'), path);
    const store = await openStore(read.manifest.store);
    const options = { store, connections: openConnections(read.manifest.store) };
    await writeApply(await planApply(read, options), options);
    process.stdout.write(`${name}\n`);
  }
}
