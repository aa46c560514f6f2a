// A parsed description to everything that could become a tool of it.
import { Budget } from '../base/budget.js';
import type { Notice } from '../base/codes.js';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.js';
import { DEFAULT_PROFILE, type Profile } from '../base/profile.js';
import type { ApiDocument, DocumentKind } from '../document/document.js';
import { Answers } from '../operation/answer.js';
import type { Head, Refusal } from '../operation/operation.js';
import { startReading, survey } from '../operation/read.js';
import { credentialsOf } from '../tool/credential.js';
import { type Emission, emitTool } from '../tool/emit.js';
import { assignNames } from '../tool/name.js';
import { emitOutput, type Output } from '../tool/output.js';
import { type SuggestedServer, suggestConnections } from '../tool/suggestion.js';

/** One operation under the paths. */
export interface CompiledOperation {
  readonly head: Head;
  /**
   * What comes of it. Its parameters and schemas are read when this is first asked for, so that a part of a giant costs a part.
   * @throws Failure `description-too-large`.
   */
  readonly result: Emission | Refusal;
}

/** What a description comes to. */
export interface Compilation {
  readonly kind: DocumentKind;
  readonly title: string;
  /** The version of the specification the description is written in. */
  readonly version: string;
  readonly servers: readonly SuggestedServer[];
  /** In the description's order. */
  readonly operations: readonly CompiledOperation[];
  /** Callbacks and webhooks. */
  readonly inbound: readonly Refusal[];
  /** What could not be read and is no single operation. */
  readonly notices: readonly Notice[];
}

/** What each key names, callbacks and webhooks included; what comes of an operation is not read for that. */
export function byKey({ operations, inbound }: Compilation): Map<string, { readonly result: Emission | Refusal }> {
  return new Map<string, { readonly result: Emission | Refusal }>([
    ...operations.map((operation) => [operation.head.key, operation] as const),
    ...inbound.map((refusal) => [refusal.key, { result: refusal }] as const),
  ]);
}

export interface CompileOptions {
  readonly limits?: Limits;
  readonly profile?: Profile;
  readonly prefix?: string;
  /** false: what operations answer is not read. */
  readonly output?: boolean;
  /** Told after every hundredth operation that is read. */
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Compiles a description: every key and name at once, each operation when its result is asked for.
 * @throws Failure `invalid-prefix`, `too-many-operations`, `description-too-large`.
 */
export function compile(document: ApiDocument, options: CompileOptions = {}): Compilation {
  const { limits = DEFAULT_LIMITS, profile = DEFAULT_PROFILE, prefix = '', progress } = options;
  const reading = startReading(document, { limits, profile, budget: new Budget(limits) });
  const found = survey(reading);
  const names = assignNames(found.heads, prefix, limits);
  const security = suggestConnections(found);
  const credentials = credentialsOf(found.schemes.values());
  const output = options.output === false ? () => () => NO_OUTPUT : outputs(document, limits, found.heads.length);
  let done = 0;
  const operations = found.heads.map((head, i) =>
    lazily(head, () => {
      done += 1;
      if (done % 100 === 0) progress?.(done, found.heads.length);
      const name = names[i] ?? head.key;
      return emitTool(head, { name, credentials, security: security.notices(head), output: output(head) }, reading);
    }),
  );
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

const NO_OUTPUT: Output = { notices: [] };

/**
 * What operations answer, each read when it is first asked for. Answers in other files are read for operations that lie in one
 * themselves, which the core profile cannot import: so a tool of both profiles has one answer.
 */
function outputs(document: ApiDocument, limits: Limits, operations: number): (head: Head) => () => Output {
  const { files: _files, ...alone } = document;
  let inside: Answers | undefined;
  let outside: Answers | undefined;
  const answersTo = ({ place: { at } }: Head): Answers => {
    if (at.startsWith('/')) {
      inside ??= new Answers(alone, limits, operations);
      return inside;
    }
    outside ??= new Answers(document, limits, operations);
    return outside;
  };
  return (head) => {
    let output: Output | undefined;
    return () => {
      output ??= emitOutput(head, answersTo(head));
      return output;
    };
  };
}

function lazily(head: Head, read: () => Emission | Refusal): CompiledOperation {
  let result: Emission | Refusal | undefined;
  return {
    head,
    get result() {
      result ??= read();
      return result;
    },
  };
}
