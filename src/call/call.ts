// What a call of a tool is made of: the request that goes out, and what comes of it.

import type { ChunkedBody } from '../wire/exchange.js';

/** A request as bytes on the wire. */
export interface BoundRequest {
  readonly method: string;
  /** Scheme and authority: `https://api.example.com`. */
  readonly origin: string;
  /** Begins with `/`; encoded, with the query where there is one. */
  readonly target: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | ChunkedBody;
}

/** An argument that keeps a call from being sent. */
export interface Problem {
  readonly argument: string;
  readonly expected: string;
  readonly received: string;
}

/** The body of an answer, decoded. */
export type AnswerBody =
  | { readonly kind: 'empty' }
  /** Parsed JSON, and its text as the API sent it: the digits of large numbers are in `text`. */
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly base64: string; readonly content_type: string };

/** What the API answered. */
export interface Answered {
  readonly status: number;
  /** Those worth showing: type, length, location, paging, rate limits, request ids. */
  readonly headers: { readonly [name: string]: string };
  readonly body: AnswerBody;
  /** The body is only the beginning of what the API sent. */
  readonly cut?: true;
  /** What was cut of the body, or is odd about it. */
  readonly notes: readonly string[];
  readonly attempts: number;
}

/** Nothing was sent: by us, and why. */
export interface RefusedCall {
  readonly kind: 'refused';
  readonly reason: string;
  readonly problems: readonly Problem[];
}

/** What a call is doing, for who waits for it. Attempts are counted from 1. */
export type CallProgress =
  | { readonly kind: 'sending'; readonly attempt: number; readonly of: number }
  | { readonly kind: 'waiting'; readonly attempt: number; readonly of: number; readonly milliseconds: number };

/** What a call came to. */
export type CallResult =
  | ({ readonly kind: 'answer' } & Answered)
  /** 401, or a 403 that is no rate limit, behind a connection: the API refuses its key. */
  | ({ readonly kind: 'unauthorized' } & Answered)
  | RefusedCall
  | { readonly kind: 'timeout'; readonly reason: string; readonly attempts: number }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly attempts: number };
