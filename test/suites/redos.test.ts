// Attack suite: patterns and texts that are slow for a backtracking engine cost no more here than their length; the work is
// measured in processor time against a plain pattern or half of the text, with room to spare, since nothing else tells.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../src/base/limits.js';
import { plainText } from '../../src/base/plain.js';
import { invisibleCodePoints, quoted, visible } from '../../src/base/text.js';
import { contentOf } from '../../src/call/content.js';
import { askedWait, isRateLimited } from '../../src/call/retry.js';
import { valuesOf } from '../../src/call/validate.js';
import { scrubber } from '../../src/connection/redact.js';
import { decode, identify, importOperations, memoryStore, preview, type Schema } from '../../src/index.js';
import type { HttpTool } from '../../src/tool/tool.js';
import { body, object, openapi, operation, SERVER } from '../cases/build.js';
import { PATTERNS } from './patterns.js';

/** Of 50 kB, each so that some of the patterns all but match. */
const TEXTS = ['a', 'a b', 'x', 'aA1é', '1,', '\u{1f600}', '=', 'foo', '"', '\n'].map((piece) => {
  const long = piece.repeat(Math.floor(50_000 / piece.length));
  return [long, `${long}!`] as const;
});

/** Milliseconds of processor time. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function tool(schema: Schema): HttpTool {
  return {
    id: 'tool_0',
    name: 'a',
    description: '',
    input_schema: { type: 'object', properties: { text: schema }, additionalProperties: false },
    config: { endpoint: 'https://a.example/', method: 'POST' },
    fixed_parameters: {},
    deadline_seconds: 30,
  };
}

describe('a bad pattern of a description', () => {
  const seen = { emitted: 0, dropped: 0, checks: 0, worst: 0, plain: 0, slowest: '' };
  const validate = (pattern: string | undefined, text: string): number => {
    const of = tool({ type: 'string', ...(pattern === undefined ? {} : { pattern }) });
    return cost(() => valuesOf(of, { text }));
  };
  afterAll(() => {
    const { emitted, dropped, checks, worst, plain, slowest } = seen;
    const counts = `${PATTERNS.length} patterns (${emitted} emitted, ${dropped} dropped), ${checks} validations of 50 kB`;
    console.info(`redos: ${counts}; the worst ${worst.toFixed(1)} ms (${slowest}), a plain one ${plain.toFixed(1)} ms`);
  });

  it('is one of at least 60', () => {
    expect(new Set(PATTERNS).size).toBe(PATTERNS.length);
    expect(PATTERNS.length).toBeGreaterThanOrEqual(60);
    // The second time, when all is loaded.
    for (const _ of [1, 2]) seen.plain = Math.max(...TEXTS.map(([text]) => validate('^[a-z]+$', text)));
  });

  it.each(PATTERNS.map((pattern) => [pattern.slice(0, 60), pattern] as const))('%s', async (_, pattern) => {
    const schema = object({ text: { type: 'string', pattern } });
    const document = JSON.stringify(openapi({ '/a': { post: operation('a', body(schema)) } }));
    const { operations } = await preview({ document });
    const input = operations[0]?.input_schema ?? expect.unreachable();
    new Ajv2020({ strict: false, logger: false }).compile(input);
    const emitted = (input.properties as { text: Schema }).text;
    if (emitted.pattern === undefined) {
      seen.dropped += 1;
      expect(operations[0]?.notices).toMatchObject([{ code: 'keyword-ignored' }]);
      return;
    }
    seen.emitted += 1;
    expect(emitted.pattern).toBe(pattern);
    for (const text of TEXTS.flat()) {
      const took = validate(pattern, text);
      seen.checks += 1;
      if (took > seen.worst) Object.assign(seen, { worst: took, slowest: pattern.slice(0, 40) });
      // A backtracking engine would take years, or its square: seconds.
      expect(took).toBeLessThan(1_000 + 20 * seen.plain);
    }
  });

  it.each([
    ['^(a+)+$', 'aaaa', 'aaab'],
    ['(.*a){20}', 'a'.repeat(20), 'a'.repeat(19)],
    ['^\\p{L}{3}$', 'éaß', 'é1ß'],
    ['a{1000}', 'a'.repeat(1_000), 'a'.repeat(999)],
    ['^.$', '\u{1f600}', 'ab'],
    ['b$', 'ab', 'ba'],
  ])('%s is still asserted', (pattern, good, bad) => {
    const of = tool({ type: 'string', pattern });
    expect(valuesOf(of, { text: good })).toHaveProperty('values');
    expect(valuesOf(of, { text: bad })).toHaveProperty('problems');
  });

  it('is not asserted where its size times that of the text is over the bound', () => {
    const of = tool({ type: 'string', pattern: '^(.*a){500}$' });
    const most = Math.floor(FIXED_LIMITS.pattern_steps / 2_504);
    expect(valuesOf(of, { text: 'b'.repeat(most - 100) })).toHaveProperty('problems');
    expect(valuesOf(of, { text: 'b'.repeat(FIXED_LIMITS.pattern_steps / 1_000) })).toHaveProperty('values');
  });
});

const { text: scrub } = scrubber([`${'a'.repeat(30)} <b>&%41"`, '%25%32%35%41 bc']);
const HEAD = { status: 403, headers: {} };

/** What reads foreign text by expressions or by hand. */
const READERS: { readonly [name: string]: (text: string) => unknown } = {
  plainText: (text) => plainText(text, text.length),
  'plainText, cut': (text) => plainText(text, 300),
  visible: (text) => visible(text, text.length),
  quoted: (text) => quoted(text),
  invisibleCodePoints: (text) => invisibleCodePoints(text),
  'the scrubber': (text) => scrub(text),
  'the scrubber of a cut text': (text) => scrub(text.slice(0, 100_000)).length + scrub(text.slice(0, 100_000)).length,
  'an answer without a type': (text) => contentOf(Buffer.from(text), undefined, false),
  'an answer in JSON': (text) => contentOf(Buffer.from(text), 'application/json', false),
  'a Content-Type': (text) => contentOf(Buffer.from('a'), `text/plain; ${text}`, false),
  'a media type': (text) => contentOf(Buffer.from('a'), text, false),
  'Retry-After': (text) => askedWait({ ...HEAD, headers: { 'retry-after': text } }, 0),
  'Retry-After that begins as a date': (text) => askedWait({ ...HEAD, headers: { 'retry-after': `Mon, ${text}` } }, 0),
  'a remaining quota': (text) => isRateLimited({ ...HEAD, headers: { 'x-ratelimit-remaining': text } }),
};

/** Repeated to a length, alone and behind a beginning. */
const PIECES = [
  ...[
    '<',
    '<!--',
    '<a ',
    '</',
    '<a<',
    '<http:',
    '[',
    '](',
    '[](',
    '![',
    '[a](b ',
    '[a](b(',
    '[a](b "',
    '[a][',
    '(',
    '\\',
    '&',
  ],
  ...[
    '&#',
    '&amp;',
    '&amp',
    '*',
    '**a',
    '*a ',
    ' *',
    '_',
    '__a',
    '_a ',
    '~~',
    '~~a',
    '`',
    '``` ',
    '\n```',
    '# ',
    '> ',
    '|',
    '- ',
  ],
  ...[
    ' ',
    '\n',
    '\t',
    '\r',
    ' \n',
    '\u200b',
    '\u2028',
    '\ud800',
    'é',
    'Ã©',
    'a',
    'a-',
    '0',
    '%',
    '%25',
    '\\u',
    '\\u00',
    '\\\\',
  ],
  ...[';', '; charset', '; charset = ', '"', '{', '}', ',', '/', '+json', 'a/', 'Mon, ', '00:', '- 00:00', 'Zm9v'],
];

describe('a hostile text', () => {
  const worst = { ratio: 0, of: '', pairs: 0 };
  afterAll(() =>
    console.info(
      `redos: ${Object.keys(READERS).length} readers x ${PIECES.length} texts = ${worst.pairs}; twice the text takes at most ${worst.ratio.toFixed(1)} times as long (${worst.of})`,
    ),
  );

  it.each(Object.keys(READERS))('costs %s no more than its length', (name) => {
    const read = READERS[name] ?? expect.unreachable();
    for (const piece of PIECES) {
      worst.pairs += 1;
      const at = (size: number) => cost(() => read(`x ${piece.repeat(Math.ceil(size / piece.length))}x`));
      // What takes less than this at a megabyte is as good as linear, and too short to compare.
      if (at(1_000_000) < 300) continue;
      // Where memory runs full one doubling may cost more than twice; of the square every one is four times.
      let ratio = 4;
      for (let size = 500_000; size <= 2_000_000 && ratio >= 3; size *= 2)
        ratio = Math.min(ratio, at(size * 2) / at(size));
      if (ratio > worst.ratio) Object.assign(worst, { ratio, of: `${name}, ${JSON.stringify(piece)}` });
      expect([piece, ratio < 3.5]).toEqual([piece, true]);
    }
  });

  it('is no label of a set, which is known by looking once', async () => {
    const document = JSON.stringify(openapi({ '/a': { get: operation('a') } }));
    const request = { document, server: SERVER, operations: ['a'], set: `${'a'.repeat(400_000)}\0` };
    // In the square of its length this would end at the bound of the test.
    await expect(importOperations(request, { store: memoryStore() })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('is told from a description, whatever it is', async () => {
    for (const piece of PIECES) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      for (const start of ['', '<', '# ', 'openapi: ']) {
        const opened = { text: start + text, name: 'the text' };
        // A row of digits is JSON, and is told from a description one stage later.
        await expect(decode(opened, 'core').then((value) => identify(value, opened, 'core'))).rejects.toThrow();
      }
    }
  });
});
