// What a person may write as an HTTP tool: every refusal with its field, and what is accepted with its defaults.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { withLimits } from '../../src/base/limits.js';
import { memoryStore } from '../../src/store/memory.js';
import { checkTool } from '../../src/tool/check.js';

type Json = { readonly [key: string]: unknown };

const URL = 'https://api.clinic.example/v1/visits/{id}';
const RESERVED = 'https://api.clinic.example/v1/{+id}:cancel';
const SECRET = 'hunter2-value';
const TEXT = { type: 'string' };
const PROPERTIES = { id: TEXT, day: TEXT, note: TEXT };

function tool(config: Json = {}, rest: Json = {}): Json {
  return {
    name: 'clinic_visit',
    input_schema: { type: 'object', properties: PROPERTIES },
    config: { endpoint: URL, ...config },
    ...rest,
  };
}

function form(body: Json, config: Json = {}): Json {
  return tool({ body: { content_type: 'application/x-www-form-urlencoded', ...body }, ...config });
}

function encoded(part: Json, content_type = 'application/x-www-form-urlencoded'): Json {
  return form({ content_type, encoding: { day: part } });
}

function schema(input_schema: unknown): Json {
  return tool({ endpoint: 'https://a.example' }, { input_schema });
}

function properties(more: Json): Json {
  return schema({ type: 'object', properties: more });
}

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let i = 1; i < levels; i += 1) value = { items: value };
  return value;
}

function refused(input: unknown): Failure {
  try {
    checkTool(input);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const headers = (name: string, value: unknown = SECRET) => tool({ headers: { [name]: value } });
const located = (place: unknown, argument = 'note') => tool({ locations: { [argument]: place } });

const REFUSED: readonly (readonly [what: string, input: unknown, field: string, message: RegExp])[] = [
  ['no object', [], 'the tool', /must be an object/],
  ['nothing', undefined, 'the tool', /must be an object/],
  ['a number too large for JSON', { name: 1n }, 'the tool', /JSON/],
  ['an unknown field', tool({}, { conection_id: 'c' }), 'the tool', /"conection_id"; did you mean "connection_id"\?/],
  ['a field far from all', tool({}, { zzzzzz: 1 }), 'the tool', /"zzzzzz"; its fields are name, description/],
  ['an id', tool({}, { id: 'tool_0' }), 'the tool', /"id"/],
  ['no name', tool({}, { name: undefined }), 'name', /1 to 64 characters/],
  ['a name with a space', tool({}, { name: 'a b' }), 'name', /1 to 64 characters/],
  ['a name of 65 characters', tool({}, { name: 'a'.repeat(65) }), 'name', /1 to 64 characters/],
  ['a blank description', tool({}, { description: ' ' }), 'description', /blank/],
  ['a deadline of 0', tool({}, { deadline_seconds: 0 }), 'deadline_seconds', /from 1 to 300/],
  ['a deadline of 301', tool({}, { deadline_seconds: 301 }), 'deadline_seconds', /from 1 to 300/],
  ['a deadline of 1.5', tool({}, { deadline_seconds: 1.5 }), 'deadline_seconds', /from 1 to 300/],
  ['a deadline as a text', tool({}, { deadline_seconds: '30' }), 'deadline_seconds', /from 1 to 300/],
  ['both connections', tool({}, { connection_id: 'a', connection_group: 'b' }), 'connection_id', /one of them/],
  ['a blank connection', tool({}, { connection_id: '' }), 'connection_id', /blank/],
  ['a group that is a number', tool({}, { connection_group: 1 }), 'connection_group', /text/],
  ['a list of fixed values', tool({}, { fixed_parameters: [] }), 'fixed_parameters', /object/],
  ['a value for no argument', tool({}, { fixed_parameters: { dy: 1 } }), 'fixed_parameters', /"dy".*mean "day"/],
  ['a value that does not fit', tool({}, { fixed_parameters: { day: 1 } }), 'fixed_parameters', /"day".*string/],

  ['no config', tool({}, { config: undefined }), 'config', /object/],
  ['an unknown field of config', tool({ header: {} }), 'config', /"header"; did you mean "headers"\?/],
  ['no endpoint', tool({ endpoint: undefined }), 'config.endpoint', /absolute http or https URL/],
  ['a relative endpoint', tool({ endpoint: '/v1' }), 'config.endpoint', /absolute http or https URL/],
  ['a host alone', tool({ endpoint: 'a.example/v1' }), 'config.endpoint', /absolute http or https URL/],
  ['another scheme', tool({ endpoint: 'ftp://a.example' }), 'config.endpoint', /absolute http or https URL/],
  ['an endpoint without a host', tool({ endpoint: 'https:///v1' }), 'config.endpoint', /host/],
  ['a host that is none', tool({ endpoint: 'https://a b.example/' }), 'config.endpoint', /host/],
  ['a port that is none', tool({ endpoint: 'https://a.example:99999/' }), 'config.endpoint', /host/],
  ['a backslash after the host', tool({ endpoint: 'https://a.example\\b/' }), 'config.endpoint', /host/],
  ['a user name', tool({ endpoint: `https://me:${SECRET}@a.example/` }), 'config.endpoint', /user name/],
  [
    'a user name behind a backslash',
    tool({ endpoint: 'https://a.example\\@b.example/' }),
    'config.endpoint',
    /user name/,
  ],
  ['a gap in the host', tool({ endpoint: 'https://{id}.example/' }), 'config.endpoint', /gap in its host/],
  ['an encoded gap in the host', tool({ endpoint: 'https://%7Bid%7D.example/' }), 'config.endpoint', /gap in its host/],
  [
    'a gap in the query',
    tool({ endpoint: `https://a.example/?k=${SECRET}&d={day}` }),
    'config.endpoint',
    /in its query/,
  ],
  ['a gap in the fragment', tool({ endpoint: 'https://a.example/#{day}' }), 'config.endpoint', /in its fragment/],
  ['an empty gap', tool({ endpoint: 'https://a.example/{}' }), 'config.endpoint', /without a name/],
  ['an unclosed gap', tool({ endpoint: 'https://a.example/{id' }), 'config.endpoint', /opens or closes no gap/],
  ['an unopened gap', tool({ endpoint: 'https://a.example/id}' }), 'config.endpoint', /opens or closes no gap/],
  ['a gap in a gap', tool({ endpoint: 'https://a.example/{id{day}}' }), 'config.endpoint', /opens or closes no gap/],
  ['a gap of no argument', tool({ endpoint: 'https://a.example/{ids}' }), 'config.endpoint', /"ids".*mean "id"/],
  [
    'a gap called as a method of objects',
    tool({ endpoint: 'https://a.example/{toString}' }),
    'config.endpoint',
    /"toString"/,
  ],
  ['white space', tool({ endpoint: 'https://a.example/a b' }), 'config.endpoint', /white space/],
  ['a line break', tool({ endpoint: 'https://a.example/a\r\nb' }), 'config.endpoint', /white space/],
  ['a long endpoint', tool({ endpoint: `https://a.example/${'a'.repeat(8_192)}` }), 'config.endpoint', /8,192/],

  ['a method with a space', tool({ method: 'GET /' }), 'config.method', /HTTP method/],
  ['an empty method', tool({ method: '' }), 'config.method', /HTTP method/],
  ['a method that opens a tunnel', tool({ method: 'connect' }), 'config.method', /tunnel/],
  ['no attempt', tool({ attempts: 0 }), 'config.attempts', /from 1 to 3/],
  ['four attempts', tool({ attempts: 4 }), 'config.attempts', /from 1 to 3/],

  ['headers that are a list', tool({ headers: [] }), 'config.headers', /object/],
  ...['Authorization', 'PROXY-AUTHORIZATION', 'cookie', 'X-API-Key', 'X-CSRF-Token', 'Client-Secret', 'X-Monkey'].map(
    (name) => [name, headers(name), 'config.headers', new RegExp(`"${name}", which carries a credential`)] as const,
  ),
  ['Idempotency-Key', headers('idempotency-KEY'), 'config.headers', /"idempotency-KEY".*each call/],
  ['Content-Type', headers('content-type', 'text/plain'), 'config.headers', /config\.body\.content_type/],
  ['Host', headers('Host'), 'config.headers', /exchange/],
  ['Transfer-Encoding', headers('Transfer-Encoding'), 'config.headers', /exchange/],
  ['a header name with a space', headers('X Trace'), 'config.headers', /"X" with a character/],
  ['a header pasted whole', headers(`X-Trace: ${SECRET}`), 'config.headers', /"X-Trace" with a character/],
  ['an empty header name', headers(''), 'config.headers', /character/],
  [
    'a header value with a line break',
    headers('X-Trace', `${SECRET}\r\nX-B: 1`),
    'config.headers',
    /"X-Trace".*line break/,
  ],
  ['a header value outside Latin-1', headers('X-Trace', '☃'), 'config.headers', /"X-Trace"/],
  ['a header value that is a number', headers('X-Trace', 1), 'config.headers', /text as the value of "X-Trace"/],
  ['a header twice', tool({ headers: { 'X-A': '1', 'x-a': '2' } }), 'config.headers', /"x-a" twice/],

  ['locations that are a list', tool({ locations: [] }), 'config.locations', /object/],
  ['a location of no argument', located('query', 'nots'), 'config.locations', /"nots".*mean "note"/],
  ['an unknown place', located('querry'), 'config.locations.note', /one of path, query.*mean "query"/],
  ['a cookie', located('cookie'), 'config.locations.note', /one of path, query/],
  ['a place that is a number', located(1), 'config.locations.note', /object/],
  ['a place called as a method of objects', located('constructor'), 'config.locations.note', /one of path/],
  ['an unknown field of a place', located({ in: 'query', nme: 'x' }), 'config.locations.note', /mean "name"/],
  ['a blank name on the wire', located({ in: 'query', name: '' }), 'config.locations.note.name', /blank/],
  ['a long name on the wire', located({ in: 'query', name: 'a'.repeat(1_025) }), 'config.locations.note.name', /1,024/],
  ['a style of another place', located({ in: 'query', style: 'matrix' }), 'config.locations.note.style', /form/],
  ['a style of the body', located({ in: 'body', style: 'form' }), 'config.locations.note.style', /not for body/],
  ['explode as a text', located({ in: 'query', explode: 'yes' }), 'config.locations.note.explode', /true or false/],
  ['no media type', located({ in: 'query', content_type: 'json' }), 'config.locations.note.content_type', /media type/],
  ['a query string of no media type', located('querystring'), 'config.locations.note.content_type', /media type/],
  [
    'a credential in a located header',
    located({ in: 'header', name: 'X-Api-Key' }),
    'config.locations',
    /"X-Api-Key".*credential/,
  ],
  [
    'Authorization in a located header',
    located({ in: 'header', name: 'authorization' }),
    'config.locations',
    /credential/,
  ],
  [
    'Idempotency-Key in a located header',
    located({ in: 'header', name: 'Idempotency-Key' }),
    'config.locations',
    /each call/,
  ],
  ['a located header that is no token', located({ in: 'header', name: 'a b' }), 'config.locations', /character/],
  [
    'an argument that is a header by its own name',
    { ...properties({ token: TEXT }), config: { endpoint: 'https://a.example', locations: { token: 'header' } } },
    'config.locations',
    /"token".*credential/,
  ],
  ['a gap in the query by its location', located('query', 'id'), 'config.locations', /"id" in query.*fills a gap/],
  ['a path location without a gap', located('path'), 'config.locations', /"note" in path.*no gap/],
  [
    'a body of GET by location',
    tool({ method: 'get', locations: { note: 'body' } }),
    'config.locations',
    /GET has none/,
  ],

  ['a body that is a text', tool({ body: 'json' }), 'config.body', /object/],
  ['a body of HEAD', tool({ method: 'HEAD', body: {} }), 'config.body', /HEAD has none/],
  ['an unknown field of the body', tool({ body: { require: true } }), 'config.body', /mean "required"/],
  ['a body of XML', tool({ body: { content_type: 'application/xml' } }), 'config.body.content_type', /XML/],
  [
    'parts of another kind',
    tool({ body: { content_type: 'multipart/mixed' } }),
    'config.body.content_type',
    /form-data/,
  ],
  ['text without its argument', tool({ body: { content_type: 'text/csv' } }), 'config.body.whole', /text\/csv/],
  ['bytes without their argument', tool({ body: { content_type: 'image/png' } }), 'config.body.whole', /image\/png/],
  ['an encoding of JSON', tool({ body: { encoding: {} } }), 'config.body.encoding', /form or several parts/],
  ['encodings in a list', form({ encoding: [] }), 'config.body.encoding', /object/],
  ['an encoding of no field', form({ encoding: { nope: {} } }), 'config.body.encoding', /"nope"/],
  ['an encoding of a gap', form({ encoding: { id: {} } }), 'config.body.encoding', /"id"/],
  ['an encoding that is a text', form({ encoding: { day: 'form' } }), 'config.body.encoding.day', /object/],
  ['an unknown field', form({ encoding: { day: { styles: 'form' } } }), 'config.body.encoding.day', /mean "style"/],
  ['a style of a path', encoded({ style: 'simple' }), 'config.body.encoding.day.style', /deepObject/],
  ['explode as a text', encoded({ explode: 'no' }), 'config.body.encoding.day.explode', /true or false/],
  [
    'allow_reserved as a text',
    encoded({ allow_reserved: 1 }),
    'config.body.encoding.day.allow_reserved',
    /true or false/,
  ],
  ['no media type', encoded({ content_type: 'json' }), 'config.body.encoding.day.content_type', /media type/],
  ['file as a text', encoded({ file: 'yes' }, 'multipart/form-data'), 'config.body.encoding.day.file', /true/],
  ['a file in a form', encoded({ file: true }), 'config.body.encoding.day.file', /multipart/],
  [
    'a style of a file',
    encoded({ file: true, explode: false }, 'multipart/form-data'),
    'config.body.encoding.day.explode',
    /beside file/,
  ],
  [
    'a style beside a media type',
    encoded({ style: 'form', content_type: 'text/plain' }),
    'config.body.encoding.day.style',
    /beside content_type/,
  ],
  [
    'an encoding beside whole',
    form({ whole: 'day', encoding: { day: {} } }, { locations: { day: 'body' } }),
    'config.body.encoding',
    /beside whole/,
  ],
  ['a reserved gap without its location', tool({ endpoint: RESERVED }), 'config.locations', /"\{\+id\}"/],
  ['a plain location of it', tool({ endpoint: RESERVED, locations: { id: 'path' } }), 'config.locations', /reserved/],
  ['a reserved gap of no argument', tool({ endpoint: `${RESERVED}/{+x}` }), 'config.endpoint', /"x"/],
  ['a reserved gap without a name', tool({ endpoint: 'https://a.example/{+}' }), 'config.endpoint', /without a name/],
  [
    'a content type with a line break',
    tool({ body: { content_type: 'a/json\r\nx: y' } }),
    'config.body.content_type',
    /media/,
  ],
  ['required as a text', tool({ body: { required: 'yes' } }), 'config.body.required', /true or false/],
  ['whole of no argument', tool({ body: { whole: 'nope' } }), 'config.body.whole', /"nope"/],
  ['whole of a gap', tool({ body: { whole: 'id' }, locations: {} }), 'config.body.whole', /elsewhere/],
  [
    'whole of a query value',
    tool({ body: { whole: 'note' }, locations: { note: 'query' } }),
    'config.body.whole',
    /elsewhere/,
  ],
  [
    'whole beside others without locations',
    tool({ body: { whole: 'note' } }),
    'config.body.whole',
    /"day" would go in the body/,
  ],
  [
    'whole beside another in the body',
    tool({ body: { whole: 'note' }, locations: { note: 'body', day: { in: 'body' } } }),
    'config.body.whole',
    /"day" would go in the body/,
  ],

  ['a schema that is true', schema(true), 'input_schema', /object/],
  ['a schema of a text', schema({ type: 'string' }), 'input_schema', /type "object"/],
  ['a schema without a type', schema({ properties: {} }), 'input_schema', /type "object"/],
  ['a schema without properties', schema({ type: 'object' }), 'input_schema', /"properties"/],
  ['properties that are a list', schema({ type: 'object', properties: [] }), 'input_schema', /"properties"/],
  ['a property that is true', properties({ a: true }), 'input_schema', /for "a"/],
  ['an argument name with a bracket', properties({ 'filter[day]': TEXT }), 'input_schema', /"filter\[day\]"/],
  ['an empty argument name', properties({ '': TEXT }), 'input_schema', /1 to 64/],
  ['an argument name of 65 characters', properties({ ['a'.repeat(65)]: TEXT }), 'input_schema', /1 to 64/],
  ['a type that is none', properties({ a: { type: 'text' } }), 'input_schema', /does not compile/],
  ['a pattern that is none', properties({ a: { type: 'string', pattern: '(' } }), 'input_schema', /does not compile/],
  ['a required that is no list', schema({ type: 'object', properties: {}, required: 'a' }), 'input_schema', /compile/],
  ['a required of no argument', schema({ type: 'object', properties: {}, required: ['a'] }), 'input_schema', /"a"/],
  [
    'a reference',
    properties({ a: { items: { $ref: '#' } } }),
    'input_schema',
    /"\$ref" at "input_schema\.properties\.a\.items"/,
  ],
  ['definitions', schema({ type: 'object', properties: {}, $defs: {} }), 'input_schema', /"\$defs"/],
  ['an asynchronous schema', schema({ type: 'object', properties: {}, $async: true }), 'input_schema', /"\$async"/],
  [
    'another dialect',
    schema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} }),
    'input_schema',
    /2020-12/,
  ],
  ['a deep schema', properties({ a: nested(99) }), 'input_schema', /100 levels/],
  ['a schema over the bound', properties({ a: { description: 'é'.repeat(33_000) } }), 'input_schema', /65,536/],
];

describe('a tool written by hand is refused for', () => {
  it.each(REFUSED)('%s', (_what, input, field, message) => {
    const failure = refused(input);
    expect(failure).toMatchObject({ code: 'invalid-tool', data: { field } });
    expect(failure.message).toMatch(message);
    expect(failure.message).toMatch(/^[^\n]{1,600}$/);
    expect(failure.message).toContain(field);
    expect(failure.message).not.toContain(SECRET);
  });

  it('what no walk would come to the end of', () => {
    const circle: Record<string, unknown> = tool();
    circle.input_schema = circle;
    expect(refused(circle).message).toMatch(/JSON/);
    const deep = JSON.parse(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`);
    expect(refused(tool({}, { fixed_parameters: deep })).code).toBe('invalid-tool');
  });
});

const LOCATIONS = {
  id: { in: 'path', style: 'label' },
  day: { in: 'query', name: 'filter[day]', explode: false },
  note: { in: 'header', name: 'X-Note' },
};

const ACCEPTED: readonly (readonly [what: string, input: Json, expected: Json])[] = [
  [
    'the least that is a tool',
    { name: 'ping', config: { endpoint: 'https://a.example' } },
    {
      name: 'ping',
      description: 'POST /',
      input_schema: { type: 'object', properties: {}, additionalProperties: false },
      config: { endpoint: 'https://a.example', method: 'POST' },
      fixed_parameters: {},
      deadline_seconds: 30,
    },
  ],
  ['a description of its own', tool({ method: 'GET' }), { description: 'GET /v1/visits/{id}' }],
  ['a method in lower case', tool({ method: 'patch' }), { config: { endpoint: URL, method: 'PATCH' } }],
  ['a method that is not common', tool({ method: 'M-SEARCH' }), { config: { endpoint: URL, method: 'M-SEARCH' } }],
  [
    'scheme and host in upper case, a query, a fragment',
    tool({ endpoint: 'HTTPS://API.example:443/V1/{id}/{id}?a=b#top' }),
    { config: { endpoint: 'https://api.example/V1/{id}/{id}?a=b', method: 'POST' } },
  ],
  ['an address', tool({ endpoint: 'http://[::1]:80/' }), { config: { endpoint: 'http://[::1]/', method: 'POST' } }],
  [
    'headers that carry no credential',
    tool({ headers: { 'X-Author': 'me', 'Accept-Language': 'en', 'X-Empty': '', Accept: 'text/csv' } }),
    { config: { headers: { 'X-Author': 'me', 'Accept-Language': 'en', 'X-Empty': '', Accept: 'text/csv' } } },
  ],
  ['locations', tool({ locations: LOCATIONS }), { config: { locations: LOCATIONS } }],
  [
    'locations in their shortest form',
    tool({ locations: { id: 'path', day: { in: 'query' }, note: 'body' } }),
    {
      config: {
        locations: { day: 'query', note: 'body' },
        body: { content_type: 'application/json', required: false },
      },
    },
  ],
  [
    'a reserved gap',
    tool({ endpoint: RESERVED, locations: { id: { in: 'path', allow_reserved: true } } }),
    { config: { endpoint: RESERVED, locations: { id: { in: 'path', allow_reserved: true } } } },
  ],
  [
    'several parts with a file',
    tool({
      locations: { day: 'body', note: { in: 'body', name: 'the note' } },
      body: {
        content_type: 'multipart/form-data',
        encoding: { day: { style: 'form', explode: false }, 'the note': { file: true, content_type: 'image/png' } },
      },
    }),
    {
      config: {
        body: {
          content_type: 'multipart/form-data',
          required: false,
          encoding: { day: { style: 'form', explode: false }, 'the note': { file: true, content_type: 'image/png' } },
        },
      },
    },
  ],
  [
    'a body of text',
    tool({ locations: { note: 'body' }, body: { content_type: 'text/plain; charset=utf-8', whole: 'note' } }),
    { config: { body: { content_type: 'text/plain; charset=utf-8', required: false, whole: 'note' } } },
  ],
  [
    'a body of a type of JSON that is one argument',
    tool({
      body: { content_type: 'application/vnd.a+json; v=1', required: true, whole: 'note' },
      locations: { day: 'query' },
    }),
    { config: { body: { content_type: 'application/vnd.a+json; v=1', required: true, whole: 'note' } } },
  ],
  ['attempts', tool({ attempts: 1 }), { config: { attempts: 1 } }],
  ['the shortest deadline', tool({}, { deadline_seconds: 1 }), { deadline_seconds: 1 }],
  ['the longest deadline', tool({}, { deadline_seconds: 300 }), { deadline_seconds: 300 }],
  ['a connection', tool({}, { connection_id: 'conn_1' }), { connection_id: 'conn_1' }],
  ['a group', tool({}, { connection_group: 'crm' }), { connection_group: 'crm' }],
  ['fixed values', tool({}, { fixed_parameters: { day: 'today' } }), { fixed_parameters: { day: 'today' } }],
  ['a property called as a keyword', properties({ properties: { properties: { $ref: TEXT } } }), {}],
  ['a reference that is data', properties({ a: { default: { $ref: '#' }, const: { $async: true } } }), {}],
  ['a pattern that looks around', properties({ a: { type: 'string', pattern: '(?=a)\\p{L}' } }), {}],
  ['a schema just under the depth', properties({ a: nested(98) }), {}],
];

describe('a tool written by hand is accepted with', () => {
  it.each(ACCEPTED)('%s, and can be stored', async (_what, input, expected) => {
    const checked = checkTool(input);
    expect(checked).toMatchObject(expected);
    const store = memoryStore();
    const { revision } = await store.read();
    const written = { id: 'tool_1', ...checked };
    expect((await store.commit({ put: [written], remove: [] }, revision)).put).toEqual([written]);
  });

  it('a schema of just the bound that is set', () => {
    const input = properties({ a: TEXT });
    const bytes = JSON.stringify(input.input_schema).length;
    expect(() => checkTool(input, withLimits({ operation_schema_bytes: bytes }))).not.toThrow();
    expect(() => checkTool(input, withLimits({ operation_schema_bytes: bytes - 1 }))).toThrow(/at most/);
  });

  it('nothing that is shared with the input', () => {
    const input = tool({ headers: { 'X-A': '1' } });
    expect(checkTool(input).input_schema).not.toBe(input.input_schema);
    expect(checkTool({ ...input, connection_id: undefined })).not.toHaveProperty('connection_id');
  });
});
