// What the properties share: how often they run, compiling plain values, and what is compared of a draft.
import { Budget } from '../../src/base/budget.js';
import { canonical } from '../../src/base/canonical.js';
import { type Limits, withLimits } from '../../src/base/limits.js';
import type { ApiDocument } from '../../src/document/document.js';
import { identify } from '../../src/document/kind.js';
import type { Refusal } from '../../src/operation/operation.js';
import { type Reading, startReading, survey } from '../../src/operation/read.js';
import { credentialsOf } from '../../src/tool/credential.js';
import { type Emission, emitTool, isEmission } from '../../src/tool/emit.js';

/** How many times as much the environment asks for. */
export const MULTIPLIER = Math.max(1, Number(process.env.PROPERTY_RUNS ?? 1));

/** Options of a property: how often it runs and how long it may look; the environment's PROPERTY_RUNS multiplies both. */
export function runs(usual: number): { numRuns: number; interruptAfterTimeLimit: number } {
  return { numRuns: Math.ceil(usual * MULTIPLIER), interruptAfterTimeLimit: 2_000 * MULTIPLIER };
}

/** Milliseconds a property may take. */
export const TIMEOUT = 60_000 * MULTIPLIER;

/** The document of a plain value, through text as every description comes. */
export function documentOf(value: unknown): ApiDocument {
  return identify(JSON.parse(JSON.stringify(value)), { name: 'the document' });
}

export interface Read {
  readonly result: Emission | Refusal;
  /** Steps spent on the operation. */
  readonly steps: number;
}

/** Every operation, or the one of that index alone, each under its own key as its name. */
export function readAll(document: ApiDocument, overrides: Partial<Limits> = {}, only?: number): Read[] {
  const { reading, budget } = startOf(document, overrides);
  const found = survey(reading);
  const credentials = credentialsOf(found.schemes.values());
  return found.heads
    .filter((_, index) => only === undefined || index === only)
    .map((head) => {
      const output = () => ({ notices: [] });
      const result = emitTool(head, { name: head.key, credentials, security: [], output }, reading);
      return { result, steps: budget.operation };
    });
}

export function startOf(document: ApiDocument, overrides: Partial<Limits> = {}): { reading: Reading; budget: Budget } {
  const limits = withLimits(overrides);
  const budget = new Budget(limits);
  return { reading: startReading(document, { limits, profile: 'core', budget }), budget };
}

/** What must not depend on anything but the operation itself: the schema to the byte, notices as a set. */
export function essence(result: Emission | Refusal): string {
  if (!isEmission(result)) return canonical({ ...result });
  const { input_schema, locations, notices, body, description } = result.draft;
  return JSON.stringify([
    input_schema,
    canonical(locations),
    canonical(body ?? null),
    description,
    notices.map((notice) => canonical({ ...notice })).sort(),
  ]);
}

/** As `essence`, with keys in any order. */
export function unordered(result: Emission | Refusal): string {
  if (!isEmission(result)) return canonical({ ...result });
  const { notices, ...draft } = result.draft;
  return canonical({ ...draft, notices: notices.map((notice) => canonical({ ...notice })).sort() });
}
