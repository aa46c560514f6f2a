// Cases of the names of tools: legal, distinct, stable.
import { expect, it } from 'vitest';
import { body, imported, object, only, openapi, operation, parameter, SERVER, see, TEXT } from './build.js';

const got = (...identifiers: readonly (string | undefined)[]) =>
  openapi(Object.fromEntries(identifiers.map((identifier, i) => [`/p${i}`, { get: operation(identifier) }])));

it('names-longer-than-64', async () => {
  const description = got('stata_run_selection_stream_endpoint_run_selection_stream_with_many_parts_get_v2');
  const { name } = await only(description);
  expect(name).toMatch(/^stata_run_selection[A-Za-z0-9_-]{0,45}$/);
  expect((await only(description)).name).toBe(name);
});

it('names-prefix-counts-toward-64', async () => {
  const prefix = 'openweather_production_eu_';
  const identifier = 'get_weather_forecast_by_geographic_location_and_day';
  const { name } = await only(got(identifier), { name_prefix: prefix });
  expect(name.startsWith(prefix)).toBe(true);
  expect(`${prefix}${identifier}`.startsWith(name)).toBe(true);
  expect(name.length).toBeLessThanOrEqual(64);
});

it('names-suffix-loop-terminates', async () => {
  const long = 'y'.repeat(64);
  const { answer } = await see(got(...Array.from({ length: 12 }, () => long)));
  const names = answer.operations.map(({ name }) => name);
  expect(names[0]).toBe(long);
  expect(names[1]).toBe(`${'y'.repeat(62)}_2`);
  expect(names[11]).toBe(`${'y'.repeat(61)}_12`);
  expect(new Set(names).size).toBe(12);
});

it('names-collide-after-cleaning', async () => {
  const tools = await imported(got('foo/list', 'foo.list', 'foo_list'), ['foo/list', 'foo.list', 'foo_list']);
  expect(tools.map(({ name, config }) => [name, config.endpoint])).toEqual([
    ['foo_list', `${SERVER}/p0`],
    ['foo_list_2', `${SERVER}/p1`],
    ['foo_list_3', `${SERVER}/p2`],
  ]);
});

it('names-fallback-method-and-path', async () => {
  const { answer, keys } = await see(
    openapi({
      '/users/{id}': { get: operation(undefined, { parameters: [parameter('path', 'id')] }) },
      '/users/id': { get: operation(undefined) },
      '/users': { get: operation(undefined), post: operation(undefined, body(object({ n: TEXT }))) },
    }),
  );
  expect(keys).toEqual(['GET /users/{id}', 'GET /users/id', 'GET /users', 'POST /users']);
  const names = answer.operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(4);
  for (const [i, method] of ['get', 'get', 'get', 'post'].entries())
    expect(names[i]).toMatch(new RegExp(`${method}.*users`, 'i'));
});

it('names-illegal-characters-and-non-ascii', async () => {
  const { answer, keys } = await see(got('Get Pet (v2) – größe', '查询', '???'));
  expect(keys).toEqual(['Get Pet (v2) – größe', '查询', '???']);
  const [pet, ...others] = answer.operations.map(({ name }) => name);
  expect(pet).toMatch(/^Get_Pet_/);
  expect(others[0]).toMatch(/get.*p1/i);
  expect(others[1]).toMatch(/get.*p2/i);
});

it('names-empty-operation-id', async () => {
  const { answer, keys } = await see(got('x', '', '   '));
  const absent = await see(got('x', undefined, undefined));
  expect(keys).toEqual(['x', 'GET /p1', 'GET /p2']);
  const names = answer.operations.map(({ name }) => name);
  expect(names).toEqual(absent.answer.operations.map(({ name }) => name));
  expect(new Set(names).size).toBe(3);
});
