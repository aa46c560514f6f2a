// Where an argument goes, written as short as the defaults of its place allow.
import { describe, expect, it } from 'vitest';
import type { Parameter, ParameterPlace } from '../../src/operation/operation.js';
import { bodyLocation, parameterLocation } from '../../src/tool/location.js';

function parameter(place: ParameterPlace, changes: Partial<Parameter> = {}): Parameter {
  const style = place === 'path' || place === 'header' ? 'simple' : 'form';
  const schema = { node: {}, at: '', resource: { root: {}, at: '', uri: undefined } };
  const rest = {
    description: undefined,
    allow_reserved: false,
    content_type: undefined,
    shared: false,
    at: '',
    required: true,
  };
  return { name: 'id', in: place, schema, style, explode: style === 'form', ...rest, ...changes };
}

describe('the location of a parameter', () => {
  it.each<readonly [Parameter, string, unknown]>([
    [parameter('path'), 'id', undefined],
    [parameter('path'), 'id_2', undefined],
    [parameter('query'), 'id', 'query'],
    [parameter('header'), 'id', 'header'],
    [parameter('cookie'), 'id', undefined],
    [parameter('query', { name: 'filter[id]' }), 'filter_id', { in: 'query', name: 'filter[id]' }],
    [parameter('query', { explode: false }), 'id', { in: 'query', explode: false }],
    [
      parameter('query', { style: 'deepObject', explode: true }),
      'id',
      { in: 'query', style: 'deepObject', explode: true },
    ],
    [parameter('query', { style: 'pipeDelimited', explode: false }), 'id', { in: 'query', style: 'pipeDelimited' }],
    [parameter('query', { allow_reserved: true }), 'id', { in: 'query', allow_reserved: true }],
    [parameter('path', { allow_reserved: true }), 'id', { in: 'path', allow_reserved: true }],
    [
      parameter('path', { name: 'a b', allow_reserved: true }),
      'a_b',
      { in: 'path', name: 'a b', allow_reserved: true },
    ],
    [parameter('query', { content_type: 'application/json' }), 'id', { in: 'query', content_type: 'application/json' }],
    [parameter('header', { explode: true }), 'id', { in: 'header', explode: true }],
    [parameter('path', { style: 'matrix', explode: true }), 'id', { in: 'path', style: 'matrix', explode: true }],
    [parameter('path', { explode: true }), 'id', { in: 'path', explode: true }],
    [parameter('path', { content_type: 'application/json' }), 'id', { in: 'path', content_type: 'application/json' }],
    [
      parameter('querystring', { content_type: 'application/x-www-form-urlencoded' }),
      'id',
      { in: 'querystring', content_type: 'application/x-www-form-urlencoded' },
    ],
  ])('%j as %s is %j', (given, argument, location) => {
    expect(parameterLocation(given, argument)).toEqual(location);
  });
});

it('of a property of the body is the body, under its own name', () => {
  expect(bodyLocation('a', 'a')).toBe('body');
  expect(bodyLocation('a b', 'a_b')).toEqual({ in: 'body', name: 'a b' });
});
