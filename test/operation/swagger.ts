// Small Swagger 2.0 descriptions, and what is read of them before it becomes tools.
import { expect } from 'vitest';
import { Budget } from '../../src/base/budget.js';
import { DEFAULT_LIMITS } from '../../src/base/limits.js';
import { Refused } from '../../src/base/refused.js';
import { identify } from '../../src/document/kind.js';
import type { Operation, Survey } from '../../src/operation/operation.js';
import { readOperation, startReading, survey } from '../../src/operation/read.js';
import { type Json, operation } from '../cases/build.js';

export function swagger(paths: Json, rest: Json = {}): Json {
  const info = { title: 'Demo', version: '1' };
  return { swagger: '2.0', info, host: 'api.example.com', schemes: ['https'], paths, ...rest };
}

/** A description of one operation `a` under `/a`, with these parameters. */
export function withParameters(parameters: unknown, rest: Json = {}, method = 'post'): Json {
  return swagger({ '/a': { [method]: operation('a', { parameters, ...rest }) } });
}

export function surveyed(description: Json, url?: string): Survey {
  return read(description, url).found;
}

/** The first operation; a refusal of it is thrown. */
export function firstOperation(description: Json): Operation {
  const { reading, found } = read(description);
  const [head] = found.heads;
  return head === undefined ? expect.unreachable('no operation') : readOperation(head, reading);
}

/** Why the first operation is not read. */
export function refusal(description: Json): Pick<Refused, 'code' | 'at'> {
  try {
    firstOperation(description);
  } catch (error) {
    if (error instanceof Refused) return { code: error.code, at: error.at };
    throw error;
  }
  return expect.unreachable('it was read');
}

function read(description: Json, url?: string) {
  const opened = url === undefined ? { name: 'the document' } : { name: 'the document', url };
  const budget = new Budget(DEFAULT_LIMITS);
  const document = identify(JSON.parse(JSON.stringify(description)), opened);
  const reading = startReading(document, { limits: DEFAULT_LIMITS, profile: 'extended', budget });
  return { reading, found: survey(reading) };
}
