// URIs of the files of a description: resolving, which of them are within reach, and what they are called.
import { posix } from 'node:path';
import { isObject, ownString } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';

/** A URI reference, resolved and without its fragment; undefined where that is no URI, or a too long one. */
export function resolveUri(reference: string | undefined, base: string | undefined): string | undefined {
  if (reference === undefined || reference.length + (base?.length ?? 0) > FIXED_LIMITS.uri_chars) return undefined;
  try {
    const uri = new URL(reference, base);
    uri.hash = '';
    return uri.href;
  } catch {
    return undefined;
  }
}

/**
 * What the references of a file are relative to: where it was read, unless it says itself: an OpenAPI description by `$self`
 * (OpenAPI 3.2.0, section 4.1.2), a schema by its `$id`.
 */
export function baseOf(root: unknown, uri: string | undefined, withId: boolean): string | undefined {
  if (!isObject(root)) return uri;
  const itself = ownString(root, '$self') ?? (withId ? ownString(root, '$id') : undefined);
  return resolveUri(itself, uri) ?? uri;
}

/**
 * Why a description may not read a URI, as the end of a sentence; undefined where it may. One that was fetched reads its own
 * origin, one of a file reads at or below its own folder.
 * @param uri absolute
 * @param base the URI of the description
 */
export function outOfReach(uri: string, base: string): string | undefined {
  const [from, to] = [new URL(base), new URL(uri)];
  if (from.protocol !== 'file:') {
    return to.origin === from.origin && to.protocol === from.protocol
      ? undefined
      : 'leads to another origin than that of the description, which is not read';
  }
  if (to.protocol !== 'file:') {
    return 'leads to a URL; a description that is a file reads files at or below its own folder';
  }
  const folder = from.pathname.slice(0, from.pathname.lastIndexOf('/') + 1);
  return to.host === '' && to.pathname.startsWith(folder)
    ? undefined
    : 'leads out of the folder of the description, which is not read';
}

/** What a file is called: its path relative to the description, without a query. */
export function relativePath(uri: string, base: string): string {
  const [from, to] = [new URL(base), new URL(uri)];
  const path = posix.relative(posix.dirname(from.pathname), to.pathname);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A reference for a message: its query, or a password in it, may be a secret. */
export function shownReference(reference: string): string {
  const hash = reference.indexOf('#');
  const address = hash < 0 ? reference : reference.slice(0, hash);
  if (address === '') return reference;
  const [path = ''] = address.split('?', 1);
  return path.replace(/\/\/[^/\\]*@/, '//') + reference.slice(address.length);
}
