// Notices about names: each one that was changed is told, and so is each that holds what nobody sees.
import { expect, it } from 'vitest';
import { body, names, noticeCodes, object, only, openapi, operation, parameter, TEXT } from '../cases/build.js';

it('tells of each property of a body whose name was taken', async () => {
  const parameters = [parameter('query', 'a'), parameter('query', 'b')];
  const post = operation('a', { parameters, ...body(object({ a: TEXT, b: TEXT })) });
  const tool = await only(openapi({ '/a': { post } }));
  expect(names(tool)).toEqual(['a', 'b', 'body_a', 'body_b']);
  expect(noticeCodes(tool)).toEqual(['argument-renamed', 'argument-renamed']);
  const messages = tool.notices.map(({ message }) => message);
  expect(messages[0]).toMatch(/"a".*"body_a"/);
  expect(messages[1]).toMatch(/"b".*"body_b"/);
});

it.each([
  ['its identifier', '/a', 'get\u001b[31m\u202eLive', ['U+001B', 'U+202E']],
  ['its path', '/a\u200b\u202e', undefined, ['U+200B', 'U+202E']],
])('names the characters that nobody sees in %s', async (_, path, identifier, points) => {
  const tool = await only(openapi({ [path]: { get: operation(identifier) } }));
  const [notice, ...others] = tool.notices.filter(({ code }) => code === 'invisible-characters');
  expect(others).toEqual([]);
  for (const point of points) expect(notice?.message).toContain(point);
  expect(tool.name).toMatch(/^[A-Za-z0-9_-]+$/);
});
