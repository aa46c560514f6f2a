// Characters that nobody sees: none in a text meant for a model; where they go on the wire they stay, and a notice names them.
import { describe, expect, it } from 'vitest';
import { preview } from '../../src/app/preview.js';
import { plainText } from '../../src/base/plain.js';
import { invisibleCodePoints } from '../../src/base/text.js';

/** One or more code points of each class. */
const CLASSES: { readonly [name: string]: readonly number[] } = {
  NUL: [0x00],
  'C0 controls': [0x01, 0x1b, 0x1f],
  backspace: [0x08],
  DEL: [0x7f],
  'C1 controls': [0x80, 0x9f],
  'next line': [0x85],
  'soft hyphen': [0xad],
  'combining grapheme joiner': [0x34f],
  'Arabic letter mark': [0x61c],
  'Hangul fillers': [0x115f, 0x1160, 0x3164],
  'Khmer inherent vowels': [0x17b4, 0x17b5],
  'Mongolian selectors': [0x180b, 0x180e],
  'zero width space': [0x200b],
  'zero width non-joiner': [0x200c],
  'zero width joiner': [0x200d],
  'left-to-right mark': [0x200e],
  'right-to-left mark': [0x200f],
  'line separator': [0x2028],
  'paragraph separator': [0x2029],
  'bidirectional embeddings': [0x202a, 0x202b, 0x202c],
  'bidirectional overrides': [0x202d, 0x202e],
  'word joiner': [0x2060],
  'invisible operators': [0x2061, 0x2064],
  'bidirectional isolates': [0x2066, 0x2069],
  'deprecated format characters': [0x206a, 0x206f],
  'braille blank': [0x2800],
  'variation selectors': [0xfe00, 0xfe0f],
  'byte order mark': [0xfeff],
  'interlinear annotations': [0xfff9, 0xfffb],
  'lone surrogates': [0xd800, 0xdfff],
  'private use': [0xe000, 0x10fffd],
  'noncharacters and unassigned': [0xfdd0, 0xffff, 0x0378],
  tags: [0xe0001, 0xe0041, 0xe007f],
  'supplementary variation selectors': [0xe0100, 0xe01ef],
};
const POINTS = Object.entries(CLASSES).flatMap(([name, codes]) => codes.map((code) => [name, code] as const));

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A description that holds the text in every place, and the preview of it. */
function previewWith(odd: string) {
  const schema = {
    type: 'object',
    title: `Title${odd}`,
    description: `An${odd} object`,
    properties: {
      [`name${odd}`]: { type: 'string', description: `Sa${odd}id` },
      choice: { type: 'string', enum: [`one${odd}`, 'two'] },
      usual: { type: 'string', default: `usual${odd}` },
      inner: { type: 'object', properties: { [`inside${odd}`]: { type: 'string', title: `T${odd}` } } },
    },
  };
  const parameters = [{ name: `q${odd}`, in: 'query', description: `Qu${odd}ery`, schema: { type: 'string' } }];
  const description = `De${odd}scribed`;
  const post = {
    operationId: `op${odd}`,
    summary: `Su${odd}m`,
    description,
    parameters,
    requestBody: { content: { 'application/json': { schema } } },
  };
  return preview({
    document: JSON.stringify({ openapi: '3.1.0', info: { title: `T${odd}` }, paths: { '/a': { post } } }),
  });
}

/** Every text of a schema that a model reads as text. */
function* texts(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if ((key === 'title' || key === 'description') && typeof value === 'string') yield value;
    else yield* texts(value);
  }
}

describe.each(POINTS)('%s', (_, code) => {
  const odd = String.fromCodePoint(code);

  it(`${hex(code)} is invisible and is taken out of a text`, () => {
    expect(invisibleCodePoints(`a${odd}b`)).toEqual([hex(code)]);
    expect(invisibleCodePoints(plainText(`a${odd}b`, 99))).toEqual([]);
    expect(plainText(`a${odd}b`, 99).replaceAll(' ', '')).toBe('ab');
    expect(invisibleCodePoints(plainText(`a&#x${code.toString(16)};b`, 99))).toEqual([]);
  });

  it(`${hex(code)} is in no text that is emitted, and stays in names and values with a notice`, async () => {
    const { title, operations } = await previewWith(odd);
    const [operation] = operations;
    if (operation === undefined) throw new Error('nothing was emitted');
    const { name, description, input_schema, locations, notices } = operation;
    for (const text of [title, name, description, ...texts(input_schema), ...notices.map(({ message }) => message)]) {
      expect([text, invisibleCodePoints(text)]).toEqual([text, []]);
    }
    const properties = input_schema.properties as { readonly [key: string]: { readonly [key: string]: unknown } };
    for (const argument of Object.keys(properties)) expect(argument).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    expect(properties.choice?.enum).toEqual([`one${odd}`, 'two']);
    expect(Object.keys(properties.inner?.properties ?? {})).toEqual([`inside${odd}`]);
    expect(locations).toMatchObject({ q: { in: 'query', name: `q${odd}` }, name: { in: 'body', name: `name${odd}` } });
    const named = notices.filter((notice) => notice.code === 'invisible-characters');
    const at = named.map((notice) => notice.at);
    for (const notice of named) expect(notice.message).toContain(hex(code));
    for (const place of ['/enum', 'parameters/0', 'inside'])
      expect(at.filter((one) => one.includes(place))).not.toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a default or a constant', () => {
  it.each(['default', 'const'])('that holds invisible characters is named by a notice: %s', async (keyword) => {
    const silent: string[] = [];
    for (const [, code] of POINTS) {
      const schema = { type: 'string', [keyword]: `usual${String.fromCodePoint(code)}` };
      const get = { parameters: [{ name: 'q', in: 'query', schema }] };
      const { operations } = await preview({
        document: JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get } } }),
      });
      const notices = operations[0]?.notices ?? [];
      if (!notices.some((notice) => notice.code === 'invisible-characters')) silent.push(hex(code));
    }
    expect(silent).toEqual([]);
  });
});

describe('plain text', () => {
  it.each([
    ['plain words', 'plain words'],
    ['**bold** and __strong__', 'bold and strong'],
    ['*a* _b_ `c` ~~d~~', 'a b c d'],
    ['[text](https://example.com/a_b) here', 'text here'],
    ['![image](x.png)', 'image'],
    ['# Title\n\ntext', 'Title text'],
    ['> quoted', 'quoted'],
    ['<p>one</p><p>two</p>', 'one two'],
    ['a <b>bold</b> word', 'a bold word'],
    ['a<!-- hidden -->b', 'ab'],
    ['<owner>/<repo>', '<owner>/<repo>'],
    ['a &amp; b &lt;c&gt; &#233;', 'a & b <c> é'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
    ['\\*not\\* bold', '*not* bold'],
    ['<https://example.com>', 'https://example.com'],
    ['  a \t b\r\nc ', 'a b c'],
    ['```json\ncode\n```', 'code'],
    ['* one\n* two', '- one - two'],
    ['a\n---\nb', 'a b'],
    ['', ''],
  ])('of %j is %j', (raw, plain) => {
    expect(plainText(raw, 1_000)).toBe(plain);
  });

  it.each([
    ['abcdef', 3, 'ab…'],
    ['abc', 3, 'abc'],
    ['😀😀😀', 2, '😀…'],
    ['ab cd', 4, 'ab…'],
    ['a', 1, 'a'],
    ['ab', 1, '…'],
  ])('of %j cut at %i is %j', (raw, most, plain) => {
    expect(plainText(raw, most)).toBe(plain);
  });
});
