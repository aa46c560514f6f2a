// JSON read, the first fault of what is not JSON placed, and other formats named: in the core profile, which reads no YAML.
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { decode } from '../../src/document/decode.js';

const read = (text: string) => decode({ text, name: 'the document' }, 'core');

async function refusal(text: string): Promise<Failure> {
  const error: unknown = await read(text).catch((thrown) => thrown);
  if (!(error instanceof Failure)) return expect.unreachable(`not a Failure: ${String(error)}`);
  expect(error.message).toMatch(/^[^\n]+$/);
  return error;
}

describe('JSON', () => {
  it('is read as JSON.parse has it', async () => {
    expect(await read('{"a":1,"a":[2,{"b":null}]}')).toEqual({ a: [2, { b: null }] });
    expect(await read(' "text" ')).toBe('text');
    const value = await read('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('may be nested 200,000 levels deep', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(Array.isArray(await read(deep))).toBe(true);
  });
});

describe('the first fault', () => {
  const early = 'the text ends too early';
  it.each([
    ['{', 1, 2, early],
    ['{"a"', 1, 5, early],
    ['{"a":', 1, 6, early],
    ['{"a":1', 1, 7, early],
    ['{"a":1,', 1, 8, early],
    ['{"a":[1,2', 1, 10, early],
    ['{\n  "a": "abc', 2, 12, early],
    ['{\n  "a": "abc\\', 2, 13, early],
    ['{\n  "a": "abc\\u00', 2, 16, early],
    ['[tru', 1, 5, early],
    ['[n', 1, 3, early],
    ['[-', 1, 3, early],
    ['[1.', 1, 4, early],
    ['[1e+', 1, 5, early],
    ['{\r\n"a": 1\r\n', 3, 1, early],
    ['[1,]', 1, 4, 'a value is expected, and "]" was found'],
    ['[,1]', 1, 2, 'a value or "]" is expected, and "," was found'],
    ['{"a":1,}', 1, 8, 'a name in double quotes is expected, and "}" was found'],
    ['{,}', 1, 2, 'a name in double quotes or "}" is expected'],
    ['{"a" 1}', 1, 6, '":" is expected, and "1" was found'],
    ['{"a":1 "b":2}', 1, 8, '"," or "}" is expected'],
    ['{"a":1]', 1, 7, '"," or "}" is expected, and "]" was found'],
    ['[1}', 1, 3, '"," or "]" is expected, and "}" was found'],
    ['[1 2]', 1, 4, '"," or "]" is expected, and "2" was found'],
    ['{"a":1}\n{"b":2}', 2, 1, 'the end of the text is expected, and "{" was found'],
    ['{a:1}', 1, 2, 'a name in double quotes or "}" is expected, and "a" was found'],
    ["{'a':1}", 1, 2, 'a name in double quotes or "}" is expected'],
    ['{"a":\n  undefined}', 2, 3, 'a value is expected, and "undefined" was found'],
    ['[NaN]', 1, 2, 'a value or "]" is expected, and "NaN" was found'],
    ['[trux]', 1, 2, 'a value or "]" is expected, and "trux" was found'],
    ['[01]', 1, 3, '"," or "]" is expected, and "1" was found'],
    ['[+1]', 1, 2, 'a value or "]" is expected, and "+1" was found'],
    ['[.5]', 1, 2, 'a value or "]" is expected'],
    ['[-]', 1, 3, 'a digit is expected'],
    ['[1.]', 1, 4, 'a digit is expected'],
    ['[1ex]', 1, 4, 'a digit is expected'],
    ['[1e+x]', 1, 5, 'a digit is expected'],
    ['[1.5.2]', 1, 5, '"," or "]" is expected, and ".2" was found'],
    ['[-x]', 1, 3, 'a digit is expected'],
    ['{\n\t// note\n"a":1}', 2, 2, 'a comment stands'],
    ['{"a":1 /* b */}', 1, 8, 'a comment stands'],
    ['[1] /* open', 1, 5, 'a comment stands'],
    ['["a\nb"]', 1, 4, 'not escaped'],
    ['["a\tb"]', 1, 4, 'not escaped'],
    ['["ab\\xcd"]', 1, 5, 'an escape that JSON does not have'],
    ['["ab\\u12g4"]', 1, 5, 'an escape that JSON does not have'],
    ['["\\\\\\"\\u00e9", "\\q"]', 1, 17, 'an escape that JSON does not have'],
    ['["é\u2028", \u00a01]', 1, 8, 'a value is expected'],
    ['[1,\r2,\r\n\n  x]', 4, 3, 'a value is expected, and "x" was found'],
    ['{"a":1}x', 1, 8, 'the end of the text is expected'],
    ['}', 1, 1, 'a value is expected'],
  ])('of %j is at line %i, column %i', async (text, line, column, words) => {
    const failure = await refusal(text);
    expect(failure).toMatchObject({ code: 'not-json', data: { line, column } });
    expect(failure.message).toContain(`the document is not JSON: at line ${line}, column ${column} `);
    expect(failure.message).toContain(words);
  });

  it('is found wherever JSON.parse finds one, in every cut of a text', async () => {
    const text = '{"a": [1.5e+3, -0, true, {"b\\n\\u00e9": null}], "c": "x\\\\y"}';
    for (let end = 1; end < text.length; end += 1) {
      const failure = await refusal(text.slice(0, end));
      expect(failure.data, text.slice(0, end)).toEqual({ line: 1, column: end + 1 });
      expect(failure.message).toContain(early);
    }
  });

  it('agrees with JSON.parse on every one-character change of a text', async () => {
    const text = '{"a":[1.5e+3,-0,true,{"b\\n":null}],"c":"x"}';
    for (let at = 1; at < text.length; at += 1) {
      for (const character of '{}[]:,"\\0ex-+. \n\u0001/') {
        const changed = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        if (isJson(changed)) continue;
        expect((await refusal(changed)).data, changed).toHaveProperty('line');
      }
    }
  });

  it('is found below 200,000 brackets', async () => {
    expect((await refusal('['.repeat(200_000))).data).toEqual({ line: 1, column: 200_001 });
    expect((await refusal('{"a":'.repeat(200_000))).message).toContain(early);
    expect((await refusal(`${'[\n'.repeat(200_000)}x`)).data).toEqual({ line: 200_001, column: 1 });
  });

  it.each([
    ['members', `{${'"key": "value",\n'.repeat(1_000_000)}`, 1_000_001],
    ['one string', `["${'a\\n'.repeat(5_400_000)}`, 1],
    ['a string with a late fault', `["${'a\\n'.repeat(5_400_000)}\\q"]`, 1],
    ['white space', `[${' '.repeat(16_000_000)}`, 1],
    ['digits', `[1${'0'.repeat(16_000_000)}`, 1],
    ['letters', `[${'x'.repeat(16_000_000)}`, 1],
    ['comments', `[1${'/**/'.repeat(4_000_000)}`, 1],
  ])('is found in 16 MB of %s', async (_case, text, line) => {
    expect((await refusal(text)).data).toMatchObject({ line });
  });

  it('shows little of a foreign text, and nothing invisible', async () => {
    const failure = await refusal(`{"a": \u202e\u200b\u001b${'x'.repeat(10_000)}}`);
    expect(failure.message.length).toBeLessThan(120);
    expect(failure.message).toMatch(/^[ -~…]+$/);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('another format', () => {
  it.each([
    ['empty', ''],
    ['empty', ' \n\t'],
    ['an HTML page', '<!doctype html><html></html>'],
    ['an HTML page', '\n<!-- x -->\n<HTML lang="en">'],
    ['XML', '<?xml version="1.0"?><a/>'],
    [
      'a WSDL description (XML)',
      '<?xml version="1.0"?>\n<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/">',
    ],
    ['a WADL description (XML)', '<application xmlns="http://wadl.dev.java.net/2009/02">'],
    ['OData metadata (XML)', '<edmx:Edmx Version="4.0">'],
    ['OpenAPI 3.1.0 in YAML', 'openapi: 3.1.0\ninfo:\n  title: x\n'],
    ['OpenAPI 3.0.3 in YAML', '# Copyright\n---\nopenapi: "3.0.3"\n'],
    ['OpenAPI 3.0.3 in YAML', "info:\n  title: x\nopenapi: '3.0.3'\n"],
    ['OpenAPI 3.0.3 in YAML', '"openapi": "3.0.3"\n"info": {}\n'],
    ['Swagger 2.0 in YAML', 'swagger: "2.0"\n'],
    ['AsyncAPI 2.6.0 in YAML', 'asyncapi: 2.6.0\n'],
    ['Arazzo 1.0.0 in YAML', 'arazzo: 1.0.0\n'],
    ['YAML', '---\n- a\n- b\n'],
    ['YAML', '# note\n\nname: x\nvalue: y\n'],
    ['YAML', '%YAML 1.2\n---\na: b\n'],
    ['RAML', '#%RAML 1.0\ntitle: x\n'],
    ['API Blueprint', 'FORMAT: 1A\n\n# Polls\n'],
    ['a GraphQL schema', '"""doc"""\ntype Query {\n  a: Int\n}\n'],
    ['a GraphQL schema', 'schema {\n  query: Query\n}\n'],
    ['a GraphQL schema', '# x\nscalar Date\n'],
    ['a protobuf definition', '// x\nsyntax = "proto3";\npackage a;\n'],
    ['a Git LFS pointer in place of the file', 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\n'],
  ])('is named: %s', async (found, text) => {
    const failure = await refusal(text);
    expect(failure).toMatchObject({ code: 'not-a-description', data: { found } });
    expect(failure.message).toBe(`the document is ${found}; a description in JSON is read`);
  });

  it.each([
    'hello world',
    'module.exports = {}',
    '{openapi: 3.1.0}',
    '[openapi: 3.1.0',
    'Sign in to go on',
    '\0\0\0\0',
  ])('is only no JSON: %j', async (text) => expect((await refusal(text)).code).toBe('not-json'));
});
