// Attack suite: what nobody sees, or what plays with a terminal, in every place where a description or an API has a say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printable } from '../../src/base/text.js';
import { fileStore, type HttpTool, type Preview, preview } from '../../src/index.js';
import { type Json, object, openapi, operation, parameter } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { sampleId } from '../store/sample.js';
import { type Loopback, serve } from '../wire/loopback.js';
import { ATTACKS, CLASSES, controls, unseen } from './attacks.js';

const counted = { checks: 0, positions: new Set<string>(), invisible: 0, outputs: 0, controls: 0 };
afterAll(() => {
  const { checks, positions, invisible, outputs, controls: found } = counted;
  const classes = Object.keys(CLASSES).length;
  console.info(
    `text attacks: ${ATTACKS.length} strings (${classes} classes), ${checks} texts in ${positions.size} positions, ${invisible} invisible; ${outputs} outputs of the command line, ${found} controls`,
  );
});

/** A text that a model or a person reads. */
function check(position: string, text: string): void {
  counted.positions.add(position);
  counted.checks += 1;
  const found = unseen(text);
  counted.invisible += found.length;
  expect([position, text, found]).toEqual([position, text, []]);
}

/** The odd text in every place of an operation. */
function oddOperation(odd: string, id: string): Json {
  const inner = object({ [`in${odd}`]: { type: 'string', title: odd, description: odd } });
  const schema = object({
    [`p${odd}`]: { type: 'string', title: odd, description: odd },
    choice: { type: 'string', enum: [odd, 'x'], default: odd },
    [`fixed${odd}`]: { const: odd, pattern: `[${odd}`, description: `${'x'.repeat(290)}${odd}${odd}` },
    inner: { ...inner, title: odd, description: odd },
    list: { type: 'array', description: odd, items: { type: 'string', title: odd, enum: [odd] } },
    either: { anyOf: [{ type: 'string', title: odd, description: odd }, { type: 'number' }] },
  });
  return operation(`${id}${odd}`, {
    summary: odd,
    description: `${odd} and more`,
    tags: [odd],
    deprecated: true,
    security: [{ [odd]: [] }],
    servers: [{ url: 'https://own.example', description: odd }, { url: `https://own.example/${odd}` }],
    parameters: [
      parameter('query', `q${odd}`, { type: 'string', title: odd, description: odd }, { description: odd }),
      parameter('cookie', `c${odd}`),
      parameter('header', `x-secret-${odd}`, { type: 'string' }, { required: true }),
    ],
    requestBody: { description: odd, content: { 'application/json': { schema } } },
  });
}

function oddDescription(odds: readonly string[]): Json {
  const paths = odds.map((odd, i) => [`/${i}`, { post: oddOperation(odd, `op${i}`) }] as const);
  const refused = odds.flatMap((odd, i) => [
    [`/${odd}/{${odd}}/${i}`, { get: operation(`refused${i}${odd}`) }],
    [`/b${i}${odd}`, { get: { $ref: `#/none/${odd}` }, post: operation(undefined, { parameters: odd }) }],
    [`/c${i}`, { post: operation(undefined, { requestBody: { content: { [`text/${odd}`]: {} } } }) }],
  ]);
  const first = odds[0] ?? '';
  return openapi(Object.fromEntries([...paths, ...refused]), {
    info: { title: first, description: first, version: first },
    tags: [{ name: first, description: first }],
    servers: [
      { url: 'https://api.example.com', description: first },
      { url: `https://api.example.com/${first}`, description: first },
      { url: `https://{v}.example.com/`, variables: { v: { default: first, description: first } } },
    ],
    components: {
      securitySchemes: {
        [first]: { type: 'apiKey', in: 'header', name: first, description: first },
        [`${first}2`]: { type: 'oauth2', flows: { [first]: {} } },
      },
    },
  });
}

/** Every text of a schema that a model reads as text, with its place. */
function* texts(schema: unknown, at = ''): Generator<readonly [string, string]> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if ((key === 'title' || key === 'description') && typeof value === 'string') yield [`${at} ${key}`, value];
    else if (key !== 'enum' && key !== 'const' && key !== 'default')
      yield* texts(value, key === 'properties' ? at : `${at} ${/^\w+$/.test(key) ? key : '*'}`);
  }
}

function judged(answer: Preview): void {
  check('title', answer.title);
  for (const { note } of answer.servers) if (note !== undefined) check('note of a server', note);
  for (const { reason, code } of answer.unimportable) check(`reason of ${code}`, reason);
  for (const { code, message } of answer.notices) check(`notice ${code}`, message);
  for (const { name, description, input_schema, notices } of answer.operations) {
    check('tool name', name);
    check('tool description', description);
    for (const argument of Object.keys(input_schema.properties as object)) check('argument', argument);
    for (const [place, text] of texts(input_schema)) check(`schema:${place}`, text);
    for (const { code, message } of notices) check(`notice ${code}`, message);
  }
}

describe('a description', () => {
  it('is attacked by enough strings', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(120);
    expect(Object.keys(CLASSES).length).toBeGreaterThanOrEqual(31);
    for (const code of Object.values(CLASSES).flat()) expect(unseen(String.fromCodePoint(code))).toHaveLength(1);
  });

  it.each(ATTACKS)('with %s in every place emits nothing invisible', async (_, odd) => {
    const answer = await preview({ document: JSON.stringify(oddDescription([odd])) });
    judged(answer);
    const [tool] = answer.operations;
    const properties = (tool?.input_schema.properties ?? {}) as Record<string, Json>;
    // On the wire they stay, and are named.
    expect(properties.choice).toMatchObject({ enum: [odd, 'x'] });
    expect(Object.keys((properties.inner?.properties ?? {}) as object)).toEqual([`in${odd}`]);
    const named = (tool?.notices ?? []).filter(({ code }) => code === 'invisible-characters');
    const [first] = unseen(odd);
    if (first === undefined) expect(named).toEqual([]);
    else
      for (const place of ['/enum', 'in', 'parameters/0'])
        expect(named.some(({ at, message }) => at.includes(place) && message.includes(first))).toBe(true);
  });

  it.each(ATTACKS)('with %s is refused in words that hold nothing invisible', async (_, odd) => {
    for (const document of [
      odd,
      `<${odd}`,
      `{"a":"${odd}`,
      JSON.stringify(odd),
      JSON.stringify({ [odd]: odd, openapi: odd, swagger: odd, asyncapi: odd }),
    ]) {
      const failure = await preview({ document }).catch((error: Error) => error);
      if (!(failure instanceof Error)) expect.unreachable();
      check('failure of a description', failure.message);
    }
  });
});

/** A tool of the API whose arguments hold the odd text. */
function oddTool(origin: string, name: string, odd: string): HttpTool {
  const schema = object({
    kind: { type: 'string', enum: [odd, 'x'] },
    inner: { ...object({ [`in${odd}`]: { type: 'integer' } }), additionalProperties: false },
  });
  return {
    id: sampleId(name),
    name,
    description: '',
    input_schema: { ...schema, additionalProperties: false },
    config: { endpoint: `${origin}/${name}`, method: 'POST' },
    fixed_parameters: {},
    deadline_seconds: 30,
  };
}

describe('a text of several lines for a terminal', () => {
  it.each([
    ['a\r\nb\tc\n', 'a\nb\tc\n'],
    ['a\rb\u001b[2K', 'a\\u{d}b\\u{1b}[2K'],
    ['\u202Egpj.exe', '\\u{202e}gpj.exe'],
    ['\u{e0041}', '\\u{e0041}'],
    [
      '\u{1f469}\u200d\u{1f680} \u0645\u06cc\u200c\u062e \u2764\ufe0f é',
      '\u{1f469}\u200d\u{1f680} \u0645\u06cc\u200c\u062e \u2764\ufe0f é',
    ],
  ])('%j is shown as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe('the command line', () => {
  let api: Loopback;
  beforeAll(async () => {
    api = await serve((request, response) => {
      const said = ATTACKS.map(([, odd]) => odd).join('\n');
      const kind = request.url?.slice(1);
      const header = Buffer.from(said.replace(/\p{Cc}/gu, ''))
        .toString('latin1')
        .slice(0, 4_000);
      const types = {
        text: 'text/plain; charset=utf-8',
        json: 'application/json',
        bad: 'application/json',
        html: 'text/html',
      };
      const type = types[kind as keyof typeof types] ?? `x/${header.replace(/[\s,;/]/g, '')}`;
      response.writeHead(kind === 'bad' ? 400 : 200, {
        'content-type': type,
        'x-request-id': header,
        location: header,
      });
      // Raw in JSON, where that is allowed: DEL and everything from U+0080.
      response.end(kind === 'json' ? JSON.stringify({ [said]: said }) : said);
    });
  });
  afterAll(() => api.close());

  it('prints no control character in text form', async () => {
    await atDesk(async ({ run, write, folder }) => {
      const printed = async (...args: string[]): Promise<string> => {
        const { stdout, stderr } = await run(...args);
        for (const output of [stdout, stderr]) {
          counted.outputs += 1;
          const found = controls(output);
          counted.controls += found.length;
          expect([args[0], args[1], [...new Set(found)]]).toEqual([args[0], args[1], []]);
        }
        return stdout + stderr;
      };
      const odds = ATTACKS.map(([, odd]) => odd);
      await write('doc.json', oddDescription(odds));
      expect(await printed('preview', 'doc.json')).toContain('op0');
      const at = ['import', 'doc.json', '--server', 'https://api.example.com', '--batch', '--override-servers'];
      expect(await printed(...at, '--all', '--dry-run')).toContain('created');
      expect(await printed(...at, '--all')).toContain('created');
      await printed(...at, '--operation', odds[0]?.replaceAll('\0', '\u0001') ?? '');
      await write('doc.json', openapi({ '/a': { get: operation('a', { tags: ['t'] }) } }));
      expect(await printed(...at, '--all')).toContain('missing');
      expect(await printed('tools', 'list')).toContain('op0');
      for (const odd of ['\u001b[31m', '\u009b1m', '\u202ex', '\r', '\u{e0041}']) {
        await printed('preview', `none${odd}`);
        await printed('tools', 'show', `none${odd}`);
        await printed('call', `none${odd}`);
        await printed('connections', 'remove', `none${odd}`);
        await printed('tools', 'list', '--store', `none${odd}`);
        await printed('import', 'doc.json', '--server', `https://a.example/{${odd}`, '--all');
      }
      const store = fileStore(`${folder}/calls.json`);
      const kinds = ['text', 'json', 'bad', 'html', 'binary'];
      const tools = [
        ...kinds.map((kind) => oddTool(api.origin, kind, 'x')),
        ...odds.slice(0, 40).map((odd, i) => oddTool(api.origin, `odd${i}`, odd)),
      ];
      await store.commit({ put: tools, remove: [] }, (await store.read()).revision);
      const to = ['--store', 'file:calls.json', '--allow-private', '127.0.0.1'];
      for (const kind of kinds) expect(await printed('call', kind, ...to)).toContain('The API answered');
      // The refusal names the values that are allowed, and the property.
      const odd = '\u001b[31m\u009b\u202e\u{e0041}\u2028';
      for (const i of [7, 8, 20, 21]) {
        expect(await printed('call', `odd${i}`, `kind=${odd}`, ...to)).toContain('refused');
        const args = JSON.stringify({ inner: { [`in${odds[i]}`]: odd, [odd]: 1 }, [odd]: odd });
        expect(await printed('call', `odd${i}`, '--args', args, ...to)).toContain('refused');
        expect(
          await printed('call', `odd${i}`, '--args', `{"kind":${JSON.stringify(odds[i])}}`, '--dry-run', ...to),
        ).toContain('POST');
      }
    });
  }, 240_000);
});
