// Bundles the command line: dist/cli/main.js and what is not a dependency of the package, to dist/bin/, since loading hundreds of small
// modules takes longer than most commands. Dependencies stay packages; commander and the MCP SDK go in, with their licences.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const external = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => new RegExp(`^${name}(?:/|$)`));

/** The server gives the SDK a validator of its own, so the 280 kB of the SDK's are never used; what asks for it gets none. */
const withoutValidator = {
  name: 'without-validator',
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? '\0shims' : null),
  load: (id) =>
    id === '\0shims'
      ? "export { default as process } from 'node:process';\nexport class DefaultJsonSchemaValidator {}"
      : null,
};

const licences = {
  name: 'licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle)
      .flatMap(({ modules = {} }) => Object.keys(modules))
      .map((id) => id.replaceAll('\\', '/'));
    const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
    if (packages.size === 0) throw new Error('the bundle holds no package: its licences cannot be told');
    const texts = [...packages].sort().map((path) => {
      const { name, version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
      const file = ['LICENSE', 'LICENSE.md', 'license'].map((one) => `${path}/${one}`).find(existsSync);
      if (file === undefined) throw new Error(`${name} has no licence to go with it`);
      return `${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}\n`;
    });
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
  },
};

export default defineConfig({
  // What a thread runs stands beside the chunk that starts it.
  input: { main: at('dist/cli/main.js'), 'apply-thread': at('dist/app/apply-thread.js') },
  platform: 'node',
  external,
  plugins: [withoutValidator, licences],
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: at('dist/bin'),
    format: 'esm',
    chunkFileNames: '[name].js',
    cleanDir: true,
    // Without comments and white space, which are read at every start; names stay, for whoever reads a stack.
    minify: { compress: false, mangle: false, codegen: true },
  },
});
