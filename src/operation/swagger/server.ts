// The server of a Swagger description: its scheme, host and base path as one URL (Swagger 2.0, Swagger Object).
import { type JsonObject, own, ownString } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import { count } from '../../base/text.js';
import type { ApiDocument } from '../../document/document.js';
import type { ServerUrl } from '../operation.js';
import { serverOf } from '../server.js';

/** Of the schemes that are listed the safer one; `other` where none is HTTP, undefined where none is listed. */
type Scheme = 'https' | 'http' | 'other' | undefined;

/** The servers of one description, each made once: its own, and those that the schemes of operations come to. */
export class SwaggerServers {
  readonly #document: ApiDocument;
  readonly #servers = new Map<Scheme, ServerUrl>();
  readonly #general: Scheme;

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#general = schemeOf(own(document.root, 'schemes'));
  }

  /** The server of the description. */
  get general(): ServerUrl {
    return this.#under(this.#general);
  }

  /** The server of an operation that lists schemes of its own, where that is another one. */
  own(operation: JsonObject): ServerUrl[] | undefined {
    const scheme = schemeOf(own(operation, 'schemes'));
    if (scheme === undefined || scheme === this.#general) return undefined;
    const [server, { general }] = [this.#under(scheme), this];
    return server.url === general.url && server.resolved === general.resolved ? undefined : [server];
  }

  #under(scheme: Scheme): ServerUrl {
    let server = this.#servers.get(scheme);
    if (server === undefined) {
      server = serverUnder(scheme, this.#document);
      this.#servers.set(scheme, server);
    }
    return server;
  }
}

function schemeOf(list: unknown): Scheme {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const includes = (scheme: string) =>
    list.some((one) => typeof one === 'string' && one.length < 9 && one.trim().toLowerCase() === scheme);
  return includes('https') ? 'https' : includes('http') ? 'http' : 'other';
}

function serverUnder(scheme: Scheme, { root, url }: ApiDocument): ServerUrl {
  if (scheme === 'other') return { url: null, note: 'none of the schemes is http or https' };
  const host = (ownString(root, 'host') ?? '').trim().replace(/\/$/, '');
  const path = basePath(root);
  const most = FIXED_LIMITS.uri_chars;
  const length = host.length + path.length;
  if (length > most) {
    return { url: null, note: `host and basePath have ${count(length)} characters; at most ${count(most)} are read` };
  }
  if (host === '') {
    const from = scheme === undefined ? url : url?.replace(/^https?:/i, `${scheme}:`);
    return serverOf(path === '' ? '/' : path, from);
  }
  // Many write a whole URL where the specification wants the host alone.
  if (/^https?:\/\//i.test(host)) return serverOf(host + path, url);
  // Without schemes it is the one by which the description was reached.
  const reached = /^http:/i.test(url ?? '') ? 'http' : 'https';
  return serverOf(`${scheme ?? reached}://${host}${path}`, url);
}

/** With one slash before it and none after it; empty where the API lies at the root. */
function basePath(root: JsonObject): string {
  const path = (ownString(root, 'basePath') ?? '').trim().replace(/^\/+/, '').replace(/\/$/, '');
  return path === '' ? '' : `/${path}`;
}
