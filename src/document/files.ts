// The other files of a description in several: what its references lead to, read within its reach and its bounds.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../base/failure.js';
import { isObject, ownString } from '../base/json.js';
import { FIXED_LIMITS, type Limits } from '../base/limits.js';
import type { Profile } from '../base/profile.js';
import { count, quoted } from '../base/text.js';
import { readBeside } from './beside.js';
import { toText } from './bytes.js';
import { decode } from './decode.js';
import { descend } from './descend.js';
import type { ApiDocument, Network, OneFile, Opened, Unread } from './document.js';
import { fetchFile } from './fetch.js';
import { baseOf, outOfReach, relativePath, resolveUri } from './uri.js';

export interface FilesOptions {
  readonly limits: Limits;
  readonly profile: Profile;
  readonly network: Network;
  /** When what is fetched must be there, by `performance.now()`. */
  readonly until: number;
}

/** Files that are read at the same time. */
const AT_ONCE = 8;

/**
 * The description with the files that its references lead to. One that cannot be read is there with the reason, and so is no
 * more than a reference that does not resolve. Only for descriptions that came from a file or a URL, in the extended profile.
 */
export async function readFiles(document: ApiDocument, opened: Opened, options: FilesOptions): Promise<ApiDocument> {
  if (options.profile === 'core' || document.kind === 'discovery' || !mayLeadOutside(opened.text)) return document;
  const shelf = await shelfOf(opened, options);
  if (shelf === undefined) return document;
  const crawl = new Crawl(document, shelf, options, Buffer.byteLength(opened.text));
  return { ...document, files: { base: shelf.base, read: await crawl.run() } };
}

/**
 * Whether a text, JSON or YAML, may hold a reference that does not begin with `#`. A look at the text alone, since most
 * descriptions have none and must not pay for a walk.
 */
export function mayLeadOutside(text: string): boolean {
  return finds(text, '$ref', OUTSIDE) || finds(text, '\\', ESCAPED);
}

const OUTSIDE = /\$ref["']?\s*:(?!\s*(?:["']?#|[{[]))/y;
/** A `$ref` that is written with escapes. */
const ESCAPED = /\\[uUx]0*(?:24|72|65|66)/y;

/** Whether a sticky expression matches where this text stands: to look for a text is much faster than for an expression. */
function finds(text: string, begin: string, whole: RegExp): boolean {
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
    whole.lastIndex = at;
    if (whole.test(text)) return true;
  }
  return false;
}

/** Where the other files lie, and how they are read. */
interface Shelf {
  /** The URI of the description. */
  readonly base: string;
  /** What is the same for all URIs of the description, as `Item.identity`. */
  readonly identity: string;
  readonly most: number;
  /** @throws Failure */
  take(uri: string, name: string, bound: number): Promise<Item>;
}

interface Item {
  readonly bytes: Buffer;
  /** What its references are relative to. */
  readonly uri: string;
  /** The same for all URIs that lead to this file. */
  readonly identity: string;
}

/** A file that was not read; `streamed`: its bytes came, and were more than the bound. */
interface Untaken extends Unread {
  readonly streamed?: boolean;
}

async function shelfOf(opened: Opened, options: FilesOptions): Promise<Shelf | undefined> {
  const { url, path } = opened;
  if (url !== undefined) return remoteShelf(url, options);
  return path === undefined ? undefined : localShelf(path).catch(() => undefined);
}

function remoteShelf(base: string, { limits, network, until }: FilesOptions): Shelf {
  const take = async (uri: string, _name: string, bound: number): Promise<Item> => {
    const left = until - performance.now();
    const { bytes, url } = await fetchFile(new URL(uri), bound, left, limits.fetch_seconds, network);
    return { bytes, uri: url, identity: url };
  };
  return { base, identity: base, most: FIXED_LIMITS.files_fetched, take };
}

async function localShelf(path: string): Promise<Shelf> {
  const folder = await realpath(dirname(path));
  const take = async (uri: string, name: string, bound: number): Promise<Item> => {
    const { bytes, real } = await readBeside(uri, folder, name, bound);
    return { bytes, uri, identity: real };
  };
  const base = pathToFileURL(join(folder, basename(path))).href;
  return { base, identity: await realpath(path), most: FIXED_LIMITS.files_read, take };
}

/** Reads file after file, in the order in which references lead to them, so that a bound always leaves out the same ones. */
class Crawl {
  readonly #shelf: Shelf;
  readonly #options: FilesOptions;
  readonly #withIds: boolean;
  readonly #read = new Map<string, OneFile | Unread>();
  readonly #identities = new Map<string, OneFile>();
  readonly #waiting: string[] = [];
  readonly #met = new Set<string>();
  #references = 0;
  #left: number;

  constructor(document: ApiDocument, shelf: Shelf, options: FilesOptions, bytes: number) {
    this.#shelf = shelf;
    this.#options = options;
    this.#withIds = document.kind === 'openapi' && !/^3\.0(?:\.|$)/.test(document.version);
    this.#left = options.limits.description_bytes - bytes;
    const itself: OneFile = { root: document.root, at: '', uri: shelf.base };
    this.#identities.set(shelf.identity, itself);
    // A file that refers back to a description names it without the query that it was fetched with.
    for (const uri of [shelf.base, shelf.base.replace(/\?.*$/s, '')]) this.#keep(uri, itself);
    this.#wantAll(itself);
  }

  async run(): Promise<ReadonlyMap<string, OneFile | Unread>> {
    for (let done = 0; done < this.#waiting.length; ) {
      const uris = this.#waiting.slice(done, done + AT_ONCE);
      done += uris.length;
      const bound = this.#left;
      const items = await Promise.all(uris.map((uri) => this.#take(uri, bound)));
      for (const [i, uri] of uris.entries()) await this.#settle(uri, items[i] ?? overBytes(this.#options.limits));
    }
    return this.#read;
  }

  async #take(uri: string, bound: number): Promise<Item | Untaken> {
    if (bound <= 0) return overBytes(this.#options.limits);
    try {
      return await this.#shelf.take(uri, this.#name(uri), bound);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code !== 'source-too-large') return cannotBeRead(error);
      return { ...overBytes(this.#options.limits), streamed: error.data.bytes === bound + 1 };
    }
  }

  async #settle(uri: string, item: Item | Untaken): Promise<void> {
    if ('why' in item) {
      // What came up to the bound is spent, or a hundred such files would each stream as much.
      if (item.streamed === true) this.#left = 0;
      this.#keep(uri, { why: item.why });
    } else {
      const file = this.#identities.get(item.identity) ?? (await this.#parsed(uri, item));
      this.#keep(uri, file);
      this.#keep(item.uri, file);
    }
  }

  async #parsed(uri: string, item: Item): Promise<OneFile | Unread> {
    if (item.bytes.length > this.#left) return overBytes(this.#options.limits);
    this.#left -= item.bytes.length;
    const name = this.#name(uri);
    try {
      const root = await decode({ text: toText(item.bytes, name), name }, this.#options.profile);
      const file: OneFile = { root, at: `${relativePath(item.uri, this.#shelf.base)}#`, uri: item.uri };
      this.#identities.set(item.identity, file);
      this.#wantAll(file);
      return file;
    } catch (error) {
      if (error instanceof Failure) return cannotBeRead(error);
      throw error;
    }
  }

  #keep(uri: string, file: OneFile | Unread): void {
    if (!this.#read.has(uri)) this.#read.set(uri, file);
  }

  #name(uri: string): string {
    return quoted(relativePath(uri, this.#shelf.base), 120);
  }

  /** Puts all files that the references of one file lead to on the list. */
  #wantAll({ root, at, uri }: OneFile): void {
    const known = new Map<string, Set<string>>();
    const base = baseOf(root, uri, this.#withIds && at !== '') ?? uri;
    // Also where a reference stands in data: what it stands in is not known here.
    descend(root, base, (node, outer) => {
      if (this.#full) return undefined;
      if (!isObject(node)) return outer;
      const inner = this.#withIds && node !== root ? (resolveUri(ownString(node, '$id'), outer) ?? outer) : outer;
      const reference = ownString(node, '$ref');
      if (reference === undefined || reference === '' || reference.startsWith('#')) return inner;
      const names = known.get(inner) ?? new Set();
      const [address = ''] = reference.split('#', 1);
      if (names.has(address)) return inner;
      known.set(inner, names.add(address));
      this.#references += 1;
      this.#want(resolveUri(address, inner));
      if (inner !== uri) this.#want(resolveUri(address, uri));
      return inner;
    });
  }

  get #full(): boolean {
    return this.#references >= FIXED_LIMITS.file_references || this.#waiting.length >= this.#shelf.most;
  }

  #want(uri: string | undefined): void {
    if (uri === undefined || this.#met.has(uri) || this.#read.has(uri)) return;
    this.#met.add(uri);
    if (outOfReach(uri, this.#shelf.base) === undefined && this.#waiting.length < this.#shelf.most)
      this.#waiting.push(uri);
  }
}

function cannotBeRead(failure: Failure): Unread {
  return { why: `leads to a file that cannot be read: ${failure.message}` };
}

function overBytes({ description_bytes }: Limits): Unread {
  const most = count(description_bytes);
  return { why: `leads to a file that is not read: all files together are over ${most} bytes (description_bytes)` };
}
