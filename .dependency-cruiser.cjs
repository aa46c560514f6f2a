// The layers of the house: imports point to the left, other rooms enter by the doors, a package has one owner.

const rooms = ['base', 'wire', 'document', 'operation', 'tool', 'plan', 'store', 'connection', 'call', 'app', 'cli'];

/** What each room may import: the rooms to its left that it needs, and no others. */
const imports = {
  base: [],
  wire: ['base'],
  document: ['base', 'wire'],
  operation: ['base', 'document'],
  tool: ['base', 'document', 'operation'],
  plan: ['base', 'tool'],
  store: ['base', 'tool'],
  connection: ['base', 'wire', 'tool', 'store'],
  call: ['base', 'wire', 'document', 'tool', 'store'],
  app: ['base', 'document', 'operation', 'tool', 'plan', 'store', 'connection', 'call'],
  cli: ['base', 'document', 'operation', 'tool', 'plan', 'store', 'connection', 'call', 'app'],
};

/** The files by which a room is entered from outside. `base/` is open. */
const doors = {
  wire: ['exchange', 'pool', 'gather'],
  document: ['document', 'open', 'decode', 'files', 'kind', 'lookup', 'overlay'],
  operation: ['operation', 'read', 'cut', 'schema/build', 'schema/body'],
  tool: ['tool', 'emit', 'name', 'endpoint', 'suggestion', 'credential', 'value', 'check', 'provider'],
  plan: ['plan', 'diff'],
  store: [
    'store',
    'open',
    'memory',
    'file',
    'text-file',
    'file-system',
    'record',
    'format',
    'change',
    'replan',
    'scope',
    'watch',
    'database/open',
    'database/database',
    'database/rows',
    'database/log',
  ],
  connection: [
    'connection',
    'open',
    'memory',
    'file',
    'change',
    'format',
    'grant',
    'seal',
    'placement',
    'resolve',
    'redact',
    'tokens',
    'health',
    'oauth-client',
    'consent',
    'revoke',
  ],
  call: ['call', 'bind', 'validate', 'send', 'retry', 'result', 'record', 'record-file', 'record-open'],
  app: [
    'compile',
    'cut',
    'import',
    'preview',
    'select',
    'tools',
    'connections',
    'connection-record',
    'consent',
    'call',
  ],
  cli: ['main'],
};

/** The one place that imports a package. */
const owners = {
  undici: 'src/wire/',
  'ipaddr.js': 'src/wire/address.ts',
  entities: 'src/base/text.ts',
  'fast-json-stable-stringify': 'src/base/canonical.ts',
  picomatch: 'src/app/select.ts',
  ajv: 'src/tool/value.ts',
  re2js: ['src/tool/value.ts', 'src/document/jsonpath.ts'],
  'lru-cache': 'src/',
  'js-yaml': 'src/document/yaml.ts',
  'jsonpath-rfc9535': 'src/document/jsonpath.ts',
  jose: 'src/connection/seal.ts',
  oauth4webapi: 'src/connection/oauth.ts',
  kysely: 'src/store/database/',
  'better-sqlite3': 'src/store/database/sqlite.ts',
  pg: 'src/store/database/postgres.ts',
  open: 'src/cli/browser.ts',
  commander: 'src/cli/',
};

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '^src/index\\.ts$' },
      to: {},
    },
    {
      name: 'no-unlisted-package',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'not-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...rooms.map((room) => ({
      name: `rooms-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(?:${[room, ...imports[room]].join('|')})/` },
    })),
    ...Object.entries(doors).map(([room, files]) => ({
      name: `doors-${room}`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${room}/` },
      to: { path: `^src/${room}/`, pathNot: `^src/${room}/(?:${files.join('|')})\\.ts$` },
    })),
    ...Object.entries(owners).map(([name, owner]) => ({
      name: `owner-${name}`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^(?:${[owner].flat().map(literal).join('|')})` },
      to: { path: `node_modules/${literal(name)}/` },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
