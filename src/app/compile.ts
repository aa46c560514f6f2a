// A parsed description to everything that could become a tool of it.
import { Budget } from '../base/budget.js';
import type { Notice } from '../base/codes.js';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.js';
import { DEFAULT_PROFILE, type Profile } from '../base/profile.js';
import type { ApiDocument, DocumentKind } from '../document/document.js';
import type { Head, Refusal } from '../operation/operation.js';
import { startReading, survey } from '../operation/read.js';
import { credentialsOf } from '../tool/credential.js';
import { type Emission, emitTool } from '../tool/emit.js';
import { assignNames } from '../tool/name.js';
import { type SuggestedServer, suggestConnections } from '../tool/suggestion.js';

/** One operation under the paths, in the description's order, and what came of it. */
export interface CompiledOperation {
  readonly head: Head;
  readonly result: Emission | Refusal;
}

/** What a description comes to. */
export interface Compilation {
  readonly kind: DocumentKind;
  readonly title: string;
  /** The version of the specification the description is written in. */
  readonly version: string;
  readonly servers: readonly SuggestedServer[];
  readonly operations: readonly CompiledOperation[];
  /** Callbacks and webhooks. */
  readonly inbound: readonly Refusal[];
  /** What could not be read and is no single operation. */
  readonly notices: readonly Notice[];
}

/** What came of each key, callbacks and webhooks included. */
export function byKey({ operations, inbound }: Compilation): Map<string, Emission | Refusal> {
  return new Map([
    ...operations.map(({ head, result }): [string, Emission | Refusal] => [head.key, result]),
    ...inbound.map((refusal): [string, Refusal] => [refusal.key, refusal]),
  ]);
}

export interface CompileOptions {
  readonly limits?: Limits;
  readonly profile?: Profile;
  readonly prefix?: string;
  /** Told after every hundredth operation. */
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Compiles every operation.
 * @throws Failure `invalid-prefix`, `too-many-operations`, `description-too-large`.
 */
export function compile(document: ApiDocument, options: CompileOptions = {}): Compilation {
  const { limits = DEFAULT_LIMITS, profile = DEFAULT_PROFILE, prefix = '', progress } = options;
  const reading = startReading(document, { limits, profile, budget: new Budget(limits) });
  const found = survey(reading);
  const names = assignNames(found.heads, prefix, limits);
  const security = suggestConnections(found);
  const credentials = credentialsOf(found.schemes.values());
  const operations = found.heads.map((head, i): CompiledOperation => {
    if (i % 100 === 99) progress?.(i + 1, found.heads.length);
    const surroundings = { name: names[i] ?? head.key, credentials, security: security.notices(head) };
    return { head, result: emitTool(head, surroundings, reading) };
  });
  return {
    kind: document.kind,
    title: reading.texts.plain(found.title, 200).text,
    version: document.version,
    servers: security.servers,
    operations,
    inbound: found.inbound,
    notices: [...(document.notices ?? []), ...found.notices],
  };
}
