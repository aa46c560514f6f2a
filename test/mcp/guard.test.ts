// Which Host and Origin may speak to a server that listens everywhere.
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { guardOf } from '../../src/mcp/guard.js';

const token = 'a-token-of-many-characters';
const guard = guardOf({ host: '0.0.0.0', names: ['tools.example'], token });

it.each([
  ['its own address', '192.0.2.7:8080', undefined, true],
  ['a page of its own address', '192.0.2.7:8080', 'http://192.0.2.7:8080', true],
  ['its name, from a page of it', 'tools.example', 'https://tools.example', true],
  ['a name that was pointed here', 'evil.example', undefined, false],
  ['a page of another address', '192.0.2.7:8080', 'http://203.0.113.9', false],
  ['a page of another name', '192.0.2.7:8080', 'https://evil.example', false],
])('%s', (_case, host, origin, allowed) => {
  const headers = { host, authorization: `Bearer ${token}`, ...(origin === undefined ? {} : { origin }) };
  const refused = guard({ headers } as IncomingMessage);
  expect(refused?.status).toBe(allowed ? undefined : 403);
});
