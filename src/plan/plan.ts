// What an import comes to before it is written: an action for each chosen operation, and what the description no longer holds.
import type { RefusalCode } from '../base/codes.js';
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

export interface PlanRequest {
  /** Normalized. */
  readonly server: string;
  readonly set?: string;
  readonly wanted: readonly WantedTool[];
  /** What created tools are connected through. */
  readonly connection_id?: string;
  readonly connection_group?: string;
  /** Every key of the description; the value tells why one cannot be imported. */
  readonly keys: Pick<ReadonlyMap<string, RefusalCode | undefined>, 'has' | 'get'>;
  readonly tool_name_chars: number;
}

export type Action =
  | { readonly kind: 'create'; readonly tool: HttpTool }
  | {
      readonly kind: 'refresh';
      readonly tool: HttpTool;
      readonly before: HttpTool;
      readonly fields: readonly RefreshedField[];
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

export interface Plan {
  /** One for each chosen operation, in their order. */
  readonly actions: readonly Action[];
  readonly missing: readonly Missing[];
  readonly stale: readonly Stale[];
}
