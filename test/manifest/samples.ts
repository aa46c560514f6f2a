// Manifests that are right and manifests that are wrong in one thing: what the reader and the JSON Schema must agree on.

type Json = { readonly [key: string]: unknown };

const CONNECTION = { provider: 'http_key', placement: 'header', header: 'X-Key', secret: 'env:CLINIC_KEY' };
const SOURCE = { description: './clinic.json', server: 'https://api.clinic.example/v1', select: { all: true } };

function source(changes: Json): Json {
  return { sources: { clinic: { ...SOURCE, ...changes } } };
}

function without(object: Json, key: string): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function connection(changes: Json): Json {
  return { connections: { clinic: { ...CONNECTION, ...changes } }, sources: { clinic: SOURCE } };
}

function tool(changes: Json): Json {
  return source({ tools: { createVisit: changes } });
}

/** Every key stands in one of them. */
export const GOOD: { readonly [name: string]: Json } = {
  least: { sources: { clinic: SOURCE } },
  whole: {
    $schema: './toolwright.schema.json',
    store: 'file:./toolwright.lock.json',
    profile: 'core',
    limits: { nesting: 4, tool_name_chars: 40, optional_properties: 0 },
    allow_private: ['127.0.0.1:8080'],
    hold: 'breaking',
    connections: {
      clinic: CONNECTION,
      other: { provider: 'http_key', placement: 'query', parameter: 'key', secret: 'env:OTHER', group: 'others' },
      third: { provider: 'http_key', placement: 'basic', secret: 'env:THIRD' },
      bearer: { provider: 'http_key', header: 'Authorization', prefix: 'Bearer ', secret: 'env:TOKEN' },
    },
    sources: {
      clinic: {
        ...SOURCE,
        overlays: ['./overlay.json', 'https://example.com/overlay.yaml'],
        prefix: 'clinic_',
        set: 'clinic',
        override_servers: true,
        budget_tokens: 4_000,
        connection: 'clinic',
        hold: 'all',
        select: {
          keys: ['createVisit', 'GET /'],
          tags: ['visits'],
          methods: ['get', 'POST'],
          paths: ['/patients/**'],
          exclude: ['deletePatient', '/internal/**'],
          deprecated: false,
        },
        tools: {
          createVisit: {
            name: 'book_visit',
            description: 'Book a visit.',
            fixed_parameters: { notify: true, deep: { a: [1, null] }, none: null },
            deadline_seconds: 60,
            attempts: 1,
            show: ['reason'],
            hide: ['X-Trace'],
            connection: 'other',
          },
          'GET /': { group: 'others' },
        },
      },
      kiosk: { ...SOURCE, set: 'kiosk', group: 'others' },
    },
    environments: {
      staging: {
        store: 'file:./staging.lock.json',
        allow_private: ['staging.internal'],
        connections: {
          clinic: { ...CONNECTION, secret: 'env:STAGING_KEY' },
          fourth: { provider: 'http_key', header: 'X-Key', prefix: 'Key ', secret: 'env:A', group: 'others' },
          fifth: { provider: 'http_key', placement: 'query', parameter: 'key', secret: 'env:B' },
        },
        sources: {
          clinic: {
            description: './staging.json',
            overlays: ['./staging-overlay.json'],
            server: 'http://staging.example',
            group: 'others',
          },
          kiosk: { connection: 'clinic' },
        },
      },
    },
  },
};

/** One thing is wrong in each, at this pointer. */
export const BAD: { readonly [name: string]: readonly [at: string, manifest: unknown] } = {
  'no object': ['', ['sources']],
  'no sources': ['', { store: 'file:x.json' }],
  'empty sources': ['/sources', { sources: {} }],
  'a key that is not known': ['/souces', { ...GOOD.least, souces: {} }],
  'a profile that is not known': ['/profile', { ...GOOD.least, profile: 'whole' }],
  'a limit that is not known': ['/limits/deepness', { ...GOOD.least, limits: { deepness: 1 } }],
  'a limit under its least': ['/limits/nesting', { ...GOOD.least, limits: { nesting: 0 } }],
  'a limit over its most': ['/limits/tool_name_chars', { ...GOOD.least, limits: { tool_name_chars: 65 } }],
  'a limit that is no whole number': ['/limits/nesting', { ...GOOD.least, limits: { nesting: 1.5 } }],
  'hosts that are no list': ['/allow_private', { ...GOOD.least, allow_private: 'localhost' }],
  'an empty list': ['/allow_private', { ...GOOD.least, allow_private: [] }],
  'a blank host': ['/allow_private/0', { ...GOOD.least, allow_private: [' '] }],
  'a hold that is not known': ['/hold', { ...GOOD.least, hold: 'some' }],
  'a store without a scheme': ['/store', { ...GOOD.least, store: './tools.json' }],
  'a store that is a number': ['/store', { ...GOOD.least, store: 1 }],
  'no description': ['/sources/clinic', { sources: { clinic: without(SOURCE, 'description') } }],
  'no server': ['/sources/clinic', { sources: { clinic: without(SOURCE, 'server') } }],
  'no selection': ['/sources/clinic', { sources: { clinic: without(SOURCE, 'select') } }],
  'a source that is a text': ['/sources/clinic', { sources: { clinic: './clinic.json' } }],
  'a server that is a path': ['/sources/clinic/server', source({ server: '/v1' })],
  'a prefix with a space': ['/sources/clinic/prefix', source({ prefix: 'a b' })],
  'a selection that selects nothing': ['/sources/clinic/select', source({ select: {} })],
  'a selection that only excludes': [
    '/sources/clinic/select',
    source({ select: { exclude: ['a'], deprecated: false } }),
  ],
  'all that is false': ['/sources/clinic/select/all', source({ select: { all: false } })],
  'tags that are a text': ['/sources/clinic/select/tags', source({ select: { tags: 'visits' } })],
  'a tag that is a number': ['/sources/clinic/select/tags/1', source({ select: { tags: ['a', 7] } })],
  'deprecated that is a text': [
    '/sources/clinic/select/deprecated',
    source({ select: { all: true, deprecated: 'no' } }),
  ],
  'a connection and a group': [
    '/sources/clinic/group',
    source({ connection: 'conn_000000000000000000000000', group: 'a' }),
  ],
  'a budget of nothing': ['/sources/clinic/budget_tokens', source({ budget_tokens: 0 })],
  'an override that is a text': ['/sources/clinic/override_servers', source({ override_servers: 'yes' })],
  'a tool with an unknown key': ['/sources/clinic/tools/createVisit/fixed', tool({ fixed: {} })],
  'a tool with a bad name': ['/sources/clinic/tools/createVisit/name', tool({ name: 'book visit' })],
  'a tool with a blank description': ['/sources/clinic/tools/createVisit/description', tool({ description: '' })],
  'a deadline of 0': ['/sources/clinic/tools/createVisit/deadline_seconds', tool({ deadline_seconds: 0 })],
  'a deadline of 301': ['/sources/clinic/tools/createVisit/deadline_seconds', tool({ deadline_seconds: 301 })],
  'four attempts': ['/sources/clinic/tools/createVisit/attempts', tool({ attempts: 4 })],
  'fixed parameters that are a list': [
    '/sources/clinic/tools/createVisit/fixed_parameters',
    tool({ fixed_parameters: [1] }),
  ],
  'a tool that is nothing': ['/sources/clinic/tools/createVisit', source({ tools: { createVisit: null } })],
  'a connection of another provider': ['/connections/clinic/provider', connection({ provider: 'google' })],
  'a connection without a secret': [
    '/connections/clinic',
    { ...GOOD.least, connections: { clinic: without(CONNECTION, 'secret') } },
  ],
  'a secret that is a secret': ['/connections/clinic/secret', connection({ secret: 'S3CRET-VALUE' })],
  'a secret that is a number': ['/connections/clinic/secret', connection({ secret: 12345678 })],
  'a header key without a header': [
    '/connections/clinic',
    { ...GOOD.least, connections: { clinic: without(CONNECTION, 'header') } },
  ],
  'a header with a colon': ['/connections/clinic/header', connection({ header: 'X:Key' })],
  'a prefix with a line break': ['/connections/clinic/prefix', connection({ prefix: 'a\nb' })],
  'a header key with a parameter': ['/connections/clinic/parameter', connection({ parameter: 'key' })],
  'a query key with a header': ['/connections/clinic/header', connection({ placement: 'query', parameter: 'key' })],
  'a query key without a parameter': [
    '/connections/clinic',
    { ...GOOD.least, connections: { clinic: { provider: 'http_key', placement: 'query', secret: 'env:A' } } },
  ],
  'a basic key with a header': ['/connections/clinic/header', connection({ placement: 'basic' })],
  'an environment with an unknown key': [
    '/environments/live/profile',
    { ...GOOD.least, environments: { live: { profile: 'core' } } },
  ],
  'an override of a selection': [
    '/environments/live/sources/clinic/select',
    { ...GOOD.least, environments: { live: { sources: { clinic: { select: { all: true } } } } } },
  ],
};
