// What the MCP face is made of: the revisions that are spoken, and what all its connections share.
import type { CallOptions } from '../app/call.js';
import type { Catalogue } from './catalogue.js';
import type { Log } from './log.js';
import type { Running } from './running.js';

/** The revisions of the protocol that are spoken, the newest first. */
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface OfferOptions {
  /** Bytes of the text of one answer. */
  readonly answerBytes: number;
  /** Three tools to search, describe and call all others, in the place of the others. */
  readonly search: boolean | { readonly over: number };
  /** Tools that only read; no others are listed or called. */
  readonly readOnly: boolean;
  /** A person is asked before a tool that may destroy something is called. */
  readonly confirm: boolean;
}

/** What is offered to every client, and how its calls are made. */
export interface Offer {
  readonly options: OfferOptions;
  readonly catalogue: Catalogue;
  readonly calls: Omit<CallOptions, 'signal' | 'progress'>;
  readonly running: Running;
  readonly log: Log;
  readonly version: string;
}
