// Which operations of a compiled description are taken, and what they ask of a plan: what an import and a manifest share.
import type { SkipCode } from '../base/codes.js';
import { Failure } from '../base/failure.js';
import type { Limits } from '../base/limits.js';
import { quoted } from '../base/text.js';
import type { Head, Refusal, ServerUrl } from '../operation/operation.js';
import type { Hold, KnownOperation, PlanRequest, WantedTool } from '../plan/plan.js';
import { type Emission, isEmission } from '../tool/emit.js';
import { isSameServer, joinEndpoint } from '../tool/endpoint.js';
import { byKey, type Compilation } from './compile.js';
import { byKeys, type Select, selector } from './select.js';

/** Which operations are taken: keys, or a selection of which what is importable is meant; and what becomes of them. */
export interface ChoiceRequest {
  readonly operations?: readonly string[];
  readonly select?: Select;
  /** Keeps apart two descriptions that live on one server. */
  readonly set?: string;
  /** Of the tools that are created. Not both. */
  readonly connection_id?: string;
  readonly connection_group?: string;
  /** The chosen server stands for the servers that operations have of their own. */
  readonly override_servers?: boolean;
  /** Which changes of tools that are there wait for a person's approval; none without it. */
  readonly hold?: Hold;
}

/** An operation of a selection that was left out. */
export interface Skipped {
  readonly operation: string;
  readonly code: SkipCode;
  readonly reason: string;
}

/** The operations to import; of a selection what cannot be imported is skipped, by key it is refused. */
export function choose(compilation: Compilation, request: ChoiceRequest, server: string): Choice {
  const { operations } = compilation;
  const isElsewhere = elsewhereFrom(server, request);
  if (request.operations !== undefined) {
    // Callbacks and webhooks can be named, and are then refused for what they are.
    const named = byKeys(byKey(compilation), request.operations);
    return { chosen: named.map(({ result }) => required(result, isElsewhere)), skipped: [] };
  }
  byKeys(byKey(compilation), request.select?.keys ?? []);
  const selected = selector(request.select ?? {});
  const chosen: Chosen[] = [];
  const skipped: Skipped[] = [];
  for (const operation of operations) {
    const { head } = operation;
    if (!selected(head)) continue;
    const { result } = operation;
    if (!isEmission(result)) skipped.push({ operation: head.key, code: result.code, reason: result.reason });
    else if (isElsewhere(result)) {
      skipped.push({ operation: head.key, code: 'other-server', reason: elsewhere(result) });
    } else chosen.push({ operation: head.key, emission: result });
  }
  return { chosen, skipped };
}

export interface Chosen {
  readonly operation: string;
  readonly emission: Emission;
}

export interface Choice {
  readonly chosen: readonly Chosen[];
  readonly skipped: readonly Skipped[];
}

function required(result: Emission | Refusal, isElsewhere: (emission: Emission) => boolean): Chosen {
  const operation = isEmission(result) ? result.draft.key : result.key;
  const what = `the operation ${quoted(operation, 120)}`;
  if (!isEmission(result)) {
    const { code, at, reason } = result;
    throw new Failure('unimportable-operation', `${what} cannot be imported (${code}): ${reason}`, {
      operation,
      code,
      at,
    });
  }
  if (isElsewhere(result)) {
    throw new Failure(
      'other-server',
      `${what} is not on this server: ${elsewhere(result)}; it is sent here only where that is overridden`,
      {
        operation,
      },
    );
  }
  return { operation, emission: result };
}

/** Whether an operation has servers of its own, and the chosen one is none of them. Operations share such lists. */
function elsewhereFrom(server: string, { override_servers }: ChoiceRequest): (emission: Emission) => boolean {
  const known = new Map<readonly ServerUrl[], boolean>();
  return ({ draft: { servers } }) => {
    if (servers === undefined || override_servers === true) return false;
    let elsewhere = known.get(servers);
    if (elsewhere === undefined) {
      elsewhere = !servers.some(({ url, resolved }) => isSameServer(server, url ?? resolved ?? ''));
      known.set(servers, elsewhere);
    }
    return elsewhere;
  };
}

function elsewhere({ draft }: Emission): string {
  const urls = (draft.servers ?? [])
    .slice(0, 4)
    .map(({ url, resolved, relative }) => quoted(url ?? resolved ?? relative ?? 'unknown', 120));
  return `it has servers of its own: ${urls.join(', ')}`;
}

/** What an import of these operations asks of a plan. */
export function toPlanRequest(
  request: ChoiceRequest,
  server: string,
  compilation: Compilation,
  chosen: readonly Chosen[],
  limits: Limits,
): PlanRequest {
  const { set, connection_id, connection_group, hold } = request;
  return {
    server,
    ...(hold === undefined ? {} : { hold }),
    ...(set === undefined ? {} : { set }),
    ...(connection_id === undefined ? {} : { connection_id }),
    ...(connection_group === undefined ? {} : { connection_group }),
    wanted: chosen.map(({ emission }) => wantedTool(emission, server)),
    keys: codesOf(compilation),
    known: () =>
      knownOperations(
        compilation.operations.map(({ head }) => head),
        server,
      ),
    tool_name_chars: limits.tool_name_chars,
  };
}

/** Every key under the paths; why one cannot be imported is read where a stored tool asks for it. */
function codesOf({ operations }: Compilation): PlanRequest['keys'] {
  const known = new Map(operations.map((operation) => [operation.head.key, operation]));
  return {
    has: (key) => known.has(key),
    get(key) {
      const result = known.get(key)?.result;
      return result === undefined || isEmission(result) ? undefined : result.code;
    },
  };
}

/** Operations by their heads; what they hold inside is not read for that. */
export function knownOperations(
  heads: readonly Pick<Head, 'key' | 'method' | 'path'>[],
  server: string,
): readonly KnownOperation[] {
  return heads.map(({ key, method, path }) => ({ operation: key, method, endpoint: joinEndpoint(server, path) }));
}

/** What an import wants of one operation on a normalized server. */
export function wantedTool({ draft, template, output }: Emission, server: string): WantedTool {
  const { schema } = output();
  const { key: operation, name, method, locations, body, input_schema, description } = draft;
  return {
    operation,
    name,
    endpoint: joinEndpoint(server, template),
    method,
    locations,
    ...(body === undefined ? {} : { body }),
    input_schema,
    ...(schema === undefined ? {} : { output_schema: schema }),
    description,
  };
}
