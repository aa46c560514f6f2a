// Paths as templates: their gaps, and what is refused of them.
import { describe, expect, it } from 'vitest';
import { Refused } from '../../src/base/refused.js';
import { parsePath, writePath } from '../../src/tool/path.js';

describe('a path', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['/a', '/a', []],
    ['/a/{id}', '/a/{id}', ['id']],
    ['/{a}/{b}/{a}', '/{a}/{b}/{a}', ['a', 'b']],
    ['/a.{format}', '/a.{format}', ['format']],
    ['/a#{b', '/a', []],
    ['/a?x=1', '/a?x=1', []],
    ['/{__proto__}', '/{__proto__}', ['__proto__']],
    ['', '', []],
    ['/{+name}', '/{+name}', ['+name']],
  ])('%j is %j with the gaps %j', (path, written, gaps) => {
    const template = parsePath(path, '/at');
    expect(template.gaps).toEqual(gaps);
    expect(writePath(template, (gap) => gap)).toBe(written);
  });

  it('is written with its gaps renamed, each once', () => {
    expect(writePath(parsePath('/{a}/{b}{a}', ''), (gap) => `${gap}$&`)).toBe('/{a$&}/{b$&}{a$&}');
  });

  it.each<readonly [string, readonly string[], string]>([
    ['/v1/{+name}', ['name'], '/v1/{+<name>}'],
    ['/v1/{+name}:print', ['name'], '/v1/{+<name>}:print'],
    ['/v1/{+a}/{b}', ['a', 'b'], '/v1/{+<a>}/{<b>}'],
    ['/v1/{++a}', ['+a'], '/v1/{+<+a>}'],
  ])('%j that may hold slashes has the gaps %j', (path, gaps, renamed) => {
    const template = parsePath(path, '/at', true);
    expect(template.gaps).toEqual(gaps);
    expect(writePath(template, (gap) => gap)).toBe(path);
    expect(writePath(template, (gap) => `<${gap}>`)).toBe(renamed);
  });

  it('of only a sign has a gap without a name', () => {
    expect(() => parsePath('/{+}', '/at', true)).toThrow(expect.objectContaining({ code: 'path-gap', at: '/at' }));
  });

  it.each(['/{', '/}', '/{}', '/{a', '/a}', '/{{a}}', '/{a{b}}', '/a?x={b}', '/a?{', '/{a}}'])(
    '%j is refused',
    (path) => {
      try {
        parsePath(path, '/at');
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return expect([error.code, error.at]).toEqual(['path-gap', '/at']);
      }
      return expect.unreachable('it was read');
    },
  );
});
