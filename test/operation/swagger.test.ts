// Swagger 2.0 to the common form: servers, security, where parameters go, and what body they make.
import { describe, expect, it } from 'vitest';
import { type Json, names, noticeCodes, operation, properties, required, see, TEXT } from '../cases/build.js';
import { firstOperation, refusal, surveyed, swagger, withParameters } from './swagger.js';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const EXTENDED = { profile: 'extended' } as const;
const AT = '/paths/~1a/post/parameters/0';

const inForm = (name: string, rest: Json = {}): Json => ({ name, in: 'formData', type: 'string', ...rest });
const listed = (place: string, collectionFormat?: unknown): Json => ({
  name: 'l',
  in: place,
  required: true,
  type: 'array',
  items: { type: 'string' },
  collectionFormat,
});

describe('the server', () => {
  it.each<readonly [Json, string | null]>([
    [{}, 'https://api.example.com'],
    [{ basePath: '/' }, 'https://api.example.com'],
    [{ basePath: '/v1/' }, 'https://api.example.com/v1'],
    [{ basePath: 'v1' }, 'https://api.example.com/v1'],
    [{ basePath: '//other.example' }, 'https://api.example.com/other.example'],
    [{ basePath: 3 }, 'https://api.example.com'],
    [{ schemes: ['http', 'ws'] }, 'http://api.example.com'],
    [{ schemes: ['http', 'HTTPS'] }, 'https://api.example.com'],
    [{ schemes: [] }, 'https://api.example.com'],
    [{ schemes: 'http' }, 'https://api.example.com'],
    [{ schemes: ['ws', 'wss'] }, null],
    [{ schemes: [3] }, null],
    [{ host: 'api.example.com:8443' }, 'https://api.example.com:8443'],
    [{ host: 'http://api.example.com/' }, 'http://api.example.com'],
    [{ host: 'user:secret@api.example.com' }, null],
    [{ host: '{tenant}.example.com' }, null],
    [{ host: 'a b' }, null],
    [{ host: 'h'.repeat(5_000) }, null],
  ])('%j is %j', (rest, url) => {
    const [server, ...others] = surveyed(swagger({}, rest)).servers;
    expect(others).toEqual([]);
    expect(server?.url).toBe(url);
    expect(server?.note === undefined).toBe(url !== null);
    expect(server?.note ?? '').not.toContain('secret');
  });

  it('without a host is relative to where the description came from, under its own scheme', () => {
    const bare = { host: undefined, basePath: '/v1' };
    const note = expect.stringContaining('relative');
    expect(surveyed(swagger({}, bare)).servers).toEqual([{ url: null, relative: '/v1', note }]);
    expect(surveyed(swagger({}, { host: '' })).servers).toEqual([{ url: null, relative: '/', note }]);
    const from = 'http://docs.example.com:8080/api/swagger.json?key=secret';
    const resolved = 'https://docs.example.com:8080/v1';
    expect(surveyed(swagger({}, bare), from).servers).toEqual([{ url: null, relative: '/v1', resolved, note }]);
    const reached = surveyed(swagger({}, { ...bare, schemes: undefined }), from).servers;
    expect(reached).toMatchObject([{ resolved: 'http://docs.example.com:8080/v1' }]);
  });

  it('without schemes is reached as the description was', () => {
    const { servers } = surveyed(swagger({}, { schemes: undefined }), 'http://docs.example.com/swagger.json');
    expect(servers).toEqual([{ url: 'http://api.example.com' }]);
  });

  it.each<readonly [unknown, unknown]>([
    [['https', 'http'], undefined],
    [['http'], [{ url: 'http://api.example.com' }]],
    [['wss'], [{ url: null, note: 'none of the schemes is http or https' }]],
    [[], undefined],
    ['http', undefined],
  ])('of an operation with the schemes %j is %j', (schemes, servers) => {
    expect(surveyed(swagger({ '/a': { get: operation('a', { schemes }) } })).heads[0]?.servers).toEqual(servers);
  });
});

describe('security', () => {
  it('has the schemes of the definitions, and the suggestion they make', async () => {
    const securityDefinitions = {
      basic: { type: 'basic' },
      head: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      none: { type: 'apiKey' },
      oauth: { type: 'oauth2', flow: 'implicit' },
      odd: { type: 'http', scheme: 'bearer' },
      number: 3,
    };
    const rest = { securityDefinitions, security: [{ basic: [] }] };
    const get = (security?: Json[]) => ({
      get: { security, parameters: [{ name: 'key', in: 'query', type: 'string' }] },
    });
    const description = swagger({ '/a': get(), '/b': get([{ head: [] }]), '/c': get([]) }, rest);
    const { schemes, notices } = surveyed(description);
    expect(Object.fromEntries(schemes)).toEqual({
      basic: { kind: 'basic' },
      head: { kind: 'key', in: 'header', name: 'X-Key' },
      query: { kind: 'key', in: 'query', name: 'key' },
      none: { kind: 'other', type: 'apiKey without a place' },
      oauth: { kind: 'consent', type: 'oauth2' },
      odd: { kind: 'other', type: 'http' },
    });
    expect(notices).toMatchObject([{ code: 'unreadable-part', at: '/securityDefinitions/number' }]);
    const { answer, tool } = await see(description, EXTENDED);
    expect(answer.servers[0]?.suggestion).toEqual({ provider: 'http_key', placement: 'basic' });
    expect(answer.operations.map(names)).toEqual([[], [], []]);
    expect(noticeCodes(tool('GET /b'))).toEqual(['security-differs']);
    expect(noticeCodes(tool('GET /c'))).toEqual(['security-none']);
  });
});

describe('a parameter', () => {
  it.each<readonly [string, unknown, string, boolean]>([
    ['query', undefined, 'form', false],
    ['query', 'csv', 'form', false],
    ['query', 'multi', 'form', true],
    ['query', 'ssv', 'spaceDelimited', false],
    ['query', 'tsv', 'tabDelimited', false],
    ['query', 'pipes', 'pipeDelimited', false],
    ['header', undefined, 'simple', false],
    ['header', 'csv', 'simple', false],
    ['path', 'csv', 'simple', false],
  ])('in %s as %j is %s, exploded: %j', (place, format, style, explode) => {
    const { parameters, notices } = firstOperation(withParameters([listed(place, format)]));
    expect(parameters).toMatchObject([{ name: 'l', in: place, required: true, style, explode, at: AT }]);
    expect(notices).toEqual([]);
  });

  it.each<readonly [string, unknown, string]>([
    ['query', 'odd', 'form'],
    ['query', 3, 'form'],
    ['query', '__proto__', 'form'],
    ['header', 'multi', 'simple'],
    ['path', 'multi', 'simple'],
  ])('in %s as %j is csv, and that is told', (place, format, style) => {
    const { parameters, notices } = firstOperation(withParameters([listed(place, format)]));
    expect(parameters).toMatchObject([{ style, explode: false }]);
    expect(notices).toMatchObject([{ code: 'keyword-ignored', at: `${AT}/collectionFormat` }]);
  });

  it.each(['path', 'header'])('in %s is refused where its items are not parted by commas', (place) => {
    for (const format of ['ssv', 'tsv', 'pipes']) {
      expect(refusal(withParameters([listed(place, format)]))).toEqual({ code: 'malformed', at: AT });
    }
  });

  it('that is no list has no format', () => {
    const text = { name: 'q', in: 'query', type: 'string', collectionFormat: 'pipes', allowEmptyValue: true };
    const { parameters, notices } = firstOperation(withParameters([text]));
    expect(parameters).toMatchObject([{ style: 'form', explode: true, required: false }]);
    expect(notices).toEqual([]);
  });

  it('of lists in a list tells that their format is ignored', () => {
    const items = { type: 'array', items: TEXT, collectionFormat: 'pipes' };
    const { notices } = firstOperation(withParameters([{ ...listed('query'), items }]));
    expect(notices).toMatchObject([{ code: 'keyword-ignored', at: `${AT}/items/collectionFormat` }]);
  });

  it.each<readonly [string, unknown]>([
    ['no name', { in: 'query' }],
    ['no place', { name: 'q' }],
    ['the place of a cookie', { name: 'q', in: 'cookie', type: 'string' }],
    ['a file in the query', { name: 'q', in: 'query', type: 'file' }],
    ['a number', 3],
  ])('is refused: %s', (_, parameter) => {
    expect(refusal(withParameters([parameter]))).toEqual({ code: 'malformed', at: AT });
  });

  it('is inherited, overridden and referred to', async () => {
    const parameters = [{ $ref: '#/parameters/Day' }, { name: 'X-Trace', in: 'header', type: 'string' }];
    const own = [{ name: 'x-trace', in: 'header', type: 'integer' }, { $ref: '#/parameters/Limit' }];
    const rest = {
      parameters: {
        Day: { name: 'day', in: 'path', required: true, type: 'string', format: 'date' },
        Limit: { $ref: '#/parameters/Most' },
        Most: {
          name: 'limit',
          in: 'query',
          type: 'integer',
          minimum: 0,
          exclusiveMinimum: true,
          default: 10,
          description: 'How *many*.',
          'x-nullable': true,
        },
      },
    };
    const item = { parameters, get: operation('a', { parameters: own }), post: operation('b') };
    const { tool } = await see(swagger({ '/a/{day}': item, 'x-odd': 3 }, rest), EXTENDED);
    const day = { type: 'string', format: 'date' };
    expect(properties(tool('a'))).toEqual({
      day,
      'x-trace': { type: 'integer' },
      limit: { type: ['integer', 'null'], description: 'How many.', default: 10, exclusiveMinimum: 0 },
    });
    expect(properties(tool('b'))).toEqual({ day, 'X-Trace': TEXT });
    expect(required(tool('a'))).toEqual(['day']);
  });
});

describe('a body parameter', () => {
  const schema = { type: 'object', properties: { a: TEXT } };
  const body = { name: 'ignored', in: 'body', required: true, description: 'All of it.', schema };

  it.each<readonly [unknown, string]>([
    [undefined, 'application/json'],
    [[], 'application/json'],
    [[3], 'application/json'],
    ['text/xml', 'application/json'],
    [['application/xml', 'application/vnd.a+json'], 'application/vnd.a+json'],
    [[FORM, 'application/json; charset=utf-8'], 'application/json; charset=utf-8'],
  ])('under consumes %j is sent as %s', (consumes, content_type) => {
    expect(firstOperation(withParameters([body], { consumes })).body).toMatchObject({
      form: 'json',
      content_type,
      required: true,
      description: 'All of it.',
      schema: { node: schema, at: `${AT}/schema` },
      at: AT,
    });
  });

  it('is refused where only XML is taken, and by the list of the description where it has none', () => {
    const own = withParameters([body], { consumes: ['application/xml'] });
    expect(refusal(own)).toEqual({ code: 'body-media', at: '/paths/~1a/post/consumes' });
    const general = { ...withParameters([body]), consumes: ['text/xml'] };
    expect(refusal(general)).toEqual({ code: 'body-media', at: '/consumes' });
    const cleared = { ...withParameters([body], { consumes: [] }), consumes: ['text/xml'] };
    expect(firstOperation(cleared).body?.content_type).toBe('application/json');
  });

  it('is one alone', () => {
    expect(refusal(withParameters([body, { ...body, name: 'other' }]))).toEqual({ code: 'malformed', at: AT });
    expect(refusal(withParameters([body, inForm('a')]))).toEqual({ code: 'malformed', at: AT });
  });

  it.each(['get', 'head'])('of %s is left out', (method) => {
    for (const one of [body, inForm('a')]) {
      const read = firstOperation(withParameters([one], {}, method));
      expect(read.body).toBeUndefined();
      expect(read.notices).toMatchObject([{ code: 'body-left-out', at: `/paths/~1a/${method}/parameters/0` }]);
    }
  });

  it('has the arguments of its definition: allOf merged, siblings ignored, null by x-nullable', async () => {
    const definitions = {
      Base: { type: 'object', required: ['id'], properties: { id: TEXT, kind: TEXT }, discriminator: 'kind' },
      Pet: {
        allOf: [
          { $ref: '#/definitions/Base' },
          {
            properties: {
              name: { type: 'string', 'x-nullable': true },
              owner: { allOf: [{ $ref: '#/definitions/Owner' }], 'x-nullable': true },
              made: { type: 'string', readOnly: true },
              same: { $ref: '#/definitions/Name', description: 'Ignored.', 'x-nullable': true },
              more: { type: 'object', additionalProperties: { type: 'integer' } },
            },
          },
        ],
      },
      Name: { type: 'string', nullable: true },
      Owner: { type: 'object', properties: { name: TEXT } },
    };
    const parameters = [{ name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } }];
    const { tool } = await see({ ...withParameters(parameters, {}, 'delete'), definitions }, EXTENDED);
    expect(properties(tool('a'))).toEqual({
      id: TEXT,
      kind: TEXT,
      name: { type: ['string', 'null'] },
      owner: { type: ['object', 'null'], properties: { name: TEXT } },
      same: TEXT,
      more: { type: 'object', additionalProperties: { type: 'integer' } },
    });
    expect(tool('a').body).toEqual({ content_type: 'application/json', required: false });
  });
});

describe('form parameters', () => {
  const file = inForm('scan', { type: 'file', description: 'The scan.' });

  it('are the properties of one object, each at its own pointer', async () => {
    const parameters = [inForm('a', { required: true, pattern: '(' }), inForm('b%/~', { enum: ['x'] })];
    const description = withParameters(parameters);
    const { body, notices } = firstOperation(description);
    expect(body).toMatchObject({ form: 'form', content_type: FORM, required: true, at: AT });
    expect(body?.encoding).toEqual(new Map());
    expect(notices).toEqual([]);
    const { tool } = await see(description, EXTENDED);
    expect(Object.values(properties(tool('a')))).toEqual([TEXT, { type: 'string', enum: ['x'] }]);
    expect(tool('a').notices).toMatchObject([{ code: 'keyword-ignored', at: `${AT}/pattern` }]);
  });

  it('under a path whose pointer is long are the same', async () => {
    const post = operation('a', { parameters: [inForm('a', { required: true }), inForm('%', { type: 'integer' })] });
    const { tool } = await see(swagger({ [`/${'é%'.repeat(400)}`]: { post } }), EXTENDED);
    expect(Object.values(properties(tool('a')))).toEqual([TEXT, { type: 'integer' }]);
  });

  it('write their lists as they say', () => {
    const formats = [undefined, 'csv', 'multi', 'ssv', 'tsv', 'pipes'];
    const parameters = formats.map((format, i) => ({ ...listed('formData', format), name: `n${i}` }));
    const one = (style: string) => ({ style, explode: false });
    expect(Object.fromEntries(firstOperation(withParameters(parameters)).body?.encoding ?? [])).toEqual({
      n0: one('form'),
      n1: one('form'),
      n3: one('spaceDelimited'),
      n4: one('tabDelimited'),
      n5: one('pipeDelimited'),
    });
  });

  it.each<readonly [unknown, readonly Json[], string, readonly string[]]>([
    [undefined, [inForm('a')], FORM, []],
    [[FORM, MULTIPART], [inForm('a')], FORM, []],
    [[MULTIPART], [inForm('a')], MULTIPART, []],
    [['Multipart/Form-Data; boundary=x'], [inForm('a')], MULTIPART, []],
    [['application/json'], [inForm('a')], FORM, [AT]],
    [[MULTIPART, FORM], [file], MULTIPART, []],
    [undefined, [file], MULTIPART, [AT]],
    [[FORM], [inForm('a'), file], MULTIPART, [AT]],
  ])('under consumes %j: %j are sent as %s', (consumes, parameters, content_type, told) => {
    const { body, notices } = firstOperation(withParameters(parameters, { consumes }));
    expect(body).toMatchObject({ form: content_type === FORM ? 'form' : 'multipart', content_type });
    expect(notices).toEqual(told.map((at) => ({ code: 'keyword-ignored', at, message: expect.any(String) })));
  });

  it('hold a file as text of bytes', () => {
    const { node } = firstOperation(withParameters([file], { consumes: [MULTIPART] })).body?.schema ?? {};
    expect(node).toMatchObject({
      properties: { scan: { type: 'string', format: 'binary', description: 'The scan.' } },
    });
  });
});

describe('an operation', () => {
  it('has its texts, and is deprecated', () => {
    const rest = { summary: 'S', description: 'D', deprecated: true, tags: ['t'] };
    const read = firstOperation(withParameters([], rest));
    expect(read).toMatchObject({ summary: 'S', description: 'D', deprecated: true, body: undefined });
    expect(read.head).toMatchObject({ key: 'a', tags: ['t'], method: 'POST', path: '/a' });
  });

  it('is not read in the core profile', async () => {
    const failure = await see(withParameters([])).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'not-a-description', data: { found: 'Swagger 2.0' } });
  });
});
