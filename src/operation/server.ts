// The servers of a description: variables filled with their defaults, relative ones named as such.
import { isObject, type JsonObject, own, ownObject, ownString } from '../base/json.js';
import { quoted } from '../base/text.js';
import type { ServerUrl } from './operation.js';

const VARIABLE = /\{([^{}]*)\}/g;

/** The servers of a `servers` list; undefined where there is none, or an empty one. */
export function serverUrls(list: unknown, documentUrl: string | undefined): ServerUrl[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return list.map((server) =>
    isObject(server) ? serverUrl(server, documentUrl) : unusable('a server that is no object'),
  );
}

/** One server of its text, for descriptions that give none (OpenAPI: `/`) or one alone (Discovery). */
export function serverOf(url: string, documentUrl: string | undefined): ServerUrl {
  return classified(url, documentUrl);
}

function serverUrl(server: JsonObject, documentUrl: string | undefined): ServerUrl {
  const template = ownString(server, 'url');
  if (template === undefined) return unusable('a server without a url');
  const variables = ownObject(server, 'variables') ?? {};
  const missing = new Set<string>();
  const url = template.replace(VARIABLE, (whole, name: string) => {
    const variable = own(variables, name);
    const value = isObject(variable) ? own(variable, 'default') : undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    missing.add(name);
    return whole;
  });
  if (missing.size === 0) return classified(url, documentUrl);
  const names = [...missing].slice(0, 5).map((name) => quoted(name));
  return unusable(`${quoted(template, 120)} has no default for ${names.join(', ')}; give the server at import`);
}

function classified(text: string, documentUrl: string | undefined): ServerUrl {
  const url = text.trim();
  if (/[{}]/.test(url)) return unusable(`${quoted(url, 120)} holds a brace that is no variable`);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return absolute(url);
  // `localhost:8080` and `api.example.com/v1` lack their scheme; `ws:` and others are no HTTP.
  if (scheme !== undefined && url.slice(scheme.length + 1).startsWith('//'))
    return unusable(`${quoted(url, 120)} is not http or https`);
  const note = `the server URL ${quoted(url, 120)} is relative; give the absolute one at import`;
  if (documentUrl === undefined) return { url: null, relative: url, note };
  try {
    // The query of the description's own URL may hold a secret, and is no part of a server.
    const resolved = new URL(url, documentUrl.replace(/[?#].*$/s, ''));
    resolved.hash = '';
    return { url: null, relative: url, resolved: resolved.href.replace(/\/$/, ''), note };
  } catch {
    return { url: null, relative: url, note };
  }
}

function absolute(url: string): ServerUrl {
  try {
    const parsed = new URL(url);
    if (parsed.username !== '' || parsed.password !== '') return unusable('a server URL that holds a user name');
    return { url: url.replace(/^[a-z]+:\/*/i, `${parsed.protocol}//`) };
  } catch {
    return unusable(`${quoted(url, 120)} is no URL`);
  }
}

function unusable(note: string): ServerUrl {
  return { url: null, note };
}
