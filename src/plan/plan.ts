// What an import comes to before it is written: an action for each chosen operation, and what the description no longer holds.
import type { DifferenceCode, RefusalCode } from '../base/codes.js';
import type { HttpTool, OwnedForm } from '../tool/tool.js';

/** What the API owns of a tool: refreshed at every import. */
export const REFRESHED_FIELDS = [
  'endpoint',
  'method',
  'locations',
  'body',
  'input_schema',
  'output_schema',
  'description',
] as const;
export type RefreshedField = (typeof REFRESHED_FIELDS)[number];

/** A tool as the description now gives it. */
export interface WantedTool extends OwnedForm {
  /** The key of the operation. */
  readonly operation: string;
  /** For a tool that is created; an existing one keeps its own. */
  readonly name: string;
}

/** For those who call the tool: what worked may no longer work; it goes on working; other words for the model. */
export type ChangeClass = 'breaking' | 'safe' | 'text';

/** One change of a tool. */
export interface Difference {
  /** A JSON pointer into the tool, into the new form where the place is there: `/input_schema/properties/reason`. */
  readonly at: string;
  readonly code: DifferenceCode;
  readonly class: ChangeClass;
  /** One sentence; foreign text in it is quoted and cut. */
  readonly message: string;
}

/** What waits for a person: breaking changes; those and whatever brings other words for the model; every change. */
export const HOLDS = ['breaking', 'text', 'all'] as const;
export type Hold = (typeof HOLDS)[number];

/** An operation of the description, chosen or not. */
export interface KnownOperation {
  /** Its key. */
  readonly operation: string;
  readonly method: string;
  /** As `OwnedForm.endpoint`; its gaps may be named otherwise. */
  readonly endpoint: string;
}

/** What one source asks for. */
export interface PlanRequest {
  /** What a person calls the source, for messages. */
  readonly source?: string;
  /** Normalized. */
  readonly server: string;
  readonly set?: string;
  readonly wanted: readonly WantedTool[];
  /** What created tools are connected through. */
  readonly connection_id?: string;
  readonly connection_group?: string;
  /** Every key of the description; the value tells why one cannot be imported. */
  readonly keys: Pick<ReadonlyMap<string, RefusalCode | undefined>, 'has' | 'get'>;
  /** Every operation of the description; asked for where one is missing, to find what it may be called by now. */
  readonly known?: () => Iterable<KnownOperation>;
  readonly tool_name_chars: number;
  /** Nothing waits without it. */
  readonly hold?: Hold;
}

export type Action =
  | { readonly kind: 'create'; readonly tool: HttpTool }
  | {
      readonly kind: 'refresh';
      readonly tool: HttpTool;
      readonly before: HttpTool;
      /** Those that differ; none where all that changed is that a pending form went away. */
      readonly fields: readonly RefreshedField[];
      readonly differences: readonly Difference[];
    }
  | {
      /** What is pending is new; where it waits already, the action is `keep`. */
      readonly kind: 'hold';
      /** As it was, with the new form as `pending`. */
      readonly tool: HttpTool;
      readonly before: HttpTool;
      readonly fields: readonly RefreshedField[];
      readonly differences: readonly Difference[];
    }
  | { readonly kind: 'keep'; readonly tool: HttpTool };

/** A tool of this server and set that the import leaves as it is. */
export interface Missing {
  readonly operation: string;
  readonly tool_id: string;
  readonly name: string;
}

/** Its operation is still there and can no longer be imported. */
export interface Stale extends Missing {
  readonly code: RefusalCode;
}

/** A hint, on which nothing acts: the operation that is missing may go by another key now. */
export interface Renamed {
  readonly from: Missing;
  /** The key of an operation that is no tool yet. */
  readonly operation: string;
  /** What they share; continues a sentence: `has the same method and path`. */
  readonly reason: string;
}

export interface Plan {
  /** One for each chosen operation, in their order. */
  readonly actions: readonly Action[];
  readonly missing: readonly Missing[];
  readonly stale: readonly Stale[];
  readonly renamed: readonly Renamed[];
}
