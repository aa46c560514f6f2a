// The connection that the description's security schemes suggest, and how far each operation agrees with it.
import type { Notice } from '../base/codes.js';
import { quoted } from '../base/text.js';
import type { Head, Requirement, SecurityScheme, ServerUrl, Survey } from '../operation/operation.js';

/** A connection that a person may create for a server; the import never does. */
export type Suggestion =
  | { readonly provider: 'http_key'; readonly placement: 'header'; readonly header: string; readonly prefix?: string }
  | { readonly provider: 'http_key'; readonly placement: 'query'; readonly parameter: string }
  | { readonly provider: 'http_key'; readonly placement: 'basic' }
  | { readonly provider: 'google'; readonly scopes: readonly string[] };

/** A server of a preview. */
export interface SuggestedServer extends ServerUrl {
  readonly suggestion: Suggestion | null;
}

/** What the security of a description comes to. */
export interface Security {
  readonly servers: readonly SuggestedServer[];
  /** How an operation differs from the suggestion. */
  notices(head: Head): Notice[];
}

/** A suggestion, the one scheme it serves, and what there is to say. */
interface Choice {
  readonly suggestion: Suggestion | null;
  readonly scheme: string | undefined;
  readonly note: string | undefined;
}

/** Suggests a connection for each server. */
export function suggestConnections(survey: Survey): Security {
  const alternatives = asked(survey);
  const choices = survey.servers.map((server) => choose(survey, alternatives, server));
  const servers = survey.servers.map(({ url, relative, resolved, note }, i) => {
    const choice = choices[i];
    const notes = [note, choice?.note].filter((text) => text !== undefined).join('; ');
    return {
      url,
      ...(relative === undefined ? {} : { relative }),
      ...(resolved === undefined ? {} : { resolved }),
      suggestion: choice?.suggestion ?? null,
      ...(notes === '' ? {} : { note: notes }),
    };
  });
  const chosen = choices.find(({ suggestion }) => suggestion !== null)?.scheme;
  const used = survey.heads.some(({ security }) => security !== undefined);
  return { servers, notices: (head) => securityNotices(survey, head, chosen, used) };
}

/** What is asked of callers in general: alternatives in order of preference, and whether none of them is needed. */
interface Asked {
  readonly alternatives: readonly Requirement[];
  readonly open: boolean;
  readonly why: string | undefined;
}

/** The description's own security, else the schemes most operations use, else the only declared one. */
function asked(survey: Survey): Asked {
  const { security, schemes } = survey;
  if (security !== undefined) {
    return {
      alternatives: security.filter(({ size }) => size > 0),
      open: security.some(({ size }) => size === 0),
      why: undefined,
    };
  }
  const used = mostUsed(survey.heads);
  if (used.length > 0) return { alternatives: used, open: false, why: undefined };
  const names = [...schemes.keys()];
  const [only] = names;
  if (only !== undefined && names.length === 1)
    return { alternatives: [new Map([[only, []]])], open: false, why: undefined };
  const why =
    only === undefined
      ? 'the description declares no security scheme'
      : `the description declares ${list(names)} and does not say which is used`;
  return { alternatives: [], open: false, why };
}

function mostUsed(heads: readonly Head[]): Requirement[] {
  const uses = new Map<string, { requirement: Requirement; count: number }>();
  for (const { security } of heads) {
    for (const requirement of security ?? []) {
      if (requirement.size === 0) continue;
      const key = JSON.stringify([...requirement.keys()].sort());
      const use = uses.get(key);
      if (use === undefined) uses.set(key, { requirement, count: 1 });
      else use.count += 1;
    }
  }
  return [...uses.values()].sort((a, b) => b.count - a.count).map(({ requirement }) => requirement);
}

function choose(survey: Survey, { alternatives, open, why }: Asked, server: ServerUrl): Choice {
  if (alternatives.length === 0)
    return { suggestion: null, scheme: undefined, note: why ?? (open ? 'no key is needed' : undefined) };
  const reasons: string[] = [];
  for (const requirement of alternatives) {
    const suggestion = connect(survey, requirement, server);
    if (typeof suggestion === 'string') {
      reasons.push(suggestion);
      continue;
    }
    const [scheme] = requirement.keys();
    const others = alternatives.filter((other) => other !== requirement).map(named);
    const notes: string[] = [];
    if (others.length > 0) notes.push(`also accepted: ${others.slice(0, 5).join(', ')}`);
    if (open) notes.push('the key is optional');
    return { suggestion, scheme, note: notes.length === 0 ? undefined : notes.join('; ') };
  }
  return { suggestion: null, scheme: undefined, note: [...new Set(reasons)].slice(0, 5).join('; ') };
}

/** The connection for one requirement, or why there is none. */
function connect(survey: Survey, requirement: Requirement, server: ServerUrl): Suggestion | string {
  const names = [...requirement.keys()];
  const [name] = names;
  if (name === undefined || names.length > 1)
    return `${list(names)} are needed together, which one connection cannot give`;
  const scheme = survey.schemes.get(name);
  if (scheme === undefined) return `the security scheme ${quoted(name)} is not defined`;
  return connectScheme(survey, name, scheme, server);
}

function connectScheme(survey: Survey, name: string, scheme: SecurityScheme, server: ServerUrl): Suggestion | string {
  switch (scheme.kind) {
    case 'key':
      if (scheme.in === 'header') return { provider: 'http_key', placement: 'header', header: scheme.name };
      if (scheme.in === 'query') return { provider: 'http_key', placement: 'query', parameter: scheme.name };
      return `the key is the cookie ${quoted(scheme.name)}, which a connection cannot send`;
    case 'basic':
      return { provider: 'http_key', placement: 'basic' };
    case 'bearer':
      return { provider: 'http_key', placement: 'header', header: 'Authorization', prefix: 'Bearer ' };
    case 'consent': {
      const scopes = scopesOf(survey, name);
      if (isGoogle(server)) return { provider: 'google', scopes };
      const listed = scopes.length === 0 ? '' : ` (scopes ${list(scopes)})`;
      return `${quoted(name)} is ${scheme.type}${listed} of a provider without a consent screen here`;
    }
    case 'other':
      return `${quoted(name)} is ${quoted(scheme.type)}, which a connection cannot give`;
  }
}

/** The scopes that the operations, and the description for all, ask of one scheme. */
function scopesOf(survey: Survey, name: string): string[] {
  const scopes = new Set<string>();
  const add = (security: readonly Requirement[] | undefined) => {
    for (const requirement of security ?? []) for (const scope of requirement.get(name) ?? []) scopes.add(scope);
  };
  add(survey.security);
  for (const { security } of survey.heads) add(security);
  return [...scopes].sort();
}

function isGoogle({ url, resolved }: ServerUrl): boolean {
  const address = url ?? resolved;
  if (address === undefined) return false;
  const { hostname } = new URL(address);
  return hostname === 'googleapis.com' || hostname.endsWith('.googleapis.com');
}

/** `chosen`: the scheme of the suggestion; `used`: operations say for themselves what they need. */
function securityNotices(survey: Survey, head: Head, chosen: string | undefined, used: boolean): Notice[] {
  const at = `${head.place.at}/security`;
  const { security } = head;
  if (security === undefined) {
    const needsNone = survey.security === undefined && chosen !== undefined && used;
    return needsNone ? [{ code: 'security-none', at: head.place.at, message: 'it needs no key' }] : [];
  }
  const notices: Notice[] = [];
  const needed = security.filter(({ size }) => size > 0);
  const undefinedNames = [...new Set(needed.flatMap((one) => [...one.keys()]))].filter(
    (name) => !survey.schemes.has(name),
  );
  if (undefinedNames.length > 0) {
    notices.push({
      code: 'security-undefined',
      at,
      message: `its security scheme ${list(undefinedNames)} is not defined`,
    });
  }
  if (needed.length === 0) {
    const elsewhere = chosen !== undefined || survey.security?.some(({ size }) => size > 0);
    if (elsewhere) notices.push({ code: 'security-none', at, message: 'it needs no key' });
    return notices;
  }
  if (needed.length < security.length) notices.push({ code: 'security-optional', at, message: 'the key is optional' });
  if (undefinedNames.length === 0 && chosen !== undefined && !needed.some((one) => one.size === 1 && one.has(chosen))) {
    const message = `it asks for ${needed.slice(0, 5).map(named).join(' or ')}; the suggested connection is ${quoted(chosen)}`;
    notices.push({ code: 'security-differs', at, message });
  }
  return notices;
}

function named(requirement: Requirement): string {
  return [...requirement.keys()].map((name) => quoted(name)).join(' with ');
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => quoted(name, 120));
  return names.length > 8 ? `${shown.join(', ')} and ${names.length - 8} more` : shown.join(', ');
}
