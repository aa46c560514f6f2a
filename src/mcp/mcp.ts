// What the MCP face is made of: what is offered to every client, and how it is called.
import type { CallOptions } from '../app/call.js';
import type { Catalogue } from './catalogue.js';
import type { Log } from './log.js';
import type { Running } from './running.js';

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
