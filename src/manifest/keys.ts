// Every key of a manifest, with what it may hold: the one table that the reader, the JSON Schema and the reference follow.
import { DEFAULT_LIMITS, type LimitName, type Limits, limitRange } from '../base/limits.js';
import type {
  Connected,
  Environment,
  Manifest,
  ManifestConnection,
  ManifestSelect,
  ManifestSource,
  SourceOverride,
  ToolEdit,
} from './manifest.js';
import type { FieldsOf, ListShape, MapShape, RecordShape, Rule, Shape, TextShape } from './shape.js';

function text(about: string, pattern = '\\S', expected = 'a text that is not blank'): TextShape {
  return { kind: 'text', about, pattern, expected };
}

function list(about: string, item: Shape = text('One of them.')): ListShape {
  return { kind: 'list', about, items: item };
}

function whole(about: string, least: number, most: number): Shape {
  return { kind: 'whole', about, least, most };
}

const CONNECTED: FieldsOf<Connected> = {
  connection: text('The label of a connection of this manifest, or the id of one in the store.'),
  group: text('The label of a group of connections: the oldest healthy one is taken.'),
};
const ONE_OF_TWO: Rule = { kind: 'apart', fields: ['connection', 'group'] };

const HOLD: Shape = {
  kind: 'choice',
  about: 'Which changes of a tool wait for `toolwright tools approve`: breaking ones, changed texts as well, or all.',
  values: ['breaking', 'text', 'all'],
};

const ALLOW_PRIVATE = list('Hosts that may be reached though their address is private: `host` or `host:port`.');
const OVERLAYS = list('OpenAPI Overlays, paths or URLs, applied to the description in this order.');
const STORE: TextShape = {
  ...text(
    'The address of the store, a file relative to the manifest; `file:toolwright.lock.json` by default.',
    '^[a-z][a-z0-9+.\\-]*:',
    'the address of a store: `file:PATH`, `sqlite:PATH` or `postgres://HOST/DATABASE`',
  ),
  // It may hold a password.
  secret: true,
};

const CONNECTION: RecordShape = {
  kind: 'record',
  name: 'a connection',
  about: 'What authorizes calls: created where it is not there yet, its health kept.',
  fields: {
    provider: { kind: 'choice', about: 'What it holds: a key.', values: ['http_key'] },
    placement: {
      kind: 'choice',
      about: 'Where the key goes; a header by default. With `basic` the variable holds `username:password`.',
      values: ['header', 'query', 'basic'],
    },
    header: text('The header that carries the key.', "^[!#$%&'*+.^_`|~0-9A-Za-z\\-]+$", 'the name of a header'),
    prefix: text(
      'Put before the key in the header, as it is: `"Bearer "`.',
      '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
      'a text that a header can carry',
    ),
    parameter: text('The query parameter that carries the key.'),
    secret: {
      ...text(
        'The environment variable that holds the secret, read at call time: `env:NAME`. A secret never stands here.',
        '^env:[A-Za-z_][A-Za-z0-9_]{0,254}$',
        '`env:NAME`, the name of the environment variable that holds it',
      ),
      secret: true,
    },
    group: text('A label that tools may name in the place of this connection.'),
  } satisfies FieldsOf<ManifestConnection>,
  required: ['provider', 'secret'],
  rules: [
    { kind: 'when', field: 'placement', is: 'header', byDefault: true, needs: ['header'], refuses: ['parameter'] },
    {
      kind: 'when',
      field: 'placement',
      is: 'query',
      byDefault: false,
      needs: ['parameter'],
      refuses: ['header', 'prefix'],
    },
    {
      kind: 'when',
      field: 'placement',
      is: 'basic',
      byDefault: false,
      needs: [],
      refuses: ['header', 'prefix', 'parameter'],
    },
  ],
};
const CONNECTIONS: MapShape = { kind: 'map', about: 'Connections by a label of yours.', values: CONNECTION };

const SELECT: RecordShape = {
  kind: 'record',
  name: 'a selection',
  about: 'Which operations become tools. Kinds narrow each other; within one kind any value will do.',
  fields: {
    all: { kind: 'choice', about: 'Every operation.', values: [true] },
    keys: list('The keys of operations, as `toolwright preview` lists them.'),
    tags: list('Operations with one of these tags.'),
    methods: list('Operations with one of these methods, in any case.'),
    paths: list('Operations whose path matches a glob: `*` within a segment, `**` over segments.'),
    exclude: list('Not these: keys of operations, and globs over paths, which begin with a slash.'),
    deprecated: { kind: 'flag', about: '`false`: no operation that is deprecated.' },
  } satisfies FieldsOf<ManifestSelect>,
  rules: [{ kind: 'some', fields: ['all', 'keys', 'tags', 'methods', 'paths'] }],
};

const TOOL: RecordShape = {
  kind: 'record',
  name: 'a tool',
  about: 'What you state of one tool. What is not stated stays as it is, also what `toolwright tools set` set.',
  fields: {
    name: text('What it is called.', '^[A-Za-z0-9_\\-]{1,64}$', '1 to 64 characters of A-Z a-z 0-9 _ -'),
    description: text("Shown in the place of the API's own text."),
    fixed_parameters: {
      kind: 'map',
      about: 'Values that the model neither sees nor chooses, by parameter.',
      values: { kind: 'any', about: 'A value that fits the schema of the parameter.' },
    },
    deadline_seconds: whole('A call ends after so long.', 1, 300),
    attempts: whole('How often a call is tried at most.', 1, 3),
    show: list('Optional properties to show beyond those that are shown by themselves.'),
    hide: list('Optional parameters that the model is not shown.'),
    ...CONNECTED,
  } satisfies FieldsOf<ToolEdit>,
  rules: [ONE_OF_TWO],
};

const DESCRIPTION = text('The API description: a path relative to the manifest, or a URL.');
const SERVER = text('Where the API is: an absolute http(s) URL.', '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$', 'an http(s) URL');

const SOURCE: RecordShape = {
  kind: 'record',
  name: 'a source',
  about: 'One description, and which of its operations become tools.',
  fields: {
    description: DESCRIPTION,
    overlays: OVERLAYS,
    server: SERVER,
    prefix: text('Put before every tool name.', '^[A-Za-z0-9_\\-]+$', 'characters of A-Z a-z 0-9 _ -'),
    set: text('A label that keeps apart two sources that live on one server.'),
    override_servers: { kind: 'flag', about: 'Send operations with servers of their own to this server.' },
    select: SELECT,
    budget_tokens: whole(
      'The most tokens that its tools may take: texts and optional properties are left out until they fit.',
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    ...CONNECTED,
    hold: HOLD,
    tools: { kind: 'map', about: 'What you state of single tools, by the keys of operations.', values: TOOL },
  } satisfies FieldsOf<ManifestSource>,
  required: ['description', 'server', 'select'],
  rules: [ONE_OF_TWO],
};

const OVERRIDE: RecordShape = {
  kind: 'record',
  name: 'a source of an environment',
  about: 'What a source is in this environment.',
  fields: {
    description: DESCRIPTION,
    overlays: OVERLAYS,
    server: SERVER,
    ...CONNECTED,
  } satisfies FieldsOf<SourceOverride>,
  rules: [ONE_OF_TWO],
};

const ENVIRONMENT: RecordShape = {
  kind: 'record',
  name: 'an environment',
  about: 'What stands here takes the place of what the manifest says.',
  fields: {
    store: STORE,
    allow_private: ALLOW_PRIVATE,
    connections: CONNECTIONS,
    sources: { kind: 'map', about: 'Sources of the manifest, by their names.', values: OVERRIDE },
  } satisfies FieldsOf<Environment>,
};

const LIMIT_ABOUT: FieldsOf<Limits> = Object.fromEntries(
  (Object.keys(DEFAULT_LIMITS) as LimitName[]).map((name) => {
    const { least, most } = limitRange(name);
    return [name, whole(`The bound of this name; ${DEFAULT_LIMITS[name]} by default.`, least, most)];
  }),
) as unknown as FieldsOf<Limits>;

/** The whole of it. */
export const MANIFEST: RecordShape = {
  kind: 'record',
  name: 'the manifest',
  about: 'The sources of a store of tools, and what is yours of each tool.',
  fields: {
    $schema: text('The JSON Schema of this file, for editors.'),
    store: STORE,
    profile: {
      kind: 'choice',
      about: 'Which rules apply; `extended` by default.',
      values: ['core', 'extended'],
    },
    limits: {
      kind: 'record',
      name: 'the limits',
      about: 'Bounds in the place of their defaults.',
      fields: LIMIT_ABOUT,
    },
    allow_private: ALLOW_PRIVATE,
    hold: HOLD,
    connections: CONNECTIONS,
    sources: { kind: 'map', about: 'API descriptions by a name of yours.', values: SOURCE, least: 1 },
    environments: {
      kind: 'map',
      about: 'Variants of this manifest, chosen by `--environment` or `TOOLWRIGHT_ENVIRONMENT`.',
      values: ENVIRONMENT,
    },
  } satisfies FieldsOf<Manifest>,
  required: ['sources'],
};
