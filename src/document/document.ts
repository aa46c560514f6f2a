// What a description is before and after it is read: the types of this room.
import type { Notice } from '../base/codes.js';
import type { JsonObject } from '../base/json.js';
import type { Lookup } from '../wire/exchange.js';

/** Where a description comes from: exactly one of a path (`-` is the standard input), a URL, or the text itself (or its bytes). */
export type Source = { readonly file: string } | { readonly url: string } | { readonly document: string | Uint8Array };

/** How the network is reached. */
export interface Network {
  /** Hosts for which the guard against private addresses is lifted: `host` or `host:port`. */
  readonly allow?: readonly string[];
  /** The look-up of host names; the system's by default. */
  readonly lookup?: Lookup;
}

/** The text of a description. */
export interface Opened {
  /** Without a byte order mark. */
  readonly text: string;
  /** The URL it came from after redirects, without fragment. Its query may hold a secret: resolve with it, never show it. */
  readonly url?: string;
  /** The absolute path of the file it came from. */
  readonly path?: string;
  /** What messages call it: a quoted path, a URL without query, `the standard input` or `the document`. */
  readonly name: string;
}

export type DocumentKind = 'openapi' | 'swagger' | 'discovery';

/** A description of a known kind, as parsed. */
export interface ApiDocument {
  readonly kind: DocumentKind;
  /** The version of the specification: `3.1.0`, `2.0`, or the Discovery document's `discoveryVersion`. */
  readonly version: string;
  readonly root: JsonObject;
  /** As in `Opened`. */
  readonly url?: string;
  /** What happened on the way from its text. */
  readonly notices?: readonly Notice[];
  /** The other files that it refers to, where they may be read. */
  readonly files?: Files;
}

/** The files of a description in several. */
export interface Files {
  /** The URI of the description itself: what its references are relative to. It holds a path of this machine: never shown. */
  readonly base: string;
  /** By URI, the description itself among them. What is not in it is out of reach, or beyond the bounds of files. */
  readonly read: ReadonlyMap<string, OneFile | Unread>;
}

/** A file that was read. */
export interface OneFile {
  readonly root: unknown;
  /** The start of pointers into it: `schemas/pet.json#`, relative to the description; empty for the description itself. */
  readonly at: string;
  /** What its own references are relative to. */
  readonly uri: string;
}

/** Why a file could not be read: the end of a sentence about the reference to it. */
export interface Unread {
  readonly why: string;
}
